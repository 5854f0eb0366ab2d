"""Easy, medium and hard: players' words for the strategies of bots."""

from random import Random

import pytest

from parlour.client.bots import STRATEGIES, maker
from parlour.client.levels import LEVELS, USUAL, level_of, strategy_of


def test_every_strategy_has_a_level_and_there_is_a_usual_one() -> None:
    assert sorted(LEVELS.values()) == sorted(STRATEGIES)
    assert USUAL in LEVELS
    assert [level_of(strategy) for strategy in LEVELS.values()] == list(LEVELS)
    assert level_of("own") is None


@pytest.mark.parametrize(
    ("word", "strategy"), [("easy", "random"), ("medium", "greedy"), ("hard:0.5s", "search:0.5s")]
)
def test_both_words_make_the_same_bot(word: str, strategy: str) -> None:
    assert strategy_of(word) == strategy == strategy_of(strategy)
    assert type(maker(word)(Random(1))) is type(maker(strategy)(Random(1)))
