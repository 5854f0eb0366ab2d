"""Round robin: everybody meets everybody, whatever the scores."""

from collections import Counter
from collections.abc import Collection, Sequence
from math import ceil, comb

from parlour.engine.chance import Seeded
from parlour.server.tournament.history import Name, Pair, pair
from parlour.server.tournament.seating import tables


def whole_cycle(entrants: int, seats: int) -> int:
    """Rounds until everybody can have met everybody."""
    if seats == 2:
        return entrants - 1 + entrants % 2
    return ceil(comb(entrants, 2) / max(1, entrants // seats * comb(seats, 2)))


def circle(
    everybody: Sequence[Name], here: Collection[Name], round_: int
) -> tuple[list[tuple[Name, Name]], tuple[Name, ...]]:
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
) -> tuple[list[list[Name]], tuple[Name, ...]]:
    """Tables of three and more: who had the fewest byes sits out, the others with those they met least."""
    out = sorted(names, key=lambda name: byes[name])[: len(names) % seats]
    playing = [name for name in names if name not in out]
    # What one more meeting adds to the sum of squares: the smaller that sum, the more even the meetings.
    costs = [[0 if one == other else 2 * met[pair(one, other)] for other in playing] for one in playing]
    return [[playing[player] for player in table] for table in tables(costs, seats, chance)], tuple(out)
