"""Players over real sockets: plain ones, one without features, one of a later minor, one that speaks JSON."""

import asyncio
import contextlib
import json
import random
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any

import attrs
import msgpack
from support.server.table_memory import Memory
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from parlour.server.app import NO_PAGE, BotRunner, ListeningServer, running
from parlour.server.config import Config, make
from parlour.server.limits import NO_PACE, Limits

Plain = dict[str, Any]
SETTINGS: Plain = {"host": "127.0.0.1", "port": 0, "bots": 0}
"""Of every server, unless a test says otherwise."""
BALLOON: Plain = {"game": "balloon-cup", "seats": 2}
PATIENCE = 60.0
"""No test waits longer for anything; nothing is expected to take that long."""


def generous_limits(**settings: Any) -> Limits:
    """Limits under which nobody is held back for being quick."""
    return attrs.evolve(NO_PACE, **settings)


@contextlib.asynccontextmanager
async def open_server(
    rules: Limits | None = None,
    luck: Callable[[int], bytes] | None = None,
    page: Mapping[str, bytes] = NO_PAGE,
    workers: BotRunner | None = None,
    **settings: Any,
) -> AsyncIterator[ListeningServer]:
    """With luck of its own, the server deals the same games every time; with a page it serves that."""
    config = make({**SETTINGS, **settings})
    moving_clock()  # a server keeps the clock that it finds
    starting = running(config, rules or generous_limits(), page, workers)
    _SERVERS.append(config)
    try:
        async with starting as server, _patience():
            if luck is not None:
                server.lobby.tables.random = luck
            yield server
    finally:
        _SERVERS.remove(config)
        if not _SERVERS:
            for socket in _OPEN:
                socket.transport.abort()
                await socket.wait_closed()
            _OPEN.clear()


_SERVERS: list[Config] = []
"""The servers of the test that are open."""
_OPEN: list[ClientConnection] = []
"""Connections that were opened in the test; whatever is left of them is closed with the last server."""


async def dial(url: str, protocol: str = "parlour.v1", **options: Any) -> ClientConnection:
    socket = await connect(url, subprotocols=[protocol], max_size=None, **options)  # type: ignore[list-item]
    _OPEN.append(socket)
    return socket


@contextlib.contextmanager
def own_port() -> Iterator[int]:
    """A port that nobody else is given, for servers that listen there one after another.

    It is held by a socket that does not listen, which keeps out all but those who ask for just this one.
    """
    with socket.socket() as held:
        yield _hold(held, 0)


@contextlib.contextmanager
def own_ports(count: int) -> Iterator[int]:
    """As many of them in a row; the first."""
    while True:
        with contextlib.ExitStack() as held:
            first = held.enter_context(own_port())
            try:
                for port in range(first + 1, first + count):
                    _hold(held.enter_context(socket.socket()), port)
            except (OSError, OverflowError):  # taken, or no port
                continue
            yield first
            return


def _hold(held: socket.socket, port: int) -> int:
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", port))
    return int(held.getsockname()[1])


@attrs.define
class MovingClock:
    """The clock of a loop, for all who have it."""

    time: Callable[[], float]
    ahead: float = 0.0
    patience: list[asyncio.Timeout] = attrs.field(factory=list)
    """Of tests; a clock that is moved costs none."""

    def __call__(self) -> float:
        return self.time() + self.ahead


def moving_clock() -> MovingClock:
    loop = asyncio.get_running_loop()
    before: Any = loop.time
    clock = before if isinstance(before, MovingClock) else MovingClock(before)
    loop.time = clock  # type: ignore[method-assign]
    return clock


@contextlib.asynccontextmanager
async def _patience() -> AsyncIterator[None]:
    """No test waits longer, and what a clock is moved by is not waited for."""
    running = moving_clock().patience
    async with asyncio.timeout(PATIENCE) as patience:
        running.append(patience)
        try:
            yield
        finally:
            running.remove(patience)


def move_on(seconds: float) -> None:
    """Moves the clock of the loop: what waits for a time until then is due."""
    clock = moving_clock()
    for patience in clock.patience:
        patience.reschedule((patience.when() or 0.0) + seconds)
    clock.ahead += seconds


