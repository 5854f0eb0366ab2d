"""The bag of cubes: drawing from it onto a tile, within the caps that are in force."""

from collections.abc import Sequence

from parlour.engine.balloon_cup.cards import COLOUR_NUMBER
from parlour.engine.balloon_cup.flight import Five, Flight
from parlour.engine.balloon_cup.public import COLOURS, PRICES, BalloonOptions, Colour
from parlour.engine.chance import Chance

PRICE: Five = (PRICES["red"], PRICES["yellow"], PRICES["green"], PRICES["blue"], PRICES["grey"])
NONE: Five = (0, 0, 0, 0, 0)
POOLS: tuple[tuple[Colour, ...], ...] = tuple((colour,) * 13 for colour in COLOURS)


def plus(counts: Five, colour: int, change: int = 1) -> Five:
    found = list(counts)
    found[colour] += change
    red, yellow, green, blue, grey = found
    return red, yellow, green, blue, grey


def total(first: Five, second: Five) -> Five:
    red, yellow, green, blue, grey = (ours + theirs for ours, theirs in zip(first, second, strict=True))
    return red, yellow, green, blue, grey


def listed(counts: Five) -> tuple[Colour, ...]:
    """Cubes one by one, in the order of the material list."""
    return tuple([colour for colour, count in zip(COLOURS, counts, strict=True) for _ in range(count)])


def fill(
    bag: Five, number: int, others: Sequence[Flight], options: BalloonOptions, chance: Chance
) -> tuple[Five, Five]:
    """Draws `number` cubes for a tile beside the others; what is left in the bag, and the cubes."""
    cubes = NONE
    on_others = NONE
    if options.table_cap == "on":
        for flight in others:
            on_others = total(on_others, flight.cubes)
    for _ in range(number):
        allowed = _within_caps(cubes, on_others, options)
        strict = any(allowed[colour] and bag[colour] for colour in range(len(COLOURS)))
        while True:
            colour = draw(bag, chance)
            if allowed[colour] or not strict:
                break
        bag, cubes = plus(bag, colour, -1), plus(cubes, colour)
    return bag, cubes


def draw(bag: Five, chance: Chance) -> int:
    pool: list[Colour] = []
    for colour, count in enumerate(bag):
        pool += POOLS[colour][:count]
    return COLOUR_NUMBER[chance.draw("bag", pool)]


def _within_caps(cubes: Five, on_others: Five, options: BalloonOptions) -> tuple[bool, ...]:
    """By colour: whether one more cube keeps the tile and the table within the caps."""
    return tuple(
        [
            (options.tile_cap == "none" or cubes[colour] < 2)
            and (options.table_cap == "off" or on_others[colour] + cubes[colour] + 1 < PRICE[colour])
            for colour in range(len(COLOURS))
        ]
    )
