"""Failure is data: late, crashed, illegal and absent entrants, those who leave, and faults of our own."""

from typing import Any

import attrs
import pytest
from support.server.running_tournaments import Entrant, assemble, eventually, living, played, tournament_of
from support.server.sockets import Plain, gone, open_server

from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.server.app import ListeningServer
from parlour.server.tournament.history import Result
from parlour.server.tournament.live.games import SPARES

TWO = {"rounds": 1}
LOST = {"late": "loss", "crashed": "loss", "illegal": "loss", "absent": "loss"}
AT_ONCE: Plain = {"decision": 20.0, "grace": 0.0}
"""Nobody is waited for who is not there."""


class Cheat(Entrant):
    """Answers the first question of each game with what is never legal."""

    async def answer_question(self, table: str, question: Plain) -> None:
        if question["turn"] == 1:
            action = {"type": "play", "card": "red-1", "tile": 99, "side": 0}
            await self.send("act", table=table, turn=question["turn"], action=action)
        else:
            await super().answer_question(table, question)


class Dreamer(Entrant):
    """Lets the first question of each game go by."""

    async def answer_question(self, table: str, question: Plain) -> None:
        if question["turn"] == 1:
            time_is_up(self.server)
        else:
            await super().answer_question(table, question)


class Crasher(Entrant):
    """Is gone when first asked."""

    async def answer_question(self, table: str, question: Plain) -> None:  # noqa: ARG002
        await self.drop(rudely=True)
        await gone(self.server, self.name)
        time_is_up(self.server)


def time_is_up(server: ListeningServer) -> None:
    """For whoever is asked just now, and for nobody who is asked later."""
    server.lobby.tables.tick(server.gateway.now() + AT_ONCE["decision"] + 1.0)


def failures(result: Result) -> list[tuple[str, str, int]]:
    return [(failure.name, failure.kind, failure.times) for failure in result.failures]


def lost(result: Result, name: str) -> bool:
    return result.places[result.players.index(name)] == len(result.players)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "word", "rules"),
    [
        (Cheat, "illegal", {}),
        (Dreamer, "late", {"failures": LOST, "clocks": AT_ONCE}),
        (Crasher, "crashed", {"failures": {**LOST, "absent": "strike"}, "clocks": AT_ONCE}),
    ],
)
async def test_a_failure_for_which_the_rules_say_so_loses_the_game(
    kind: type[Entrant], word: str, rules: dict[str, Any]
) -> None:
    async with open_server() as server:
        _, _, found = await played(server, ["Ann", "Rex"], {"Rex": kind}, **TWO, **rules)
        for number, result in enumerate(found.state.history.results):
            # Whoever has crashed does not come to the next game.
            assert failures(result) == [("Rex", "absent" if word == "crashed" and number else word, 1)]
            assert result.forfeits == ("Rex",)
            assert lost(result, "Rex")


@pytest.mark.parametrize(
    ("kind", "word", "rules"),
    [
        (Cheat, "illegal", {"failures": {"illegal": "default"}}),
        (Dreamer, "late", {"clocks": AT_ONCE}),
    ],
)
async def test_a_failure_with_a_default_is_counted_and_the_game_goes_on(
    kind: type[Entrant], word: str, rules: dict[str, Any]
) -> None:
    async with open_server() as server:
        _, entrants, found = await played(server, ["Ann", "Rex"], {"Rex": kind}, **TWO, **rules)
        for result in found.state.history.results:
            assert failures(result) == [("Rex", word, 1)]
            assert not result.forfeits
        assert entrants[1].asked > 10


async def test_who_does_not_come_loses_and_after_three_strikes_is_out() -> None:
    async with open_server() as server:
        rules: dict[str, Any] = {"format": "round_robin", "clocks": {"decision": 20.0, "grace": 0.2}}
        organiser, entrants = await assemble(server, ["Ann", "Ben", "Cid", "Rex"], **rules)
        await entrants[3].drop(rudely=True)
        await gone(server, "Rex")
        async with living(entrants[:3]):
            await organiser.steer("start")
            await organiser.until_over()
        state = tournament_of(server, organiser).state
        missed = [result for result in state.history.results if "Rex" in result.players]
        assert len(missed) == 4
        assert all(failures(result) == [("Rex", "absent", 1)] for result in missed)
        assert all(result.forfeits == ("Rex",) and result.replay is None for result in missed)
        assert state.entrants["Rex"].gone  # type: ignore[index]
        assert len(state.history.results) == 10
        assert all(one.since == 1 for one in state.entrants.values())


