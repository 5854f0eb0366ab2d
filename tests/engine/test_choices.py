"""Legal actions as patterns: counted, tested, sampled and listed, and lossless as maps."""

import itertools
import json
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.engine.choices import Choices, OneOf, Order, Pattern, Subset, nothing
from parlour.engine.errors import Malformed
from parlour.engine.lean import lean
from parlour.engine.maps import by_word, from_tagged, tagged
from parlour.engine.patterns import choices_from_map, choices_to_map


@lean
class Put:
    card: str
    tile: int


@lean
class Swap:
    cards: tuple[str, ...]
    from_: int


@lean
class Rank:
    pawns: tuple[str, ...]


@lean
class Wait:
    pass


KINDS = by_word((Put, Swap, Rank, Wait))
CARDS = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=5, unique=True).map(tuple)
NUMBERS = st.lists(st.integers(0, 9), min_size=1, max_size=4, unique=True).map(tuple)


@st.composite
def subsets(draw: st.DrawFn) -> Subset:
    values = draw(CARDS)
    least = draw(st.integers(0, len(values)))
    return Subset(values, least, draw(st.integers(least, len(values))))


PUTS = st.builds(
    Pattern.of, st.just(Put), st.one_of(st.sampled_from("abc"), CARDS.map(OneOf)), NUMBERS.map(OneOf)
)
SWAPS = st.builds(Pattern.of, st.just(Swap), subsets(), st.one_of(st.integers(0, 9), NUMBERS.map(OneOf)))
RANKS = st.builds(Pattern.of, st.just(Rank), CARDS.map(Order))
CHOICES = st.tuples(PUTS, SWAPS, RANKS, st.just(Pattern.of(Wait))).map(Choices)
"""One pattern of each kind: patterns of one kind must not overlap, and that is the game's business."""


@given(CHOICES)
def test_the_count_is_the_length_of_the_list(choices: Choices) -> None:
    listed = list(choices)
    assert len(listed) == choices.count == len(set(listed))
    assert [choices[index] for index in range(choices.count)] == listed


@given(CHOICES)
def test_just_the_listed_actions_are_members(choices: Choices) -> None:
    listed = set(choices)
    assert all(action in choices for action in listed)
    for card, tile in itertools.product("abcdefgh", range(-1, 10)):
        assert (Put(card, tile) in choices) == (Put(card, tile) in listed)
    for pawns in itertools.permutations("abc"):
        assert (Rank(pawns) in choices) == (Rank(pawns) in listed)


@given(subsets(), st.data())
def test_a_subset_takes_its_cards_in_any_order_and_none_twice(subset: Subset, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(subset) - 1))
    chosen = subset[index]
    assert subset.least <= len(chosen) <= subset.most
    assert tuple(reversed(chosen)) in subset
    if chosen:
        assert (*chosen, chosen[0]) not in subset
    assert list(chosen) not in subset
    assert len(subset) == sum(math.comb(len(subset.values), k) for k in range(subset.least, subset.most + 1))


@given(CHOICES)
def test_choices_are_lossless_as_maps(choices: Choices) -> None:
    plain = json.loads(json.dumps(choices_to_map(choices)))
    again = choices_from_map(KINDS, plain)
    assert again == choices
    assert hash(again) == hash(choices)
    assert list(again) == list(choices)
    for action in choices:
        assert from_tagged(KINDS, json.loads(json.dumps(tagged(action)))) == action


def test_a_reserved_word_loses_its_underscore_outside() -> None:
    assert json.dumps(tagged(Swap(("a",), 3))) == '{"type": "swap", "cards": ["a"], "from": 3}'
    with pytest.raises(Malformed) as wrong:
        from_tagged(KINDS, {"type": "swap", "cards": ["a"], "from": "b"})
    assert wrong.value.where == "from"


@pytest.mark.parametrize("tile", [True, 1.0, None, "1"])
def test_what_was_read_before_is_no_excuse_for_a_number_of_another_kind(tile: object) -> None:
    for _ in range(2):
        assert from_tagged(KINDS, {"type": "put", "card": "a", "tile": 1}) == Put("a", 1)
        with pytest.raises(Malformed) as wrong:
            from_tagged(KINDS, {"type": "put", "card": "a", "tile": tile})
        assert wrong.value.where == "tile"
        with pytest.raises(Malformed):
            from_tagged(KINDS, {"type": "put", "card": "a", "tile": 1, "more": 1})


def test_every_action_is_picked_equally_often_by_its_rank() -> None:
    choices = Choices([Pattern.of(Swap, Subset(("a", "b", "c"), 1, 2), OneOf((1, 2))), Pattern.of(Wait)])
    picked = Counter(choices[number % choices.count] for number in range(choices.count * 7))
    assert set(picked.values()) == {7}
    assert len(picked) == choices.count == 13


@pytest.mark.parametrize("index", [-1, 1, 99])
def test_a_rank_outside_the_list_is_no_action(index: int) -> None:
    with pytest.raises(IndexError):
        Choices([Pattern.of(Wait)])[index]


def test_nothing_is_empty() -> None:
    assert not nothing()
    assert nothing().count == 0
    assert list(nothing()) == []
    assert Wait() not in nothing()
    assert None not in nothing()


@pytest.mark.parametrize(
    ("plain", "where"),
    [
        ([{"type": "steal"}], "0.type"),
        ([{"type": "wait"}, {"type": "put", "card": "a"}], "1.tile"),
        ([{"type": "put", "card": {"one_of": ["a", 3]}, "tile": 1}], "0.card.1"),
        ([{"type": "put", "card": {"order": ["a"]}, "tile": 1}], "0.card"),
        ([{"type": "put", "card": "a", "tile": 1, "x": 1}], "0.x"),
        ([{"type": "rank", "pawns": {"order": "abc"}}], "0.pawns"),
        ([{"type": "rank", "pawns": {"order": ["a", "a"]}}], "0.pawns"),
        ([{"type": "swap", "cards": {"subset": ["a"], "min": 0, "max": 2}, "from": 1}], "0.cards"),
        ([{"type": "swap", "cards": {"subset": ["a"], "min": False, "max": 1}, "from": 1}], "0.cards"),
        ([{"type": ["wait"]}], "0.type"),
        (["wait"], "0"),
        ({"type": "wait"}, ""),
    ],
)
def test_wrong_patterns_are_refused_by_their_path(plain: object, where: str) -> None:
    with pytest.raises(Malformed) as wrong:
        choices_from_map(KINDS, plain)
    assert wrong.value.where == where
