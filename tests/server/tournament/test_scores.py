"""Standings: points, tie-breaks by name, luck taken out, and intervals beside every mean."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.server.tournaments import field, result, rules, tournament

from parlour.server.tournament.history import Failure, History, Name, PairedTable, Pairing, Result
from parlour.server.tournament.luck import ADJUSTED, SHARE, adjusted, par, plain
from parlour.server.tournament.means import mean, student
from parlour.server.tournament.points import Entrant, totals
from parlour.server.tournament.rules import Entry
from parlour.server.tournament.scores import Cell, crosstable, standings, strikes

A, B, C, D = (Name(letter) for letter in "abcd")
FOUR = [Entrant(name) for name in (A, B, C, D)]


def table(number: int, *players: Name) -> PairedTable:
    return PairedTable(number, players)


def both_games(round_: int, number: int, winner: Name, loser: Name) -> list[Result]:
    return [
        result(round_, number, 0, (winner, loser), (1, 2)),
        result(round_, number, 1, (loser, winner), (2, 1)),
    ]


def four_in_three_rounds() -> History:
    """a beats b and c, b beats c and d, c beats d, d beats a: a, b with 4 points, c, d with 2."""
    rounds = (
        Pairing(1, (table(1, A, B), table(2, C, D))),
        Pairing(2, (table(1, A, C), table(2, B, D))),
        Pairing(3, (table(1, D, A), table(2, B, C))),
    )
    wins = [(1, 1, A, B), (1, 2, C, D), (2, 1, A, C), (2, 2, B, D), (3, 1, D, A), (3, 2, B, C)]
    return History(rounds, tuple(one for win in wins for one in both_games(*win)))


def test_points_are_one_for_each_opponent_who_is_beaten_and_half_for_each_who_is_level() -> None:
    assert result(1, 1, 0, "abcd", (1, 2, 2, 4)).halves == (6, 3, 3, 0)
    assert result(1, 1, 0, "ab", (1, 1)).halves == (1, 1)


def test_a_game_that_broke_off_is_worth_the_average_to_everybody() -> None:
    assert Result(1, 1, 0, (A, B, C), (1, 1, 1), void=True).halves == (2, 2, 2)


def test_head_to_head_tells_level_ones_apart() -> None:
    lines = standings(four_in_three_rounds(), FOUR, rules(tie_breaks=("head_to_head",)))
    assert [(line.rank, line.name, line.points) for line in lines] == [
        (1, "a", 4.0),
        (2, "b", 4.0),
        (3, "c", 2.0),
        (4, "d", 2.0),
    ]
    assert [line.tie_breaks["head_to_head"] for line in lines] == [2.0, 0.0, 2.0, 0.0]


def test_buchholz_is_the_sum_of_the_opponents_points() -> None:
    lines = standings(four_in_three_rounds(), FOUR, rules(tie_breaks=("buchholz",)))
    assert {line.name: line.tie_breaks["buchholz"] for line in lines} == {"a": 8, "b": 8, "c": 10, "d": 10}
    assert [line.rank for line in lines] == [1, 1, 3, 3]


def test_sonneborn_berger_is_the_sum_of_the_points_of_those_beaten() -> None:
    lines = standings(four_in_three_rounds(), FOUR, rules(tie_breaks=("sonneborn_berger",)))
    found = {line.name: line.tie_breaks["sonneborn_berger"] for line in lines}
    assert found == {"a": 2 * (4 + 2), "b": 2 * (2 + 2), "c": 2 * 2, "d": 2 * 4}
    assert [line.name for line in lines] == ["a", "b", "d", "c"]


def test_the_mean_place_decides_between_many() -> None:
    games = [
        result(1, 1, 0, "abc", (2, 1, 3)),
        result(1, 1, 1, "abc", (2, 3, 1)),
        result(1, 2, 0, "def", (2, 1, 2)),
        result(1, 2, 1, "def", (1, 1, 3)),
    ]
    entrants = [Entrant(Name(letter)) for letter in "abcdefg"]
    lines = standings(History((), tuple(games)), entrants, rules(seats=3))
    assert [(line.rank, line.name, line.points) for line in lines] == [
        (1, "e", 3.5),
        (2, "d", 2.0),
        (3, "a", 2.0),
        (3, "b", 2.0),
        (3, "c", 2.0),
        (6, "f", 0.5),
        (7, "g", 0.0),
    ]
    assert [line.tie_breaks["mean_place"] for line in lines] == [1.0, 1.5, 2.0, 2.0, 2.0, 2.5, 4.0]


def test_a_bye_is_worth_half_of_a_table_and_missed_rounds_what_the_rules_say() -> None:
    history = History((Pairing(1, (table(1, A, B),), (C,)),), tuple(both_games(1, 1, A, B)))
    entrants = [*FOUR[:3], Entrant(D, since=2)]
    assert totals(history, entrants, rules()) == {A: 4, B: 0, C: 2, D: 0}
    generous = rules(bye="win", entry=Entry(late=2, missed="half"))
    assert totals(history, entrants, generous) == {A: 4, B: 0, C: 4, D: 2}


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from([("swiss", 2), ("round_robin", 3), ("knockout", 2)]),
    st.integers(3, 12),
    st.integers(0, 2**32),
)
def test_standings_do_not_depend_on_the_order_of_results(
    kind: tuple[str, int], size: int, start: int
) -> None:
    luck, under = random.Random(start), rules(*kind)
    history, entrants = tournament(field(size), under, luck, leaving=0.05)
    other = History(history.rounds, tuple(luck.sample(history.results, len(history.results))))
    assert standings(history, entrants, under) == standings(other, luck.sample(entrants, size), under)
    assert crosstable(history) == crosstable(other)


@settings(deadline=None, max_examples=25)
@given(st.integers(4, 16), st.sampled_from([2, 3, 4]), st.integers(0, 2**32))
def test_what_one_gains_against_par_others_lose(size: int, seats: int, start: int) -> None:
    history, _ = tournament(field(size), rules("swiss", seats), random.Random(start))
    found = adjusted(history.results)
    turns = [one.mean * one.count for one in found.values() if one.mean is not None]
    assert sum(turns) == pytest.approx(0.0, abs=1e-9)


def test_luck_of_the_deal_is_taken_out() -> None:
    """On both deals the first seat wins at every table: whoever sits there has done nothing."""
    games = [
        result(1, number, game, seats, (1, 2))
        for number, pair in enumerate((("a", "b"), ("c", "d")), 1)
        for game, seats in enumerate((pair, pair[::-1]))
    ]
    assert par(games) == {(1, 0, 0): 1, (1, 0, 1): 0, (1, 1, 0): 1, (1, 1, 1): 0}
    assert [found.mean for found in adjusted(games).values()] == [0.0] * 4


def test_who_wins_where_others_lose_is_above_par() -> None:
    first = [result(1, 1, 0, "ab", (2, 1)), result(1, 1, 1, "ba", (1, 2))]
    others = [result(1, at, game, "cd" if game == 0 else "dc", (1, 2)) for at in (2, 3) for game in (0, 1)]
    found = adjusted([*first, *others])
    assert found[B].mean == pytest.approx((2 / 3 + 0) / 2)
    assert found[A].mean == pytest.approx((-2 / 3 + 0) / 2)


def test_a_deal_that_only_one_table_played_has_no_par() -> None:
    assert adjusted(both_games(1, 1, A, B)) == {}


def test_a_forfeit_counts_against_par_for_who_forfeits_alone() -> None:
    others = [one for number in (2, 3) for one in both_games(1, number, C, D)]
    forfeit = Result(1, 1, 0, (A, B), (2, 1), forfeits=(A,))
    found = adjusted([*others, forfeit])
    assert found[A].mean == -1.0
    assert B not in found


def test_the_error_counts_turns_of_all_seats_and_not_single_games() -> None:
    games = [one for number in range(3) for one in both_games(number, 1, A, B)]
    assert plain(games)[A].count == 3


def test_a_mean_has_students_interval() -> None:
    found = mean([1.0, 2.0, 3.0, 4.0], 0.0, 5.0)
    assert (found.count, found.mean) == (4, 2.5)
    assert found.error == pytest.approx(0.6454972)
    assert (found.low, found.high) == (pytest.approx(0.446, abs=1e-3), pytest.approx(4.554, abs=1e-3))


@pytest.mark.parametrize(("least", "most"), [SHARE, ADJUSTED])
def test_no_interval_reaches_beyond_what_a_mean_can_be(least: float, most: float) -> None:
    few, sure = mean([0.0, 1.0], least, most), mean([0.4, 0.5, 0.6], least, most)
    assert (few.low, few.high) == (least, most)
    assert sure.low is not None and sure.high is not None and least < sure.low < sure.high < most


@pytest.mark.parametrize(
    ("freedom", "exact"), [(1, 12.706), (30, 2.042), (31, 2.0395), (60, 2.0003), (1000, 1.9623)]
)
def test_quantiles_are_right_beyond_the_table(freedom: int, exact: float) -> None:
    assert student(freedom) == pytest.approx(exact, abs=0.004)


def test_of_one_value_the_error_is_not_known() -> None:
    one = mean([0.5], 0.0, 1.0)
    assert (one.mean, one.error, one.low, mean([], 0.0, 1.0).mean) == (0.5, None, None, None)


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [([1.0] * 2, 0.224, 1.0), ([0.5] * 3, 0.184, 0.816), ([0.0] * 10, 0.0, 0.259), ([1.0] * 100, 0.970, 1.0)],
)
def test_values_that_are_all_alike_are_not_certain(values: list[float], low: float, high: float) -> None:
    found = mean(values, 0.0, 1.0)
    assert (found.mean, found.error) == (values[0], None)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-3), pytest.approx(high, abs=1e-3))


def test_the_crosstable_has_what_each_got_from_each() -> None:
    assert crosstable(four_in_three_rounds())[A] == {B: Cell(2, 2.0), C: Cell(2, 2.0), D: Cell(2, 0.0)}


@pytest.mark.parametrize("places", [(1, 1, 1), (1, 2, 3)])
def test_nobody_gets_anything_for_a_game_that_all_forfeit(places: tuple[int, ...]) -> None:
    won = [result(2, 1, 0, "abc", (3, 2, 1))]
    history = History((), (Result(1, 1, 0, (A, B, C), places, forfeits=(A, B, C)), *won))
    kinds = ("sonneborn_berger", "head_to_head", "mean_place")
    lines = {line.name: line for line in standings(history, FOUR[:3], rules(seats=3, tie_breaks=kinds))}
    assert {name: line.points for name, line in lines.items()} == {A: 0, B: 1, C: 2}
    assert {name: line.wins for name, line in lines.items()} == {A: 0, B: 0, C: 1}
    assert {name: line.tie_breaks["sonneborn_berger"] for name, line in lines.items()} == {A: 0, B: 0, C: 1}
    assert {name: line.tie_breaks["mean_place"] for name, line in lines.items()} == {A: 3, B: 2.5, C: 2}
    table = crosstable(history)
    assert {name: sum(cell.points for cell in table[name].values()) for name in table} == {A: 0, B: 1, C: 2}


def test_points_are_what_the_crosstable_adds_up_to_also_with_forfeits() -> None:
    games = (
        Result(1, 1, 0, (A, B, C, D), (1, 2, 3, 3), forfeits=(C, D)),
        Result(1, 1, 1, (A, B, C, D), (1, 2, 3, 4), forfeits=(C, D)),
        Result(1, 1, 2, (A, B, C, D), (1, 1, 1, 1), forfeits=(A, B, C, D)),
        result(1, 1, 3, "abcd", (1, 1, 3, 4)),
    )
    table = crosstable(History((), games))
    for name, line in ((line.name, line) for line in standings(History((), games), FOUR, rules(seats=4))):
        assert line.points == sum(cell.points for cell in table[name].values())
    assert table[C][D] == Cell(4, 1.0)


def test_strikes_are_counted_once_a_game_and_only_where_the_rules_say_so() -> None:
    late, absent = Failure(A, "late", 5), Failure(A, "absent")
    games = [Result(1, 1, game, (A, B), (2, 1), (late, absent, absent)) for game in range(2)]
    games += [Result(2, 1, game, (A, B), (2, 1), (late,)) for game in range(2)]
    assert strikes(History((), tuple(games)), rules()) == {A: 2}
