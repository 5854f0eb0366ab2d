"""A server from its settings to its last goodbye."""

import asyncio
import contextlib
import functools
import logging
import signal
import ssl
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Protocol

import attrs
from websockets.asyncio.server import Server

from parlour.machine.addresses import system_words
from parlour.server.author_mode import HIGH, fixed_bytes, for_authors
from parlour.server.background import WorkThread
from parlour.server.border import describe, on_loop_error
from parlour.server.bot_workers import Workers
from parlour.server.chaos import Chaos, Plan
from parlour.server.config import BadConfig, Config
from parlour.server.house.house import Alone, House
from parlour.server.house.node import NodeHouse
from parlour.server.house.tournament_house import TournamentHouse
from parlour.server.interpreter import calm_python
from parlour.server.limits import Limits
from parlour.server.lobby.bots import Bots
from parlour.server.lobby.lobby import Lobby
from parlour.server.metrics import Metrics
from parlour.server.storage.archive import Archive
from parlour.server.storage.backends import node_at
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.low_priority import LowPriorityStore
from parlour.server.storage.played_games import ArchivedGames, NoPlayedGames
from parlour.server.storage.postgresql.house_values import HouseDatabase, Node
from parlour.server.storage.store import ArchiveStore, NoStore
from parlour.server.tables.recovery import recover, recover_people
from parlour.server.tables.registry import Tables
from parlour.server.tournament.live.house import CANCELLED, CHANGED, ERRAND, ERRAND_DONE, GONE
from parlour.server.wire.gateway import Gateway
from parlour.server.wire.listening import listen
from parlour.server.wire.page import Page
from parlour.server.wire.proxies import Proxies

BACK_AFTER = 2.0
"""Seconds after which clients come back after a restart."""
MOMENT, LAST_MOMENT = 0.9, 1.2
"""Seconds that a stopping server waits for anything, and at last for its archive: it has five in all."""
LOOK_AT_LEASE = 0.1
BEGIN_AGAIN = 1.0
"""Seconds after which a node that has lost its place looks again whether the database is there."""
NO_PAGE: Mapping[str, bytes] = {}
log = logging.getLogger("parlour.server")


@attrs.frozen(repr=False)
class ListeningServer:
    """A server that listens."""

    lobby: Lobby
    gateway: Gateway
    ports: tuple[tuple[str, int], ...]
    secure: bool
    lost: asyncio.Event = attrs.field(factory=asyncio.Event)
    """Set when other nodes may have what it had: it has to begin anew."""

    @property
    def port(self) -> int:
        return self.ports[0][1]

    @property
    def url(self) -> str:
        """How a program on this machine reaches it."""
        # IPv4 first: with port 0 each address has a port of its own.
        host, port = min(self.ports, key=lambda where: ":" in where[0])
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        shown = f"[{host}]" if ":" in host else host
        return f"{'wss' if self.secure else 'ws'}://{shown}:{port}"


def limits_of(config: Config) -> Limits:
    return attrs.evolve(
        HIGH if config.test else Limits(),
        heartbeat=config.heartbeat,
        tables=config.tables,
        connections=config.connections,
        tournament_tables=config.tournament_tables,
        origins=config.origin,
        **(
            {}
            if config.test
            else {name: getattr(config, name) for name in ("connections_each", "names_each")}
        ),
    )


def tls_of(config: Config) -> ssl.SSLContext | None:
    """Raises BadConfig."""
    if config.cert is None or config.key is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(Path(config.cert), Path(config.key))
    except (OSError, ssl.SSLError) as wrong:
        raise BadConfig(f"cert: {system_words(wrong)}") from None
    return context


class BotRunner(Bots, Protocol):
    """What starts built-in bots, as long as the server lives."""

    async def run(self, gateway: Gateway) -> None:
        """Lets them in and starts them until it is cancelled."""


@contextlib.asynccontextmanager
async def running(
    config: Config,
    limits: Limits | None = None,
    page: Mapping[str, bytes] = NO_PAGE,
    workers: BotRunner | None = None,
) -> AsyncIterator[ListeningServer]:
    """Listens while the context is open; raises BadConfig, or an ArchiveError, if it cannot.

    `page` has what browsers get over HTTP, by its path. Without `workers` it starts processes of its own.
    """
    tls = tls_of(config)
    loop = asyncio.get_running_loop()
    archive, database = _open_archive(config, loop)
    store = ArchiveStore(archive) if archive is not None else NoStore()
    tables = Tables(store=store, clock=loop.time, node=config.node or "")
    if config.test:
        tables.random = fixed_bytes()
    workers = workers or Workers(config.bots)
    limits = limits or limits_of(config)
    async with serving(config, limits, tables, workers, archive, tls, page, database) as ready:
        yield ready


