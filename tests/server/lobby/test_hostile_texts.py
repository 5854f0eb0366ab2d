"""Any command, with any field replaced by hostile text, is answered exactly once and delays nobody."""

import json
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest
from support.server.hostile_frames import places
from support.server.memory_gateway import MemoryGateway
from support.server.memory_server import MemoryServer, Player, dealt
from support.server.memory_store import MemoryStore

from parlour.engine.balloon_cup import public as balloon_cup
from parlour.engine.errors import Malformed
from parlour.engine.hurry_cup import public as hurry_cup
from parlour.engine.maps import from_map
from parlour.protocol import messages as m
from parlour.protocol.codec import FRAME_BYTES, read_command
from parlour.protocol.errors import ProtocolError
from parlour.protocol.messages import FROM_CLIENT
from parlour.server.limits import PLENTY, Limits
from parlour.server.lobby.commands import DO
from parlour.server.people.session import Session

Plain = dict[str, Any]
DIGITS = "9" * 5000
"""More than Python reads as a number."""
TEXTS = (
    "",
    " " * 3000,
    "-",
    "\x00",
    DIGITS,
    f"-{DIGITS}",
    f"1e{'9' * 400}",
    "1e999",
    "nan",
    "Infinity",
    "0x" + "f" * 4000,
    "²",
    "٣" * 20,
    "ß" * 500,
    "İ" * 500,
    "\u202e" * 50,
    "a\u0301" * 500,
    "🎈" * 1000,
    "-" * 9000,
    "%s%n{}{0}",
    "../../../etc/passwd",
    "'; DROP TABLE games; --",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
)
OTHERS: tuple[Any, ...] = (
    None,
    True,
    2**53 - 3,
    -(2**53 - 1),
    1e308,
    [],
    [[]] * 1000,
    [0] * 7000,
    [""] * 7000,
    {},
    {"type": DIGITS},
    {DIGITS: 1},
)
CLOCKS = {"decision": 30.0, "bank": 10.0, "scramble": 12.0, "grace": 60.0, "late": "stand_in"}
RULES = {
    "name": "Cup",
    "game": "balloon-cup",
    "format": "swiss",
    "rounds": 2,
    "starts": None,
    "seed": "lots",
    "clocks": CLOCKS,
    "options": {},
}


class LookedAt(list[Any]):
    """A list that counts how many of its items somebody looks at."""

    items = 0

    def __iter__(self) -> Iterator[Any]:
        for item in super().__iter__():
            self.items += 1
            yield item


LISTS: tuple[tuple[type, str, Any], ...] = (
    (m.Hello, "versions", "1"),
    (m.Hello, "features", 1),
    (balloon_cup.Exchange, "cards", 1),
    (hurry_cup.Rank, "pawns", "mauve"),
)


@pytest.mark.parametrize(("kind", "field", "wrong"), LISTS, ids=lambda value: str(value))
def test_a_list_is_read_up_to_its_first_wrong_item(kind: type, field: str, wrong: Any) -> None:
    hello = {"type": "hello", "versions": [1], "client": "x", "name": "Ann", "features": []}
    looked_at = LookedAt([wrong] * 7000)
    if kind is m.Hello:
        with pytest.raises(ProtocolError) as refused:
            read_command({**hello, field: looked_at})
        where: Any = refused.value.facts["where"]
    else:
        with pytest.raises(Malformed) as malformed:
            from_map(kind, {field: looked_at})
        where = malformed.value.where
    assert where == f"{field}.0"
    assert looked_at.items <= 2, "once quickly, and once to say what is wrong"


