"""Servers on this network that say that they are there, found by zeroconf."""

import asyncio
import contextlib
import ipaddress
from collections.abc import AsyncIterator, Callable

import attrs
from zeroconf import ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

SERVICE = "_parlour._tcp.local."
WITHIN_MS = 3000
"""Milliseconds for a server that was found to give its address."""
LONG_ENOUGH = 3.0
"""Seconds in which a server is found, if there is one."""


@attrs.frozen
class Found:
    """A server that announces itself."""

    label: str
    url: str


def found(info: AsyncServiceInfo) -> Found | None:
    """The label and URL of a server that announces itself; IPv4 first."""
    addresses = sorted(info.parsed_scoped_addresses(), key=lambda text: ":" in text)
    if not addresses or info.port is None:
        return None
    host = addresses[0]
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(host.partition("%")[0]).version == 6:
            host = f"[{host}]"
    secure = (info.properties or {}).get(b"tls") == b"1"
    label = info.name.removesuffix(f".{SERVICE}")
    return Found(label, f"{'wss' if secure else 'ws'}://{host}:{info.port}")


@contextlib.asynccontextmanager
async def looking(tell: Callable[[str, Found | None], None]) -> AsyncIterator[None]:
    """Tells of every server that comes, and with None of every one that goes, while the context is open."""
    tasks: set[asyncio.Task[None]] = set()
    loop = asyncio.get_running_loop()

    async def resolve(zeroconf: Zeroconf, name: str) -> None:
        info = AsyncServiceInfo(SERVICE, name)
        if await info.async_request(zeroconf, WITHIN_MS):
            tell(name, found(info))

    def changed(
        zeroconf: Zeroconf,
        service_type: str,  # noqa: ARG001
        name: str,
        state_change: ServiceStateChange,
    ) -> None:
        if state_change is ServiceStateChange.Removed:
            tell(name, None)
            return
        task = loop.create_task(resolve(zeroconf, name))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    try:
        zeroconf = AsyncZeroconf()
    except OSError:
        # Without a network no server is found, but one may still play here.
        yield
        return
    browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[changed])
    try:
        yield
    finally:
        await browser.async_cancel()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await zeroconf.async_close()


async def first_found() -> str | None:
    """The URL of the first server that is found, if one is found soon."""
    heard: asyncio.Queue[str] = asyncio.Queue()

    def tell(_: str, found: Found | None) -> None:
        if found is not None:
            heard.put_nowait(found.url)

    try:
        async with looking(tell), asyncio.timeout(LONG_ENOUGH):
            return await heard.get()
    except TimeoutError:
        return None
