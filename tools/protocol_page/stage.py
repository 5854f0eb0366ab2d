"""A real server with fixed luck, and peers on real sockets who write down what they say and hear."""

import asyncio
import base64
import contextlib
import hashlib
import itertools
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import attrs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from parlour.protocol.version import JSON
from parlour.server.app import ListeningServer, running
from parlour.server.config import make

NOON = 1000.0
"""The time that every `now` of a transcript is set to."""
PATIENCE = 10.0


def _fixed_bytes(count: int, counter: "itertools.count[int]") -> bytes:
    return hashlib.shake_256(f"transcript {next(counter)}".encode()).digest(count)


def fix_luck(server: ListeningServer) -> None:
    """From now on the server's secrets, ids, codes and tokens are the same in every run."""
    numbers, tokens = itertools.count(1), itertools.count(1)
    server.lobby.tables.random = lambda count: _fixed_bytes(count, numbers)

    def token() -> str:
        digest = hashlib.sha256(f"token {next(tokens)}".encode()).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    server.lobby.tables.register.make_token = token


def timeless(plain: Any, now: float | None = None) -> Any:
    """The same with every time told from noon, in whole seconds: transcripts don't depend on the day."""
    if isinstance(plain, Mapping):
        here = plain.get("now", now)
        now = here if isinstance(here, float) else now
        return {key: _timeless_value(key, value, now) for key, value in plain.items()}
    return [timeless(part, now) for part in plain] if isinstance(plain, list) else plain


def _timeless_value(key: str, value: Any, now: float | None) -> Any:
    if key == "now":
        return NOON
    if key in ("at", "away_since") and isinstance(value, float):
        return NOON
    if key == "ends" and now is not None:
        return [end if end is None else NOON + round(end - now) for end in value]
    if key in ("banks", "graces"):
        return [float(round(seconds)) for seconds in value]
    return timeless(value, now)


@attrs.define
class Peer:
    """One connection, by the name of who sits at it."""

    name: str
    socket: ClientConnection
    heard: list[dict[str, Any]] = attrs.field(factory=list)
    told: int = 0
    """How many of these are written down."""
    _reader: "asyncio.Task[None] | None" = None

    def listen(self) -> None:
        self._reader = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for frame in self.socket:
                self.heard.append(json.loads(frame))

    async def settle(self) -> None:
        """Waits for all that was sent before now: the answer to a websocket ping comes after it."""
        if self.socket.close_code is None:
            with contextlib.suppress(ConnectionClosed):
                await asyncio.wait_for(await self.socket.ping(), PATIENCE)
        await asyncio.sleep(0)

    async def close(self) -> None:
        await self.socket.close()
        if self._reader is not None:
            await self._reader


@attrs.frozen
class Said:
    """One line of a transcript: a frame from (`>`) or to (`<`) somebody, an end (`x`), or a note (`#`)."""

    who: str
    arrow: str
    plain: Any


@attrs.define
class Stage:
    """The peers of one transcript and what was said."""

    server: ListeningServer
    peers: dict[str, Peer] = attrs.field(factory=dict)
    lines: list[Said] = attrs.field(factory=list)
    quiet: bool = False
    """Nothing is written down while this is so."""
    ids: dict[str, int] = attrs.field(factory=dict)
    """By name: the id of the last command."""

    def note(self, text: str) -> None:
        self.lines.append(Said("", "#", text))

    async def enter(self, name: str, **fields: Any) -> None:
        """A connection of its own, and hello on it."""
        socket = await connect(self.server.url, subprotocols=[Subprotocol(JSON)], max_size=None)
        peer = Peer(name, socket)
        peer.listen()
        self.peers[name] = peer
        greeting = {"name": name} if "token" not in fields else {}
        await self._send(name, {"type": "hello", "versions": [1], "client": "by hand", **greeting, **fields})
        await self._until(name, lambda heard: heard["type"] in ("welcome", "error"))
        await self.collect(name)

    async def do(self, name: str, kind: str, /, **fields: Any) -> dict[str, Any]:
        """A command and its answer, and what everybody hears of it."""
        id = fields.pop("id", None) or self.ids.get(name, 0) + 1
        self.ids[name] = max(id, self.ids.get(name, 0))
        await self._send(name, {"type": kind, "id": id, **fields})
        answer = await self._until(name, lambda heard: heard.get("id") == id)
        await self.collect(name)
        return answer

    async def closed(self, name: str) -> None:
        """Waits until the server has closed somebody's connection."""
        peer = self.peers.pop(name)
        await asyncio.wait_for(peer.socket.wait_closed(), PATIENCE)
        await peer.close()
        for plain in peer.heard[peer.told :]:
            self._write(Said(name, "<", timeless(plain)))
        self._write(Said(name, "x", f"closed: {peer.socket.close_code} {peer.socket.close_reason}"))

    async def drop(self, name: str) -> None:
        """A line breaks, and the others hear of it."""
        await self.peers.pop(name).close()
        sessions = self.server.lobby.tables.sessions
        async with asyncio.timeout(PATIENCE):
            while sessions[name].peer is not None:
                await asyncio.sleep(0.001)
        await self.collect("")

    def last(self, name: str, kind: str) -> dict[str, Any]:
        """The last thing of its kind that somebody heard."""
        return next(heard for heard in reversed(self.peers[name].heard) if heard["type"] == kind)

    async def collect(self, first: str) -> None:
        """Writes down what came in, whoever acted first."""
        for name in sorted(self.peers, key=lambda name: name != first):
            peer = self.peers[name]
            await peer.settle()
            for plain in peer.heard[peer.told :]:
                self._write(Said(name, "<", timeless(plain)))
            peer.told = len(peer.heard)

    async def _send(self, name: str, plain: dict[str, Any]) -> None:
        self._write(Said(name, ">", plain))
        await self.peers[name].socket.send(json.dumps(plain))

    def _write(self, line: Said) -> None:
        if not self.quiet:
            self.lines.append(line)

    async def _until(self, name: str, test: Any) -> dict[str, Any]:
        peer = self.peers[name]
        async with asyncio.timeout(PATIENCE):
            while True:
                for heard in peer.heard[peer.told :]:
                    if test(heard):
                        return heard
                await asyncio.sleep(0.001)


@contextlib.asynccontextmanager
async def stage(**settings: Any) -> AsyncIterator[Stage]:
    """An empty stage before a fresh server."""
    async with running(make({"port": 0, "host": "127.0.0.1", **settings})) as server:
        fix_luck(server)
        open_stage = Stage(server)
        try:
            yield open_stage
        finally:
            for peer in open_stage.peers.values():
                await peer.close()
