"""What can be chosen now, one by one: what a letter means, and what lies that way on a grid."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from parlour.client.boards.text import Line, plain
from parlour.client.terminal.game.selection import Choice
from parlour.client.terminal.game.typed_words import Fit, fit, folded
from parlour.client.terminal.menus.menu import Item


@attrs.frozen
class Offer:
    """One thing that can be chosen now."""

    line: Line
    ways: tuple[str, ...]
    """Its words, as they are shown and as they travel."""
    typed: tuple[str, ...] = ()
    """All that somebody may type for it, if that is more."""
    choice: Choice | None = None
    item: Item | None = None

    @property
    def cell(self) -> tuple[int, int] | None:
        """Where on a grid it is, if that is all that it says."""
        values = list(self.choice.fields.values()) if self.choice is not None else []
        match values:
            case [[int(x), int(y)] | (int(x), int(y))]:
                return x, y
        return None

    def fit(self, words: Sequence[str]) -> Fit:
        """How well typed words fit it."""
        if " ".join(words) == folded(plain(self.line)):
            return Fit.EXACT
        return max(fit(way, words) for way in self.typed or self.ways)

    def fits_in_order(self, words: Sequence[str]) -> bool:
        """Whether they fit in order as well as in any: the t of "2 t" is not that of "tile 2"."""
        best = self.fit(words)
        told = (folded(plain(self.line)), *(self.typed or self.ways))
        return any(fit(way, words, ordered=True) >= best for way in told)

    def same(self, other: "Offer") -> bool:
        """Whether it is the same choice, though others around it may have changed."""
        if self.choice is None or other.choice is None:
            return self.ways == other.ways
        return self.choice.fields == other.choice.fields

    def says(self, wanted: Mapping[str, Any]) -> bool:
        """Whether it settles, or picks, just these fields with these values, whatever its kind."""
        if self.choice is None or self.choice.ends:
            return False
        told = {name: value for name, value in self.choice.fields.items() if name != "type"}
        return told in (wanted, {name: [value] for name, value in wanted.items()})


def letters(offers: Sequence[Offer]) -> dict[str, int]:
    """The letter that one offer alone begins with, for each that has one.

    Behind a letter that stands alone, as in `R red 5`, that of the word counts too if it is nobody's.
    """
    words = [[way.casefold().split() for way in offer.ways] for offer in offers]
    first = [list(dict.fromkeys(way[0][0] for way in ways if way)) for ways in words]
    second = [
        list(dict.fromkeys(way[1][0] for way in ways if len(way) > 1 and len(way[0]) == 1)) for ways in words
    ]
    mine = _alone(first)
    more = {
        letter: number
        for letter, number in _alone(second).items()
        if not any(letter in each for each in first)
    }
    return mine | more


def _alone(begun: Sequence[Sequence[str]]) -> dict[str, int]:
    """The letters that stand in one list only; those of the words that are shown come first."""
    every = [letter for each in begun for letter in each]
    return {
        letter: number for number, each in enumerate(begun) for letter in each if every.count(letter) == 1
    }


def on_grid(offers: Sequence[Offer], cursor: int | None, right: int, down: int) -> int | None:
    """The nearest cell that way, or the one where one is; None if these are not all cells."""
    cells = [offer.cell for offer in offers]
    here = cells[cursor] if cursor is not None and cursor < len(cells) else None
    if here is None or None in cells:
        return None
    costs: dict[int, float] = {}
    for number, cell in enumerate(cells):
        x, y = cell or here
        ahead = (x - here[0]) * right + (y - here[1]) * down
        aside = abs((x - here[0]) * down) + abs((y - here[1]) * right)
        if ahead > 0:
            costs[number] = ahead + 2 * aside
    return min(costs, key=lambda number: costs[number]) if costs else cursor
