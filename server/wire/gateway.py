"""From sockets to sessions: takes connections, reads frames, hands messages to the lobby. Decides nothing."""

import asyncio
import functools
import logging
from collections import Counter, deque
from collections.abc import Callable, Sequence
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from parlour.machine.addresses import network_of
from parlour.protocol.codec import read, unpack
from parlour.protocol.errors import Code, ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.messages import FROM_CLIENT, Hello, Plain
from parlour.protocol.version import JSON, MSGPACK, SUBPROTOCOLS
from parlour.server.border import guard
from parlour.server.house.house import Proof
from parlour.server.interpreter import IdleCollector
from parlour.server.lobby.lobby import Lobby
from parlour.server.metrics import Metrics
from parlour.server.people.session import Session, refusal
from parlour.server.storage.errors import ArchiveError, NotStored
from parlour.server.wire.admission import check_request
from parlour.server.wire.connection import Connection
from parlour.server.wire.outbox import FlushScheduler, Outbox
from parlour.server.wire.page import Page, is_websocket
from parlour.server.wire.plain_websocket import PlainWebSocket
from parlour.server.wire.proxies import Proxies
from parlour.server.wire.reading_turns import ReadingTurns
from parlour.server.wire.websocket import ServerWebSocket

CHECKED = 32
"""Peers that are looked at, and perhaps pinged, in one round of the event loop."""
ARCHIVE_PROBLEMS = {
    "moved": "nothing is kept: the archive was deleted, moved or replaced\n",
    "astray": "nothing is kept: the archive is back, and the server must be restarted to read it anew\n",
    "taken": "nothing is kept: another server has taken the archive, and this one must be restarted\n",
    "away": "nothing is kept: there is no connection to the database of the archive\n",
    "readonly": "nothing is kept: the database of the archive is read-only\n",
}
ARCHIVE_REFUSES = "the last change was not kept: the disk may be full, and the log says more\n"
log = logging.getLogger("parlour.gateway")


