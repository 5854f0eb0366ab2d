"""Cards as numbers from 0 to 44 and hands as sets of bits, in the order of the material list."""

import functools

from parlour.engine.balloon_cup.public import CARDS, COLOURS, VALUES, WIND, Card, Colour

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


@functools.lru_cache(maxsize=16384)
def numbers(cards: int) -> tuple[int, ...]:
    """The cards of a set, in the order of the material list."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return tuple(found)


@functools.lru_cache(maxsize=16384)
def words(cards: int) -> tuple[Card, ...]:
    """The words for the cards of a set, in the order of the material list."""
    return tuple([CARDS[card] for card in numbers(cards)])


@functools.lru_cache(maxsize=4096)
def named(cards: tuple[int, ...]) -> tuple[Card, ...]:
    """The words for cards in an order of their own."""
    return tuple([CARDS[card] for card in cards])


def as_set(cards: tuple[int, ...]) -> int:
    found = 0
    for card in cards:
        found |= BIT[card]
    return found
