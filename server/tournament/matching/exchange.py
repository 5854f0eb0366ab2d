"""Better pairs from given ones: opponents are exchanged around a ring of pairs while that costs less."""

from collections.abc import Sequence

Costs = Sequence[Sequence[int]]
NEIGHBOURS = 24
"""Opponents that are tried for each, the cheapest first: far ones are hardly ever part of a better ring."""
LONGEST = 10
"""Pairs in a ring."""
WAYS = 4
"""Ways to get to the same player that are followed, those that save most first; one in a large field, where
another ring does as well."""
LARGE = 160
Path = tuple[int, ...]
Way = tuple[int, Path]
"""What is saved so far, and by whom it goes."""


def exchanged(couples: Sequence[tuple[int, int]], costs: Costs) -> list[tuple[int, int]]:
    """The same players paired with a total cost that no ring of exchanges found here makes smaller."""
    mate = {}
    for one, other in couples:
        mate[one], mate[other] = other, one
    near = {
        one: sorted((other for other in mate if other != one), key=lambda other: (costs[one][other], other))[
            :NEIGHBOURS
        ]
        for one in mate
    }
    moved = True
    while moved:
        moved = False
        for one in sorted(mate, key=lambda one: (-costs[one][mate[one]], one)):
            ring = _ring(one, mate, near, costs)
            if ring:
                for at in range(1, len(ring), 2):
                    left, right = ring[at], ring[(at + 1) % len(ring)]
                    mate[left], mate[right] = right, left
                moved = True
    return [(one, mate[one]) for one in mate if one < mate[one]]


def _ring(first: int, mate: dict[int, int], near: dict[int, list[int]], costs: Costs) -> Path | None:
    """Players in turn, every second step to a new opponent, the last to the first: cheaper than before.

    What is saved so far must stay above nothing at every step. No ring is lost by that: one that pays in all
    has somewhere to begin from where it pays all along.
    """
    old, most = mate[first], max(1, min(WAYS, LARGE // len(mate)))
    saved: dict[int, list[Way]] = {old: [(costs[first][old], (first, old))]}
    for _ in range(LONGEST):
        further: dict[int, list[Way]] = {}
        for player, ways in saved.items():
            for gain, path in ways:
                if len(path) > 2 and costs[player][first] < gain:
                    return path
                for other in near[player]:
                    left = gain - costs[player][other]
                    if left <= 0:
                        break
                    if other not in path:
                        ends = mate[other]
                        whole = left + costs[other][ends]
                        there = further.setdefault(ends, [])
                        if len(there) < most or whole > there[-1][0]:
                            there.append((whole, (*path, other, ends)))
                            there.sort(reverse=True)
                            del there[most:]
        saved = further
    return None
