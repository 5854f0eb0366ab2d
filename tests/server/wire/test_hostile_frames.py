"""No frame, however damaged, crashes anything, changes anything when it is refused, or goes unanswered."""

import random
import re
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import attrs
import pytest
from support.server.hostile_frames import hostile
from support.server.memory_gateway import EncodedPeer, MemoryGateway
from support.server.memory_server import MemoryServer, Player, asked, dealt
from support.soak import count

from parlour.engine.maps import tagged
from parlour.protocol.codec import read_event, unpack
from parlour.protocol.errors import CODES
from parlour.protocol.messages import Error, Hello
from parlour.server.people.session import Session
from parlour.server.tables.clock import SeatClock
from parlour.server.tables.registry import Tables
from parlour.server.tables.seats import SeatedPlayer

RUNS = 8
FRAMES = count(24_000, 120_000)
"""In each run: with as many hellos as follow, more than 200,000 in all."""
HELLOS = count(6000, 30_000)
ANSWER = re.compile(rb"[\x80-\x8f]\xa4type(\xa2ok|\xa5error)")
"""How an answer begins, so that other events need not be unpacked."""
LONGEST_ERROR = 1000
CLOCKS = {"decision": 30.0, "bank": 10.0, "scramble": 12.0, "grace": 60.0, "late": "stand_in"}
TABLE = {"public": True, "bots": True, "watching": "public", "clocks": CLOCKS, "reaction": 0.4}
COMMANDS: tuple[dict[str, Any], ...] = (
    {"type": "ping"},
    {"type": "games"},
    {"type": "list_tables"},
    {"type": "watch_lobby", "on": True},
    {"type": "create_table", "game": "hurry-cup", "seats": 3, "options": {"races": 1}, **TABLE},
    {"type": "create_table", "game": "hurry-cup", "seats": 3, "options": {"track": ["straight"]}, **TABLE},
    {"type": "join", "table": "", "code": None, "seat": 1},
    {"type": "watch", "table": ""},
    {"type": "sit", "table": "", "seat": 1},
    {"type": "ready", "table": "", "on": True, "nonce": "abc"},
    {"type": "start", "table": ""},
    {"type": "kick", "table": "", "seat": 1},
    {"type": "add_bot", "table": "", "strategy": "random", "seat": None},
    {"type": "rematch", "table": ""},
    {"type": "say", "table": "", "text": "hello there"},
    {"type": "resume", "table": "", "after": 3},
)


def _fields(of: type) -> Callable[[Any], Any]:
    return attrgetter(*[field.name for field in attrs.fields(of)])


_of_player, _of_clock = _fields(SeatedPlayer), _fields(SeatClock)


def digest(tables: Tables) -> Any:
    """All that a refused frame must leave alone. Answers and ids are between the server and the sender."""
    found = []
    for table in tables.by_id.values():
        game = table.live_game
        found.append(
            (
                table.id,
                table.stage,
                table.host,
                table.number,
                table.watchers,
                table.secret,
                [player and _of_player(player) for player in table.players],
                table.event_log.numbers(),
                len(table._chat),
                game and (id(game.match.state), len(game.match.journal), game.match.left),
                game and (game.clock.key, [_of_clock(hand) for hand in game.clock.seats]),
                game and game.scramble and len(game.scramble.held),
            )
        )
    people = [
        (
            session.name,
            frozenset(session.tables),
            frozenset(session.watching),
            tables.watchers.in_lobby(session),
        )
        for session in tables.sessions.values()
    ]
    return found, people, len(tables.sessions)


class World:
    """A server with games going on, and somebody in it who means no good."""

    def __init__(self, rng: random.Random, text: bool) -> None:
        self.rng = rng
        self.server = MemoryServer(seed=rng.random())
        self.gateway = MemoryGateway(self.server)
        game, seats = rng.choice((("balloon-cup", 2), ("hurry-cup", 3), ("butterflies", 3)))
        self.table, self.people = dealt(self.server, game, seats, clocks={"decision": 60})
        for _ in range(rng.randrange(4)):
            asked(self.people, self.table)[0].act(self.table)
            self.server.wait(0.2)
        ann = self.people[0]
        self.other = ann.do("create_table", game="balloon-cup", seats=2)["table"]
        self.private = self.people[1].do("create_table", game="butterflies", seats=2, public=False)["table"]
        self.player = rng.choice(asked(self.people, self.table))
        self.peer = EncodedPeer(text)
        self.player.session.peer = self.peer

    def message(self) -> dict[str, Any]:
        """A valid command, as this player could send it now."""
        rng = self.rng
        table = rng.choice((self.table, self.table, self.other, self.private))
        if rng.random() < 0.4:
            message = self.act()
        else:
            message = {**rng.choice(COMMANDS)}
            if "table" in message:
                message["table"] = table
        return {**message, "id": self.player.session.last_id + 1}

    def act(self) -> dict[str, Any]:
        game = self.server.tables.by_id[self.table].live_game
        seat = self.people.index(self.player)
        question = game.question(seat) if game else None
        action: Any = {"type": "play", "card": "red-1", "tile": 0, "side": 0}
        if question is not None and game is not None:
            legal = game.match.game.legal(game.match.state, seat)
            action = tagged(legal[self.rng.randrange(legal.count)])
        return {
            "type": "act",
            "table": self.table,
            "turn": question.turn if question else 1,
            "action": action,
        }

    def others_play(self) -> bool:
        """Lets the others act until the player is asked again; whether they had to."""
        match = self.server.match(self.table)
        seat = self.people.index(self.player)
        if seat in match.awaited or match.outcome is not None:
            return False
        for _ in range(20):
            waiting = sorted(match.awaited)
            if not waiting or seat in waiting:
                break
            person, legal = self.people[waiting[0]], match.game.legal(match.state, waiting[0])
            turn = self.server.live_game(self.table).players[waiting[0]].turn
            person.send("act", table=self.table, turn=turn, action=tagged(legal[0]))
            self.server.wait(0.2)
        return True

    def whole(self) -> bool:
        tables = self.server.tables.by_id
        standing = {self.table, self.other, self.private} <= set(tables)
        last = self.player.session.last_id
        return standing and tables[self.table].stage == "playing" and last < 2**50


