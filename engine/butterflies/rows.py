"""Rows: four cards or more of one colour or one species next to each other, none of them webbed.

Goals are bits here, one for each of the eight. A card that comes can only complete rows that it lies in, so
only the lines through it need a look; for one that goes, only its own two goals do.
"""

from collections.abc import Mapping

from parlour.engine.butterflies.cards import COLOUR_BITS, SPECIES_BITS, WEB
from parlour.engine.butterflies.cells import ALONG
from parlour.engine.butterflies.public import ROW

_COLOUR, _SPECIES = COLOUR_BITS | WEB, SPECIES_BITS | WEB
"""Two cards that differ in none of these bits count in a row together."""


def rows_in(cards: Mapping[int, int]) -> int:
    """The goals whose rows are on the grid."""
    cells: list[list[int]] = [[] for _ in range(8)]
    for cell, card in cards.items():
        if card < WEB:
            cells[card & COLOUR_BITS].append(cell)
            cells[4 + (card >> 2 & 3)].append(cell)
    return sum([1 << goal for goal, alike in enumerate(cells) if len(alike) >= ROW and _has_row(alike)])


def _has_row(cells: list[int]) -> bool:
    there = set(cells)
    for step in ALONG:
        for cell in cells:
            if cell + step in there and cell + step * 2 in there and cell + step * 3 in there:
                return True
    return False


def goals_of(card: int) -> int:
    """The two goals that a card counts for."""
    return 1 << (card & COLOUR_BITS) | 16 << ((card & SPECIES_BITS) >> 2)


def rows_through(cards: Mapping[int, int], cell: int) -> int:
    """The goals with a row that the card on this cell, which is not webbed, lies in."""
    card = cards[cell]
    found = 0
    for step in ALONG:
        # Where there is no card, or a webbed one, the WEB bit tells it from the card.
        ahead, back = cards.get(cell + step, WEB) ^ card, cards.get(cell - step, WEB) ^ card
        if not (ahead & _COLOUR and back & _COLOUR) and _run(cards, cell, step, _COLOUR) >= ROW:
            found |= 1 << (card & COLOUR_BITS)
        if not (ahead & _SPECIES and back & _SPECIES) and _run(cards, cell, step, _SPECIES) >= ROW:
            found |= 16 << ((card & SPECIES_BITS) >> 2)
    return found


def _run(cards: Mapping[int, int], cell: int, step: int, bits: int) -> int:
    """How many cards in a line through this one are like it in these bits."""
    card = cards[cell]
    length = 1
    for way in (step, -step):
        beside = cell + way
        while not (cards.get(beside, WEB) ^ card) & bits:
            length += 1
            beside += way
    return length
