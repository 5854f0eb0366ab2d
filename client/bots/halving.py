"""Sequential halving: a few candidates are tried out in the same imagined worlds, and the weaker half leaves.

Every candidate of a round meets the same worlds with the same luck, so that what differs is what they did.
Whoever is clearly behind leaves at once, and when nobody can gain anything that matters, thinking ends.
"""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import attrs

from parlour.client.bots.budget import Budget

C = TypeVar("C")
MOST_WORLDS = 4096
"""In one round: more would tell nothing new, whatever the time."""
FIRST_LOOK = 24
"""Worlds after which candidates are compared for the first time."""
LATER = 1.25
"""They are compared again after this many times as many worlds."""
BEHIND = 3.0
"""Deviations of the mean difference to the leader at which a candidate is not tried any more."""
MATTERS = 0.004
"""Of a win: a gain that is worth thinking for, if it is still to be had."""
HOPE = 1.6
"""Deviations above the mean difference up to which a gain is thought possible."""


@attrs.define
class Trial:
    """The results of one candidate so far, world by world; `place` is its index."""

    place: int
    results: list[float] = attrs.field(factory=list)
    sum: float = 0.0

    @property
    def worlds(self) -> int:
        return len(self.results)

    @property
    def mean(self) -> float:
        return self.sum / len(self.results) if self.results else 0.0

    def add(self, result: float) -> None:
        self.results.append(result)
        self.sum += result

    def gap(self, leader: "Trial") -> tuple[float, float]:
        """The mean distance to a leader in the same worlds, and its standard error."""
        gaps = [theirs - ours for ours, theirs in zip(self.results, leader.results, strict=True)]
        mean = sum(gaps) / len(gaps)
        square = sum([gap * gap for gap in gaps]) / len(gaps)
        return mean, math.sqrt(max(0.0, square - mean * mean) / len(gaps))


def best(candidates: Sequence[C], budget: Budget, simulate: Callable[[C, int], float]) -> list[Trial]:
    """All candidates, the best one first; `simulate` plays one in the world of a number.

    Candidates come in the order of their evaluation, which settles ties.
    """
    trials = [Trial(place) for place in range(len(candidates))]
    alive = list(trials)
    rounds = max(1, math.ceil(math.log2(max(2, len(candidates)))))
    clock = budget.clock
    began = clock()
    world = 0
    look = float(FIRST_LOOK)
    for number in range(rounds):
        worlds = MOST_WORLDS
        if budget.simulations is not None:
            worlds = max(1, budget.simulations // (rounds * len(alive)))
        until = None if budget.seconds is None else began + budget.seconds * (number + 1) / rounds
        for _ in range(worlds):
            if len(alive) == 1:
                break
            for each in alive:
                each.add(simulate(candidates[each.place], world))
            world += 1
            if world >= look:
                look = world * LATER
                alive = _in_the_race(alive)
            if until is not None and clock() >= until:
                break
        alive.sort(key=_rank)
        alive = alive[: max(1, (len(alive) + 1) // 2)]
    trials.sort(key=lambda each: (each is not alive[0], -each.worlds, *_rank(each)))
    return trials


def _rank(trial: Trial) -> tuple[float, int]:
    return -trial.mean, trial.place


def _in_the_race(alive: list[Trial]) -> list[Trial]:
    """The candidates that are not clearly behind; the leader alone if it hardly matters who is best."""
    leader = min(alive, key=_rank)
    left, matters = [leader], False
    for each in alive:
        if each is not leader:
            gap, doubt = each.gap(leader)
            if gap <= BEHIND * doubt:
                left.append(each)
                matters = matters or HOPE * doubt - gap > MATTERS
    return left if matters else [leader]
