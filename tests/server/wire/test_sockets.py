"""What is served besides games, who may connect, and how hostile peers fare."""

import contextlib
import socket
import ssl
import subprocess
from pathlib import Path
from typing import Any

import msgpack
import pytest
from support.server.sockets import (
    BALLOON,
    Caller,
    Twin,
    ask,
    by_hand,
    dial,
    gather,
    generous_limits,
    gone,
    open_server,
    status,
    until_closed,
    upgrade,
)
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidStatus

from parlour.machine.addresses import label
from parlour.protocol.codec import unpack
from parlour.server.app import ListeningServer, running
from parlour.server.config import BadConfig, make
from parlour.server.storage.archive import Archive
from parlour.server.storage.errors import NotStored

pytestmark = pytest.mark.usefixtures("both_websockets")

HELLO: dict[str, Any] = {"type": "hello", "versions": [1], "client": "test", "name": "Ann"}


def _can_listen(address: str) -> bool:
    try:
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
            probe.bind((address, 0))
    except OSError:
        return False
    return True


ADDRESSES = [address for address in ("127.0.0.1", "::1") if _can_listen(address)]


async def raw(server: ListeningServer) -> ClientConnection:
    return await dial(server.url)


# What is served


@pytest.mark.parametrize("address", ADDRESSES)
async def test_a_server_is_reached_over_both_kinds_of_addresses(address: str) -> None:
    async with open_server(host=address) as server:
        table, people = await gather(server.url, "balloon-cup", [Caller, Twin])
        assert people[0].known(table)["info"]["stage"] == "playing"
        assert server.ports[0][0] == address


async def test_without_a_host_it_listens_everywhere() -> None:
    async with open_server(host="") as server:
        ann = await Caller(server.url, "Ann").connect()
        assert (await ann.do("ping"))["now"] > 0


async def test_a_port_that_is_taken_is_said_so() -> None:
    async with open_server() as server:
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
    async with open_server(cert=str(cert), key=str(key)) as server:
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
    async with open_server() as server:
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
            "process_cpu_seconds_total ",
            'parlour_errors_total{code="unknown_type"} 1.0',
        ):
            assert line in figures
        assert "Ann" not in figures and ann.token is not None and ann.token not in figures
        assert status(await ask(server, "GET /elsewhere HTTP/1.1\nHost: 127.0.0.1\n\n")) == 404


