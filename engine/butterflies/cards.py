"""Butterflies and goals as small numbers.

A card is its place in the material list, from 0 to 15: species * 4 + colour; both copies have one number. A
card on the grid carries its token above that, a net as 16 and a web as 32. Goals are 0 to 7: first the
colours, then the species.
"""

import functools

from parlour.engine.butterflies.public import (
    CARDS,
    COLOURS,
    COPIES,
    SPECIES,
    Card,
    Colour,
    Goal,
    Species,
    Token,
)
from parlour.engine.choices import OneOf

NUMBER: dict[str, int] = {card: number for number, card in enumerate(CARDS)}
EVERY_CARD: tuple[int, ...] = tuple(number for number in range(len(CARDS)) for _ in range(COPIES))
"""All 32 in the order of the material list, both copies next to each other."""
BIT: tuple[int, ...] = tuple(1 << number for number in range(len(EVERY_CARD)))
"""For sets of cards on the grid, which are numbered as they came there."""

COLOUR_BITS, SPECIES_BITS = 3, 12
KIND = 15
"""The bits of a card on the grid that say which it is."""
UNMARKED = 16
"""Cards on the grid below this have no token."""
NET, WEB = 16, 32
TOKEN_BIT: dict[Token, int] = {"net": NET, "web": WEB}
TOKENS_IN: dict[int, tuple[Token, ...]] = {0: (), NET: ("net",), WEB: ("web",), NET | WEB: ("net", "web")}

GOAL_WORDS: tuple[Colour | Species, ...] = (*COLOURS, *SPECIES)
GOAL_NUMBER: dict[str, int] = {word: number for number, word in enumerate(GOAL_WORDS)}
COLOUR_GOALS: tuple[int, ...] = tuple(GOAL_NUMBER[colour] for colour in COLOURS)
SPECIES_GOALS: tuple[int, ...] = tuple(GOAL_NUMBER[species] for species in SPECIES)
GOAL_KINDS: tuple[Goal, ...] = ("colour", "species")
GOAL_KIND: dict[Goal, int] = {"colour": 0, "species": 1}
GOALS_IN: tuple[tuple[Goal, ...], ...] = ((), ("colour",), ("species",), ("colour", "species"))
"""What a set of bits, 1 for the colour and 2 for the species, stands for."""


def named(cards: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple([CARDS[card] for card in cards])


@functools.lru_cache(maxsize=256)
def any_of(hand: tuple[int, ...]) -> OneOf:
    """The cards of a hand as an open field, two alike only once."""
    return OneOf(named(tuple(sorted(set(hand)))))
