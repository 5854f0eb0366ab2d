"""The collector's long round waits for a quiet moment, but not for ever; commands leave nothing to it."""

import asyncio
import contextlib
import gc
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from support.server.memory_gateway import EncodedPeer, MemoryGateway
from support.server.memory_server import MemoryServer, dealt

from parlour.protocol.codec import pack, read_command
from parlour.protocol.errors import ProtocolError
from parlour.server.interpreter import EVERY, LONGEST, MANY, IdleCollector
from parlour.server.wire.connection import Connection
from parlour.server.wire.outbox import Outbox


def test_everything_is_swept_in_the_first_quiet_moment_after_a_while() -> None:
    collected: list[float] = []
    now = 100.0
    collector = IdleCollector(now, lambda: collected.append(now))
    for now, frames in ((101.0, 5), (101 + EVERY, 9), (102 + EVERY, 9), (103 + EVERY, 9)):
        collector.look(frames, now)
    assert collected == [102 + EVERY]


def test_a_server_that_is_never_quiet_is_swept_all_the_same() -> None:
    collected: list[float] = []
    now = 0.0
    collector = IdleCollector(now, lambda: collected.append(now))
    for frames in range(int(LONGEST) + 10):
        now = float(frames)
        collector.look(frames, now)
    assert collected == [LONGEST]


def test_very_many_new_values_are_swept_even_if_somebody_always_plays() -> None:
    collected: list[int] = []
    looks = MANY
    collector = IdleCollector(0.0, lambda: collected.append(looks), lambda: looks)
    collector.look(1, 1.0)
    assert not collected
    looks += 1
    collector.look(2, 2.0)
    assert collected == [MANY + 1]


BAD_ACTIONS: list[dict[str, Any]] = [
    {"type": "play", "card": "red-99", "tile": 0, "side": 0},
    {"type": "play", "card": ["red"], "tile": {}, "side": 0},
    {"type": "play", "card": "red-1", "more": 1},
    {"type": "wave"},
    {},
]


@pytest.mark.parametrize("action", BAD_ACTIONS)
@pytest.mark.parametrize("turn", [0, 1])
def test_a_refused_move_leaves_nothing_to_the_collector(turn: int, action: dict[str, Any]) -> None:
    table, people = dealt(MemoryServer())
    with no_collector():
        for player in people:
            player.send("act", table=table, turn=turn, action=action)
        assert gc.collect() == 0


@pytest.mark.parametrize(
    "message", [{"table": 5}, {"table": []}, {}, {"table": "T", "nonce": [1]}, {"table": "T", "on": {"x": 1}}]
)
def test_a_malformed_command_leaves_nothing_to_the_collector(message: dict[str, Any]) -> None:
    with no_collector():
        with contextlib.suppress(ProtocolError):
            read_command({"type": "ready", "id": 1, **message})
        assert gc.collect() == 0


WRONG = {
    "several places": {"game": ["x"], "seats": "two", "clocks": {"decision": {}, "bank": []}, "options": 1},
    "one place": {"game": "balloon-cup", "seats": "two"},
    "all": {},
}


@pytest.mark.parametrize("message", WRONG.values(), ids=WRONG)
async def test_nor_does_a_malformed_command_on_its_whole_way(message: dict[str, Any]) -> None:
    server = MemoryServer()
    ann, peer = server.player("Ann"), EncodedPeer(json=False)
    ann.session.peer = peer
    socket: Any = SimpleNamespace(loop=asyncio.get_running_loop())
    connection = Connection(MemoryGateway(server), socket, "10.0.0.1")
    connection.outbox, connection.session = cast(Outbox, peer), ann.session
    frame = pack({"type": "create_table", "id": 1, **message})
    connection.receive(frame)
    with no_collector():
        connection.receive(frame)
        assert gc.collect() == 0
    assert len(peer.frames) == 2


@contextlib.contextmanager
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