async def test_an_archive_that_is_moved_away_is_told_to_players_and_operators(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_server(archive=str(path)) as server:
        ann = await Caller(server.url, "Ann").connect()
        await ann.do("create_table", **BALLOON)
        for _ in range(2):
            path.rename(tmp_path / "elsewhere.db")
            answer = await ann.answer(await ann.send("create_table", **BALLOON))
            assert (answer["type"], answer["code"]) == ("error", "not_kept")
            health = await ask(server, "GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n")
            assert status(health) == 503 and "archive" in health and str(tmp_path) not in health
            (tmp_path / "elsewhere.db").rename(path)
            await ann.do("create_table", **BALLOON)
            assert status(await ask(server, "GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n")) == 200


async def test_an_archive_that_takes_nothing_is_told_to_operators() -> None:
    async with open_server() as server:
        server.gateway.archive_problem = lambda: NotStored(
            "/home/ann/games.db", "SQLITE_FULL", "disk is full"
        )
        health = await ask(server, "GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n")
        assert status(health) == 503 and "disk may be full" in health and "ann" not in health


async def test_a_damaged_game_is_told_to_whoever_asks_for_it_and_stops_no_server(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    header = {"names": ["Ann"], "game": "balloon-cup"}
    with Archive.open(path) as archive:
        for number in (1, 2):
            archive.add_record(f"T-{number}", "T", header, [{"number": 0}], {"reason": "x" * 50}, ["Ann"])
    content = path.read_bytes()
    place = content.rindex(b"x" * 50)
    path.write_bytes(content[:place] + b"y" + content[place + 1 :])
    async with open_server(archive=str(path)) as server:
        ann = await Caller(server.url, "Ann").connect()
        answers = [await ann.answer(await ann.send("replay", game=f"T-{number}")) for number in (1, 2, 3)]
        assert sorted(answer.get("code", "ok") for answer in answers) == ["damaged", "no_such_replay", "ok"]


# Who is let in


@pytest.mark.parametrize(
    ("headers", "wanted"),
    [
        (["Host: 127.0.0.1"], 101),
        (["Host: localhost:21925"], 101),
        (["Host: [::1]:21925"], 101),
        ([f"Host: {label()}.local"], 101),
        ([f"Host: {label().upper()}.LAN.:21925"], 101),
        ([f"Host: {label()}.home.arpa"], 101),
        (["Host: any.localhost"], 101),
        (["Host: games.example"], 101),
        (["Host: Games.Example."], 101),
        (["Host: somebody-else.local"], 403),
        (["Host: games.lan"], 403),
        (["Host: games.home.arpa"], 403),
        ([f"Host: {label()}.local.evil.example"], 403),
        (["Host: evil.example"], 403),
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
async def test_pages_and_names_that_the_server_does_not_know_are_turned_away(
    headers: list[str], wanted: int
) -> None:
    origins = ["http://games.example"]
    async with (
        open_server(generous_limits(origins=tuple(origins)), name=["games.example"]) as server,
        by_hand(server, upgrade(*headers)) as (reader, _),
    ):
        assert status((await reader.readline()).decode()) == wanted


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/elsewhere"])
@pytest.mark.parametrize(
    "headers",
    [["Host: evil.example"], ["Host: games.lan"], [], ["Host: 127.0.0.1", "Origin: http://evil.example"]],
    ids=["elsewhere", "lan", "none", "origin"],
)
async def test_plain_http_follows_the_same_rule(path: str, headers: list[str]) -> None:
    async with open_server() as server:
        answer = await ask(server, "\n".join([f"GET {path} HTTP/1.1", *headers, "", ""]))
        assert status(answer) == 403 and "parlour_" not in answer


async def test_a_trusted_proxy_says_for_whom_it_connects() -> None:
    limits = generous_limits(connections_each=1)
    async with (
        open_server(limits, trusted_proxy=["127.0.0.0/8"]) as server,
        contextlib.AsyncExitStack() as open,
    ):
        for address, wanted in (("192.0.2.1", 101), ("192.0.2.2", 101), ("192.0.2.1", 503)):
            asked = upgrade("Host: 127.0.0.1", f"X-Forwarded-For: 198.51.100.9, {address}")
            reader, _ = await open.enter_async_context(by_hand(server, asked))
            assert status((await reader.readline()).decode()) == wanted


async def test_nobody_else_can_say_for_whom_they_connect() -> None:
    async with (
        open_server(generous_limits(connections_each=1)) as server,
        contextlib.AsyncExitStack() as open,
    ):
        for address, wanted in (("192.0.2.1", 101), ("192.0.2.2", 503)):
            asked = upgrade("Host: 127.0.0.1", f"X-Forwarded-For: {address}")
            reader, _ = await open.enter_async_context(by_hand(server, asked))
            assert status((await reader.readline()).decode()) == wanted


async def test_the_page_of_a_server_behind_a_proxy_with_tls_may_connect() -> None:
    page = ["Host: games.example", "Origin: https://games.example"]
    for proxies, proto, wanted in (
        (["127.0.0.1"], "https", 101),
        (["127.0.0.1"], "http", 403),
        ([], "https", 403),
    ):
        async with (
            open_server(name=["games.example"], trusted_proxy=proxies) as server,
            by_hand(server, upgrade(*page, f"X-Forwarded-Proto: {proto}")) as (reader, _),
        ):
            assert status((await reader.readline()).decode()) == wanted


async def test_one_address_has_so_many_connections_and_gets_them_back() -> None:
    async with open_server(generous_limits(connections_each=2)) as server:
        first = await Caller(server.url, "Ann").connect()
        silent = await raw(server)
        with pytest.raises(InvalidStatus) as refused:
            await raw(server)
        assert refused.value.response.status_code == 503
        await first.drop(rudely=False)
        await gone(server, "Ann")
        await Caller(server.url, "Bob").connect()
        await silent.close()


async def test_the_server_has_so_many_connections_those_without_a_hello_included() -> None:
    async with open_server(generous_limits(connections=2)) as server:
        for _ in range(2):
            await raw(server)
        with pytest.raises(InvalidStatus):
            await raw(server)


async def test_whoever_says_no_hello_is_sent_away() -> None:
    async with open_server(generous_limits(hello_within=0.1)) as server:
        assert (await until_closed(await raw(server)))[0] == 4002
        async with by_hand(server) as (reader, _):
            await reader.read()  # not even a request: closed all the same


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"type": "ping", "id": 7}, "not_welcome"),
        ({"type": "fly", "id": 7}, "unknown_type"),
        ({"type": "join", "id": 7, "table": 3}, "bad_message"),
        ({**HELLO, "versions": [99]}, "version"),
        ({**HELLO, "name": "a\x00"}, "bad_name"),
        ({**HELLO, "token": "x"}, "bad_token"),
        ({"type": "hello"}, "bad_message"),
    ],
)
async def test_a_wrong_first_message_gets_one_error_with_its_id_and_closes(
    first: dict[str, Any], code: str
) -> None:
    async with open_server() as server:
        peer = await raw(server)
        await peer.send(msgpack.packb(first))
        closed, frames = await until_closed(peer)
        assert closed == 4000
        errors = [unpack(frame) for frame in frames]
        assert [(error["code"], error["id"]) for error in errors] == [(code, first.get("id"))]


