"""Announces the server on the local network by zeroconf. Moves bytes."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence

from zeroconf import BadTypeInNameException, NonUniqueNameException, ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from parlour.machine.addresses import all_reached_at, label, own_addresses

SERVICE = "_parlour._tcp.local."
WITHIN = 5.0
log = logging.getLogger("parlour.discovery")


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
    """Announces the server while the context is open; a network that refuses this does not stop it."""
    where = all_reached_at([host for host, _ in ports], own_addresses())
    zeroconf: AsyncZeroconf | None = None
    task: asyncio.Task[None] | None = None
    if where:
        try:
            zeroconf = AsyncZeroconf()
            task = asyncio.create_task(_register(zeroconf, service(where, ports[0][1], secure, label())))
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