def check_error(answer: dict[str, Any]) -> None:
    error = read_event(answer)
    assert isinstance(error, Error)
    assert error.code in CODES and error.code != "failed"
    assert len(str(error.facts)) < LONGEST_ERROR, "an error is short, whatever was sent"


def throw(world: World, frame: bytes | str, before: Any) -> tuple[Any, str]:
    """One frame, the state after it, and what became of it; raises if a law is broken."""
    peer, session = world.peer, world.player.session
    seen = len(peer.frames)
    world.gateway.take(peer, session, frame, world.gateway.now())  # type: ignore[arg-type]
    after = digest(world.server.tables)
    answers = [unpack(frame) for frame in peer.frames[seen:] if ANSWER.match(frame)]
    if not answers:
        assert None in session.answers.others.values(), "a frame without an answer that is not held either"
        return after, "held"
    (answer,) = answers
    if answer["type"] == "error":
        check_error(answer)
        assert after == before, "a refused frame changed something"
        return after, str(answer["code"])
    return after, "ok"


@pytest.mark.parametrize("run", range(RUNS))
def test_no_frame_does_harm(run: int) -> None:
    rng = random.Random(run)
    text = run % 4 == 3
    world = World(rng, text)
    state = digest(world.server.tables)
    became: dict[str, int] = {}
    for number in range(FRAMES):
        if number % 400 == 399 or not world.whole():
            world.server.wait(13)
            assert not world.server.bugs
            world = World(rng, text)
            state = digest(world.server.tables)
        if number % 10 == 0 and world.others_play():
            state = digest(world.server.tables)
        frame = hostile(world.message(), rng, text)
        state, what = throw(world, frame, state)
        became[what] = became.get(what, 0) + 1
        if len(world.peer.frames) > 1000:
            world.peer.frames.clear()
    wanted = {"bad_frame", "bad_message", "unknown_type", "not_now", "bad_options", "forgotten", "not_seated"}
    assert wanted <= set(became), f"the damage is not varied enough: {became}"
    assert became.get("bad_action", 0) + became.get("illegal", 0) > 100, became
    assert 100 < became["ok"] < FRAMES / 2, became


@pytest.mark.parametrize("text", [False, True], ids=["msgpack", "json"])
def test_no_hello_does_harm(text: bool) -> None:
    rng = random.Random(text)
    server = MemoryServer()
    gateway = MemoryGateway(server)
    owner = server.player("Owner")
    owner.do("ping")
    became = {"welcome": 0, "error": 0}
    for number in range(HELLOS):
        hello = {
            "type": "hello",
            "versions": [1],
            "client": "x",
            "name": rng.choice(("Owner", f"Player {number}")),
            "token": rng.choice((None, None, "x" * 43)),
            "bot": False,
            "features": ["chat"],
        }
        frame = hostile(hello, rng, text)
        peer = EncodedPeer(text)
        before = digest(server.tables)
        welcomed: list[Session] = []
        gateway.greet(peer, frame, welcomed.append)  # type: ignore[arg-type]
        (answer,) = map(unpack, peer.frames)
        became[answer["type"]] += 1
        if not welcomed:
            check_error(answer)
            assert peer.closed == (4000, answer["code"])
            assert digest(server.tables) == before
        else:
            assert isinstance(welcomed[0].name, str)
            server.lobby.disconnect(welcomed[0], peer, server.at)
            assert digest(server.tables) == before
    assert min(became.values()) > 100, became


def test_a_second_hello_is_refused_and_closes() -> None:
    server = MemoryServer()
    ann: Player = server.player("Ann")
    peer = EncodedPeer(False)
    ann.session.peer = peer
    frame = b"\x83\xa4type\xa5hello\xa8versions\x91\x01\xa6client\xa1x"
    wrong = MemoryGateway(server).take(peer, ann.session, frame, server.at)  # type: ignore[arg-type]
    assert wrong is not None and wrong.name == "not_welcome" and wrong.closes
    assert Hello.WORD == "hello"
