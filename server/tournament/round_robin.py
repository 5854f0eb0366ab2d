"""Round robin: everybody meets everybody, whatever the scores."""

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import cycle, islice
from math import ceil, comb

from parlour.engine.chance import Seeded
from parlour.server.tournament.history import Name, Pair, pair, pairs
from parlour.server.tournament.lots import chance
from parlour.server.tournament.matching.seating import tables

Round = tuple[Sequence[Sequence[Name]], tuple[Name, ...]]
"""Players by table, and who has a bye."""
RESEATED = 150
"""How many rounds of a plan are seated again, at most."""
PLANNED = 25
"""The largest field for which all rounds are planned at once: beyond that it takes long and gains little."""


def whole_cycle(entrants: int, seats: int) -> int:
    """Rounds until everybody can have met everybody."""
    if seats == 2:
        return entrants - 1 + entrants % 2
    return ceil(comb(entrants, 2) / max(1, entrants // seats * comb(seats, 2)))


def circle(everybody: Sequence[Name], here: Collection[Name], round_: int) -> Round:
    """Tables of two by the circle method: one stays, the others move on by a chair each round.

    Who has left keeps the chair, so that nobody else's opponents change; the one opposite has a bye.
    """
    chairs: list[Name | None] = [*everybody, *([None] if len(everybody) % 2 else [])]
    shift = (round_ - 1) % (len(chairs) - 1)
    moving = chairs[1:]
    chairs = [chairs[0], *moving[shift:], *moving[:shift]]
    found, byes = [], []
    for one, other in zip(chairs, reversed(chairs[len(chairs) // 2 :]), strict=False):
        match [name for name in (one, other) if name is not None and name in here]:
            case [first, second]:
                found.append((first, second))
            case [left_over]:
                byes.append(left_over)
            case _:
                pass
    return found, tuple(byes)


def groups(
    names: Sequence[Name], seats: int, met: Counter[Pair], byes: Counter[Name], chance: Seeded
) -> Round:
    """One round at larger tables: who had the fewest byes sits out, the others with those they met least."""
    out = sorted(names, key=lambda name: byes[name])[: len(names) % seats]
    return _seated([name for name in names if name not in out], seats, met, chance), tuple(out)


def _seated(names: Sequence[Name], seats: int, met: Counter[Pair], chance: Seeded) -> list[list[Name]]:
    # What one more meeting adds to the sum of squares: the smaller that sum, the more even the meetings.
    costs = [[0 if one == other else 2 * met[pair(one, other)] for other in names] for one in names]
    return [[names[player] for player in table] for table in tables(costs, seats, chance)]


@lru_cache(maxsize=64)
def plan(names: tuple[Name, ...], seats: int, rounds: int, seed: str) -> tuple[Round, ...]:
    """All rounds at larger tables for a field that stays as it is, each seated again after the others."""
    luck = chance(seed, "plan")
    met: Counter[Pair] = Counter()
    byes: Counter[Name] = Counter()
    found: list[Round] = []
    for _ in range(rounds):
        found.append(groups(names, seats, met, byes, luck))
        met.update(_meetings(found[-1]))
        byes.update(found[-1][1])
    idle = 0
    for at in islice(cycle(range(rounds)), RESEATED):
        out = found[at][1]
        met.subtract(_meetings(found[at]))
        new = _seated(_anew(names, out, luck), seats, met, luck), out
        gain = sum(met[both] for both in _meetings(found[at])) - sum(met[both] for both in _meetings(new))
        if gain >= 0:
            found[at] = new
        met.update(_meetings(found[at]))
        idle = 0 if gain > 0 else idle + 1
        if idle > 6 * rounds:
            break
    return tuple(found)


def _anew(names: Sequence[Name], out: Sequence[Name], luck: Seeded) -> list[Name]:
    """A new order to begin with, so that the search does not end where it did before."""
    left = [name for name in names if name not in out]
    return [left.pop(luck.roll("order", len(left)) - 1) for _ in range(len(left))]


def _meetings(round_: Round) -> list[Pair]:
    return [both for table in round_[0] for both in pairs(table)]
