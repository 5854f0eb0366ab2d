"""Honk and grab against people: built-in bots are as slow as a person of their level."""

from collections.abc import Mapping
from random import Random
from typing import Any

import attrs
import pytest
from support.client.seated_player import FakeConnection, table_at
from support.server.memory_server import MemoryServer, Player, dealt

from parlour.client.bot import play
from parlour.client.bots import STRATEGIES
from parlour.client.bots.random import RandomBot
from parlour.client.decision import Decision
from parlour.client.levels import LEVELS
from parlour.client.session import Session
from parlour.protocol import messages as m

A_PERSON = 1.2
"""Seconds that a person needs to grab."""
RACES = 60
QUIET = {"type": "quiet"}
GRAB = {"type": "grab", "pawn": "red"}


def decision_of(player: Player, table: str) -> Decision:
    known = player.memory(table).known
    asked = known["question"]
    return Decision(
        game="hurry-cup",
        options={},
        seat=1,
        view=known["view"],
        legal=asked["legal"],
        news=(),
        news_missed=False,
        phase=asked["phase"],
        scramble=asked["scramble"],
        turn=asked["turn"],
        seq=1,
        until=None,
    )


def races_won(strategy: str) -> int:
    """In how many of the first grabs the person was first."""
    won = 0
    for number in range(RACES):
        server = MemoryServer()
        table, people = dealt(server, "hurry-cup", 3, bots=(1,))
        for person in people:
            person.send("act", table=table, turn=1, action=QUIET)
        server.wait(m.REACTION + 0.001)
        person, bot = people[0], people[1]
        pause = STRATEGIES[strategy](Random(number)).pause(decision_of(bot, table), GRAB)
        hands = sorted([(A_PERSON, 0), (pause, 1)])
        passed = 0.0
        for at, seat in hands:
            server.wait(at - passed)
            passed = at
            people[seat].send("act", table=table, turn=people[seat].turn(table), action=GRAB)
        server.wait(1.0)
        won += person.memory(table).known["view"]["pawns"].index("red") == 0
    return won


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_a_person_always_takes_the_first_pawn_from(level: str) -> None:
    assert races_won(LEVELS[level]) == RACES


def test_a_person_takes_the_first_pawn_from_a_hard_bot_now_and_then() -> None:
    assert 0.2 * RACES <= races_won(LEVELS["hard"]) <= 0.6 * RACES


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_nobody_waits_for_a_bot_that_keeps_quiet(strategy: str) -> None:
    server = MemoryServer()
    table, people = dealt(server, "hurry-cup", 3, bots=(1,))
    decision = decision_of(people[1], table)
    assert STRATEGIES[strategy](Random(1)).pause(decision, QUIET) == 0.0


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_whoever_is_awake_honks_and_grabs_early_in_the_same_round(strategy: str) -> None:
    server = MemoryServer()
    table, people = dealt(server, "hurry-cup", 3, bots=(1,))
    decision = decision_of(people[1], table)
    bot = STRATEGIES[strategy](Random(1))
    early = bot.pause(decision, {"type": "honk", "via": "horn"})
    assert early == bot.pause(decision, GRAB)
    shortest, longest = type(bot).reaction  # type: ignore[attr-defined]
    assert shortest <= early <= longest
    following = attrs.evolve(decision, view={**decision.view, "round": decision.view["round"] + 1})
    assert bot.pause(following, GRAB) != early


class Patient(RandomBot):
    """Waits until something happens."""

    def pause(self, decision: Decision, action: Mapping[str, Any]) -> float:
        del action
        return 3600.0 if len(decision.legal[0]["pawn"]["one_of"]) > 1 else 0.0


class Grabbing(FakeConnection):
    """While the bot waits, another hand leaves one pawn."""

    def __init__(self, reaction: float) -> None:
        super().__init__(Session(name="Ada"))
        legal = ({"type": "grab", "pawn": {"one_of": ["red", "blue", "green"]}},)
        table = table_at("hurry-cup", 0)
        table.question = m.Question(1, "grab", True, legal)
        table.awaited = (0, 1)
        table.info = attrs.evolve(table.info, reaction=reaction)
        self.table = self.session.tables["OAK"] = table

    async def changed(self) -> None:
        assert self.table.question is not None
        legal = ({"type": "grab", "pawn": {"one_of": ["green"]}},)
        self.table.question = attrs.evolve(self.table.question, legal=legal)
        self.table.seq += 1

    async def ask(self, kind: type[m.Command], /, **fields: Any) -> Any:
        await super().ask(kind, **fields)
        del self.session.tables["OAK"]


async def test_a_bot_chooses_from_what_is_left_when_it_moves() -> None:
    connection = Grabbing(reaction=m.REACTION)
    assert await play(Patient(), connection, "OAK") is None  # type: ignore[arg-type]
    ((_, sent),) = connection.asked
    assert sent["action"] == {"type": "grab", "pawn": "green"}


class Honking(RandomBot):
    """Honks whenever it may, after a while; to keep quiet takes it no time."""

    def choose(self, decision: Decision) -> Mapping[str, Any]:
        return next(iter(decision.every()))

    def pause(self, decision: Decision, action: Mapping[str, Any]) -> float:
        del decision
        return 0.0 if action["type"] == "quiet" else 0.001


@pytest.mark.parametrize(("practice", "sent"), [(True, "quiet"), (False, "honk")])
async def test_where_somebody_learns_bots_do_not_honk(practice: bool, sent: str) -> None:
    connection = Grabbing(reaction=0.0)
    legal = ({"type": "honk", "via": "horn"}, {"type": "quiet"})
    connection.table.question = m.Question(1, "horn", True, legal)
    connection.table.info = attrs.evolve(connection.table.info, practice=practice)
    assert await play(Honking(), connection, "OAK") is None  # type: ignore[arg-type]
    assert connection.asked[0][1]["action"]["type"] == sent


async def test_a_bot_does_not_wait_for_people_who_are_home_or_have_chosen() -> None:
    connection = Grabbing(reaction=m.REACTION)
    info = connection.table.info
    chairs = [attrs.evolve(chair, bot=seat < 2) for seat, chair in enumerate(info.chairs) if chair]
    connection.table.info = attrs.evolve(info, chairs=tuple(chairs))
    assert await play(Patient(), connection, "OAK") is None  # type: ignore[arg-type]
    assert connection.table.seq == 1 and connection.asked[0][1]["action"]["type"] == "grab"


async def test_where_the_host_wants_no_reactions_a_bot_does_not_wait() -> None:
    connection = Grabbing(reaction=0.0)
    assert await play(Patient(), connection, "OAK") is None  # type: ignore[arg-type]
    ((_, sent),) = connection.asked
    assert connection.table.seq == 1 and sent["action"]["type"] == "grab"
