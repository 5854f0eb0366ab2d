"""Peers that mean no good, or cannot do better: too much, too large, too often, or not reading at all."""

import asyncio
import random
import socket
from typing import Any

import msgpack
import pytest
from support.server.hostile_frames import hostile
from support.server.sockets import (
    Caller,
    dial,
    gather,
    generous_limits,
    gone,
    move_on,
    open_server,
    play_on,
    until_closed,
)
from websockets.exceptions import ConnectionClosed

from parlour.protocol.codec import FRAME_BYTES, unpack
from parlour.server.limits import Limits

pytestmark = pytest.mark.usefixtures("both_websockets")

HELLO: dict[str, Any] = {"type": "hello", "versions": [1], "client": "test", "name": "Ann"}


async def test_a_frame_that_is_too_large_closes_and_one_that_just_fits_does_not() -> None:
    async with open_server() as server:
        ann = await Caller(server.url, "Ann").connect()
        room = FRAME_BYTES - len(msgpack.packb({"type": "say", "id": 1, "text": "x" * 300})) + 300
        frame = msgpack.packb({"type": "say", "id": 1, "text": "x" * room})
        assert len(frame) == FRAME_BYTES
        await ann.socket.send(frame)
        assert (await ann.receive())["code"] == "bad_message"
        await ann.socket.send(frame + b"x")
        assert (await until_closed(ann.socket))[0] == 1009


async def test_twenty_errors_in_a_row_are_enough() -> None:
    async with open_server() as server:
        ann = await Caller(server.url, "Ann").connect()
        for _ in range(3):
            for _ in range(19):
                await ann.write({"type": "nonsense", "id": 1})
            await ann.answer(await ann.send("ping"))
        for _ in range(20):
            await ann.write({"type": "nonsense", "id": 1})
        code, frames = await until_closed(ann.socket)
        assert code == 4005
        assert unpack(frames[-1])["reason"] == "errors"


async def test_a_flood_is_held_back_and_the_others_play_on() -> None:
    async with open_server(Limits(commands_per_second=0.5, burst=20)) as server:
        flooder = await Caller(server.url, "Flo").connect()
        ids = [await flooder.send("ping") for _ in range(35)]
        ann = await Caller(server.url, "Ann").connect()
        for _ in range(10):
            await ann.do("ping")
        answered = server.lobby.tables.sessions["Flo"].last_id
        assert answered < ids[-1], "the flood was not held back at all"
        move_on(40.0)
        await flooder.answer(ids[-1])
        assert server.gateway.metrics.floods._value.get() > 0


async def test_a_peer_that_stops_reading_is_dropped_while_others_play_on() -> None:
    async with open_server(generous_limits(stuck_after=0.3)) as server:
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(min(server.ports, key=lambda where: ":" in where[0]))
        narrow.setblocking(False)
        peer = await dial(server.url, sock=narrow)
        await peer.send(msgpack.packb(HELLO))
        await peer.recv()
        peer.transport.pause_reading()  # type: ignore[attr-defined]

        async def pour() -> None:
            for id in range(1, 4000):
                await peer.send(msgpack.packb({"type": "games", "id": id}))

        async with asyncio.TaskGroup() as group:
            pouring = group.create_task(pour())
            table, people = await gather(server.url, "balloon-cup", [Caller, Caller])
            games = [
                group.create_task(play_on(person, table, random.Random(seat)))
                for seat, person in enumerate(people)
            ]
            await gone(server, "Ann")
            pouring.cancel()
        assert all(game.result() for game in games)
        peer.transport.abort()


def test_by_default_a_peer_that_stops_reading_is_dropped_within_five_seconds() -> None:
    standard = Limits()
    assert standard.stuck_after + min(standard.heartbeat, standard.stuck_after) / 4 <= 5.0


async def test_hostile_frames_over_a_socket_do_no_harm() -> None:
    rng = random.Random(0)
    async with open_server() as server:
        table, people = await gather(server.url, "balloon-cup", [Caller, Caller])
        mallory: Caller | None = None
        errors = 0
        for number in range(2000):
            if mallory is None:
                mallory = await Caller(server.url, f"Mal {number}").connect()
            message = {
                "type": rng.choice(("join", "watch", "ready", "resume", "act", "ping", "list_tables")),
                "id": mallory.last_id + 1,
                "table": table,
                "turn": 1,
                "action": {"type": "play", "card": "red-1", "tile": 0, "side": 0},
            }
            try:
                await mallory.socket.send(hostile(message, rng, text=False))
                while (answer := await mallory.receive())["type"] not in ("ok", "error"):
                    pass
            except ConnectionClosed:
                mallory = None
                continue
            if answer["type"] == "error":
                errors += 1
                assert answer["code"] != "failed"
            mallory.last_id = server.lobby.tables.sessions[mallory.name].last_id
            if mallory.last_id > 2**50 or answer.get("code") in ("bad_frame", "not_welcome"):
                await mallory.drop(rudely=True)
                mallory = None
        assert errors > 400
        async with asyncio.TaskGroup() as group:
            for seat, person in enumerate(people):
                group.create_task(play_on(person, table, random.Random(seat)))
        assert people[0].known(table)["result"]
        assert not server.gateway.metrics.bugs._value.get()
