"""A relay between a bot and a server, which records what they send to each other.

It can send messages that no server sends yet, and break the connection.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import attrs
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from parlour.client.connection import Refused
from parlour.client.lines.wire import LARGEST
from parlour.protocol import messages as m
from parlour.protocol.codec import pack, pack_json, read_command, unpack
from parlour.protocol.errors import ProtocolError
from parlour.protocol.version import JSON, SUBPROTOCOLS

Plain = Mapping[str, Any]

JUNK: tuple[Plain, ...] = (
    {"type": "weather_changed", "sky": "clear", "wind": [1, {"from": "west"}]},
    {"type": "table_painted", "table": "NOWHERE", "seq": 1, "colour": None},
    {"type": "ok", "id": 987_654_321, "result": {"never": "asked"}},
)
"""An event of a later server, one of a table that nobody knows, an answer to nothing."""
LATE = "stale"
REFUSED = ("illegal", "bad_action")
"""What the server answers to an action that cannot be done."""
NEW_FIELD = {"mood": {"glad": [1, 2, {"deeply": None}]}}
"""What a later server may add to any message."""


@attrs.define
class BotActivity:
    """What a bot did, as the relay recorded it."""

    connections: int = 0
    protocol: str | None = None
    name: str | None = None
    welcomed: int = 0
    came_back: bool = False
    """Whether it has said hello with its token."""
    answers: int = 0
    slowest: float = 0.0
    errors: list[str] = attrs.field(factory=list)
    """Codes of what the server refused."""
    broken: list[str] = attrs.field(factory=list)
    """Why messages of the bot were not valid."""
    late: int = 0
    """Answers that the server did not take because time was up; in a scramble others may just be quicker."""
    result: Plain | None = None
    asked: dict[int, float] = attrs.field(factory=dict)
    """By turn: when it was asked."""
    scrambles: set[int] = attrs.field(factory=set)
    sent: dict[int, int] = attrs.field(factory=dict)
    """By id of an answer: its turn."""
    actions: dict[int, Any] = attrs.field(factory=dict)
    """By id of an answer that the server has not replied to: its action."""
    refused: tuple[Any, Refused] | None = None
    """The first action that the rules or the server's reading refused, and the refusal."""

    @property
    def unanswered(self) -> int:
        """Questions, but for the newest and for scrambles, to which it gave no answer at all."""
        return len(
            self.asked.keys() - set(self.sent.values()) - self.scrambles - {max(self.asked, default=0)}
        )

    def from_bot(self, message: Plain, now: float) -> None:
        try:
            read_command(message)
        except ProtocolError as wrong:
            self.broken.append(str(wrong))
        match message:
            case {"type": "hello"}:
                self.came_back = self.came_back or message.get("token") is not None
            case {"type": "act", "turn": int(turn), "id": int(id)}:
                self.answers += 1
                self.sent[id] = turn
                self.actions[id] = message.get("action")
                if turn in self.asked:
                    self.slowest = max(self.slowest, now - self.asked[turn])

    def from_server(self, message: Plain, now: float) -> None:
        match message:
            case {"type": "welcome", "you": {"name": str(name)}}:
                self.name = name
                self.welcomed += 1
            case {"type": "error", "code": str(code)}:
                self.errors.append(code)
                id, facts = message.get("id") or 0, message.get("facts") or {}
                if self.refused is None and code in REFUSED and id in self.actions:
                    self.refused = self.actions[id], Refused(m.Error(id, code, facts))
                self.actions.pop(id, None)
                turn = self.sent.get(message.get("id") or 0)
                self.late += code == LATE and turn is not None and turn not in self.scrambles
            case {"type": "ok", "id": int(id)}:
                self.actions.pop(id, None)
            case {"type": "update" | "snapshot"}:
                question, result = message.get("question"), message.get("result")
                if question is not None:
                    self.asked.setdefault(question["turn"], now)
                    if question.get("scramble"):
                        self.scrambles.add(question["turn"])
                if result is not None:
                    self.result = result


class Relay:
    """Connects one bot to the server."""

    def __init__(self, server: str, *, junk: bool = False, break_after: int | None = None) -> None:
        self.activity = BotActivity()
        self._server = server
        self._junk = junk
        self._break_after = break_after
        """Answers of the bot after which its connection breaks, once."""
        self._changed = asyncio.Event()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        """Listens on the URL for the bot."""
        protocols = [Subprotocol(each) for each in SUBPROTOCOLS]
        async with serve(self._relay, "127.0.0.1", 0, subprotocols=protocols, compression=None) as listening:
            port = next(iter(listening.sockets)).getsockname()[1]
            yield f"ws://127.0.0.1:{port}"

    async def until(self, done: Callable[[BotActivity], bool]) -> None:
        """Waits until `done` holds of what the bot did."""
        while not done(self.activity):
            await self._changed.wait()

    async def _relay(self, bot: ServerConnection) -> None:
        self.activity.connections += 1
        self.activity.protocol = bot.subprotocol
        spoken = [Subprotocol(bot.subprotocol)] if bot.subprotocol else None
        with contextlib.suppress(ConnectionClosed, OSError, InvalidHandshake):
            async with (
                connect(
                    self._server, subprotocols=spoken, compression=None, max_size=LARGEST, proxy=None
                ) as server,
                asyncio.TaskGroup() as group,
            ):
                group.create_task(self._to_server(bot, server))
                group.create_task(self._to_bot(server, bot))
        self._notify()

    async def _to_server(self, bot: ServerConnection, server: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                frame = await bot.recv()
                message: dict[str, Any] = {}
                with contextlib.suppress(ProtocolError):
                    message = unpack(frame)
                    self.activity.from_bot(message, time.monotonic())
                self._notify()
                passed = await self.from_bot(message, bot)
                if passed is None:
                    continue
                await server.send(frame if passed is message else self._packed(passed, bot))
                await self.sent_on(message, bot)
                if self._break_after is not None and self.activity.answers >= self._break_after:
                    self._break_after = None
                    bot.transport.abort()
        await server.close()

    async def _to_bot(self, server: ClientConnection, bot: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                frame = await server.recv()
                message: dict[str, Any] = {}
                with contextlib.suppress(ProtocolError):
                    message = unpack(frame)
                    self.activity.from_server(message, time.monotonic())
                passed = await self.from_server(message, bot)
                if passed is None:
                    continue
                if self._junk and message.get("type") != "welcome":
                    for each in (*JUNK, {**passed, **NEW_FIELD}):
                        await bot.send(self._packed(each, bot))
                else:
                    await bot.send(frame if passed is message else self._packed(passed, bot))
                self._notify()
        await bot.close(server.close_code or 1000, server.close_reason or "")

    # What a script may do besides: see conforming/

    async def from_bot(self, message: Plain, bot: ServerConnection) -> Plain | None:  # noqa: ARG002
        """Called with what the bot sends; gives what is sent on."""
        return message

    async def sent_on(self, message: Plain, bot: ServerConnection) -> None:
        """Called with what the bot has sent, once the server has it."""

    async def from_server(self, message: Plain, bot: ServerConnection) -> Plain | None:  # noqa: ARG002
        """Called with what the server sends; gives what is sent on."""
        return message

    def _packed(self, message: Plain, bot: ServerConnection) -> bytes | str:
        return pack_json(message) if bot.subprotocol == JSON else pack(message)

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
