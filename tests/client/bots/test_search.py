"""Searching bots: budgets, sequential halving, and that a search sees no more than its seat."""

import time
from random import Random
from typing import Any

import pytest
from support.client.decisions import decision_at

from parlour.client.bots import maker
from parlour.client.bots.arena import Matchup, play_block
from parlour.client.bots.budget import Budget
from parlour.client.bots.catalogue import GAME_BOTS
from parlour.client.bots.halving import FIRST_LOOK, best
from parlour.client.bots.position import Position
from parlour.client.bots.search import SHARE, SearchBot
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.match import Match
from parlour.engine.secret import project

# Budgets


def test_a_budget_is_read_as_simulations_or_seconds() -> None:
    assert Budget.read("400") == Budget(simulations=400)
    assert Budget.read("0.5s") == Budget(seconds=0.5)


@pytest.mark.parametrize("text", ["", "s", "0", "-3", "0s", "nans", "1e9s", "many", "1.5"])
def test_what_is_no_budget_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="a budget is a number of simulations"):
        Budget.read(text)


def test_only_search_has_a_budget() -> None:
    assert isinstance(maker("search:0.1s")(Random()), SearchBot)
    with pytest.raises(ValueError, match="greedy needs no budget"):
        maker("greedy:7")


def test_a_budget_keeps_within_the_time_that_is_left() -> None:
    assert Budget(seconds=1.0).within(None, 0.2) == Budget(seconds=1.0)
    assert Budget(seconds=1.0).within(time.monotonic() + 1000, 0.2) == Budget(seconds=1.0)
    short = Budget(simulations=500).within(time.monotonic() + 1, 0.2)
    assert short.simulations == 500 and short.seconds is not None and short.seconds <= 0.2
    assert Budget(seconds=1.0).within(time.monotonic() - 5, 0.2) == Budget(seconds=0.001)


def test_bots_that_wait_for_each_other_all_move_in_time() -> None:
    left = 2.0
    for _ in range(8):
        thinks = Budget(seconds=1.0).within(time.monotonic() + left, SHARE).seconds
        assert thinks is not None and thinks <= SHARE * left
        left -= thinks
    assert left > 0.3


# Halving


def test_the_best_candidate_is_found_though_it_was_liked_least() -> None:
    luck = Random(3)
    values = {"a": 0.4, "b": 0.5, "c": 0.45, "d": 0.7}
    trials = best(
        list(values), Budget(simulations=400), lambda name, _: values[name] + luck.uniform(-0.3, 0.3)
    )
    assert trials[0].place == 3 and trials[0].worlds == max(each.worlds for each in trials)


def test_candidates_meet_the_same_worlds() -> None:
    met: dict[str, list[int]] = {"a": [], "b": []}

    def simulate(name: str, world: int) -> float:
        met[name].append(world)
        return 0.5

    best(["a", "b"], Budget(simulations=20), simulate)
    assert met["a"] == met["b"] == list(range(10))


def test_what_is_liked_first_wins_a_tie() -> None:
    assert best(["a", "b", "c"], Budget(simulations=30), lambda _name, _world: 0.5)[0].place == 0


def test_each_candidate_is_tried_though_the_time_is_up() -> None:
    trials = best(["a", "b", "c"], Budget(seconds=1e-9), lambda _name, _world: 0.5)
    assert all(each.worlds for each in trials)


def test_whoever_is_clearly_behind_is_not_tried_any_more() -> None:
    luck = Random(5)
    values = {"a": 0.6, "b": 0.58, "c": 0.1, "d": 0.1}
    trials = best(
        list(values), Budget(simulations=4000), lambda name, _: values[name] + luck.uniform(-0.2, 0.2)
    )
    by_place = {each.place: each.worlds for each in trials}
    assert by_place[2] == by_place[3] == FIRST_LOOK < by_place[0]


def test_thinking_ends_when_nothing_is_to_be_gained() -> None:
    trials = best(["a", "b"], Budget(seconds=60.0), lambda _name, world: world % 2)
    assert [each.worlds for each in trials] == [FIRST_LOOK, FIRST_LOOK]


def test_seconds_are_those_of_the_clock_that_is_given() -> None:
    now = iter(range(1000))
    budget = Budget.read("10s", lambda: float(next(now)))
    trials = best(["a", "b"], budget, lambda name, world: (name == "a") ^ (world % 3 == 0))
    assert trials[0].worlds == 10


# Searches


@pytest.mark.parametrize("name", GAME_BOTS)
def test_a_search_plays_the_same_in_two_worlds_that_its_seat_cannot_tell_apart(name: str) -> None:
    game = GAMES[name]
    seats = game.seats[0]
    match = Match.start(game, seats, game.read_options({}, seats), Seeded(bytes(32)))
    for number in range(8):
        seat = min(match.awaited)
        other = game.imagine(project(match.view, seat), seat, Seeded(b"another world, as good as this.."))
        answers = [
            SearchBot(Random(number), Budget(simulations=24))
            .rank(Position.of(decision_at(game, state, seat)))[0]
            .action
            for state in (match.state, other)
        ]
        assert answers[0] == answers[1]
        match.act(seat, answers[0])


@pytest.mark.parametrize("name", GAMES)
def test_a_searching_bot_plays_whole_games(name: str) -> None:
    matchup = Matchup.of("search:8", "greedy", name, None, "whole", {})
    assert play_block(matchup, 0).shares == play_block(matchup, 0).shares


@pytest.mark.parametrize(
    "options",
    [
        {"edition": "italian"},
        {"wind": "on"},
        {"trade": "win", "opponent_side": "colour_ahead"},
        {"table_cap": "on", "paid_cubes": "bag"},
    ],
)
@pytest.mark.parametrize("strategy", ["greedy", "search:8"])
def test_balloon_cup_is_played_with_any_options(strategy: str, options: dict[str, Any]) -> None:
    block = play_block(Matchup.of(strategy, "random", "balloon-cup", 2, "options", options), 0)
    assert len(block.shares) == 2


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("hurry-cup", 3, {"grab": "sealed", "finish": "first"}),
        ("hurry-cup", 6, {"races": 2, "empty_tank": 3}),
        ("hurry-cup", 4, {"track": "corniche"}),
        ("butterflies", 4, {"teams": "on"}),
        ("butterflies", 3, {"declare": "auto"}),
    ],
)
def test_other_games_are_played_with_their_options(game: str, seats: int, options: dict[str, Any]) -> None:
    block = play_block(Matchup.of("greedy", "random", game, seats, "options", options), 0)
    assert len(block.shares) == seats
