"""Cards as numbers from 0 to 44 and hands as sets of bits, in the order of the material list."""

import functools
from collections.abc import Callable
from typing import TypeVar

from parlour.engine.balloon_cup.public import CARDS, COLOURS, VALUES, WIND, Card, Colour

T = TypeVar("T")
COLOUR_OF: tuple[int, ...] = tuple(COLOURS.index(colour) for colour in COLOURS for _ in VALUES[colour])
VALUE_OF: tuple[int, ...] = tuple(value for colour in COLOURS for value in VALUES[colour])
NUMBER: dict[Card, int] = {card: number for number, card in enumerate(CARDS)}
COLOUR_NUMBER: dict[Colour, int] = {colour: number for number, colour in enumerate(COLOURS)}
BIT: tuple[int, ...] = tuple(1 << number for number in range(len(CARDS)))
EVERY_CARD: int = (1 << len(CARDS)) - 1

OF_COLOUR: tuple[int, ...] = tuple(
    sum(BIT[card] for card in range(len(CARDS)) if COLOUR_OF[card] == colour)
    for colour in range(len(COLOURS))
)
"""All cards of a colour."""
WIND_OF: tuple[int, ...] = tuple(
    next(card for card in range(len(CARDS)) if COLOUR_OF[card] == colour and VALUE_OF[card] == WIND)
    for colour in range(len(COLOURS))
)
"""The 7 of each colour."""


_CHUNK = 9
_LOW = (1 << _CHUNK) - 1


def _chunks() -> list[list[tuple[int, ...]]]:
    """The cards of every set of nine neighbours."""
    return [
        [tuple([first + bit for bit in range(_CHUNK) if some >> bit & 1]) for some in range(1 << _CHUNK)]
        for first in range(0, len(CARDS), _CHUNK)
    ]


def _joined(chunks: list[list[tuple[T, ...]]]) -> Callable[[int], tuple[T, ...]]:
    """Puts a set together from five chunks: bit by bit it would take four times as long."""
    a, b, c, d, e = chunks

    def joined(cards: int) -> tuple[T, ...]:
        return (
            a[cards & _LOW]
            + b[cards >> _CHUNK & _LOW]
            + c[cards >> 2 * _CHUNK & _LOW]
            + d[cards >> 3 * _CHUNK & _LOW]
            + e[cards >> 4 * _CHUNK]
        )

    return joined


_NUMBERS = _chunks()
numbers = functools.lru_cache(maxsize=16384)(_joined(_NUMBERS))
"""The cards of a set, in the order of the material list."""
spell = _joined([[tuple([CARDS[card] for card in some]) for some in chunk] for chunk in _NUMBERS])
"""The words for the cards of a set, in the order of the material list: for sets that hardly come again."""
words = functools.lru_cache(maxsize=16384)(spell)
"""The same."""


def named(cards: tuple[int, ...]) -> tuple[Card, ...]:
    """The words for cards in an order of their own."""
    return tuple([CARDS[card] for card in cards])


def as_set(cards: tuple[int, ...]) -> int:
    found = 0
    for card in cards:
        found |= BIT[card]
    return found
