"""The largest matching of a graph, and exchanges around a ring, beside trying everything."""

import random
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.server.tournament.matching.exchange import exchanged
from parlour.server.tournament.matching.largest import Matching

QUICK = settings(deadline=None, max_examples=150)


@st.composite
def graphs(draw: st.DrawFn, largest: int = 10) -> list[int]:
    size = draw(st.integers(1, largest))
    edges = draw(st.sets(st.sampled_from(list(combinations(range(max(2, size)), 2))), max_size=2 * size))
    near = [0] * max(2, size)
    for one, other in edges:
        near[one] |= 1 << other
        near[other] |= 1 << one
    return near


def most(near: Sequence[int], left: int) -> int:
    """The size of the largest matching, by trying all."""
    if not left:
        return 0
    one = left.bit_length() - 1
    rest = left & ~(1 << one)
    with_one = [
        1 + most(near, rest & ~(1 << other)) for other in range(len(near)) if near[one] & rest & (1 << other)
    ]
    return max([most(near, rest), *with_one])


def is_matching(matching: Matching) -> bool:
    return all(
        mate is None or (matching.mate[mate] == vertex and matching.near[vertex] >> mate & 1)
        for vertex, mate in enumerate(matching.mate)
    )


@QUICK
@given(graphs())
def test_no_matching_is_larger(near: list[int]) -> None:
    matching = Matching.largest(near)
    assert is_matching(matching)
    assert len(near) - len(matching.alone()) == 2 * most(near, (1 << len(near)) - 1)


@QUICK
@given(graphs(), st.data())
def test_what_is_left_without_some_is_matched_as_well_as_can_be(near: list[int], data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.integers(0, len(near) - 1), max_size=3))
    whole = Matching.largest(near)
    before = whole.mate[:]
    rest = whole.without(gone)
    left = (1 << len(near)) - 1 - sum(1 << vertex for vertex in gone)
    assert is_matching(rest)
    assert left.bit_count() - len(rest.alone()) == 2 * most(near, left)
    assert whole.mate == before


@pytest.mark.parametrize(
    "edges",
    [
        [
            *((0, 1), (0, 3), (0, 5), (1, 3), (1, 4), (1, 7)),
            *((2, 4), (2, 6), (3, 5), (4, 5), (5, 6), (5, 7)),
        ],
        [
            *((0, 2), (0, 3), (0, 5), (0, 6), (1, 9), (2, 5)),
            *((2, 6), (3, 4), (4, 5), (4, 7), (5, 6), (5, 8)),
        ],
    ],
)
def test_paths_lead_through_odd_circles_both_ways(edges: list[tuple[int, int]]) -> None:
    near = [0] * (1 + max(map(max, edges)))
    for one, other in edges:
        near[one] |= 1 << other
        near[other] |= 1 << one
    assert Matching.largest(near).alone() == []


def cheapest(costs: Sequence[Sequence[int]], left: tuple[int, ...]) -> int:
    if not left:
        return 0
    one, rest = left[0], left[1:]
    return min(costs[one][other] + cheapest(costs, tuple(x for x in rest if x != other)) for other in rest)


@pytest.mark.parametrize("start", range(60))
def test_exchanges_find_the_closest_pairs_of_eight(start: int) -> None:
    luck = random.Random(start)
    scores = [luck.randint(0, luck.choice([2, 12])) for _ in range(8)]
    met = {both for both in combinations(range(8), 2) if luck.random() < start / 100}
    costs = [
        [((min(both), max(both)) in met) * 10_000 + (scores[both[0]] - scores[both[1]]) ** 2 for both in row]
        for row in ([(one, other) for other in range(8)] for one in range(8))
    ]
    found = exchanged([(0, 1), (2, 3), (4, 5), (6, 7)], costs)
    assert sorted(player for both in found for player in both) == list(range(8))
    assert sum(costs[one][other] for one, other in found) == cheapest(costs, tuple(range(8)))
