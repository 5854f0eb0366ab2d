"""The parent of nodes on one machine: from the settings to the end of the last node."""

import asyncio
import contextlib
import logging
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import attrs

from parlour.machine.addresses import own_addresses
from parlour.server.app import on_signals, tls_of
from parlour.server.config import Config
from parlour.server.processes.health import answering
from parlour.server.processes.node import GRACE, Node
from parlour.server.processes.plan import advertised, plan_nodes
from parlour.server.storage.backends import backend_at

log = logging.getLogger("parlour.processes")


@attrs.frozen
class ListeningNodes:
    """All nodes listen."""

    hosts: tuple[str, ...]
    """The addresses on which they listen."""
    first: int
    last: int
    health: int
    """Ports: of the first node, the last one, and of the parent."""
    secure: bool
    advertised: str
    """Where clients reach the first one."""


async def run(config: Config, say: Callable[[ListeningNodes], None]) -> None:
    """Keeps the nodes alive until a signal says to stop; raises BadConfig, ArchiveError or NotStarted.

    SIGHUP has them started anew, one after the other: so an upgrade comes to all of them.
    """
    for place in filter(None, (config.archive, config.archive_direct)):
        backend_at(place)  # before an address with a password in it is among the words of a process
    own = own_addresses()
    nodes = [Node(plan) for plan in plan_nodes(config, own)]
    tls = tls_of(config)
    health_port = config.port + len(nodes)
    stop = on_signals(signal.SIGTERM, signal.SIGINT)
    renew = on_signals(signal.SIGHUP) if hasattr(signal, "SIGHUP") else asyncio.Event()
    async with answering(config, health_port, tls, nodes) as server, _alive(nodes) as lives:
        hosts = tuple(socket.getsockname()[0] for socket in server.sockets)
        # The first one brings the database up to date, and the others find it so.
        if await _all_listen(nodes[:1], lives, stop) and await _all_listen(nodes, lives, stop):
            advertise = advertised(config, 0, own)
            say(ListeningNodes(hosts, config.port, health_port - 1, health_port, tls is not None, advertise))
            await _serve(nodes, lives, stop, renew)
        log.info("stopping")


@contextlib.asynccontextmanager
async def _alive(nodes: Sequence[Node]) -> AsyncIterator[list["asyncio.Task[None]"]]:
    """The first node runs at once, the others when it listens; in the end all of them have ended."""

    async def after_first(node: Node) -> None:
        if node is not nodes[0]:
            await nodes[0].listening.wait()
        await node.live()

    lives = [asyncio.create_task(after_first(node)) for node in nodes]
    try:
        yield lives
    finally:
        for node, life in zip(nodes, lives, strict=True):
            node.stop()
            if not node.starts:
                life.cancel()
        _, left = await asyncio.wait(lives, timeout=GRACE)
        if left:
            for node in nodes:
                node.kill()
        await asyncio.gather(*lives, return_exceptions=True)


async def _all_listen(
    nodes: Sequence[Node], lives: "Sequence[asyncio.Task[None]]", stop: asyncio.Event
) -> bool:
    """Waits until they listen; False if a signal came first. Raises what ended one of them."""
    stopping: asyncio.Future[Any] = asyncio.ensure_future(stop.wait())
    listening: asyncio.Future[Any] = asyncio.gather(*[node.listening.wait() for node in nodes])
    try:
        await asyncio.wait({stopping, listening, *lives}, return_when=asyncio.FIRST_COMPLETED)
        _raise_ends(lives)
        return not stop.is_set()
    finally:
        stopping.cancel()
        listening.cancel()
        await asyncio.gather(stopping, listening, return_exceptions=True)


def _raise_ends(lives: "Sequence[asyncio.Task[None]]") -> None:
    """Raises what ended a node for good: its first start has failed, or it is a bug."""
    for life in lives:
        if life.done():
            life.result()


async def _serve(
    nodes: Sequence[Node],
    lives: "Sequence[asyncio.Task[None]]",
    stop: asyncio.Event,
    renew: asyncio.Event,
) -> None:
    """Until a signal says to stop; another has the nodes started anew, one after the other."""
    while not stop.is_set():
        waiting = [asyncio.ensure_future(event.wait()) for event in (stop, renew)]
        await asyncio.wait({*waiting, *lives}, return_when=asyncio.FIRST_COMPLETED)
        for each in waiting:
            each.cancel()
        _raise_ends(lives)
        if renew.is_set() and not stop.is_set():
            renew.clear()
            for node in nodes:
                node.renew()
                if not await _all_listen([node], lives, stop):
                    break
