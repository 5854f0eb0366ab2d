"""The door to the street: what is served besides games, who is let in, and how hostile peers fare."""

import asyncio
import contextlib
import random
import socket
import ssl
import subprocess
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgpack
import pytest
from houses.hostile import hostile
from houses.sockets import Caller, Twin, dial, gather, gone, open_house, play_on, until_closed
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from parlour.protocol.codec import FRAME_BYTES, unpack
from parlour.server.config import BadConfig, make
from parlour.server.house import House
from parlour.server.serve import Running, running

BALLOON = {"game": "balloon-cup", "seats": 2}
HELLO: dict[str, Any] = {"type": "hello", "versions": [1], "client": "test", "name": "Ann"}


def house(**settings: Any) -> House:
    return House(**{"commands_per_second": 5000.0, "burst": 5000, **settings})


def _can_listen(address: str) -> bool:
    try:
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as door:
            door.bind((address, 0))
    except OSError:
        return False
    return True


ADDRESSES = [address for address in ("127.0.0.1", "::1") if _can_listen(address)]


@contextlib.asynccontextmanager
async def by_hand(server: Running, request: str = "") -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    """A connection without a library, after a request as it is written here."""
    reader, writer = await asyncio.open_connection(*server.ports[0][:2])
    writer.write(request.replace("\n", "\r\n").encode())
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def ask(server: Running, request: str) -> str:
    async with by_hand(server, request) as (reader, _):
        return (await reader.read()).decode()


def upgrade(*headers: str) -> str:
    given = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    return "\n".join(["GET / HTTP/1.1", *given, key, *headers, "", ""])


def status(answer: str) -> int:
    return int(answer.split()[1])


async def raw(server: Running) -> ClientConnection:
    return await dial(server.url)


# What is served


@pytest.mark.parametrize("address", ADDRESSES)
async def test_a_house_is_reached_over_both_kinds_of_addresses(address: str) -> None:
    async with open_house(host=address) as server:
        table, people = await gather(server.url, "balloon-cup", [Caller, Twin])
        assert people[0].known(table)["info"]["stage"] == "playing"
        assert server.ports[0][0] == address


async def test_without_a_host_it_listens_everywhere() -> None:
    async with open_house(host="") as server:
        ann = await Caller(server.url, "Ann").connect()
        assert (await ann.do("ping"))["now"] > 0


async def test_a_port_that_is_taken_is_said_so() -> None:
    async with open_house() as server:
        with pytest.raises(BadConfig, match="port"):
            async with running(make({"host": "127.0.0.1", "port": server.port})):
                pass


async def test_tls_is_served_with_a_certificate(tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True,
        capture_output=True,
    )  # fmt: skip
    trust = ssl.create_default_context(cafile=str(cert))
    async with open_house(cert=str(cert), key=str(key)) as server:
        assert server.url.startswith("wss://")
        ann = await Caller(server.url, "Ann", ssl=trust).connect()
        assert (await ann.do("ping"))["now"] > 0


async def test_a_certificate_that_cannot_be_read_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").write_text("not a certificate")
    given = {"port": 0, "cert": str(tmp_path / "cert.pem"), "key": str(tmp_path / "nowhere.pem")}
    with pytest.raises(BadConfig, match="cert"):
        async with running(make(given)):
            pass


async def test_health_and_figures_are_on_the_same_port() -> None:
    async with open_house() as server:
        ann = await Caller(server.url, "Ann").connect()
        await ann.do("create_table", **BALLOON)
        await ann.answer(await ann.send("nonsense"))
        health = await ask(server, "GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n")
        assert status(health) == 200 and health.endswith("ok\n")
        figures = await ask(server, "GET /metrics HTTP/1.1\nHost: 127.0.0.1\n\n")
        assert status(figures) == 200 and "text/plain" in figures
        for line in (
            "parlour_connections 1.0",
            'parlour_tables{stage="gathering"} 1.0',
            "parlour_names 1.0",
            'parlour_errors_total{code="unknown_type"} 1.0',
        ):
            assert line in figures
        assert "Ann" not in figures and ann.token is not None and ann.token not in figures
        assert status(await ask(server, "GET /elsewhere HTTP/1.1\nHost: 127.0.0.1\n\n")) == 404


