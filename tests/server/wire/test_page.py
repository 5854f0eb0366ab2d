"""The page over HTTP: which paths are answered, to whom, and what a browser is told to refuse."""

import asyncio
import gzip
import http.client
import io
import re
import ssl
from collections.abc import Mapping
from pathlib import Path

import attrs
import pytest
from support.server.certificate import certificate
from support.server.sockets import by_hand, open_server, upgrade

from parlour.client.web import files
from parlour.server.app import ListeningServer
from parlour.server.wire.page import Page

FILES: Mapping[str, bytes] = {
    "/": b"<!doctype html>" * 20,
    "/app.js": b"let a = 1;" * 20,
    "/texts/en.json": b"{}",
}
MOST_FILES = 12


@attrs.frozen
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes


async def ask(server: ListeningServer, request: str, *headers: str, host: str = "127.0.0.1:1") -> Answer:
    """Asks without a library that would put the path right."""
    lines = [f"{request} HTTP/1.1", f"Host: {host}", *headers, "", ""]
    async with by_hand(server, "\n".join(lines)) as (reader, _):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    first, _, fields = head.decode().partition("\r\n")
    parsed = http.client.parse_headers(io.BytesIO(f"{fields}\r\n\r\n".encode()))
    return Answer(int(first.split()[1]), parsed, body)


@pytest.mark.usefixtures("both_websockets")
async def test_each_path_of_the_table_is_answered_and_no_other() -> None:
    async with open_server(page=FILES) as server:
        for path, content in FILES.items():
            answer = await ask(server, f"GET {path}")
            assert (answer.status, answer.body) == (200, content)
            assert answer.headers["Content-Length"] == str(len(content))
        kinds = [(await ask(server, f"GET {path}")).headers["Content-Type"] for path in FILES]
        assert kinds == ["text/html; charset=utf-8", "text/javascript; charset=utf-8", "application/json"]
        for path in (
            "/index.html",
            "/app.js/",
            "//app.js",
            "/./app.js",
            "/../app.js",
            "/%61pp.js",
            "/texts/",
        ):
            assert (await ask(server, f"GET {path}")).status == 404


async def test_a_browser_that_takes_gzip_gets_it_and_asks_for_no_file_twice() -> None:
    async with open_server(page=FILES) as server:
        zipped = await ask(server, "GET /app.js", "Accept-Encoding: br, gzip")
        assert (
            zipped.headers["Content-Encoding"] == "gzip" and gzip.decompress(zipped.body) == FILES["/app.js"]
        )
        tag = zipped.headers["ETag"]
        again = await ask(server, "GET /app.js", f"If-None-Match: {tag}")
        assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)
        other = await ask(server, "GET /", f"If-None-Match: {tag}")
        assert other.status == 200 and other.headers["ETag"] != tag


async def test_only_get_and_head_are_answered() -> None:
    async with open_server(page=FILES) as server:
        head = await ask(server, "HEAD /app.js")
        assert (head.status, head.body) == (200, b"")
        assert head.headers["Content-Length"] == str(len(FILES["/app.js"]))
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            answer = await ask(server, f"{method} /app.js")
            assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


async def test_a_browser_is_told_to_refuse_all_that_the_page_does_not_need() -> None:
    async with open_server(page=FILES, name=["games.local"]) as server:
        for request in ("GET /", "GET /app.js", "HEAD /"):
            headers = (await ask(server, request, host="games.local:21925")).headers
            policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
            assert policy["default-src"] == policy["frame-ancestors"] == policy["form-action"] == "'none'"
            assert policy["script-src"] == policy["style-src"] == "'self'"
            assert policy["connect-src"] == "'self' ws://games.local:21925 wss://games.local:21925"
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["X-Frame-Options"] == "DENY"
            assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("host", ["evil.example", "", "127.0.0.1; script-src *", "127.0.0.1:1 *"])
async def test_the_page_is_not_for_hosts_that_are_not_ours(host: str) -> None:
    async with open_server(page=FILES) as server:
        assert (await ask(server, "GET /", host=host)).status in (400, 403)


