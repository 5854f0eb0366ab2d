"""Easy, medium and hard: players' words for the strategies of bots."""

import re
from random import Random

import pytest
from support.paths import ROOT

from parlour.client.bots import STRATEGIES, maker
from parlour.client.levels import LEVELS, USUAL, level_of, strategy_of


def test_every_strategy_but_random_has_a_level_and_there_is_a_usual_one() -> None:
    assert ["random", *LEVELS.values()] == [*STRATEGIES]
    assert USUAL in LEVELS
    assert [level_of(strategy) for strategy in LEVELS.values()] == list(LEVELS)
    assert level_of("own") is None


@pytest.mark.parametrize(
    ("word", "strategy"), [("easy", "casual"), ("medium", "greedy"), ("hard:0.5s", "search:0.5s")]
)
def test_both_words_make_the_same_bot(word: str, strategy: str) -> None:
    assert strategy_of(word) == strategy == strategy_of(strategy)
    assert type(maker(word)(Random(1))) is type(maker(strategy)(Random(1)))


def test_the_page_about_bots_has_a_row_for_each_strategy() -> None:
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|(?: (\w+))? \|", page, re.MULTILINE)
    assert rows == [(strategy, level_of(strategy) or "") for strategy in STRATEGIES]
