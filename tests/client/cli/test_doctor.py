"""The doctor tells the ways apart in which a server is not reached."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from support.client.scripted_house import scripted_house
from support.server.certificate import certificate
from support.server.sockets import move_on, open_server, own_port

from parlour.client.cli import doctor
from parlour.client.cli.doctor import Finding, examine, finding_lines
from parlour.client.language import LANGUAGES, Texts


async def found(url: str) -> list[Finding]:
    return [finding async for finding in examine(url)]


def keys(findings: list[Finding]) -> list[str]:
    assert all(finding.fine for finding in findings[:-1])
    return [finding.key for finding in findings]


async def test_a_server_that_is_well_is_named() -> None:
    async with open_server() as server:
        findings = await found(server.url)
    assert keys(findings) == ["name", "reached", "welcome"]
    assert findings[-1].fine and "parlour" in str(findings[-1].facts["server"])


async def test_all_nodes_of_a_house_are_tried() -> None:
    async with scripted_house("oak", "elm") as house:
        assert keys(await found(house["oak"].url)) == ["name", "reached", "welcome", "node"]
        house["elm"].die()
        findings = await found(house["oak"].url)
    assert keys(findings) == ["name", "reached", "welcome", "node_away"]
    assert findings[-1].facts["node"] == "elm" and not findings[-1].fine


async def test_a_port_on_which_nobody_listens_is_refused() -> None:
    with own_port() as port:
        assert keys(await found(f"ws://127.0.0.1:{port}")) == ["name", "refused"]


async def test_a_name_that_nobody_knows() -> None:
    assert keys(await found("ws://nowhere.invalid:21925")) == ["unknown_name"]


@pytest.mark.parametrize("url", ["ws://", "http://127.0.0.1", "ws://127.0.0.1:99999"])
async def test_what_is_no_address(url: str) -> None:
    assert keys(await found(url)) == ["bad_address"]


Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def listening(answer: Answer) -> AsyncIterator[str]:
    """Something on a port; each talk is ended before it goes."""
    talks: list[asyncio.Task[None]] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await answer(reader, writer)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.append(asyncio.create_task(talk(reader, writer)))

    async with await asyncio.start_server(meet, "127.0.0.1", 0) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await asyncio.gather(*talks)


async def test_a_web_server_is_no_parlour() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        with contextlib.suppress(OSError):
            await reader.read(1)

    async with listening(answer) as url:
        assert keys(await found(url)) == ["name", "reached", "no_parlour"]


async def test_something_that_says_nothing_is_silent() -> None:
    heard = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        if await reader.read(1):  # a handshake: whoever only looks whether somebody is there says nothing
            heard.set()
            await reader.read()

    async with listening(answer) as url:
        looking = asyncio.create_task(found(url))
        await heard.wait()
        move_on(doctor.WITHIN)
        assert keys(await looking) == ["name", "reached", "silent"]


async def test_an_address_that_drops_what_comes_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(doctor, "WITHIN", 0.05)
    monkeypatch.setattr(asyncio, "open_connection", never)
    assert keys(await found("ws://127.0.0.1:21925")) == ["name", "timed_out"]


async def test_encryption_is_told_apart(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    async with open_server(cert=str(cert), key=str(key)) as server:
        assert keys(await found(server.url)) == ["name", "reached", "certificate"]
        assert keys(await found(server.url.replace("wss:", "ws:"))) == ["name", "reached", "needs_tls"]
    async with open_server() as server:
        assert keys(await found(server.url.replace("ws:", "wss:"))) == ["name", "reached", "no_tls"]


def every_name_is_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_up(_: str, port: int, **_kinds: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", look_up)


async def test_a_server_that_does_not_go_by_the_name_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_server() as server:
        every_name_is_this_machine(monkeypatch)
        findings = await found(f"ws://games.example:{server.port}")
    assert keys(findings) == ["name", "reached", "forbidden"]
    assert findings[-1].facts["host"] == "games.example"


@pytest.mark.parametrize(("url", "port"), [("wss://games.example", 443), ("ws://games.example", 80)])
async def test_without_a_port_it_looks_where_clients_go(
    url: str, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_: str, port: int) -> None:
        raise ConnectionRefusedError(port)

    monkeypatch.setattr(asyncio, "open_connection", refuse)
    every_name_is_this_machine(monkeypatch)
    assert (await found(url))[-1].facts == {"host": "games.example", "port": port}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trouble_comes_with_advice(language: str) -> None:
    facts = {
        "host": "h",
        "port": 1,
        "seconds": 5,
        "why": "w",
        "code": "c",
        "url": "u",
        "ms": 1,
        "server": "s",
    }
    troubles = ("bad_address", "unknown_name", "timed_out", "refused", "no_way", "certificate", "no_tls")
    for key in (*troubles, "needs_tls", "silent", "forbidden", "no_parlour", "version", "turned_away"):
        sentence, advice = finding_lines(Finding(key, False, facts), Texts(language))
        assert sentence.startswith("--") and advice.strip()
    assert len(finding_lines(Finding("well", True), Texts(language))) == 1
