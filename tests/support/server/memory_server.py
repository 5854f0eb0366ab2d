"""A server without sockets: peers that collect frames, luck that repeats, and time moved by hand."""

import hashlib
from typing import Any

from support.server.memory_store import MemoryStore
from support.server.table_memory import Memory

from parlour.engine.choices import Choices
from parlour.engine.maps import tagged
from parlour.engine.match import Match
from parlour.engine.patterns import choices_from_map
from parlour.protocol.codec import read_command, unpack
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Hello
from parlour.server.limits import Limits
from parlour.server.lobby.lobby import Lobby
from parlour.server.people.identity import Register
from parlour.server.people.session import Session
from parlour.server.tables.live_game import LiveGame
from parlour.server.tables.registry import Tables
from parlour.server.tables.table import Table

Plain = dict[str, Any]


class Refused(Exception):
    """A command was answered with an error."""

    def __init__(self, error: Plain) -> None:
        super().__init__(error["code"], error["facts"])
        self.code: str = error["code"]
        self.facts: Plain = error["facts"]
        self.retry_after: float | None = error["retry_after"]


class MemoryPeer:
    """A peer (session.Peer) that collects the frames that it is sent, as bytes."""

    json = False

    def __init__(self, address: str = "memory") -> None:
        self.address = address
        self.frames: list[bytes] = []
        self.closed: tuple[int, str] | None = None
        self._held: list[bytes] | None = None

    def send(self, frame: Frame, urgent: bool = True) -> None:  # noqa: ARG002
        if self.closed is None:
            (self.frames if self._held is None else self._held).append(frame.packed())

    def hold(self) -> None:
        self._held = []

    def let_go(self, forget: bool = False) -> None:
        held, self._held = self._held or [], None
        self.frames += [] if forget else held

    def hang_up(self, code: int, reason: str) -> None:
        if self.closed is None:
            self.closed = (code, reason)


class RepeatableBytes:
    """Bytes that look random and are the same for the same seed."""

    def __init__(self, seed: object) -> None:
        self._seed = seed
        self._count = 0

    def __call__(self, length: int) -> bytes:
        self._count += 1
        return hashlib.shake_128(f"{self._seed!r}/{self._count}".encode()).digest(length)

    def token(self) -> str:
        return self(32).hex()


class NoBots:
    """Takes orders for bots and starts none."""

    strategies = ("random",)

    def __init__(self) -> None:
        self.orders: list[tuple[str, str, str]] = []

    def start(self, token: str, table: str, strategy: str) -> None:
        self.orders.append((token, table, strategy))


