"""The open grid: which card lies where, which cells are free to lay on, and what holds the cards together.

A cell is one number, y * 2^20 + x, so that cells sort by row and then by column, and a neighbour is a step
of 1 or 2^20 away. Nothing bounds the grid but the number of turns in a game, which is far below 2^19.
"""

from collections.abc import Mapping

from parlour.engine.butterflies.public import At
from parlour.engine.choices import OneOf

STRIDE = 1 << 20
FARTHEST = 1 << 18
"""Coordinates beyond this cannot be reached by any play from the middle."""
ORIGIN = 0
RIGHT, LEFT, DOWN, UP = 1, -1, STRIDE, -STRIDE
STEPS = (RIGHT, LEFT, DOWN, UP)
AT_RIGHT, AT_LEFT, BELOW, ABOVE = 1, 2, 4, 8
"""On which sides of a cell there are cards, as bits."""
TOWARDS: tuple[tuple[int, ...], ...] = tuple(
    tuple(step for place, step in enumerate(STEPS) if sides >> place & 1) for sides in range(16)
)
"""By a set of sides: the steps that lead there."""


class _Places(dict[int, At]):
    def __missing__(self, cell: int) -> At:
        row, column = divmod(cell + STRIDE // 2, STRIDE)
        at = self[cell] = (column - STRIDE // 2, row)
        return at


AT: Mapping[int, At] = _Places()
"""The coordinates of a cell."""


def cell_at(at: At) -> int | None:
    """The cell of these coordinates, None if no card can ever come there."""
    x, y = at
    return y * STRIDE + x if -FARTHEST <= x <= FARTHEST and -FARTHEST <= y <= FARTHEST else None


Way = tuple[At | OneOf, OneOf]
"""A card or cards of the grid, and the cells where each of them can go."""


class Grid:
    """Cards by their cells, and for every cell beside a card the sides on which it has one. Never changed."""

    __slots__ = ("_frontier", "_spots", "around", "cards", "ways")

    def __init__(self, cards: dict[int, int], around: dict[int, int]) -> None:
        self.cards = cards
        self.around = around
        self._frontier: tuple[int, ...] | None = None
        self._spots: OneOf | None = None
        self.ways: tuple[int | None, tuple[Way, ...]] | None = None
        """The last answer of moves.ways, and the cell that was barred."""

    @classmethod
    def of(cls, cards: Mapping[int, int]) -> "Grid":
        around: dict[int, int] = {}
        for cell in cards:
            _come(around, cell)
        return cls(dict(cards), around)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self.cards == other.cards

    def __hash__(self) -> int:
        return hash(frozenset(self.cards.items()))

    def __repr__(self) -> str:
        return f"Grid({self.cards})"

    def laid(self, cell: int, card: int) -> "Grid":
        """The grid with one card more."""
        cards, around = self.cards.copy(), self.around.copy()
        cards[cell] = card
        _come(around, cell)
        return Grid(cards, around)

    def moved(self, from_: int, to: int) -> "Grid":
        """The grid with one card elsewhere."""
        cards, around = self.cards.copy(), self.around.copy()
        cards[to] = cards.pop(from_)
        _go(around, from_)
        _come(around, to)
        return Grid(cards, around)

    def marked(self, cell: int, token: int) -> "Grid":
        """The grid with a token on a card."""
        cards = self.cards.copy()
        cards[cell] |= token
        return Grid(cards, self.around)

    @property
    def frontier(self) -> tuple[int, ...]:
        """The cells where a card can be laid, row by row."""
        if self._frontier is None:
            cards = self.cards
            free = [cell for cell in self.around if cell not in cards]
            free.sort()
            self._frontier = tuple(free) if cards else (ORIGIN,)
        return self._frontier

    @property
    def spots(self) -> OneOf:
        """The frontier as an open field of an action."""
        if self._spots is None:
            self._spots = OneOf(tuple([AT[cell] for cell in self.frontier]))
        return self._spots


def _come(around: dict[int, int], cell: int) -> None:
    """A card comes to a cell: its neighbours have one more side with a card."""
    get = around.get
    around[cell + RIGHT] = get(cell + RIGHT, 0) | AT_LEFT
    around[cell + LEFT] = get(cell + LEFT, 0) | AT_RIGHT
    around[cell + DOWN] = get(cell + DOWN, 0) | ABOVE
    around[cell + UP] = get(cell + UP, 0) | BELOW


def _go(around: dict[int, int], cell: int) -> None:
    for step, side in ((RIGHT, AT_LEFT), (LEFT, AT_RIGHT), (DOWN, ABOVE), (UP, BELOW)):
        left = around[cell + step] ^ side
        if left:
            around[cell + step] = left
        else:
            del around[cell + step]


def connected(cells: Mapping[int, object]) -> bool:
    """Whether all these cells hang together by their sides."""
    todo = list(cells)[:1]
    reached = set(todo)
    while todo:
        cell = todo.pop()
        for step in STEPS:
            beside = cell + step
            if beside in cells and beside not in reached:
                reached.add(beside)
                todo.append(beside)
    return len(reached) == len(cells)


def bridges(grid: Grid) -> tuple[dict[int, int], dict[int, list[int]]]:
    """A number for every card, and for each card whose lifting splits the others the parts that are left.

    Tarjan's articulation points: walk the cards in depth; a card splits off what was met behind it if nothing
    there touches a card that was met before it. Cards are numbered as they are met, so what lies behind one
    is a range of numbers; a part is a number with a bit for each of its cards.
    """
    around = grid.around
    number: dict[int, int] = {}
    back: dict[int, int] = {}
    met: list[int] = []
    earliest: list[int] = []
    stack = [next(iter(grid.cards))]
    while stack:
        cell = stack.pop()
        if cell in number:
            continue
        mine = low = number[cell] = len(met)
        met.append(cell)
        for step in TOWARDS[around.get(cell, 0)]:
            beside = cell + step
            other = number.get(beside)
            if other is None:
                back[beside] = mine
                stack.append(beside)
            elif other < low:
                low = other
        earliest.append(low)
    size = len(met)
    behind = [1] * size
    parts: dict[int, list[int]] = {}
    for mine in range(size - 1, 0, -1):
        before = back[met[mine]]
        low = earliest[mine]
        if low >= before:
            part = ((1 << behind[mine]) - 1) << mine
            if before in parts:
                parts[before].append(part)
            else:
                parts[before] = [part]
        elif low < earliest[before]:
            earliest[before] = low
        behind[before] += behind[mine]
    found = {}
    for mine, split in parts.items():
        if mine:
            found[met[mine]] = [*split, ((1 << size) - 1) ^ (1 << mine) ^ sum(split)]
        elif len(split) > 1:
            found[met[0]] = split
    return number, found
