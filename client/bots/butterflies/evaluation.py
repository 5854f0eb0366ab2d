"""What a grid of Butterflies is worth: windows of four cells in a line that may still become a row of a goal.

A window that holds another card than the goal's, or a webbed one, is blocked. All others count by how many of
the goal's cards they have. Goals are numbers, 0 to 3 the colours and 4 to 7 the species; each has a weight:
what it means to whoever looks or, for a goal of an opponent, how likely it is his.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence

from parlour.engine.butterflies.cards import WEB
from parlour.engine.butterflies.cells import ALONG
from parlour.engine.butterflies.public import ROW

COUNTED = (0.0, 0.3, 2.0, 14.0, 100.0)
"""By the goal's cards in a window: what it is worth."""
LINES: tuple[tuple[int, int, int, int, int, int], ...] = tuple(
    (-3 * step, -2 * step, -step, step, 2 * step, 3 * step) for step in ALONG
)
"""The cells that may share a window with a cell, line by line, as steps from it."""
FREE = -1
"""Where no card lies."""
Weights = Sequence[float]
Six = tuple[int, int, int, int, int, int]
Line = tuple[float, tuple[tuple[int, float, float], ...], int]
"""What windows without a card would bring; by goal, what a card of it brings and what any other takes; and
the set of goals whose row a card would complete."""


@functools.lru_cache(maxsize=65536)
def _line(six: Six) -> Line:
    """The windows of one line through a free cell, with three cells on either side."""
    cells = (*six[:3], FREE, *six[3:])
    empty = 0.0
    brings, takes = [0.0] * 8, [0.0] * 8
    wins = 0
    for first in range(ROW):
        cards = [card for card in cells[first : first + ROW] if card != FREE]
        if any(card >= WEB for card in cards):
            continue
        if not cards:
            empty += COUNTED[1]
            continue
        count = len(cards)
        for goals in ({card & 3 for card in cards}, {4 + (card >> 2 & 3) for card in cards}):
            if len(goals) == 1:
                goal = goals.pop()
                brings[goal] += COUNTED[count + 1] - COUNTED[count]
                takes[goal] += COUNTED[count]
                wins |= (count + 1 >= ROW) << goal
    return empty, tuple([(goal, brings[goal], takes[goal]) for goal in range(8) if brings[goal]]), wins


class Looks(dict[int, list[Line]]):
    """The lines around free cells of one grid, looked at when they are asked for."""

    def __init__(self, cards: Mapping[int, int], known: Mapping[int, list[Line]] | None = None) -> None:
        super().__init__(known or {})
        self.cards = cards

    def __missing__(self, cell: int) -> list[Line]:
        found = self[cell] = lines(self.cards, cell)
        return found

    def after(self, cards: Mapping[int, int], changed: Iterable[int]) -> "Looks":
        """Those of the next grid: only what lies in line with a cell that has changed is looked at again."""
        looks = Looks(cards, self)
        for cell in changed:
            looks.pop(cell, None)
            for line in LINES:
                for step in line:
                    looks.pop(cell + step, None)
        return looks


def lines(cards: Mapping[int, int], cell: int) -> list[Line]:
    """What lies around a free cell."""
    get = cards.get
    return [
        _line(
            (
                get(cell + a, FREE),
                get(cell + b, FREE),
                get(cell + c, FREE),
                get(cell + d, FREE),
                get(cell + e, FREE),
                get(cell + f, FREE),
            )
        )
        for a, b, c, d, e, f in LINES
    ]


def gain(cards: Mapping[int, int], cell: int, card: int, weights: Weights) -> float:
    """What a card is worth to the windows through a free cell: what it brings nearer, less what it blocks."""
    colour, species = card & 3, 4 + (card >> 2 & 3)
    sum_ = 0.0
    for empty, goals, _ in lines(cards, cell):
        sum_ += empty * (weights[colour] + weights[species])
        for goal, brings, takes in goals:
            sum_ += brings * weights[goal] if goal in (colour, species) else -takes * weights[goal]
    return sum_


def survey(around: list[Line], weights: Weights) -> tuple[float, list[float]]:
    """The same for all cards at once, from the lines around a cell: a sum, and what each goal adds."""
    sum_ = empties = 0.0
    more = [0.0] * 8
    for empty, goals, _ in around:
        empties += empty
        for goal, brings, takes in goals:
            weight = weights[goal]
            sum_ -= takes * weight
            more[goal] += (brings + takes) * weight
    if empties:
        more = [brought + empties * weight for brought, weight in zip(more, weights, strict=True)]
    return sum_, more


def webbed(cards: Mapping[int, int], cell: int, weights: Weights) -> float:
    """What a web on the card of this cell would change: all windows through it are lost to everybody."""
    card = cards[cell]
    rest = {place: other for place, other in cards.items() if place != cell}
    open_ = sum([takes * weights[goal] for _, goals, _ in lines(rest, cell) for goal, _, takes in goals])
    return -gain(rest, cell, card & 15, weights) - open_