class MemoryServer:
    """A server's deciding half. `at` is the time; `wait` moves it and wakes the tables on the way."""

    def __init__(
        self, limits: Limits | None = None, seed: object = 0, store: MemoryStore | None = None
    ) -> None:
        self.at = 1000.0
        self.store = store
        self.bots = NoBots()
        self.bugs: list[tuple[str, int, BaseException]] = []
        luck = RepeatableBytes(seed)
        self.tables = Tables(
            luck,
            lambda *bug: self.bugs.append(bug),
            Register(RepeatableBytes((seed, "tokens")).token),
            clock=lambda: self.at,
        )
        self.lobby = Lobby(limits or Limits(), self.bots, self.tables)
        if store is not None:
            self.tables.store = store

    def settle(self) -> None:
        """Has the store answer all changes, unless it is told to wait."""
        if self.store is not None:
            self.store.settle()

    def player(self, name: str, bot: bool = False) -> "Player":
        player = Player(self, name, bot)
        player.hello(name=name)
        return player

    def players(self, count: int) -> list["Player"]:
        return [self.player(name) for name in ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fred")[:count]]

    def wait(self, seconds: float) -> None:
        until = self.at + seconds
        for _ in range(100_000):
            wake = self.tables.wake_at()
            if wake is None or wake > until:
                self.at = until
                return
            self.at = max(self.at, wake)
            self.tables.tick(self.at)
            self.settle()
        raise AssertionError("a table wants to be woken again and again")

    def table(self, id: str) -> Table:
        return self.tables.by_id[id]

    def live_game(self, id: str) -> LiveGame:
        game = self.tables.by_id[id].live_game
        assert game is not None
        return game

    def match(self, id: str) -> Match[Any, Any, Any]:
        return self.live_game(id).match


class Player:
    """A player of a MemoryServer, and all messages that came."""

    def __init__(self, server: MemoryServer, name: str, bot: bool = False, address: str = "memory") -> None:
        self.server = server
        self.address = address
        self.name = name
        self.bot = bot
        self.token: str | None = None
        self.session: Session
        self.peer = MemoryPeer()
        self.seen: list[Plain] = []
        self.memories: dict[str, Memory] = {}
        self.last_id = 0
        self._read = 0

    # Coming and going

    def hello(self, **who: Any) -> Plain:
        self.peer, self._read = MemoryPeer(self.address), 0
        message = read_command({"type": "hello", "versions": [1], "client": "test", "bot": self.bot, **who})
        assert isinstance(message, Hello)
        self.session = self.server.lobby.hello(message, self.peer, self.server.at)
        self.server.settle()
        welcome = self.read()[0]
        assert welcome["type"] == "welcome"
        self.token, self.last_id = welcome["token"], welcome["last_id"]
        return welcome

    def drop(self) -> None:
        self.server.lobby.disconnect(self.session, self.peer, self.server.at)
        self.server.settle()

    def come_back(self) -> Plain:
        return self.hello(token=self.token)

    def resume(self, table: str, after: int | None = None) -> Plain:
        """Resumes a table; the result says whether a snapshot was sent."""
        done: Plain = self.do("resume", table=table, after=after)
        return done

    # Talking

    def read(self) -> list[Plain]:
        """Reads the messages that came since the last call."""
        new = [unpack(frame) for frame in self.peer.frames[self._read :]]
        self._read = len(self.peer.frames)
        for plain in new:
            self.seen.append(plain)
            if "seq" in plain and "table" in plain:
                self.memories.setdefault(plain["table"], Memory()).take(plain)
        return new

    def send(self, word: str, id: int | None = None, **fields: Any) -> int:
        """Sends a command; returns its id."""
        if id is None:
            self.last_id += 1
            id = self.last_id
        command = read_command({"type": word, "id": id, **fields})
        self.server.lobby.receive(self.session, command, self.server.at)
        self.server.settle()
        return id

    def answers(self, id: int) -> list[Plain]:
        self.read()
        return [plain for plain in self.seen if plain["type"] in ("ok", "error") and plain["id"] == id]

    def do(self, word: str, **fields: Any) -> Any:
        """Sends a command and returns its result; raises Refused."""
        (answer,) = self.answers(self.send(word, **fields))
        if answer["type"] == "error":
            raise Refused(answer)
        return answer["result"]

    def refused(self, word: str, **fields: Any) -> Refused:
        try:
            done = self.do(word, **fields)
        except Refused as refused:
            return refused
        raise AssertionError(f"{word} was done: {done}")

    def events(self, word: str) -> list[Plain]:
        self.read()
        return [plain for plain in self.seen if plain["type"] == word]

    def last(self, word: str) -> Plain:
        return self.events(word)[-1]

    # At a table

    def memory(self, table: str) -> Memory:
        self.read()
        return self.memories[table]

    def question(self, table: str) -> Plain | None:
        question: Plain | None = self.memory(table).known["question"]
        return question

    def legal(self, table: str) -> Choices[Any]:
        question = self.question(table)
        words = self.server.table(table).settings.game.action_words
        return choices_from_map(words, question["legal"] if question else [])

    def action(self, table: str, number: int = 0) -> Plain:
        choices = self.legal(table)
        return tagged(choices[number % choices.count])

    def turn(self, table: str) -> int:
        question = self.question(table)
        assert question is not None, f"{self.name} is not asked"
        turn: int = question["turn"]
        return turn

    def act(self, table: str, number: int = 0) -> int:
        """Answers the question with the legal action of that number; returns the command's id."""
        return self.send("act", table=table, turn=self.turn(table), action=self.action(table, number))


def seated(
    server: MemoryServer, game: str, seats: int, *, bots: tuple[int, ...] = (), **settings: Any
) -> tuple[str, list[Player]]:
    """Makes a table with a player on every seat; returns its id and the players by seat."""
    names = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fred")
    people = [server.player(names[seat], bot=seat in bots) for seat in range(seats)]
    made = people[0].do("create_table", game=game, seats=seats, **settings)
    where = {"code": made["code"]} if made["code"] else {"table": made["table"]}
    for person in people[1:]:
        person.do("join", **where)
    return made["table"], people


def dealt(
    server: MemoryServer, game: str = "balloon-cup", seats: int = 2, **settings: Any
) -> tuple[str, list[Player]]:
    """Makes a table at which a game has just begun."""
    table, people = seated(server, game, seats, **settings)
    for person in people:
        person.do("ready", table=table)
    people[0].do("start", table=table)
    return table, people


def asked(people: list[Player], table: str) -> list[Player]:
    """The players who are asked something, by seat."""
    return [person for person in people if person.question(table) is not None]
