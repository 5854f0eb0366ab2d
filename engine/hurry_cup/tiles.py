"""The tile set, and a random track laid from it.

One shuffle settles everything: it mixes the tiles with a leaning, left or right, for each turn. The tiles
are laid in the order in which they come; a turn goes the way it leans, and where the road would cross or
touch itself the latest turn that can still go the other way does. A way is always found: turns that go left
and right by turns make a staircase, which cannot touch itself.
"""

from collections.abc import Sequence
from typing import Final

from parlour.engine.chance import Chance
from parlour.engine.hurry_cup.track import PLAIN, Section, Sections

STAR = Section(star=True)
TURN_LIMITS: Final = (60, *(70,) * 5, *(80,) * 6, *(90,) * 4)
FIRST: Final = (PLAIN, PLAIN)
"""Every random track begins with these."""
STRAIGHTS: tuple[Section, ...] = (*(STAR,) * 6, *(PLAIN,) * 10, *(Section(limit=90),) * 2)
TURNS: dict[int, dict[int, Section]] = {
    limit: {-1: Section("left", limit), 1: Section("right", limit)} for limit in TURN_LIMITS
}
LEFT, RIGHT = -1, 1

Item = Section | int
"""A straight tile; the limit of a turn; or a leaning."""
ITEMS: tuple[Item, ...] = (*STRAIGHTS, *TURN_LIMITS, *(LEFT, RIGHT) * 8)

_ROW = 128
_AHEAD = (1, _ROW, -1, -_ROW)


def tiles(track: Sequence[Section]) -> list[tuple[bool, int, bool]]:
    """What a track is laid from, whichever way its turns go: sorted."""
    return sorted((section.turn != "straight", section.limit or 0, section.star) for section in track)


def random_track(race: int, chance: Chance) -> Sections:
    return lay(chance.shuffle(f"track/{race}", ITEMS))


def lay(items: Sequence[Item]) -> Sections:
    """The track that a shuffled list of all the items stands for."""
    order: list[Section | int] = []
    leanings: list[int] = []
    runs = [1 + len(FIRST)]
    for item in items:
        if isinstance(item, Section):
            order.append(item)
            runs[-1] += 1
        elif item in (LEFT, RIGHT):
            leanings.append(item)
        else:
            order.append(item)
            runs.append(0)
    runs[-1] += 1
    ways = iter(_ways(runs, leanings))
    return (*FIRST, *[item if isinstance(item, Section) else TURNS[item][next(ways)] for item in order])


def _ways(runs: Sequence[int], leanings: Sequence[int]) -> list[int]:
    """Which way each turn goes; `runs` are the straights between the turns, start and finish included."""
    taken: set[int] = set()
    ways: list[int] = []

    def place(cell: int, heading: int, turn: int) -> bool:
        """Lays the run of straights before this turn, the turn, and all that follows."""
        ahead, aside = _AHEAD[heading], _AHEAD[heading - 1]
        last = turn == len(leanings)
        laid: list[int] = []
        for _ in range(runs[turn] + (not last)):
            cell += ahead
            if cell + ahead in taken or cell + aside in taken or cell - aside in taken:
                taken.difference_update(laid)
                return False
            taken.add(cell)
            laid.append(cell)
        if last:
            return True
        for way in (leanings[turn], -leanings[turn]):
            ways.append(way)
            if place(cell, (heading + way) % 4, turn + 1):
                return True
            ways.pop()
        taken.difference_update(laid)
        return False

    place(0, 0, 0)
    return ways
