"""One connection: what comes in faster than it is done does not pile up."""

import asyncio
from collections import Counter
from collections.abc import Callable

from support.server.memory_gateway import EncodedPeer, MemoryGateway
from support.server.memory_server import MemoryServer

from parlour.protocol.codec import pack
from parlour.protocol.errors import Code
from parlour.server.limits import Limits
from parlour.server.metrics import Metrics
from parlour.server.people.identity import Identity
from parlour.server.people.session import Session
from parlour.server.wire.connection import MANY_WAITING, MISTAKE, Connection
from parlour.server.wire.gateway import CHECKED
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

    def take(self, outbox: Outbox, session: Session, frame: bytes | str, now: float) -> Code | None:  # noqa: ARG002
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


async def test_whoever_sends_what_is_refused_is_read_more_slowly() -> None:
    def frames_in_time(mistakes: int) -> int:
        gateway = BlockedLobby()
        connection = Connection(gateway, NoSocket(gateway), "10.0.0.1")  # type: ignore[arg-type]
        connection.receive(b"hello")
        assert connection.session is not None
        frames = 0
        while gateway.at < SECONDS:
            gateway.at += connection.delay(message=True)
            connection.session.mistakes = mistakes
            connection.receive(b"act")
            connection.session.waiting.clear()
            frames += 1
        return frames

    assert frames_in_time(mistakes=1) < frames_in_time(mistakes=0) / MISTAKE


class PingedPeer(EncodedPeer):
    """A peer that answers its pings, and reads."""

    stuck_since = None
    silent = False


class PingingGateway(MemoryGateway):
    """Says whom it pings."""

    def __init__(self, server: MemoryServer, pinged: Callable[[], None]) -> None:
        super().__init__(server)
        self.pinged = pinged

    def ping(self, outbox: Outbox) -> None:  # noqa: ARG002
        self.pinged()


async def test_many_peers_are_pinged_in_several_rounds_of_the_loop() -> None:
    peers = 3 * CHECKED
    server = MemoryServer(Limits(heartbeat=0.001))
    loop, rounds = asyncio.get_running_loop(), 0
    pinged: Counter[int] = Counter()
    all_pinged = asyncio.Event()

    def count_round() -> None:
        nonlocal rounds
        rounds += 1
        loop.call_soon(count_round)

    def note_ping() -> None:
        pinged[rounds] += 1
        if pinged.total() >= peers:
            all_pinged.set()

    gateway = PingingGateway(server, note_ping)
    for number in range(peers):
        hello = {"type": "hello", "versions": [1], "client": "test", "name": f"Ann {number}"}
        gateway.greet(PingedPeer(json=False), pack(hello), lambda _session: None)  # type: ignore[arg-type]
    pinged.clear()  # each is pinged as it comes, too
    all_pinged.clear()
    count_round()
    watching = asyncio.create_task(gateway.watch_over())
    await all_pinged.wait()
    watching.cancel()
    assert max(pinged.values()) <= CHECKED
