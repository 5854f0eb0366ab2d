"""What we use of `websockets` beyond its documentation is all there, and all of it is named here.

The server reads and writes frames itself, for speed, in a subclass of a connection of `websockets`. A release
may change what that leans on without a word, so pyproject.toml has an upper bound, and this test says what is
gone before anything fails in the dark.
"""

import ast
import importlib
import inspect
import re
import tomllib
from importlib.metadata import version
from typing import Any

import pytest
import websockets
from support.paths import ROOT
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

CONNECTION = {
    "data_received": "hands it what it is to read",
    "eof_received": "forgets what is unread first, and writes nothing more",
    "connection_made": "makes the future that ends with the connection",
    "connection_lost": "ends that future",
    "process_event": "takes fragments from it instead of its queue",
    "send_data": "lets it write what its protocol has to say",
    "drain": "waits for a peer that reads slowly",
    "transport": "writes frames, and stops reading",
    "protocol": "looks whether the connection is open",
    "loop": "sets timers",
    "close_timeout": "knows how long a peer may take to go",
}
"""Of a connection: the names that its documentation does not have, and what our server does with each."""
PROTOCOL = {
    "max_message_size": "leaves a message that is too large to it",
    "current_size": "finds out whether it stands within a message of several frames; a close ends it",
}
"""Of its Sans-I/O protocol."""
NAMES = {
    ("websockets.frames", "apply_mask"): "unmasks what a client sent",
    ("websockets.frames", "CONT"): "tells the first frame of a message from the others",
    ("websockets.frames", "DATA_OPCODES"): "tells messages from control frames",
    ("websockets.frames", "PONG"): "tells the answer to a ping from other control frames",
    ("websockets.frames", "TEXT"): "tells text from bytes",
    ("websockets.protocol", "Event"): "has the type of what comes in",
    ("websockets.protocol", "OPEN"): "looks whether the connection is open",
    ("websockets.protocol", "CLOSED"): "looks whether the connection is closed",
}
DOCUMENTED = {
    *("close", "close_code", "close_reason", "ping", "recv", "remote_address", "request", "respond"),
    *("send", "subprotocol", "state", "fail", "wait_closed", "__init__"),
}
SOURCES = {
    "server/wire/websocket.py": r"self|super\(\)",
    "server/wire/plain_websocket.py": r"self|super\(\)",
    "server/wire/outbox.py": r"self\._socket",
    "server/wire/connection.py": r"self\._socket|socket",
    "server/wire/gateway.py": "socket",
    "server/wire/listening.py": r"socket",
    "server/metrics.py": "socket",
    "server/processes/health.py": "socket",
    "client/lines/wire.py": "socket",
    **{f"client/cli/conforming/{name}.py": "bot" for name in ("answers", "events", "lines", "trial")},
    "client/cli/relay.py": "bot|server",
    "client/cli/doctor.py": "socket",
}
"""Modules that hold a connection, and what they call it."""


def describe(name: str, why: str) -> str:
    return (
        f"websockets {version('websockets')} has no {name} any more, which is not in its documentation. "
        f"Our server {why} with it (server/wire/): find another way, or lower the bound in pyproject.toml."
    )


def attributes(path: str, owner: str) -> set[str]:
    """The names that a module asks of whatever it calls so."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and re.fullmatch(owner, ast.unparse(node.value))
    }


async def test_a_connection_still_has_all_of_it() -> None:
    seen: list[ServerConnection] = []

    async def look(connection: ServerConnection) -> None:
        seen.append(connection)

    async with serve(look, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}") as peer:
            await peer.wait_closed()
    gone = [
        describe(f"ServerConnection.{name}", why)
        for name, why in CONNECTION.items()
        if not hasattr(seen[0], name)
    ]
    assert not gone, "\n".join(gone)


@pytest.mark.parametrize("name", PROTOCOL)
def test_a_protocol_still_has(name: str) -> None:
    assert hasattr(ServerProtocol(max_size=5), name), describe(f"ServerProtocol.{name}", PROTOCOL[name])


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_a_module_still_has(module: str, name: str) -> None:
    there = hasattr(importlib.import_module(module), name)
    assert there, describe(f"{module}.{name}", NAMES[module, name])


def test_sizes_mean_what_they_meant() -> None:
    protocol = ServerProtocol(max_size=5)
    assert (protocol.max_message_size, protocol.current_size) == (5, None), describe("size", "reads frames")
    protocol.state = State.OPEN
    protocol.recv_frame(Frame(Opcode.BINARY, b"ab", fin=False))
    assert protocol.current_size == 2, describe("current_size within a message", PROTOCOL["current_size"])
    protocol.recv_frame(Frame(Opcode.CONT, b"c", fin=True))
    assert protocol.current_size is None, describe("current_size between messages", PROTOCOL["current_size"])


def test_masks_are_undone_as_they_were() -> None:
    masked, mask = bytes([0x61 ^ 1, 0x62 ^ 2, 0x63 ^ 3]), b"\x01\x02\x03\x04"
    unmask = importlib.import_module("websockets.frames").apply_mask
    assert unmask(masked, mask) == b"abc", describe("apply_mask as it was", "reads messages")


async def test_nothing_else_of_a_connection_is_used() -> None:
    from parlour.server.wire import websocket

    nobody: Any = None
    theirs = {*dir(ServerConnection(ServerProtocol(), nobody)), *CONNECTION}

    (ours,) = [kind for kind in ServerConnection.__subclasses__() if kind.__module__ == websocket.__name__]
    own = {*vars(ours), *inspect.get_annotations(ours)} - set(CONNECTION)
    used = {name for path, owner in SOURCES.items() for name in attributes(path, owner)}
    assert (used & theirs) - own <= {*CONNECTION, *DOCUMENTED}
    assert set(CONNECTION) <= used, "named here and not used any more"


def test_nothing_else_of_a_protocol_is_used() -> None:
    owners = r"protocol|self\.protocol|self\._socket\.protocol"
    used = {name for path in SOURCES if "relay" not in path for name in attributes(path, owners)}
    assert used == {*PROTOCOL, "state", "fail"}


def test_every_module_with_a_connection_is_looked_at() -> None:
    holding = {
        path.relative_to(ROOT).as_posix()
        for package in ("server", "client")
        for path in (ROOT / package).rglob("*.py")
        if re.search(
            r"from websockets\.asyncio\.\w+ import .*\b(?:Server|Client)Connection|websocket import",
            path.read_text(encoding="utf-8"),
        )
    }
    assert holding <= set(SOURCES)


def test_the_next_major_release_is_not_installed_unseen() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (bound,) = [each for each in settings["project"]["dependencies"] if each.startswith("websockets")]
    assert re.fullmatch(r"websockets>=\d+\.\d+,<\d+", bound)
    assert websockets.__version__ == version("websockets")
