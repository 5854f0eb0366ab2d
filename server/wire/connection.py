"""One connection from its hello to its end: who takes each message, and when."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from parlour.machine.addresses import network_of
from parlour.protocol.errors import Code
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Goodbye
from parlour.protocol.version import JSON
from parlour.server.limits import Limits
from parlour.server.metrics import Metrics
from parlour.server.people.rate_limit import Bucket
from parlour.server.people.session import Session
from parlour.server.wire.outbox import FlushScheduler, Outbox
from parlour.server.wire.peer_socket import PeerSocket
from parlour.server.wire.reading_turns import ReadingTurns, Turn

HASTE = 20
"""So many frames more counts a command whose sender was told to wait and has not waited: a refusal costs the
server almost as much as what it refuses."""
MISTAKE = 4
"""Frames that a refused command counts for, beyond itself: it costs the server as much as a good one, and
whoever knows the rules has few."""
MANY_WAITING = 32
"""Commands of one player that may wait to be done. Beyond them, each counts as so many frames more as wait:
what comes in faster than it is done must not pile up."""


def speaks_json(socket: PeerSocket, first: bytes | str) -> bool:
    """Whether the peer speaks JSON: as agreed in the handshake, or else as its first frame shows."""
    if socket.subprotocol is None:
        return isinstance(first, str)
    return socket.subprotocol == JSON


class Receiver(Protocol):
    """The gateway as its connections see it."""

    limits: Limits
    metrics: Metrics
    scheduler: FlushScheduler
    turns: ReadingTurns

    def greet(self, outbox: Outbox, frame: bytes | str, then: Callable[[Session], None]) -> None:
        """Takes the first frame of a connection; calls `then` if it is welcome, perhaps at once."""

    def take(self, outbox: Outbox, session: Session, frame: bytes | str, now: float) -> Code | None:
        """Takes any other frame; returns what was wrong with it, or None."""

    def now(self) -> float: ...


class Connection:
    """Takes the messages of one websocket (peer_socket.Listener): a hello, and then commands."""

    __slots__ = (
        "_buckets",
        "_early",
        "_gateway",
        "_network",
        "_socket",
        "_wrong_in_a_row",
        "address",
        "greeted",
        "outbox",
        "session",
    )

    def __init__(self, gateway: Receiver, socket: PeerSocket, address: str) -> None:
        self.address = address
        self._network = network_of(address)
        self.greeted: asyncio.Future[None] = socket.loop.create_future()
        """Done once the peer has sent its first message, or is gone."""
        self.outbox: Outbox | None = None
        self.session: Session | None = None
        self._gateway = gateway
        self._socket = socket
        self._buckets = self._full_bucket(), self._full_bucket()
        """Of what ends no message (pings, pongs, fragments), and of messages."""
        self._wrong_in_a_row = 0
        self._early: list[bytes | str] = []
        """What has come behind a hello that is not answered yet."""

    def end(self, _: asyncio.Future[None]) -> None:
        """Takes note that the websocket is over."""
        if not self.greeted.done():
            self.greeted.set_result(None)

    def delay(self, message: bool) -> float:
        wait = self._buckets[message].take(self._socket.loop.time())
        if wait > 0:
            self._gateway.metrics.floods.inc()
        return wait

    def turn(self, go_on: Callable[[], None], late: bool) -> Turn | None:
        return self._gateway.turns.ask(self._network, go_on, self._socket.loop, late)

    def _full_bucket(self) -> Bucket:
        limits = self._gateway.limits
        return Bucket.full(limits.commands_per_second, limits.burst, self._gateway.now())

    def flush(self) -> None:
        if self.outbox is not None:
            self._gateway.scheduler.flush_urgent()
            while self.outbox.flush():
                pass  # several long answers go out one by one

    def receive(self, message: bytes | str) -> None:
        if self.outbox is None:
            limits, socket = self._gateway.limits, self._socket
            json = speaks_json(socket, message)
            self.outbox = Outbox(socket, self._gateway.scheduler, self.address, json, limits.outbox_frames)
        if self.session is None:
            self._take_hello(self.outbox, message)
        else:
            self._take_command(self.outbox, self.session, message)

    def _take_hello(self, outbox: Outbox, message: bytes | str) -> None:
        if self.greeted.done():
            # The house is asked who this is: what comes meanwhile waits, as behind any other hello.
            self._early.append(message)
            if len(self._early) > MANY_WAITING:
                outbox.hang_up(4005, "errors")
            return
        self.greeted.set_result(None)
        self._gateway.greet(outbox, message, self._welcomed)
        self._buckets = self._buckets[0], self._full_bucket()  # the hello has cost nothing

    def _welcomed(self, session: Session) -> None:
        self.session = session
        early, self._early = self._early, []
        for message in early:
            self.receive(message)

    def _charge(self, session: Session, wrong: bool) -> None:
        """Reads a peer more slowly that was in haste, made mistakes, or has many commands waiting."""
        frames = MISTAKE * (session.mistakes + wrong)
        if session.hasty:
            frames += HASTE
        if len(session.waiting) > MANY_WAITING:
            frames += len(session.waiting)
        self._buckets[True].tokens -= frames
        session.mistakes, session.hasty = 0, False

    def _take_command(self, outbox: Outbox, session: Session, message: bytes | str) -> None:
        if session.peer is not outbox:
            return  # a newer connection has taken the session over
        wrong = self._gateway.take(outbox, session, message, self._socket.loop.time())
        if wrong is not None or session.mistakes or session.hasty or len(session.waiting) > MANY_WAITING:
            self._charge(session, wrong is not None)
        if wrong is None:
            self._wrong_in_a_row = 0
            return
        self._wrong_in_a_row += 1
        if wrong.closes:
            outbox.hang_up(4000, wrong.name)
        elif self._wrong_in_a_row >= self._gateway.limits.errors_in_a_row:
            outbox.send(Frame.of(Goodbye("errors")))
            outbox.hang_up(4005, "errors")