@pytest.mark.parametrize(
    ("origin", "wanted"),
    [
        ("http://127.0.0.1:21925", 101),
        ("https://127.0.0.1:21925", 403),
        ("http://127.0.0.1:21926", 403),
        ("http://127.0.0.1", 403),
        ("http://localhost:21925", 403),
        ("http://127.0.0.1:21925.evil.example", 403),
    ],
)
async def test_the_page_of_a_host_may_connect_to_that_host_alone(origin: str, wanted: int) -> None:
    request = upgrade("Host: 127.0.0.1:21925", f"Origin: {origin}")
    async with open_server(page=FILES) as server, by_hand(server, request) as (reader, _):
        assert int((await reader.readline()).split()[1]) == wanted


async def test_with_tls_the_page_is_https(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    trust = ssl.create_default_context(cafile=cert)
    async with open_server(page=FILES, cert=cert, key=key) as server:
        for scheme, wanted in (("https", 101), ("http", 403)):
            reader, writer = await asyncio.open_connection(*server.ports[0][:2], ssl=trust)
            request = upgrade("Host: 127.0.0.1", f"Origin: {scheme}://127.0.0.1")
            writer.write(request.replace("\n", "\r\n").encode())
            assert int((await reader.readline()).split()[1]) == wanted
            writer.close()


async def test_a_server_without_the_page_has_no_files() -> None:
    async with open_server() as server:
        assert (await ask(server, "GET /parlour.js")).status == 404
        assert (await ask(server, "GET /")).status == 426


async def test_what_stands_in_a_folder_is_asked_for_once_and_everything_else_each_time() -> None:
    async with open_server(page=FILES) as server:
        kept = {path: (await ask(server, f"GET {path}")).headers["Cache-Control"] for path in FILES}
        assert kept["/"] == kept["/app.js"] == "no-cache"
        assert "immutable" in kept["/texts/en.json"]


def test_the_page_is_one_table_of_few_files() -> None:
    found = files.page_files()
    assert len(found) <= MOST_FILES
    assert Page(found).files.keys() == found.keys()


def test_all_that_the_page_loads_is_in_a_folder_named_after_its_content(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = files.page_files()
    monkeypatch.setattr(files, "page_texts", lambda language: language.encode())
    after = files.page_files()
    assert before.keys() & after.keys() == {"/", "/parlour.js"}
    for found in (before, after):
        index = found["/"].decode()
        assert "{build}" not in index
        loaded = re.findall(r'(?:href|src)="(/[^"]+)"', index)
        assert len(loaded) == 2 and set(loaded) <= found.keys()


# A house of several nodes

NODES = ("ws://10.0.0.4:21925/", "wss://games.example/")


async def test_the_page_may_connect_to_all_nodes_of_the_house() -> None:
    async with open_server(page=FILES) as server:
        server.lobby.house.addresses = (*NODES, "ws://10.0.0.4; script-src */")
        headers = (await ask(server, "GET /", host="127.0.0.1:21925")).headers
        policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
        own = "ws://127.0.0.1:21925 wss://127.0.0.1:21925"
        assert policy["connect-src"] == f"'self' {own} ws://10.0.0.4:21925 wss://games.example"
        assert policy["script-src"] == "'self'"


@pytest.mark.parametrize(
    ("origin", "wanted"),
    [
        ("http://10.0.0.4:21925", 101),
        ("https://games.example", 101),
        ("https://10.0.0.4:21925", 403),
        ("http://games.example", 403),
        ("http://10.0.0.4", 403),
    ],
)
async def test_the_page_of_each_node_may_connect(origin: str, wanted: int) -> None:
    request = upgrade("Host: 127.0.0.1:21925", f"Origin: {origin}")
    async with open_server(page=FILES) as server:
        server.lobby.house.addresses = NODES
        async with by_hand(server, request) as (reader, _):
            assert int((await reader.readline()).split()[1]) == wanted