class Caller:
    """A client of few words: sends commands, keeps what comes, folds tables into memories."""

    json = False

    def __init__(self, url: str, name: str, **connection: Any) -> None:
        self.url = url
        self.name = name
        self.token: str | None = None
        self.welcome: Plain = {}
        self.socket: ClientConnection
        self.last_id = 0
        self.memories: dict[str, Memory] = {}
        self.backlog: list[Plain] = []
        self.question: Plain | None = None
        self.choice: Plain = {}
        self._connection = connection

    # What kinds of clients differ in

    def dress(self, message: Plain) -> Plain:
        return message

    def features(self) -> list[str]:
        return ["chat", "lobby", "watch", "bots", "nonces", "rematch"]

    # Bytes

    async def connect(self) -> "Caller":
        protocol = "parlour.v1.json" if self.json else "parlour.v1"
        self.socket = await dial(self.url, protocol, **self._connection)
        who = {"name": self.name} if self.token is None else {"token": self.token}
        hello = {"type": "hello", "versions": [1], "client": "test", "features": self.features(), **who}
        await self.write(self.dress(hello))
        self.welcome = await self.receive()
        assert self.welcome["type"] == "welcome", self.welcome
        self.token, self.last_id = self.welcome["token"], self.welcome["last_id"]
        return self

    async def write(self, message: Plain) -> None:
        await self.socket.send(json.dumps(message) if self.json else msgpack.packb(message))

    async def read(self) -> Plain:
        frame = await self.socket.recv()
        message: Plain = json.loads(frame) if self.json else msgpack.unpackb(frame)
        return message

    async def receive(self) -> Plain:
        """Reads, and remembers what belongs to a table."""
        message = await self.read()
        if "seq" in message and "table" in message:
            self.memories.setdefault(message["table"], Memory()).take(message)
        return message

    async def drop(self, rudely: bool) -> None:
        if rudely:
            self.socket.transport.abort()
        await self.socket.close()

    # Messages

    async def send(self, word: str, **fields: Any) -> int:
        self.last_id += 1
        await self.write(self.dress({"type": word, "id": self.last_id, **fields}))
        return self.last_id

    async def answer(self, id: int) -> Plain:
        """The answer to a command; events on the way go to the backlog."""
        while True:
            message = await self.receive()
            if message["type"] in ("ok", "error") and message["id"] == id:
                return message
            self.backlog.append(message)

    async def do(self, word: str, **fields: Any) -> Any:
        answer = await self.answer(await self.send(word, **fields))
        assert answer["type"] == "ok", answer
        return answer["result"]

    async def event(self) -> Plain:
        """The next message that is no answer."""
        while True:
            message = self.backlog.pop(0) if self.backlog else await self.receive()
            if message["type"] not in ("ok", "error"):
                return message

    # Tables

    def known(self, table: str) -> Plain:
        return self.memories[table].known

    async def act(self, table: str, rng: random.Random) -> None:
        """Answers its question, if it has one; somebody else may have been quicker."""
        question = self.known(table)["question"]
        if question is not None:
            # Asked the same again, it says the same: what is played does not hang on how fast news comes.
            if question != self.question:
                self.question, self.choice = question, pick(question["legal"], rng)
            id = await self.send("act", table=table, turn=question["turn"], action=self.choice)
            answer = await self.answer(id)
            assert answer["type"] == "ok" or answer["code"] in ("taken", "stale", "not_asked", "over"), answer


class Bare(Caller):
    """A client that knows of nothing optional."""

    def features(self) -> list[str]:
        return []


class Newer(Caller):
    """A client of a minor that is still to be invented: fields and features that nobody knows."""

    def dress(self, message: Plain) -> Plain:
        return {**message, "mood": {"glad": [1, 2, {"deeply": None}]}, "since": 9}

    def features(self) -> list[str]:
        return ["chat", "holograms"]


class Twin(Caller):
    """A client that speaks JSON."""

    json = True


def pick(legal: list[Plain], rng: random.Random) -> Plain:
    """A concrete action out of patterns, by what the protocol says of them and nothing else."""
    action: Plain = {}
    for key, part in rng.choice(legal).items():
        match part:
            case {"one_of": values} if len(part) == 1:
                action[key] = rng.choice(values)
            case {"subset": values, "min": least, "max": most}:
                action[key] = rng.sample(values, rng.randint(least, most))
            case {"order": values} if len(part) == 1:
                action[key] = rng.sample(values, len(values))
            case _:
                action[key] = part
    return action


async def gather(url: str, game: str, kinds: list[type[Caller]], **settings: Any) -> tuple[str, list[Caller]]:
    """Connects one caller per seat, seats them at a table and deals."""
    people = [await kind(url, f"Player {seat}").connect() for seat, kind in enumerate(kinds)]
    made = await people[0].do("create_table", game=game, seats=len(people), **settings)
    table = made["table"]
    for person in people[1:]:
        await person.do("join", table=table)
    for person in people:
        await person.do("ready", table=table, nonce=person.name.replace(" ", "-"))
    await people[0].do("start", table=table)
    return table, people


async def play_on(person: Caller, table: str, rng: random.Random) -> Plain:
    """Plays at random until the game is over; its result."""
    while person.known(table).get("result") is None:
        before = person.memories[table].seq
        await person.act(table, rng)
        if person.memories[table].seq == before:
            await person.event()
    result: Plain = person.known(table)["result"]
    return result


async def until_closed(socket: ClientConnection) -> tuple[int | None, list[Any]]:
    """Reads until the other side closes: its code, and what came before."""
    seen: list[Any] = []
    with contextlib.suppress(ConnectionClosed):
        while True:
            seen.append(await socket.recv())
    await socket.wait_closed()
    return socket.close_code, seen


async def gone(server: ListeningServer, name: str) -> None:
    """Until the server no longer counts somebody as connected."""
    while (
        server.lobby.tables.sessions.get(name) is not None
        and server.lobby.tables.sessions[name].peer is not None
    ):
        await asyncio.sleep(0.005)


# Without a library


@contextlib.asynccontextmanager
async def by_hand(
    server: ListeningServer, request: str = ""
) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    """A connection without a library, after a request as it is written here."""
    reader, writer = await asyncio.open_connection(*server.ports[0][:2])
    writer.write(request.replace("\n", "\r\n").encode())
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def upgrade(*headers: str) -> str:
    given = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    return "\n".join(["GET / HTTP/1.1", *given, key, *headers, "", ""])


async def ask(server: ListeningServer, request: str) -> str:
    async with by_hand(server, request) as (reader, _):
        return (await reader.read()).decode()


def status(answer: str) -> int:
    return int(answer.split()[1])
