"""Sequential halving: a few candidates are tried out in the same imagined worlds, and the weaker half leaves.

Every candidate of a round meets the same worlds with the same luck, so that what differs is what they did.
"""

import math
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import attrs

C = TypeVar("C")
MOST_WORLDS = 4096
"""In one round: more would tell nothing new, whatever the time."""


@attrs.frozen
class Budget:
    """How much may be tried out for one decision: so many games, or so many seconds."""

    simulations: int | None = None
    seconds: float | None = None

    @classmethod
    def read(cls, text: str) -> "Budget":
        """`400` is simulations, `0.5s` seconds; raises ValueError with what is wrong."""
        try:
            if text.endswith("s"):
                seconds = float(text[:-1])
                if 0.001 <= seconds <= 600:
                    return cls(seconds=seconds)
            elif text.isdecimal() and 1 <= int(text) <= 1_000_000:
                return cls(simulations=int(text))
        except ValueError:
            pass
        raise ValueError(f"a budget is a number of simulations, or of seconds like 0.5s, not {text!r}")

    def within(self, until: float | None, share: float) -> "Budget":
        """The same, but no more than a share of the time that is left."""
        if until is None:
            return self
        left = max(0.001, share * (until - time.monotonic()))
        if self.seconds is None:
            return attrs.evolve(self, seconds=left)
        return attrs.evolve(self, seconds=min(self.seconds, left))


@attrs.define
class Tried:
    """A candidate and what it brought so far."""

    place: int
    sum: float = 0.0
    worlds: int = 0

    @property
    def mean(self) -> float:
        return self.sum / self.worlds if self.worlds else 0.0


def best(
    candidates: Sequence[C], budget: Budget, simulate: Callable[[C, int], float]
) -> tuple[C, list[Tried]]:
    """The best candidate, and all of them, best first; `simulate` plays one in the world of a number.

    Candidates come in the order in which they are liked before anything is tried: it settles ties.
    """
    tried = [Tried(place) for place in range(len(candidates))]
    alive = list(tried)
    rounds = max(1, math.ceil(math.log2(max(2, len(candidates)))))
    began = time.monotonic()
    world = 0
    for number in range(rounds):
        if len(alive) == 1:
            break
        worlds = MOST_WORLDS
        if budget.simulations is not None:
            worlds = max(1, budget.simulations // (rounds * len(alive)))
        until = None if budget.seconds is None else began + budget.seconds * (number + 1) / rounds
        for _ in range(worlds):
            for each in alive:
                each.sum += simulate(candidates[each.place], world)
                each.worlds += 1
            world += 1
            if until is not None and time.monotonic() >= until:
                break
        alive.sort(key=lambda each: (-each.mean, each.place))
        alive = alive[: max(1, (len(alive) + 1) // 2)]
    tried.sort(key=lambda each: (each is not alive[0], -each.worlds, -each.mean))
    return candidates[alive[0].place], tried