async def test_a_game_waits_for_one_who_comes_back_and_finds_it_again() -> None:
    async with open_server() as server:
        organiser, (ann, rex) = await assemble(server, ["Ann", "Rex"], **TWO)
        await rex.drop(rudely=True)
        await gone(server, "Rex")
        async with living([ann]):
            await organiser.steer("start")
            await organiser.until("tournament_round")
            await rex.connect()
            assert not rex.welcome["tables"]
            message = await rex.event()
            while message["type"] != "update":
                message = await rex.event()
            await rex.drop(rudely=True)
            await gone(server, "Rex")
            await rex.connect()
            assert rex.welcome["tables"] == [message["table"]]
            async with living([rex]):
                await organiser.until_over()
        results = tournament_of(server, organiser).state.history.results
        assert [result.failures for result in results] == [(), ()]


async def test_one_who_withdraws_loses_the_game_that_runs_and_those_of_the_round() -> None:
    async with open_server() as server:
        organiser, entrants = await assemble(server, ["Ann", "Ben", "Rex"], format="round_robin")
        rex = entrants[2]
        async with living(entrants[:2]):
            await organiser.steer("start")
            while (await rex.event())["type"] != "update":
                pass
            await rex.do("withdraw", tournament=organiser.tournament)
            await organiser.until_over()
        state = tournament_of(server, organiser).state
        assert state.phase == "finished"
        assert state.entrants["Rex"].gone  # type: ignore[index]
        with_rex = [result for result in state.history.results if "Rex" in result.players]
        assert with_rex
        for result in with_rex:
            assert result.forfeits == ("Rex",)
            assert lost(result, "Rex")
            assert not result.failures
        assert any(result.forfeits == () for result in state.history.results)


# Faults of our own


class Broken(BalloonCup):
    """Balloon Cup with a fault."""

    def apply(self, *_given: Any) -> Any:
        raise ZeroDivisionError


@pytest.mark.parametrize("times", [1, SPARES + 1])
async def test_a_table_that_fails_is_dealt_anew_and_at_last_void_and_no_other_notices(times: int) -> None:
    broken: set[str] = set()

    class Clumsy(Entrant):
        """Breaks the first table before playing there, again and again."""

        async def answer_question(self, table: str, question: Plain) -> None:
            for spot, found in tournament_of(server, organiser).open_tables().items():
                if spot == (1, 0) and found.id == table and len(broken | {table}) <= times:
                    assert found.live_game is not None
                    broken.add(table)
                    found.live_game.match.game = Broken()
            await super().answer_question(table, question)

    names = ["Ann", "Ben", "Cid", "Dan"]
    async with open_server() as server:
        organiser, entrants = await assemble(server, names, dict.fromkeys(names, Clumsy), **TWO)
        async with living(entrants):
            await organiser.steer("start")
            await organiser.until_over()
        assert len(broken) == times
        results = {
            (one.table, one.game): one for one in tournament_of(server, organiser).state.history.results
        }
        assert len(results) == 4
        spoilt = results.pop((1, 0))
        assert spoilt.spare == 2 + min(times, SPARES) - 1
        assert spoilt.void == (times > SPARES)
        assert all(one.spare is None and not one.void for one in results.values())


async def test_a_bug_halts_one_tournament_and_no_other() -> None:
    async with open_server() as server:
        organiser, _ = await assemble(server, ["Ann", "Ben"], **TWO)
        halted = tournament_of(server, organiser)
        halted.state = attrs.evolve(halted.state, secret=None)
        await organiser.steer("start")
        await eventually(lambda: halted.halted)
        other, entrants = await assemble(server, ["Cid", "Dan"], organiser="Otto", **TWO)
        async with living(entrants):
            await other.steer("start")
            await other.until_over()
        assert tournament_of(server, other).state.phase == "finished"
