"""One connection: what comes in faster than it is done does not pile up."""

import asyncio
from collections.abc import Callable

from parlour.protocol.errors import ProtocolError
from parlour.server.limits import Limits
from parlour.server.metrics import Metrics
from parlour.server.people.identity import Identity
from parlour.server.people.session import Session
from parlour.server.wire.connection import MANY_WAITING, MISTAKE, Connection
from parlour.server.wire.outbox import FlushScheduler, Outbox
from parlour.server.wire.reading_turns import ReadingTurns

SECONDS = 600.0


class BlockedLobby:
    """A gateway (connection.Receiver) whose commands all wait for something that never comes."""

    limits = Limits()

    def __init__(self) -> None:
        self.metrics, self.scheduler, self.turns = Metrics(), FlushScheduler(), ReadingTurns()
        self.at = 0.0

    def now(self) -> float:
        return self.at

    def greet(self, outbox: Outbox, frame: bytes | str, then: Callable[[Session], None]) -> None:  # noqa: ARG002
        then(Session(Identity("Ann", False, None, b""), outbox))

    def take(self, outbox: Outbox, session: Session, frame: bytes | str) -> ProtocolError | None:  # noqa: ARG002
        session.waiting.append(lambda: None)
        return None


class LoopAt:
    """An event loop as far as a connection asks it: for the time of the gateway."""

    def __init__(self, gateway: BlockedLobby) -> None:
        self.gateway = gateway

    def time(self) -> float:
        return self.gateway.at

    def create_future(self) -> "asyncio.Future[None]":
        return asyncio.get_running_loop().create_future()


class NoSocket:
    """A socket of which a connection reads nothing."""

    subprotocol = None

    def __init__(self, gateway: BlockedLobby) -> None:
        self.loop = LoopAt(gateway)


async def test_whoever_has_many_commands_waiting_is_read_ever_more_slowly() -> None:
    gateway = BlockedLobby()
    connection = Connection(gateway, NoSocket(gateway), "10.0.0.1")  # type: ignore[arg-type]
    connection.receive(b"hello")
    assert connection.session is not None
    while gateway.at < SECONDS:
        gateway.at += connection.delay(message=True)
        connection.receive(b"command")
    assert MANY_WAITING < len(connection.session.waiting) < gateway.limits.commands_per_second * SECONDS / 100


async def test_whoever_sends_moves_that_are_refused_is_read_more_slowly() -> None:
    def frames_in_time(mistaken: bool) -> int:
        gateway = BlockedLobby()
        connection = Connection(gateway, NoSocket(gateway), "10.0.0.1")  # type: ignore[arg-type]
        connection.receive(b"hello")
        assert connection.session is not None
        frames = 0
        while gateway.at < SECONDS:
            gateway.at += connection.delay(message=True)
            connection.session.mistaken = mistaken
            connection.receive(b"act")
            connection.session.waiting.clear()
            frames += 1
        return frames

    assert frames_in_time(mistaken=True) < frames_in_time(mistaken=False) / MISTAKE
