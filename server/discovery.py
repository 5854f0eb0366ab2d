"""Being found: the server announces itself on the local network by zeroconf. Moves bytes."""

import asyncio
import contextlib
import ipaddress
import logging
import socket
from collections.abc import AsyncIterator, Sequence

import ifaddr
from zeroconf import BadTypeInNameException, NonUniqueNameException, ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

SERVICE = "_parlour._tcp.local."
WITHIN = 5.0
EVERYWHERE = ("0.0.0.0", "::")
log = logging.getLogger("parlour.discovery")


def addresses(ports: Sequence[tuple[str, int]], own: Sequence[str]) -> list[str]:
    """Where others reach a server that listens there, on a machine with these; none: only from here."""
    found: list[str] = []
    for host, _ in ports:
        if host in EVERYWHERE:
            found.extend(text for text in own if (":" in text) is (":" in host))
        elif not ipaddress.ip_address(host.partition("%")[0]).is_loopback:
            found.append(host)
    return list(dict.fromkeys(found))


def own_addresses() -> list[str]:
    """This machine's, without those that mean something on it alone."""
    texts = [
        ip.ip if isinstance(ip.ip, str) else ip.ip[0] for each in ifaddr.get_adapters() for ip in each.ips
    ]
    kept = [ipaddress.ip_address(text) for text in texts]
    return [
        str(each) for each in kept if not each.is_loopback and not (each.version == 6 and each.is_link_local)
    ]


def service(where: Sequence[str], port: int, secure: bool, name: str) -> ServiceInfo:
    return ServiceInfo(
        SERVICE,
        f"{name}.{SERVICE}",
        port=port,
        parsed_addresses=list(where),
        properties={"tls": "1" if secure else "0"},
        server=f"{name}.local.",
    )


@contextlib.asynccontextmanager
async def announced(ports: Sequence[tuple[str, int]], secure: bool) -> AsyncIterator[None]:
    """While the context is open. A network that does not carry it is no reason not to serve."""
    where = addresses(ports, own_addresses())
    name = "".join(letter if letter.isalnum() else "-" for letter in socket.gethostname())[:40] or "parlour"
    zeroconf: AsyncZeroconf | None = None
    task: asyncio.Task[None] | None = None
    if where:
        try:
            zeroconf = AsyncZeroconf()
            task = asyncio.create_task(_register(zeroconf, service(where, ports[0][1], secure, name)))
        except OSError as wrong:
            log.warning("not announced: %s", wrong)
    try:
        yield
    finally:
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if zeroconf is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(WITHIN):
                    await zeroconf.async_unregister_all_services()
                    await zeroconf.async_close()


async def _register(zeroconf: AsyncZeroconf, info: ServiceInfo) -> None:
    try:
        await (await zeroconf.async_register_service(info, allow_name_change=True))
        log.info("announced name=%s", info.name)
    except (OSError, NonUniqueNameException, BadTypeInNameException) as wrong:
        log.warning("not announced: %s", wrong)
