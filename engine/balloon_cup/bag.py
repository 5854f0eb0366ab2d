"""The bag of cubes: drawing from it onto a tile, within the caps that are in force."""

import functools
from collections.abc import Sequence

from parlour.engine.balloon_cup.cards import COLOUR_NUMBER
from parlour.engine.balloon_cup.flight import Five, Flight
from parlour.engine.balloon_cup.public import COLOURS, PRICES, BalloonOptions, Colour
from parlour.engine.chance import Chance

PRICE: Five = (PRICES["red"], PRICES["yellow"], PRICES["green"], PRICES["blue"], PRICES["grey"])
NONE: Five = (0, 0, 0, 0, 0)
UP_TO_TWO: Five = (2, 2, 2, 2, 2)
UP_TO_FOUR: Five = (4, 4, 4, 4, 4)
POOLS: tuple[tuple[Colour, ...], ...] = tuple((colour,) * 13 for colour in COLOURS)


def plus(counts: Five, colour: int, change: int = 1) -> Five:
    found = list(counts)
    found[colour] += change
    return found[0], found[1], found[2], found[3], found[4]


def total(first: Five, second: Five) -> Five:
    return (
        first[0] + second[0],
        first[1] + second[1],
        first[2] + second[2],
        first[3] + second[3],
        first[4] + second[4],
    )


def rest(first: Five, second: Five) -> Five:
    """What is left of the first without the second."""
    return (
        first[0] - second[0],
        first[1] - second[1],
        first[2] - second[2],
        first[3] - second[3],
        first[4] - second[4],
    )


def listed(counts: Five) -> tuple[Colour, ...]:
    """Cubes one by one, in the order of the material list."""
    red, yellow, green, blue, grey = counts
    return POOLS[0][:red] + POOLS[1][:yellow] + POOLS[2][:green] + POOLS[3][:blue] + POOLS[4][:grey]


tile_cubes = functools.lru_cache(maxsize=512)(listed)
"""`listed` for the few cubes of a tile, of which there are few kinds."""


def fill(
    bag: Five, number: int, others: Sequence[Flight], options: BalloonOptions, chance: Chance
) -> tuple[Five, Five]:
    """Draws `number` cubes for a tile beside the others; what is left in the bag, and the cubes."""
    caps = _caps(others, options)
    pool = list(listed(bag))
    left, cubes = list(bag), [0, 0, 0, 0, 0]
    while True:
        drawn = chance.draw("bag", pool)
        colour = COLOUR_NUMBER[drawn]
        if cubes[colour] >= caps[colour] and _any_within(left, cubes, caps):
            continue
        left[colour] -= 1
        cubes[colour] += 1
        number -= 1
        if not number:
            break
        pool.remove(drawn)
    return (left[0], left[1], left[2], left[3], left[4]), (cubes[0], cubes[1], cubes[2], cubes[3], cubes[4])


def _caps(others: Sequence[Flight], options: BalloonOptions) -> Five:
    """By colour: how many cubes the tile may get, by the caps in force."""
    by_tile = 2 if options.tile_cap == 2 else 4
    if options.table_cap == "off":
        return UP_TO_TWO if by_tile == 2 else UP_TO_FOUR
    lying = NONE
    for flight in others:
        lying = total(lying, flight.cubes)
    red, yellow, green, blue, grey = [
        min(by_tile, price - 1 - there) for price, there in zip(PRICE, lying, strict=True)
    ]
    return red, yellow, green, blue, grey


def _any_within(bag: Sequence[int], cubes: Sequence[int], caps: Five) -> bool:
    """Whether the bag has any cube that keeps within the caps."""
    return any(bag[colour] and cubes[colour] < caps[colour] for colour in range(len(COLOURS)))