class Gateway:
    """All connections of one server."""

    def __init__(
        self,
        lobby: Lobby,
        metrics: Metrics,
        names: tuple[str, ...] = (),
        page: Page | None = None,
        proxies: Proxies | None = None,
    ) -> None:
        self.lobby = lobby
        self.limits = lobby.limits
        self.metrics = metrics
        self.names = names
        """Names under which browsers may reach this server, besides addresses."""
        self.page = page or Page({})
        self.proxies = proxies or Proxies()
        self.turns = ReadingTurns()
        self.scheduler = FlushScheduler(self._begin_round)
        self.archive_problem: Callable[[], ArchiveError | None] = lambda: None
        self._sessions: dict[Outbox, Session | None] = {}
        self._connections: Counter[str] = Counter()
        """By network."""
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at: float | None = None
        self._alarm_waits = False
        """While a command is done: the alarm is set once, after it. And at the end."""
        self._on_bug = lobby.tables.on_bug
        lobby.tables.on_alarm = self.set_alarm

    def _begin_round(self) -> None:
        """Before anything is written: a node that has lost its place finds out, and says goodbye instead."""
        if not self.lobby.house.over:
            self.turns.begin_round()

    # Connections

    def _health(self, socket: ServerConnection) -> Response:
        wrong = self.archive_problem()
        if wrong is None:
            return socket.respond(HTTPStatus.OK, "ok\n")
        reason = wrong.reason if isinstance(wrong, NotStored) else ""
        told = ARCHIVE_PROBLEMS.get(reason, ARCHIVE_REFUSES)
        return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, told)

    def process_request(self, socket: ServerConnection, request: Request) -> Response | None:
        """Answers plain HTTP, and refuses what comes from others' pages or under names that are not ours."""
        remote = _remote(socket)
        secure = socket.transport.get_extra_info("sslcontext") is not None
        secure = secure or self.proxies.secure(remote, request.headers)
        nodes = self.lobby.house.addresses  # their pages may connect here, and ours there
        problem = check_request(request.headers, self.limits.origins, self.names, secure, nodes)
        if problem is not None:
            return socket.respond(HTTPStatus.FORBIDDEN, f"{problem}\n")
        path = request.path.split("?")[0]
        if path == "/healthz":
            return self._health(socket)
        if path == "/metrics":
            return self.metrics.respond(socket, self.lobby)
        page = None if is_websocket(request) else self.page.answer(request, path, nodes)
        if page is not None:
            return page
        if path != "/":
            return socket.respond(HTTPStatus.NOT_FOUND, "Parlour speaks websocket at /\n")
        network, count = network_of(self.proxies.client(remote, request.headers)), self._connections
        if count.total() >= self.limits.connections or count[network] >= self.limits.connections_each:
            return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
        return None

    async def serve(self, socket: ServerConnection) -> None:
        """Serves one connection until it ends, and counts it for its network."""
        assert socket.request is not None
        address = self.proxies.client(_remote(socket), socket.request.headers)
        network = network_of(address)
        self._connections[network] += 1
        try:
            await self.serve_peer(socket, address)
        finally:
            self._connections[network] -= 1
            if not self._connections[network]:
                del self._connections[network]

    async def serve_peer(self, socket: ServerConnection, address: str) -> None:
        """Serves one connection until it ends, whoever has let it in."""
        assert isinstance(socket, ServerWebSocket | PlainWebSocket)
        self.metrics.connections.inc()
        connection = Connection(self, socket, address)
        try:
            socket.listen(connection)
            socket.over.add_done_callback(connection.end)
            try:
                async with asyncio.timeout(self.limits.hello_within):
                    await connection.greeted
            except TimeoutError:
                await socket.close(4002, "no hello")
            await socket.over
        finally:
            self.metrics.connections.dec()
            connection.greeted.cancel()
            if connection.outbox is not None:
                self._sessions.pop(connection.outbox, None)
                connection.outbox.cut()
                if connection.session is not None:
                    log.info("lost name=%r code=%s", connection.session.name, socket.close_code)
                    self.lobby.disconnect(connection.session, connection.outbox, self.now())
                    self.set_alarm()

    def greet(self, outbox: Outbox, frame: bytes | str, then: Callable[[Session], None]) -> None:
        """Takes the first frame of a connection; calls `then` if it is welcome, perhaps at once."""
        self._sessions[outbox] = None
        id: int | None = None
        try:
            if (type(frame) is str) is not outbox.json:
                raise _wrong_kind(outbox)
            plain = unpack(frame)
            id = _readable_id(plain)
            hello = read(plain, FROM_CLIENT)
            if not isinstance(hello, Hello):
                raise ProtocolError("not_welcome")
            self.lobby.house.identify(hello, functools.partial(self._welcome, outbox, id, hello, then))
        except ProtocolError as wrong:
            self._refuse_hello(outbox, id, wrong)
        except Exception as bug:
            self._on_bug(outbox.address, 0, bug)
            self._refuse_hello(outbox, id, ProtocolError("failed"))

    def _welcome(
        self,
        outbox: Outbox,
        id: int | None,
        hello: Hello,
        then: Callable[[Session], None],
        proof: Callable[[], Proof],
    ) -> None:
        if outbox not in self._sessions:
            return  # the connection has ended meanwhile
        try:
            session = self.lobby.hello(hello, outbox, self.now(), proof())
            self.set_alarm()
        except ProtocolError as wrong:
            self._refuse_hello(outbox, id, wrong)
            return
        except Exception as bug:
            self._on_bug(outbox.address, 0, bug)
            self.lobby.drop(outbox, self.now())
            self._refuse_hello(outbox, id, ProtocolError("failed"))
            return
        log.info("hello name=%r bot=%s from=%s", session.name, session.identity.bot, outbox.address)
        self._sessions[outbox] = session
        self.ping(outbox)
        then(session)

    def _refuse_hello(self, outbox: Outbox, id: int | None, wrong: ProtocolError) -> None:
        self.metrics.errors.labels(wrong.code.name).inc()
        outbox.let_go(forget=True)
        outbox.send(Frame.of(refusal(id, wrong)))
        outbox.hang_up(4000, wrong.code.name)

    def take(self, outbox: Outbox, session: Session, frame: bytes | str, now: float) -> Code | None:
        """Takes a frame after the first; returns what was wrong with it, or None."""
        self.metrics.frames += 1
        id: int | None = None
        try:
            if (type(frame) is str) is not outbox.json:
                raise _wrong_kind(outbox)
            plain = unpack(frame)
            id = _readable_id(plain)
            command = read(plain, FROM_CLIENT)
            if type(command) is Hello:
                raise ProtocolError("not_welcome")
            if id is None:
                raise ProtocolError("bad_message", where="id", problem="must be 1 or more")
        except ProtocolError as wrong:
            return self._refuse(outbox, id, wrong)
        except Exception as bug:
            self._on_bug(session.name, id or 0, bug)
            return self._refuse(outbox, id, ProtocolError("failed"))
        self._alarm_waits = True  # for all that the command does
        try:
            self.lobby.receive(session, command, now)
        finally:
            self._alarm_waits = False
            self.set_alarm()
        return None

    def _refuse(self, outbox: Outbox, id: int | None, wrong: ProtocolError) -> Code:
        """Returns the code and not the error: whoever held that would be in a circle with its traceback."""
        self.metrics.errors.labels(wrong.code.name).inc()
        outbox.send(Frame.of(refusal(id, wrong)))
        return wrong.code

    # Time

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def set_alarm(self) -> None:
        """Has `_tick` called when the next table or tournament wants to be woken."""
        if self._alarm_waits:
            return
        wake = self.lobby.wake_at()
        if wake == self._alarm_at:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = wake
        self._alarm = asyncio.get_running_loop().call_at(wake, self._tick) if wake is not None else None

    def _tick(self) -> None:
        self._alarm, self._alarm_at = None, None
        guard(lambda: self.lobby.tick(self.now()), self._on_bug, "tick")
        self.set_alarm()

    def end(self) -> None:
        """Wakes nobody any more."""
        self._alarm_waits = True
        if self._alarm is not None:
            self._alarm.cancel()

    async def watch_over(self) -> None:
        """Pings all peers once a heartbeat, drops those that do not read or answer, and collects garbage."""
        loop = asyncio.get_running_loop()
        every = min(self.limits.heartbeat, self.limits.stuck_after) / 4
        next_ping = loop.time() + self.limits.heartbeat
        collector = IdleCollector(loop.time())
        timer: asyncio.TimerHandle | None = None

        def beat() -> None:
            nonlocal timer, next_ping
            now = loop.time()
            timer = loop.call_at(now + every, beat)
            collector.look(self.metrics.frames, now)
            pings = now >= next_ping
            if pings:
                next_ping = now + self.limits.heartbeat
            peers = [each for each in self._sessions if pings or each.stuck_since is not None]
            self._check_some(deque(peers), now, pings)

        timer = loop.call_later(every, beat)
        try:
            await loop.create_future()  # for ever
        finally:
            timer.cancel()

    def _check_some(self, peers: deque[Outbox], now: float, pings: bool) -> None:
        """Looks at so many, and at the others in the next rounds of the event loop."""
        for _ in range(min(CHECKED, len(peers))):
            outbox = peers.popleft()
            if outbox in self._sessions:  # it may have gone meanwhile
                guard(functools.partial(self._check_peer, outbox, now, pings), self._on_bug, outbox.address)
        if peers:
            asyncio.get_running_loop().call_soon(self._check_some, peers, now, pings)

    def _check_peer(self, outbox: Outbox, now: float, pings: bool) -> None:
        if outbox.stuck_since is not None and now - outbox.stuck_since > self.limits.stuck_after:
            log.info("dropped from=%s reason=stuck", outbox.address)
            outbox.abort(4004, "not reading")
        elif pings and outbox.silent:
            outbox.abort(4003, "silent")
        elif pings:
            self.ping(outbox)

    def ping(self, outbox: Outbox) -> None:
        """Measures a round trip and tells it to the lobby, which credits it in scrambles."""

        def answered(trip: float) -> None:
            session = self._sessions.get(outbox)
            if session is not None and session.peer is outbox:
                note = functools.partial(self.lobby.note_round_trip, session, trip)
                guard(note, self._on_bug, session.name)
                self.set_alarm()

        outbox.ping(answered)


def _readable_id(plain: Plain) -> int | None:
    given = plain.get("id")
    return given if type(given) is int and given > 0 else None


def _remote(socket: ServerConnection) -> str:
    remote = socket.remote_address
    return str(remote[0]) if remote else "unknown"


def choose_subprotocol(_socket: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Chooses the first of ours that was offered. None offered is accepted: simple tools often can't."""
    for ours in SUBPROTOCOLS:
        if ours in offered:
            return Subprotocol(ours)
    if offered:
        raise NegotiationError(f"none of {', '.join(SUBPROTOCOLS)} was offered")
    return None


def _wrong_kind(outbox: Outbox) -> ProtocolError:
    wanted = JSON if outbox.json else MSGPACK
    return ProtocolError("bad_frame", problem=f"{wanted} has {'text' if outbox.json else 'binary'} frames")
