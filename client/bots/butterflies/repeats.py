"""Grids of Butterflies that were there before: whoever moves a card back to one of them wastes a turn."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.engine.butterflies.cards import KIND
from parlour.engine.butterflies.cells import cell_of

Grid = frozenset[tuple[int, int]]
"""Which kind of card lies on which cell."""


def grid_of(cards: Mapping[int, int]) -> Grid:
    return frozenset([(cell, card & KIND) for cell, card in cards.items()])


def earlier_grids(news: Sequence[Mapping[str, Any]], cards: Mapping[int, int]) -> set[Grid]:
    """The grids before that of these cards, back to the last card laid or token put."""
    grid = dict(cards)
    found: set[Grid] = set()
    for piece in reversed(news):
        match piece:
            case {"type": "card_played" | "card_placed" | "token_placed"}:
                break
            case {"type": "card_moved", "from": from_, "to": to} if cell_of(tuple(to)) in grid:
                grid[cell_of(tuple(from_))] = grid.pop(cell_of(tuple(to)))
                found.add(grid_of(grid))
    return found
