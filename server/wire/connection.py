"""One connection from its hello to its end: what is to be done with each message, and when."""

import asyncio
from typing import Protocol

from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Goodbye
from parlour.protocol.version import JSON
from parlour.server.limits import Limits
from parlour.server.metrics import Metrics
from parlour.server.people.rate_limit import Bucket
from parlour.server.people.session import Session
from parlour.server.wire.outbox import Outbox, Post
from parlour.server.wire.websocket import Inbox


def speaks_json(socket: Inbox, first: bytes | str) -> bool:
    """As agreed in the handshake; without a subprotocol the first frame tells."""
    if socket.subprotocol is None:
        return isinstance(first, str)
    return socket.subprotocol == JSON


class Reception(Protocol):
    """A gateway as its connections see it."""

    limits: Limits
    metrics: Metrics
    post: Post

    def greet(self, line: Outbox, frame: bytes | str) -> Session | None:
        """Takes the first frame of a connection."""

    def take(self, line: Outbox, session: Session, frame: bytes | str) -> ProtocolError | None:
        """Takes any other frame; what was wrong with it, if anything."""

    def now(self) -> float: ...


class Visit:
    """One connection as its inbox sees it (inbox.Listener): a hello, and then commands."""

    __slots__ = ("_bucket", "_gateway", "_socket", "_wrong_in_a_row", "address", "greeted", "line", "session")

    def __init__(self, gateway: Reception, socket: Inbox, address: str) -> None:
        self.address = address
        self.greeted: asyncio.Future[None] = socket.loop.create_future()
        """Done once the peer has said anything at all."""
        self.line: Outbox | None = None
        self.session: Session | None = None
        self._gateway = gateway
        self._socket = socket
        self._bucket: Bucket | None = None
        self._wrong_in_a_row = 0

    def hold_back(self) -> float:
        if self._bucket is None:
            return 0.0
        wait = self._bucket.take(self._socket.loop.time())
        if wait > 0:
            self._gateway.metrics.floods.inc()
        return wait

    def hear(self, message: bytes | str) -> None:
        if self.line is None:
            limits, socket = self._gateway.limits, self._socket
            json = speaks_json(socket, message)
            self.line = Outbox(socket, self._gateway.post, self.address, json, limits.outbox_frames)
        if self.session is None:
            self._begin(self.line, message)
        else:
            self._go_on(self.line, self.session, message)

    def _begin(self, line: Outbox, message: bytes | str) -> None:
        self.greeted.set_result(None)
        self.session = self._gateway.greet(line, message)
        limits = self._gateway.limits
        self._bucket = Bucket.full(limits.commands_per_second, limits.burst, self._gateway.now())

    def _go_on(self, line: Outbox, session: Session, message: bytes | str) -> None:
        if session.line is not line:
            return
        wrong = self._gateway.take(line, session, message)
        if wrong is None:
            self._wrong_in_a_row = 0
            return
        self._wrong_in_a_row += 1
        if wrong.code.closes:
            line.hang_up(4000, wrong.code.name)
        elif self._wrong_in_a_row >= self._gateway.limits.errors_in_a_row:
            line.send(Frame.of(Goodbye("errors")))
            line.hang_up(4005, "errors")
