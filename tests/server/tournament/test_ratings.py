"""Ratings: the better goes up, errors shrink, and lists pass from one tournament to the next."""

import random
from typing import Any

import attrs
import pytest
from support.server.tournaments import result

from parlour.engine.errors import Malformed
from parlour.server.tournament.history import Failure, Name
from parlour.server.tournament.ratings import Rating, after, from_maps, strength, to_maps

A, B, C = (Name(letter) for letter in "abc")


def test_who_wins_goes_up_and_both_become_surer() -> None:
    found = after({}, [result(1, 1, 0, "ab", (1, 2))])
    assert found[A].mean > Rating().mean > found[B].mean
    assert max(found[A].error, found[B].error) < Rating().error
    assert found[A].low < found[A].mean < found[A].high
    assert found[A].games == found[B].games == 1


def test_shared_places_are_rated_alike_and_above_the_place_below() -> None:
    found = after({}, [result(1, 1, 0, "abcde", (1, 2, 3, 2, 4))])
    means = [found[Name(letter)].mean for letter in "abdce"]
    assert means == sorted(means, reverse=True)
    assert means[1] == means[2] > means[3]


def test_the_order_in_which_results_came_changes_nothing() -> None:
    games = [result(round_, 1, game, "abc", (1, 2, 3)) for round_ in (1, 2) for game in (0, 1, 2)]
    assert after({}, games) == after({}, random.Random(1).sample(games, len(games)))


def test_ratings_go_on_from_the_last_tournament() -> None:
    games = [result(round_, 1, 0, "ab", (1, 2)) for round_ in range(4)]
    whole, kept = after({}, games), from_maps(to_maps(after({}, games[:2])))
    assert after(kept, games[2:]) == whole


def test_games_that_broke_off_or_that_somebody_missed_are_not_rated() -> None:
    game = result(1, 1, 0, "ab", (1, 2))
    assert after({}, [attrs.evolve(game, void=True)]) == {}
    assert after({}, [attrs.evolve(game, failures=(Failure(B, "absent"),))]) == {}
    assert after({}, [attrs.evolve(game, places=(1, 1), forfeits=(A, B))]) == {}


def test_a_field_is_seeded_by_what_somebody_is_at_least_worth() -> None:
    assert strength(Rating(25, 1.0)) > strength(Rating(27, 8.0))


@pytest.mark.parametrize(
    ("plain", "where"),
    [
        ([], ""),
        ({"a": {"mean": 1.0, "error": 1.0}}, "a"),
        ({"a": {"mean": "1", "error": 1.0, "games": 1}}, "a.mean"),
        ({"a": {"mean": float("inf"), "error": 1.0, "games": 1}}, "a.mean"),
        ({"a": {"mean": 1.0, "error": 0.0, "games": 1}}, "a.error"),
        ({"a": {"mean": 1.0, "error": 1.0, "games": -1}}, "a.games"),
    ],
)
def test_what_is_no_list_of_ratings_is_refused_by_name(plain: Any, where: str) -> None:
    with pytest.raises(Malformed) as wrong:
        from_maps(plain)
    assert wrong.value.where == where