# Who is let in


@pytest.mark.parametrize(
    ("headers", "wanted"),
    [
        (["Host: 127.0.0.1"], 101),
        (["Host: localhost:21925"], 101),
        (["Host: [::1]:21925"], 101),
        (["Host: games.local"], 101),
        (["Host: games.example"], 101),
        (["Host: evil.example"], 403),
        (["Host: games.local.evil.example"], 403),
        (["Host: "], 403),
        (["Host: [::1"], 403),
        ([], 403),
        (["Host: 127.0.0.1", "Host: evil.example"], 403),
        (["Host: 127.0.0.1", "Origin: http://evil.example"], 403),
        (["Host: 127.0.0.1", "Origin: null"], 403),
        (["Host: 127.0.0.1", "Origin: http://games.example"], 101),
        (["Host: 127.0.0.1", "Origin: http://games.example", "Origin: http://evil.example"], 403),
    ],
)
async def test_pages_and_names_that_the_house_does_not_know_are_turned_away(
    headers: list[str], wanted: int
) -> None:
    origins = ["http://games.example"]
    async with (
        open_house(house(origins=tuple(origins)), name=["games.example"]) as server,
        by_hand(server, upgrade(*headers)) as (reader, _),
    ):
        assert status((await reader.readline()).decode()) == wanted


async def test_one_address_has_so_many_connections_and_gets_them_back() -> None:
    async with open_house(house(connections_each=2)) as server:
        first = await Caller(server.url, "Ann").connect()
        silent = await raw(server)
        with pytest.raises(InvalidStatus) as refused:
            await raw(server)
        assert refused.value.response.status_code == 503
        await first.drop(rudely=False)
        await gone(server, "Ann")
        await Caller(server.url, "Bob").connect()
        await silent.close()


async def test_the_house_has_so_many_connections_those_without_a_hello_included() -> None:
    async with open_house(house(connections=2)) as server:
        for _ in range(2):
            await raw(server)
        with pytest.raises(InvalidStatus):
            await raw(server)


async def test_whoever_says_no_hello_is_sent_away() -> None:
    async with open_house(house(hello_within=0.1)) as server:
        assert (await until_closed(await raw(server)))[0] == 4002
        async with by_hand(server) as (reader, _):
            await reader.read()  # not even a request: closed all the same


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"type": "ping", "id": 1}, "not_welcome"),
        ({**HELLO, "versions": [99]}, "version"),
        ({**HELLO, "name": "a\x00"}, "bad_name"),
        ({**HELLO, "token": "x"}, "bad_token"),
        ({"type": "hello"}, "bad_message"),
    ],
)
async def test_a_wrong_first_message_gets_one_error_and_closes(first: dict[str, Any], code: str) -> None:
    async with open_house() as server:
        peer = await raw(server)
        await peer.send(msgpack.packb(first))
        closed, frames = await until_closed(peer)
        assert closed == 4000
        assert [unpack(frame)["code"] for frame in frames] == [code]


async def test_text_where_bytes_were_agreed_on_is_refused() -> None:
    async with open_house() as server:
        peer = await raw(server)
        await peer.send('{"type": "hello"}')
        closed, frames = await until_closed(peer)
        assert (closed, unpack(frames[0])["code"]) == (4000, "bad_frame")


# Connections that end


@pytest.mark.parametrize("rudely", [False, True])
async def test_whoever_goes_is_seen_to_be_gone(rudely: bool) -> None:
    async with open_house() as server:
        ann, bob = await Caller(server.url, "Ann").connect(), await Caller(server.url, "Bob").connect()
        table = (await ann.do("create_table", **BALLOON))["table"]
        await bob.do("join", table=table)
        await bob.drop(rudely)
        while ann.known(table)["info"]["chairs"][1] is None or ann.known(table)["info"]["chairs"][1]["here"]:
            await ann.event()
        assert server.gateway._here.total() == 1