def _open_archive(
    config: Config, loop: asyncio.AbstractEventLoop
) -> tuple[Archive | None, HouseDatabase | None]:
    """The archive and, if there are to be several servers, what tells them of each other."""
    if not config.archive:
        return None, None
    unsafe = config.unsafe_database
    if config.node is None or config.advertise is None:
        return Archive.open(config.archive, unsafe=unsafe), None
    direct = config.archive_direct
    node = Node(config.node, config.advertise, config.lease)
    backend = node_at(config.archive, node, unsafe=unsafe, direct=direct)
    archive = Archive.of(backend)
    if not backend.is_direct():
        archive.close_now()
        raise BadConfig("archive_direct: leads to another database than archive: give both the same one")
    return archive, backend.open_house(loop)


@contextlib.asynccontextmanager
async def serving(
    config: Config,
    limits: Limits,
    tables: Tables,
    workers: BotRunner,
    archive: Archive | None,
    tls: ssl.SSLContext | None = None,
    page: Mapping[str, bytes] = NO_PAGE,
    database: HouseDatabase | None = None,
) -> AsyncIterator[ListeningServer]:
    """Puts a server together from parts that touch the machine, which a simulation makes of its own."""
    metrics = Metrics()

    def on_bug(where: str, number: int, bug: BaseException) -> None:
        metrics.bugs.inc()
        log.error("bug at=%r number=%s\n%s", where, number, describe(bug))

    loop = asyncio.get_running_loop()
    tables.on_bug = on_bug
    played_games = ArchivedGames(archive) if archive is not None else NoPlayedGames()
    threads = [WorkThread(loop, name) for name in ("reading", "working", "drawing", "thinking")]
    reading, working, drawing, thinking = threads
    house: House = Alone()
    if database is not None and archive is not None:
        house = NodeHouse(tables, archive, database, tables.node, config.advertise or "")
    lobby = Lobby(limits, workers, tables, played_games, reading, thinking, house)
    lobby.tournaments.working, lobby.tournaments.drawing = working, drawing
    gateway = Gateway(lobby, metrics, config.names, Page(page), Proxies.of(config.trusted_proxy))
    before = loop.get_exception_handler()
    loop.set_exception_handler(on_loop_error)
    try:
        if archive is not None:
            if isinstance(house, NodeHouse):
                _join_house(house, lobby, archive)
            else:
                recover(tables, archive, tables.clock)
            lobby.tournaments.stored.source = archive
            lobby.tournaments.low_priority = LowPriorityStore(
                tables.store, loop, archive.put_low_priority, archive.has_urgent, on_bug
            )
            archive.before_sessions = lobby.tournaments.low_priority.let_go
            lobby.tournaments.recover()
            gateway.set_alarm()
            gateway.archive_problem = archive.problem
        async with _listening(config, tls, lobby, gateway, workers) as ready:
            yield ready
    finally:
        gateway.end()
        await asyncio.gather(*[thread.close(MOMENT) for thread in threads])
        if database is not None:
            await asyncio.to_thread(database.stop)
        if archive is not None:
            await _close_archive(archive)
        loop.set_exception_handler(before)


def _join_house(house: NodeHouse, lobby: Lobby, archive: Archive) -> None:
    """Restores what is this node's, and has it hear of the others from now on."""
    house.on_nodes = lobby.nodes_changed
    house.handlers["chat"] = lobby.hear_chat
    tournaments = lobby.tournaments
    tournaments.house, tournaments.in_house = TournamentHouse(house), True
    house.handlers[CHANGED] = tournaments.hear
    house.handlers[CANCELLED] = house.handlers[GONE] = tournaments.guests.hear
    house.takeover.on_tournament, house.on_moved = tournaments.take_over, tournaments.moved
    house.handlers[ERRAND], house.handlers[ERRAND_DONE] = tournaments.errands.do, tournaments.errands.hear
    house.on_line, house.on_begun = tournaments.arrived, tournaments.node_began
    recover_people(lobby.tables, archive)
    house.begin(lobby.tables.clock)


