"""The grid: which card lies where, and what lies beside what.

Cards are numbered in the order in which they came to the grid, so that a set of them is one number with a
bit for each.
"""

from collections.abc import Mapping, Sequence

from parlour.engine.butterflies.cards import BIT, UNMARKED, WEB
from parlour.engine.butterflies.cells import AT, ORIGIN, STEPS
from parlour.engine.butterflies.rows import goals_of, rows_in, rows_through
from parlour.engine.choices import OneOf

Cells = tuple[int, ...]


class Grid:
    """The cards by their cells, and what follows from them. Never changed once it is made."""

    __slots__ = ("_frontier", "_spots", "cards", "joints", "lone", "marks", "near", "rows", "where")

    def __init__(
        self,
        cards: dict[int, int],
        where: Sequence[int],
        near: Sequence[int],
        lone: Mapping[int, int],
        joints: Mapping[int, int],
        marks: Cells,
        rows: int,
    ) -> None:
        self.cards = cards
        self.where = where
        """By number: the cell of a card."""
        self.near = near
        """By number: the set of cards beside a card."""
        self.lone = lone
        """By free cell beside one card: the number of that card."""
        self.joints = joints
        """By free cell beside two cards or more: the set of these cards."""
        self.marks = marks
        """The cells of cards with a token."""
        self.rows = rows
        """The set of goals whose row is there."""
        self._frontier: Cells | None = None
        self._spots: OneOf | None = None

    @classmethod
    def of(cls, cards: Mapping[int, int]) -> "Grid":
        lying: dict[int, int] = {}
        near = [0] * len(cards)
        lone: dict[int, int] = {}
        joints: dict[int, int] = {}
        for number, (cell, card) in enumerate(cards.items()):
            lying[cell] = card
            _come(lying, near, lone, joints, cell, number)
        marks = tuple([cell for cell, card in cards.items() if card >= UNMARKED])
        return cls(lying, list(cards), near, lone, joints, marks, rows_in(cards))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self.cards == other.cards

    def __hash__(self) -> int:
        return hash(frozenset(self.cards.items()))

    def __repr__(self) -> str:
        return f"Grid({self.cards})"

    def laid(self, cell: int, card: int) -> "Grid":
        """The grid with one card more."""
        cards, near, lone, joints = self.cards.copy(), [*self.near, 0], dict(self.lone), dict(self.joints)
        cards[cell] = card
        _come(cards, near, lone, joints, cell, len(self.where))
        rows = self.rows | rows_through(cards, cell)
        return Grid(cards, [*self.where, cell], near, lone, joints, self.marks, rows)

    def moved(self, from_: int, to: int) -> "Grid":
        """The grid with one card, which has no token, elsewhere."""
        cards, where, near = self.cards.copy(), [*self.where], [*self.near]
        lone, joints = dict(self.lone), dict(self.joints)
        number = where.index(from_)
        card = cards[to] = cards.pop(from_)
        where[number] = to
        _go(near, lone, joints, from_, number)
        _come(cards, near, lone, joints, to, number)
        rows = self._rows_without(card, cards) | rows_through(cards, to)
        return Grid(cards, where, near, lone, joints, self.marks, rows)

    def marked(self, cell: int, token: int) -> "Grid":
        """The grid with a token on a card."""
        cards = self.cards.copy()
        card = cards[cell] = cards[cell] | token
        rows = self._rows_without(card, cards) if token == WEB else self.rows
        return Grid(cards, self.where, self.near, self.lone, self.joints, (*self.marks, cell), rows)

    def _rows_without(self, card: int, cards: Mapping[int, int]) -> int:
        """The rows that are left when this card is no longer in them."""
        return rows_in(cards) if self.rows & goals_of(card) else self.rows

    @property
    def frontier(self) -> Cells:
        """The cells where a card can be laid, row by row."""
        if self._frontier is None:
            self._frontier = tuple(sorted((*self.lone, *self.joints))) or (ORIGIN,)
        return self._frontier

    @property
    def spots(self) -> OneOf:
        """The frontier as an open field of an action."""
        if self._spots is None:
            self._spots = OneOf(tuple([AT[cell] for cell in self.frontier]))
        return self._spots


def _come(
    cards: Mapping[int, int],
    near: list[int],
    lone: dict[int, int],
    joints: dict[int, int],
    cell: int,
    number: int,
) -> None:
    """A card comes to a free cell."""
    bit = 1 << number
    beside = near[number] = BIT[lone.pop(cell)] if cell in lone else joints.pop(cell, 0)
    while beside:
        other = beside & -beside
        near[other.bit_length() - 1] |= bit
        beside ^= other
    for step in STEPS:
        around = cell + step
        if around in joints:
            joints[around] |= bit
        elif around in lone:
            joints[around] = bit | BIT[lone.pop(around)]
        elif around not in cards:
            lone[around] = number


def _go(near: list[int], lone: dict[int, int], joints: dict[int, int], cell: int, number: int) -> None:
    """A card leaves its cell."""
    bit = 1 << number
    beside = left = near[number]
    while left:
        other = left & -left
        near[other.bit_length() - 1] ^= bit
        left ^= other
    for step in STEPS:
        around = cell + step
        if around in joints:
            _free(lone, joints, around, joints.pop(around) ^ bit)
        elif around in lone:
            del lone[around]
    _free(lone, joints, cell, beside)


def _free(lone: dict[int, int], joints: dict[int, int], cell: int, beside: int) -> None:
    """A free cell has just these cards beside it."""
    if beside & (beside - 1):
        joints[cell] = beside
    elif beside:
        lone[cell] = beside.bit_length() - 1


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