class World:
    """A game, an open table and a tournament; Ann means no good, and the others must not notice."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        generous = dict.fromkeys(("lists", "pages", "lines", "entries", "seats"), PLENTY)
        self.server = MemoryServer(Limits(**generous), store=self.store)
        self.gateway = MemoryGateway(self.server)
        self.playing, (self.ann, self.bob) = dealt(self.server)
        self.eve = self.server.player("Eve")
        self.fay = self.server.player("Fay")
        made = self.ann.do("create_table", game="hurry-cup", seats=3, public=False)
        self.open, self.code = made["table"], made["code"]
        self.bob.do("join", code=self.code)
        self.cup = self.eve.do("create_tournament", rules={**RULES, "starts": None})["tournament"]
        self.eve.do("steer", tournament=self.cup, to="open")

    def ids(self) -> tuple[str, ...]:
        return self.playing, self.open, self.code, self.cup

    def commands(self) -> dict[str, Plain]:
        """One of every kind that could be accepted."""
        play, open, cup = {"table": self.playing}, {"table": self.open}, {"tournament": self.cup}
        given: dict[str, Plain] = {
            "watch_lobby": {"on": True},
            "create_table": {
                "game": "hurry-cup",
                "seats": 3,
                "options": {"races": 1, "track": [{"turn": "straight", "limit": 5, "star": False}]},
                "public": True,
                "bots": True,
                "watching": "public",
                "clocks": CLOCKS,
                "reaction": 0.4,
                "hints": True,
            },
            "join": {**open, "code": self.code, "seat": 2},
            "watch": {**play, "code": None},
            "sit": {**open, "seat": 2},
            "ready": {**open, "on": True, "nonce": "abc"},
            "start": open,
            "leave": open,
            "kick": {**open, "seat": 1},
            "let_back": {**open, "name": "Bob"},
            "add_bot": {**open, "strategy": "random", "seat": None},
            "substitute": {**play, "seat": 1, "strategy": "random"},
            "rematch": play,
            "say": {**open, "text": "hello there"},
            "act": {**play, "turn": 1, "action": {"type": "play", "card": "red-1", "tile": 1, "side": 0}},
            "hint": {**play, "strategy": "search"},
            "resign": play,
            "resume": {**open, "after": 3},
            "replay": {"game": f"{self.cup}-1-1-1"},
            "replay_view": {"game": f"{self.cup}-1-1-1", "eyes": 0, "first": 0, "count": 16},
            "create_tournament": {"rules": RULES},
            "enter": cup,
            "withdraw": cup,
            "check_in": {**cup, "nonce": "abc"},
            "steer": {**cup, "to": "pause", "why": "tea"},
            "watch_tournament": {**cup, "on": True},
            "tournament_log": {**cup, "after": 0},
        }
        return {word: {"type": word, "id": 0, **given.get(word, {})} for word in WORDS}

    @property
    def whole(self) -> bool:
        tables = self.server.tables.by_id
        playing = self.playing in tables and tables[self.playing].stage == "playing"
        both = {self.playing, self.open} <= self.ann.session.tables & self.bob.session.tables
        return playing and both and self.ann.session.last_id < 2**50


def hostile(world: World, command: Plain) -> Iterator[Plain]:
    """The command, with each of its fields in turn replaced by everything that is hostile there."""
    texts = [*TEXTS, *(f"{id}{text}" for id in world.ids() for text in (f"-{DIGITS}", f"-{DIGITS}-1", "-²"))]
    for path in places(command):
        for value in (*texts, *OTHERS):
            message = json.loads(json.dumps(command))
            holder = message
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = value
            if path != ("id",):
                del message["id"]
            if len(msgpack.packb(message)) <= FRAME_BYTES:
                yield message


def answers(player: Player) -> list[Plain]:
    return [plain for plain in player.read() if plain["type"] in ("ok", "error")]


def send(world: World, message: Plain) -> None:
    """Hands a message of Ann's in as a frame, with the next id unless it has one."""
    message = {"id": world.ann.session.last_id + 1, **message}
    line = world.ann.peer
    line.json = False  # type: ignore[attr-defined]
    gateway, frame = world.gateway, msgpack.packb(message)
    wrong = gateway.take(line, world.ann.session, frame, gateway.now())  # type: ignore[arg-type]
    assert wrong is None or not wrong.closes, wrong


WORDS = [word for word in FROM_CLIENT if word not in ("hello", "bye")]


def case(word: str) -> tuple[World, Plain]:
    world = World()
    return world, world.commands()[word]


@pytest.mark.parametrize("word", WORDS)
def test_a_hostile_field_is_answered_once_and_is_no_bug(word: str) -> None:
    world, command = case(word)
    for message in hostile(world, command):
        if not world.whole:
            world = World()
        answers(world.ann)
        send(world, message)
        world.server.settle()
        (answer,) = answers(world.ann)
        assert answer.get("code") != "failed" and world.server.bugs == [], message


@pytest.mark.parametrize("word", WORDS)
def test_a_hostile_field_behind_a_kept_command_holds_nobody_up(word: str) -> None:
    world, command = case(word)
    for message in hostile(world, command):
        if not world.whole:
            world = World()
        for player in (world.ann, world.bob, world.eve):
            answers(player)
        world.store.waits = True
        world.ann.send("say", table=world.open, text="on its way")
        world.eve.send("enter", tournament=world.cup)
        send(world, message)
        send(world, {"type": "ping"})
        world.bob.send("ready", table=world.open)
        world.eve.send("withdraw", tournament=world.cup)
        world.eve.send("games")
        world.fay.do("games")
        world.store.waits = False
        world.server.settle()
        assert len(answers(world.ann)) == 3 and len(answers(world.bob)) == 1, message
        assert len(answers(world.eve)) == 3, message
        assert world.server.bugs == [], message


@pytest.mark.parametrize("kind", DO, ids=lambda kind: kind.WORD)
def test_a_bug_in_any_command_is_answered_and_the_queue_goes_on(
    kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World()
    real, planted = DO[kind], world.ann.session.last_id + 2

    def broken(context: Any, session: Session, command: Any, now: float) -> Any:
        if command.id == planted:
            raise ZeroDivisionError("planted")
        return real(context, session, command, now)

    monkeypatch.setitem(DO, kind, broken)
    world.store.waits = True
    first = world.ann.send("ready", table=world.open)
    send(world, {**world.commands().get(kind.WORD, {"type": kind.WORD}), "id": planted})
    third = world.ann.send("ping", id=planted + 1)
    other = world.bob.send("ready", table=world.open)
    world.store.waits = False
    world.server.settle()
    for player, id, code in (
        (world.ann, first, None),
        (world.ann, planted, "failed"),
        *([(world.ann, third, None)] if kind is not m.Bye else []),  # nothing behind it is done
        (world.bob, other, None),
    ):
        (answer,) = player.answers(id)
        assert answer.get("code") == code
    ((where, number, bug),) = world.server.bugs
    assert (where, number, type(bug)) == (f"Ann {kind.WORD}", planted, ZeroDivisionError)