@contextlib.asynccontextmanager
async def _listening(
    config: Config, tls: ssl.SSLContext | None, lobby: Lobby, gateway: Gateway, workers: BotRunner
) -> AsyncIterator[ListeningServer]:
    try:
        server = await listen(gateway, config.host or None, config.port, tls, config.plain_websockets)
    except OSError as wrong:
        where = f"{config.host or 'any address'}, port {config.port}"
        raise BadConfig(f"port: cannot listen on {where}: {system_words(wrong)}") from None
    ports = tuple((socket.getsockname()[0], socket.getsockname()[1]) for socket in server.sockets)
    ready = ListeningServer(lobby, gateway, ports, tls is not None)
    if isinstance(lobby.house, NodeHouse):
        lobby.house.when_lost(functools.partial(_lose, lobby, ready.lost))
        tasks_of_house = [asyncio.create_task(_watch_lease(lobby.house))]
    else:
        tasks_of_house = []
    tasks = [asyncio.create_task(gateway.watch_over()), asyncio.create_task(workers.run(gateway))]
    tasks += tasks_of_house
    try:
        yield ready
    finally:
        await _go_down(server, lobby)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _go_down(server: Server, lobby: Lobby) -> None:
    """Tells clients when to come back, gives the answers that are due, and closes with 1012."""
    lobby.announce_restart(BACK_AFTER)
    server.close(close_connections=False)
    await _until(lambda: not lobby.busy)
    if isinstance(lobby.house, NodeHouse) and not lobby.house.over:
        await _until(lobby.house.hand_over())
    lobby.close(BACK_AFTER)
    await _until(lambda: not any(session.peer for session in lobby.tables.sessions.values()))
    # Closes those that never said hello, and those that have not closed by themselves.
    await asyncio.gather(*[connection.close(1012, "restart") for connection in list(server.connections)])
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(MOMENT):
            await server.wait_closed()


def _lose(lobby: Lobby, lost: asyncio.Event) -> None:
    lobby.lose()
    lost.set()


async def _watch_lease(house: NodeHouse) -> None:
    """Notices that the node has lost its place, also if nobody asks for anything."""
    while not house.over:
        await asyncio.sleep(LOOK_AT_LEASE)


async def _until(done: Callable[[], bool]) -> None:
    """Waits a moment at most."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(MOMENT):
            while not done():
                await asyncio.sleep(0.01)


async def _close_archive(archive: Archive) -> None:
    """Stores what still waits, if the disk is fast enough."""
    try:
        async with asyncio.timeout(LAST_MOMENT):
            stored = await archive.close()
    except TimeoutError:
        stored = False
    if not stored:
        log.error("the archive did not take everything in time")


def on_signals(*numbers: signal.Signals) -> asyncio.Event:
    """Set by each of these signals."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in numbers:
        try:
            loop.add_signal_handler(number, told.set)
        except NotImplementedError:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(told.set))
    return told


async def run(
    config: Config, say: Callable[[ListeningServer], None], page: Mapping[str, bytes] = NO_PAGE
) -> None:
    """Serves until a signal says to stop."""
    stop = on_signals(signal.SIGTERM, signal.SIGINT)
    if config.test or config.chaos:
        config = for_authors(attrs.evolve(config, test=True))
    if config.chaos is not None:
        await _run_in_chaos(config, Chaos(Plan.read(config.chaos)), say, page, stop)
        return
    await _run_once(config, say, page, stop)
    told = ""
    while not stop.is_set():
        # Another node may have what this one had: everything is read anew.
        try:
            await _run_once(config, lambda _: None, page, stop)
            told = ""
        except ArchiveError as wrong:
            # Once, and not every second for as long as the database is away.
            if str(wrong) != told:
                told = str(wrong)
                log.error("node=%s cannot begin anew yet, and tries every second: %s", config.node, wrong)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), BEGIN_AGAIN)


async def _run_once(
    config: Config,
    say: Callable[[ListeningServer], None],
    page: Mapping[str, bytes],
    stop: asyncio.Event,
) -> None:
    """Serves until it is to stop, or has lost its place in the house."""
    async with running(config, page=page) as ready:
        calm_python()
        log.info("listening ports=%s", ready.ports)
        say(ready)
        # Not before it listens: a restart has two seconds, and players who know the way do not wait for this.
        from parlour.server.discovery import announced

        async with announced(() if config.hidden else ready.ports, ready.secure):
            waiting = [asyncio.ensure_future(event.wait()) for event in (stop, ready.lost)]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for left in waiting:
                left.cancel()
        log.info("stopping")


async def _run_in_chaos(
    config: Config,
    chaos: Chaos,
    say: Callable[[ListeningServer], None],
    page: Mapping[str, bytes],
    stop: asyncio.Event,
) -> None:
    """Serves behind a relay that breaks connections, and starts the server anew when the relay says so."""
    said = False
    stopping = asyncio.ensure_future(stop.wait())
    with tempfile.TemporaryDirectory(prefix="parlour-chaos-") as folder:
        # What outlives a restart has to be kept somewhere.
        archive = config.archive or str(Path(folder) / "parlour.db")
        inner = attrs.evolve(config, port=0, archive=archive)
        async with chaos.listening(config.host, config.port):
            while not stop.is_set():
                async with running(inner, page=page) as ready:
                    chaos.stand_before(config.host, ready.port)
                    if not said:
                        said = True
                        say(attrs.evolve(ready, ports=chaos.ports))
                    restart = asyncio.ensure_future(chaos.restart.wait())
                    await asyncio.wait({stopping, restart}, return_when=asyncio.FIRST_COMPLETED)
                    restart.cancel()
                    chaos.step_aside()
    stopping.cancel()
