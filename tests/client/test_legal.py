"""Patterns without rules: the same actions, in the same order, as the engine has in them."""

import itertools
import math
from random import Random

import pytest

from parlour.client import legal
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.maps import tagged
from parlour.engine.match import Match
from parlour.engine.patterns import choices_to_map

MOST = 300


@pytest.mark.parametrize("name", GAMES)
def test_what_is_legal_is_what_the_engine_says_in_every_position_of_a_game(name: str) -> None:
    game = GAMES[name]
    seats = max(game.seats)
    match = Match.start(game, seats, game.read_options({}, seats), Seeded(bytes(32)))
    luck = Random(1)
    for _ in range(120):
        if not match.awaited:
            break
        seat = min(match.awaited)
        choices = game.legal(match.state, seat)
        patterns = choices_to_map(choices)
        assert legal.count(patterns) == choices.count
        some = range(choices.count) if choices.count <= MOST else sorted(luck.sample(range(choices.count), 9))
        assert [legal.nth(patterns, index) for index in some] == [tagged(choices[index]) for index in some]
        match.act(seat, choices[luck.randrange(choices.count)])


OPEN = [
    {"type": "pass"},
    {"type": "drop", "cards": {"subset": ["a", "b", "c", "d"], "min": 0, "max": 3}, "up": {"one_of": [0, 1]}},
    {"type": "rank", "cars": {"order": [1, 2, 3, 4]}},
    {"type": "take", "one": {"one_of": []}},
]


def test_every_number_is_another_action_and_there_are_no_more() -> None:
    subsets = sum(math.comb(4, size) for size in range(4))
    assert legal.count(OPEN) == 1 + 2 * subsets + 24
    all_ = list(legal.every(OPEN))
    assert len({repr(action) for action in all_}) == legal.count(OPEN)
    assert all_ == [legal.nth(OPEN, index) for index in range(legal.count(OPEN))]
    assert [action["cars"] for action in all_ if action["type"] == "rank"] == [
        list(order) for order in itertools.permutations([1, 2, 3, 4])
    ]


@pytest.mark.parametrize("index", [-1, legal.count(OPEN)])
def test_a_number_beyond_them_is_none_of_them(index: int) -> None:
    with pytest.raises(IndexError):
        legal.nth(OPEN, index)


def test_any_action_is_as_likely_as_the_others() -> None:
    class Next(Random):
        """Goes through all the numbers it may give, one after the other."""

        given: list[int]

        def randrange(self, stop: int) -> int:  # type: ignore[override]
            self.given.append(stop)
            return len(self.given) - 1

    luck = Next()
    luck.given = []
    picked = [legal.pick(OPEN, luck) for _ in range(legal.count(OPEN))]
    assert picked == list(legal.every(OPEN))
    assert set(luck.given) == {legal.count(OPEN)}


def test_a_field_of_a_kind_nobody_knows_yet_stays_as_it_is() -> None:
    patterns = [{"type": "bid", "price": {"between": [1, 5]}, "card": {"one_of": ["x", "y"]}}]
    assert legal.count(patterns) == 2
    assert legal.nth(patterns, 1) == {"type": "bid", "price": {"between": [1, 5]}, "card": "y"}
