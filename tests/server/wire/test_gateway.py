"""Packets to answers: what a peer gets that puts much into one packet, or one message into many."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import msgpack
import pytest
from support.server.packets import Packets, frame, goodbye, packets
from support.server.sockets import Caller, by_hand, gather, gone, move_on, open_server

from parlour.protocol.codec import unpack
from parlour.server.limits import Limits

pytestmark = pytest.mark.usefixtures("both_websockets")

HELLO = {"type": "hello", "versions": [1], "client": "test", "name": "Flo"}


def packed(**message: Any) -> bytes:
    return frame(msgpack.packb(message))


def pings(*ids: int) -> list[bytes]:
    return [packed(type="ping", id=id) for id in ids]


async def answers(peer: Packets, count: int) -> list[Any]:
    """The ids of the next so many answers."""
    return [unpack(await peer.message())["id"] for _ in range(count)]


async def test_commands_behind_a_hello_in_one_packet_are_answered_in_their_order() -> None:
    async with open_server() as server, packets(server) as peer:
        peer.send(packed(**HELLO), *pings(*range(1, 41)))
        assert unpack(await peer.message())["type"] == "welcome"
        assert await answers(peer, 40) == list(range(1, 41))


async def test_even_a_hello_right_behind_the_request_is_not_lost() -> None:
    async with open_server() as server, packets(server, packed(**HELLO) + pings(1)[0]) as peer:
        assert unpack(await peer.message())["type"] == "welcome"
        assert await answers(peer, 1) == [1]


async def test_a_hello_and_a_command_may_come_in_fragments_with_pings_between() -> None:
    hello, command = msgpack.packb(HELLO), msgpack.packb({"type": "ping", "id": 7})
    async with open_server() as server, packets(server) as peer:
        peer.send(frame(hello[:9], 0x02), frame(b"tick", 0x89), frame(hello[9:], 0x80))
        peer.send(frame(command[:1], 0x02), frame(command[1:5], 0x00), frame(command[5:], 0x80))
        assert await peer.receive() == (0x8A, b"tick")
        assert unpack(await peer.message())["type"] == "welcome"
        assert await answers(peer, 1) == [7]


async def test_a_flood_in_one_packet_is_held_back_and_answered_in_its_order() -> None:
    rules = Limits(commands_per_second=400.0, burst=10)
    async with open_server(rules) as server, packets(server) as peer:
        peer.send(packed(**HELLO), *pings(*range(1, 61)))
        assert unpack(await peer.message())["type"] == "welcome"
        assert await answers(peer, 10) == list(range(1, 11))
        assert server.lobby.tables.sessions["Flo"].last_id < 60, "the flood was not held back at all"
        assert await answers(peer, 50) == list(range(11, 61))
        assert server.gateway.metrics.floods._value.get() > 0


HOUR = Limits(commands_per_second=1 / 3600, burst=1)


async def held(peer: Packets) -> Any:
    """Its welcome, once a peer is held back for an hour with two more commands."""
    peer.send(packed(**HELLO), *pings(1, 2, 3))
    welcome = unpack(await peer.message())
    assert await answers(peer, 1) == [1]
    return welcome


async def test_a_peer_that_is_held_and_comes_back_on_another_line_is_told_so_at_once() -> None:
    async with open_server(HOUR) as server, packets(server) as peer:
        newer = Caller(server.url, "Flo")
        newer.token = (await held(peer))["token"]
        await newer.connect()
        code, frames = await peer.closed()
        assert (code, unpack(frames[-1])["reason"]) == (4001, "replaced")
        assert newer.welcome["last_id"] == 1
        assert (await newer.do("ping"))["now"] > 0
        assert server.lobby.tables.sessions["Flo"].last_id == 2, "what the older line held is not done"


async def test_a_peer_that_is_held_is_told_when_the_server_closes() -> None:
    async with open_server(HOUR) as server:
        async with packets(server) as peer:
            await held(peer)
            server.lobby.close(2.0)
            code, frames = await peer.closed()
            assert (code, unpack(frames[-1])["reason"]) == (1012, "restart")
        await gone(server, "Flo")


async def test_a_peer_that_closes_behind_its_commands_has_them_done_and_is_answered() -> None:
    rules = Limits(commands_per_second=400.0, burst=1)
    async with open_server(rules, plain_websockets=False) as server:  # the plain one answers the close first
        async with packets(server) as peer:
            peer.send(packed(**HELLO), *pings(*range(1, 9)), goodbye(1001))
            assert unpack(await peer.message())["type"] == "welcome"
            code, frames = await peer.closed()
            assert (code, [unpack(frame)["id"] for frame in frames]) == (1001, list(range(1, 9)))
        await gone(server, "Flo")


async def read_to_the_end(peer: Packets) -> list[Any]:
    """All messages that still come."""
    messages = []
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            first, payload = await peer.receive()
            if first == 0x82:
                messages.append(unpack(payload))
    return messages


@pytest.mark.parametrize("end", ["close", "fin", "reset"])
@pytest.mark.parametrize("archive", [False, True], ids=["forgets", "archive"])
async def test_a_command_with_the_end_of_the_connection_behind_it_is_told_of_at_the_next_hello(
    end: str, archive: bool, tmp_path: Path
) -> None:
    table = packed(type="create_table", id=1, game="balloon-cup", seats=2)
    async with open_server(**({"archive": str(tmp_path / "games.db")} if archive else {})) as server:
        newer = Caller(server.url, "Flo")
        async with packets(server) as peer:
            peer.send(packed(**HELLO))
            newer.token = unpack(await peer.message())["token"]
            peer.send(table, *([goodbye(1000)] if end == "close" else []))
            if end == "reset":
                await peer.writer.drain()
                peer.writer.transport.abort()
            elif end == "fin":
                peer.writer.write_eof()
            answered = [said for said in await read_to_the_end(peer) if said["type"] == "ok"]
        await newer.connect()
        assert newer.last_id == 1 or not answered
        assert len(server.lobby.tables.by_id) <= newer.last_id, "it was done, and the hello does not tell"
        newer.last_id = 0
        again = await newer.answer(await newer.send("create_table", game="balloon-cup", seats=2))
        assert again["type"] == "ok" and [again["result"]["table"]] == list(server.lobby.tables.by_id)
        assert answered in ([], [again])


async def test_nothing_is_written_to_a_peer_that_has_ended_its_side(caplog: pytest.LogCaptureFixture) -> None:
    async with open_server() as server, packets(server) as flo, packets(server) as ben:
        for peer, name in ((flo, "Flo"), (ben, "Ben")):
            peer.send(packed(**{**HELLO, "name": name}), packed(type="watch_lobby", id=1, on=True))
            assert unpack(await peer.message())["type"] == "welcome"
            assert await answers(peer, 1) == [1]
        # Both arrive in one round of the event loop: what Ben does is to be told when Flo has just gone.
        ben.send(packed(type="create_table", id=2, game="balloon-cup", seats=2))
        flo.writer.write_eof()
        while unpack(await ben.message())["type"] != "lobby_table":
            pass
        await gone(server, "Flo")
        assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


async def test_answers_that_are_known_go_out_before_a_fault_closes_the_connection() -> None:
    async with open_server(plain_websockets=False) as server, packets(server) as peer:
        peer.send(packed(**HELLO), *pings(1, 2), frame(b"x", 0xC2))
        code, frames = await peer.closed()
        assert (code, [unpack(frame)["type"] for frame in frames]) == (1002, ["welcome", "ok", "ok"])


async def test_nothing_behind_a_bye_is_done() -> None:
    async with open_server() as server, packets(server) as peer:
        bye, table = packed(type="bye", id=1), packed(type="create_table", id=2, game="balloon-cup", seats=2)
        peer.send(packed(**HELLO), bye, table)
        code, frames = await peer.closed()
        assert (code, [unpack(frame)["type"] for frame in frames]) == (1000, ["welcome", "ok"])
        assert not server.lobby.tables.by_id


async def test_nothing_behind_a_refused_hello_is_done() -> None:
    async with open_server() as server, packets(server) as peer:
        peer.send(packed(**{**HELLO, "versions": [99]}), packed(**HELLO))
        code, frames = await peer.closed()
        assert (code, [unpack(frame)["type"] for frame in frames]) == (4000, ["error"])
        assert not server.lobby.tables.sessions


async def test_a_peer_that_goes_before_its_hello_is_not_counted_any_more() -> None:
    async with open_server(Limits(hello_within=3600.0)) as server:
        async with packets(server):
            assert server.gateway._connections.total() == 1
        while server.gateway._connections.total():
            await asyncio.sleep(0)


async def test_pieces_of_a_hello_are_no_hello() -> None:
    async with open_server(Limits(hello_within=0.1)) as server, packets(server) as peer:
        peer.send(frame(b"x", 0x02), frame(b"tick", 0x89))
        assert (await peer.closed())[0] == 4002


async def test_a_bug_ends_one_connection_and_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_server() as server, packets(server) as peer:
        ann = await Caller(server.url, "Ann").connect()
        receive = type(server.lobby).receive

        def stumble(lobby: Any, session: Any, command: Any, now: float) -> None:
            if session.name == "Flo":
                raise ZeroDivisionError("a bug")
            receive(lobby, session, command, now)

        monkeypatch.setattr(type(server.lobby), "receive", stumble)
        peer.send(packed(**HELLO), *pings(1, 2))
        assert (await peer.closed())[0] == 1011
        peer.send(goodbye(1011))
        await gone(server, "Flo")
        assert (await ann.do("ping"))["now"] > 0
    assert "a bug" in caplog.text


async def test_frames_taken_are_counted() -> None:
    async with open_server() as server, packets(server) as peer:
        peer.send(packed(**HELLO), *pings(*range(1, 6)))
        await peer.message()
        await answers(peer, 5)
        for _ in range(2):
            async with by_hand(server, "GET /metrics HTTP/1.1\nHost: 127.0.0.1\n\n") as (reader, _writer):
                assert "parlour_frames_total 5.0" in (await reader.read()).decode()


async def test_a_server_that_has_ended_plays_for_nobody_whose_time_is_up() -> None:
    async with open_server() as server:
        id, _ = await gather(server.url, "balloon-cup", [Caller, Caller], clocks={"decision": 5.0})
        table = server.lobby.tables.by_id[id]
    assert table.live_game is not None
    before = table.live_game.match.state
    move_on(6.0)
    for _ in range(10):
        await asyncio.sleep(0)
    assert table.live_game.match.state is before