async def test_text_where_bytes_were_agreed_on_is_refused() -> None:
    async with open_server() as server:
        peer = await raw(server)
        await peer.send('{"type": "hello"}')
        closed, frames = await until_closed(peer)
        assert (closed, unpack(frames[0])["code"]) == (4000, "bad_frame")


# Connections that end


@pytest.mark.parametrize("rudely", [False, True])
async def test_whoever_goes_is_seen_to_be_gone(rudely: bool) -> None:
    async with open_server() as server:
        ann, bob = await Caller(server.url, "Ann").connect(), await Caller(server.url, "Bob").connect()
        table = (await ann.do("create_table", **BALLOON))["table"]
        await bob.do("join", table=table)
        await bob.drop(rudely)
        while ann.known(table)["info"]["chairs"][1] is None or ann.known(table)["info"]["chairs"][1]["here"]:
            await ann.event()
        assert server.gateway._connections.total() == 1


async def test_bye_closes_properly() -> None:
    async with open_server() as server:
        ann = await Caller(server.url, "Ann").connect()
        await ann.send("bye")
        code, frames = await until_closed(ann.socket)
        assert code == 1000
        assert unpack(frames[-1]) == {"type": "ok", "id": 1, "result": None}


async def test_a_newer_connection_takes_over() -> None:
    async with open_server() as server:
        ann = await Caller(server.url, "Ann").connect()
        older = ann.socket
        await ann.connect()
        code, frames = await until_closed(older)
        assert code == 4001
        assert unpack(frames[-1])["reason"] == "replaced"
        await ann.do("ping")


async def test_a_server_that_closes_tells_everybody_to_come_back() -> None:
    async with open_server() as server:
        ann = await Caller(server.url, "Ann").connect()
    code, frames = await until_closed(ann.socket)
    assert code == 1012
    assert unpack(frames[-1])["reason"] == "restart"
    assert unpack(frames[-1])["retry_after"] > 0


async def test_a_peer_that_answers_no_pings_is_dropped() -> None:
    async with (
        open_server(generous_limits(heartbeat=0.2)) as server,
        by_hand(server, upgrade("Host: 127.0.0.1")) as (reader, writer),
    ):
        await reader.readuntil(b"\r\n\r\n")
        frame = msgpack.packb(HELLO)
        writer.write(bytes([0x82, 0x80 | len(frame), 0, 0, 0, 0]) + frame)  # masked with zeros
        while "Ann" not in server.lobby.tables.sessions:
            await reader.read(1000)
        await gone(server, "Ann")
