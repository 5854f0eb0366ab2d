"""Sockets to sessions: takes connections, reads frames, hands messages to the lobby. Decides nothing."""

import asyncio
import functools
import logging
from collections import Counter
from collections.abc import Sequence
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from parlour.protocol.codec import read_command, unpack
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Hello
from parlour.protocol.version import JSON, MSGPACK, SUBPROTOCOLS
from parlour.server.border import guard
from parlour.server.interpreter import Broom
from parlour.server.lobby.context import refusal
from parlour.server.lobby.lobby import Lobby
from parlour.server.metrics import Metrics
from parlour.server.people.session import Session
from parlour.server.wire.admission import check_visitor
from parlour.server.wire.connection import Visit
from parlour.server.wire.outbox import Outbox, Post
from parlour.server.wire.websocket import Inbox

log = logging.getLogger("parlour.gateway")


class Gateway:
    """All connections of one server."""

    def __init__(self, lobby: Lobby, metrics: Metrics, names: tuple[str, ...] = ()) -> None:
        self.lobby = lobby
        self.limits = lobby.limits
        self.metrics = metrics
        self.names = names
        """Names under which browsers may reach this server, besides addresses."""
        self.post = Post()
        self._lines: dict[Outbox, Session | None] = {}
        self._here: Counter[str] = Counter()
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at: float | None = None
        self._on_bug = lobby.tables.on_bug
        lobby.tables.on_alarm = self.set_alarm

    # Connections

    def process_request(self, socket: ServerConnection, request: Request) -> Response | None:
        """Answers plain HTTP, and turns away who may not come in."""
        path = request.path.split("?")[0]
        if path == "/healthz":
            return socket.respond(HTTPStatus.OK, "ok\n")
        if path == "/metrics":
            return self.metrics.respond(socket, self.lobby)
        if path != "/":
            return socket.respond(HTTPStatus.NOT_FOUND, "Parlour speaks websocket at /\n")
        problem = check_visitor(request.headers, self.limits.origins, self.names)
        if problem is not None:
            return socket.respond(HTTPStatus.FORBIDDEN, f"{problem}\n")
        address = _address(socket)
        here = self._here
        if here.total() >= self.limits.connections or here[address] >= self.limits.connections_each:
            return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
        return None

    async def serve(self, socket: ServerConnection) -> None:
        """The life of one connection."""
        assert isinstance(socket, Inbox)
        address = _address(socket)
        self._here[address] += 1
        self.metrics.connections.inc()
        visit = Visit(self, socket, address)
        try:
            socket.listen(visit)
            events = visit.greeted, socket.over
            within = self.limits.hello_within
            if not (await asyncio.wait(events, timeout=within, return_when=asyncio.FIRST_COMPLETED))[0]:
                await socket.close(4002, "no hello")
            await socket.over
        finally:
            self._here[address] -= 1
            if not self._here[address]:
                del self._here[address]
            self.metrics.connections.dec()
            visit.greeted.cancel()
            if visit.line is not None:
                self._lines.pop(visit.line, None)
                visit.line.cut()
                if visit.session is not None:
                    log.info("lost name=%r code=%s", visit.session.name, socket.close_code)
                    self.lobby.lost(visit.session, visit.line, self.now())
                    self.set_alarm()

    def greet(self, line: Outbox, frame: bytes | str) -> Session | None:
        """The first frame of a connection."""
        self._lines[line] = None
        session = self._welcome(line, frame)
        if session is not None:
            self._lines[line] = session
            self.ping(line)
        return session

    def _welcome(self, line: Outbox, frame: bytes | str) -> Session | None:
        try:
            _right_kind(line, frame)
            hello = read_command(unpack(frame))
            if not isinstance(hello, Hello):
                raise ProtocolError("not_welcome")
            session = self.lobby.hello(hello, line, self.now())
            self.set_alarm()
        except ProtocolError as wrong:
            self._turn_away(line, wrong)
            return None
        except Exception as bug:
            self._on_bug(line.address, 0, bug)
            self._turn_away(line, ProtocolError("failed"))
            return None
        log.info("hello name=%r bot=%s from=%s", session.name, session.identity.bot, line.address)
        return session

    def _turn_away(self, line: Outbox, wrong: ProtocolError) -> None:
        self.metrics.errors.labels(wrong.code.name).inc()
        line.send(Frame.of(refusal(None, wrong)))
        line.hang_up(4000, wrong.code.name)

    def take(self, line: Outbox, session: Session, frame: bytes | str) -> ProtocolError | None:
        """One frame; what was wrong with it, if anything."""
        self.metrics.frames += 1
        id: int | None = None
        try:
            _right_kind(line, frame)
            plain = unpack(frame)
            given = plain.get("id")
            id = given if type(given) is int and given > 0 else None
            command = read_command(plain)
            if isinstance(command, Hello):
                raise ProtocolError("not_welcome")
            if id is None:
                raise ProtocolError("bad_message", where="id", problem="must be 1 or more")
        except ProtocolError as wrong:
            return self._refuse(line, id, wrong)
        except Exception as bug:
            self._on_bug(session.name, id or 0, bug)
            return self._refuse(line, id, ProtocolError("failed"))
        self.lobby.receive(session, command, self.now())
        self.set_alarm()
        return None

    def _refuse(self, line: Outbox, id: int | None, wrong: ProtocolError) -> ProtocolError:
        self.metrics.errors.labels(wrong.code.name).inc()
        line.send(Frame.of(refusal(id, wrong)))
        return wrong

    # Time

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def set_alarm(self) -> None:
        """Sees to it that tables are looked after when their time comes."""
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

    async def watch_over(self) -> None:
        """Pings everybody once a heartbeat, drops peers that do not read or do not answer, and tidies up."""
        beat = min(self.limits.heartbeat, self.limits.stuck_after) / 4
        next_ping = self.now() + self.limits.heartbeat
        broom = Broom(self.now())
        while True:
            await asyncio.sleep(beat)
            now = self.now()
            broom.look(self.metrics.frames, now)
            pings = now >= next_ping
            if pings:
                next_ping = now + self.limits.heartbeat
            for line in list(self._lines):
                guard(functools.partial(self._look_at, line, now, pings), self._on_bug, line.address)

    def _look_at(self, line: Outbox, now: float, pings: bool) -> None:
        if line.stuck_since is not None and now - line.stuck_since > self.limits.stuck_after:
            log.info("dropped from=%s reason=stuck", line.address)
            line.abort(4004, "not reading")
        elif pings and line.silent:
            line.abort(4003, "silent")
        elif pings:
            self.ping(line)

    def ping(self, line: Outbox) -> None:
        """Measures a round trip; the answer goes to the lobby, which credits it in scrambles."""

        def heard(trip: float) -> None:
            session = self._lines.get(line)
            if session is not None and session.line is line:
                self.lobby.heard(session, trip)
                self.set_alarm()

        line.ping(heard)


def _address(socket: ServerConnection) -> str:
    remote = socket.remote_address
    return str(remote[0]) if remote else "unknown"


def choose_subprotocol(_socket: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The first of ours that was offered. Whoever offers none is heard: tools for hands often can't."""
    for ours in SUBPROTOCOLS:
        if ours in offered:
            return Subprotocol(ours)
    if offered:
        raise NegotiationError(f"none of {', '.join(SUBPROTOCOLS)} was offered")
    return None


def _right_kind(line: Outbox, frame: bytes | str) -> None:
    if (type(frame) is str) is not line.json:
        wanted = JSON if line.json else MSGPACK
        raise ProtocolError("bad_frame", problem=f"{wanted} has {'text' if line.json else 'binary'} frames")