async def test_bye_closes_properly() -> None:
    async with open_house() as server:
        ann = await Caller(server.url, "Ann").connect()
        await ann.send("bye")
        code, frames = await until_closed(ann.socket)
        assert code == 1000
        assert unpack(frames[-1]) == {"type": "ok", "id": 1, "result": None}


async def test_a_newer_connection_takes_over() -> None:
    async with open_house() as server:
        ann = await Caller(server.url, "Ann").connect()
        older = ann.socket
        await ann.connect()
        code, frames = await until_closed(older)
        assert code == 4001
        assert unpack(frames[-1])["reason"] == "replaced"
        await ann.do("ping")


async def test_a_house_that_closes_tells_everybody_to_come_back() -> None:
    async with open_house() as server:
        ann = await Caller(server.url, "Ann").connect()
    code, frames = await until_closed(ann.socket)
    assert code == 1012
    assert unpack(frames[-1])["reason"] == "restart"
    assert unpack(frames[-1])["retry_after"] > 0


async def test_a_peer_that_answers_no_pings_is_dropped() -> None:
    async with (
        open_house(house(heartbeat=0.2)) as server,
        by_hand(server, upgrade("Host: 127.0.0.1")) as (reader, writer),
    ):
        await reader.readuntil(b"\r\n\r\n")
        frame = msgpack.packb(HELLO)
        writer.write(bytes([0x82, 0x80 | len(frame), 0, 0, 0, 0]) + frame)  # masked with zeros
        while "Ann" not in server.lobby.hall.sessions:
            await reader.read(1000)
        await gone(server, "Ann")


# Peers that mean no good


async def test_a_frame_that_is_too_large_closes_and_one_that_just_fits_does_not() -> None:
    async with open_house() as server:
        ann = await Caller(server.url, "Ann").connect()
        room = FRAME_BYTES - len(msgpack.packb({"type": "say", "id": 1, "text": "x" * 300})) + 300
        frame = msgpack.packb({"type": "say", "id": 1, "text": "x" * room})
        assert len(frame) == FRAME_BYTES
        await ann.socket.send(frame)
        assert (await ann.receive())["code"] == "bad_message"
        await ann.socket.send(frame + b"x")
        assert (await until_closed(ann.socket))[0] == 1009


async def test_twenty_errors_in_a_row_are_enough() -> None:
    async with open_house() as server:
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
    async with open_house(House(commands_per_second=200.0, burst=20)) as server:
        flooder = await Caller(server.url, "Flo").connect()
        ids = [await flooder.send("ping") for _ in range(150)]
        ann = await Caller(server.url, "Ann").connect()
        for _ in range(10):
            await ann.do("ping")
        answered = server.lobby.hall.sessions["Flo"].last_id
        assert answered < ids[-1], "the flood was not held back at all"
        await flooder.answer(ids[-1])
        assert server.gateway.metrics.floods._value.get() > 0


async def test_a_peer_that_stops_reading_is_dropped_while_others_play_on() -> None:
    async with open_house(house(stuck_after=0.3)) as server:
        peer = await raw(server)
        await peer.send(msgpack.packb(HELLO))
        await peer.recv()
        peer.transport.pause_reading()  # type: ignore[attr-defined]
        (line,) = server.gateway._lines
        inner = line._socket.transport.get_extra_info("socket")
        inner.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

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
    standard = House()
    assert standard.stuck_after + min(standard.heartbeat, standard.stuck_after) / 4 <= 5.0


async def test_hostile_frames_over_a_socket_do_no_harm() -> None:
    rng = random.Random(0)
    async with open_house() as server:
        table, people = await gather(server.url, "balloon-cup", [Caller, Caller])
        mallory: Caller | None = None
        errors = 0
        for number in range(3000):
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
            mallory.last_id = server.lobby.hall.sessions[mallory.name].last_id
            if mallory.last_id > 2**50 or answer.get("code") in ("bad_frame", "not_welcome"):
                await mallory.drop(rudely=True)
                mallory = None
        assert errors > 500
        async with asyncio.TaskGroup() as group:
            for seat, person in enumerate(people):
                group.create_task(play_on(person, table, random.Random(seat)))
        assert people[0].known(table)["result"]
        assert not server.gateway.metrics.bugs._value.get()
