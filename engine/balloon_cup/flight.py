"""A flight: a tile, its cubes, and the cards on both sides of it."""

import functools

from parlour.engine.balloon_cup.cards import BIT, COLOUR_OF, EVERY_CARD, OF_COLOUR, VALUE_OF
from parlour.engine.balloon_cup.public import CARDS, COLOURS, beats
from parlour.engine.lean import lean
from parlour.engine.secret import Seat

Five = tuple[int, int, int, int, int]
"""A count for every colour."""
SEATS = (Seat(0), Seat(1))
NO_CARDS: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
WIDTH = len(CARDS)
SHIFT: tuple[tuple[int, int], ...] = (
    (0, 0),
    *((WIDTH * 2 * tile, WIDTH * (2 * tile + 1)) for tile in range(4)),
)
"""Where the cards that fit have their bits: by the number of the tile and by side, each place apart."""
_CLEAR: tuple[int, ...] = tuple(
    ~(OF_COLOUR[colour] << SHIFT[tile][side]) for tile in range(5) for side in (0, 1) for colour in range(5)
)


@lean
class Flight:
    """`cubes`: by colour, what each side takes; `room`: all cards that a side would take, at its SHIFT."""

    number: int
    mountain: bool
    cubes: Five
    sides: tuple[tuple[int, ...], tuple[int, ...]]
    room: int
    """Nothing if the flight is complete."""


def new_flight(
    number: int, mountain: bool, cubes: Five, sides: tuple[tuple[int, ...], tuple[int, ...]] = NO_CARDS
) -> Flight:
    return Flight(number, mountain, cubes, sides, _room(number, cubes, sides))


@functools.lru_cache(maxsize=4096)
def _room(number: int, cubes: Five, sides: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
    fitting = 0
    for side, cards in enumerate(sides):
        left = list(cubes)
        for card in cards:
            left[COLOUR_OF[card]] -= 1
        for colour, missing in enumerate(left):
            if missing > 0:
                fitting |= OF_COLOUR[colour] << SHIFT[number][side]
    return fitting


def side_room(flight: Flight, side: int) -> int:
    """The set of cards that one side would take."""
    return flight.room >> SHIFT[flight.number][side] & EVERY_CARD


def placed(flight: Flight, side: int, card: int) -> Flight:
    """The flight with one card more."""
    colour = COLOUR_OF[card]
    sides = flight.sides
    cards = sides[side]
    left = flight.cubes[colour] - 1
    for other in cards:
        if COLOUR_OF[other] == colour:
            left -= 1
    number = flight.number
    room = flight.room if left else flight.room & _CLEAR[number * 10 + side * 5 + colour]
    cards = (*cards, card)
    return Flight(
        number, flight.mountain, flight.cubes, (sides[0], cards) if side else (cards, sides[1]), room
    )


def replaced(flight: Flight, side: int, old: int, new: int) -> Flight:
    """The flight with one card in the place of another of its colour."""
    cards = tuple([new if card == old else card for card in flight.sides[side]])
    sides = (flight.sides[0], cards) if side else (cards, flight.sides[1])
    return Flight(flight.number, flight.mountain, flight.cubes, sides, flight.room)


def sums(flight: Flight) -> tuple[int, int]:
    low, high = flight.sides
    return sum([VALUE_OF[card] for card in low]), sum([VALUE_OF[card] for card in high])


def winner(mountain: bool, sums: tuple[int, int], last: Seat) -> Seat:
    """The seat whose sum beats the other; equal sums go to whoever placed the last card."""
    ours, theirs = sums
    if ours == theirs:
        return last
    return SEATS[0] if beats(mountain, ours, theirs) else SEATS[1]


def opponents_room(flight: Flight, seat: int, rule: str) -> int:
    """The set of cards that `seat` might put on the other side, by the option `opponent_side`."""
    missing = side_room(flight, 1 - seat)
    own = side_room(flight, seat)
    match rule:
        case "always":
            return missing
        case "own_full":
            return 0 if own else missing
        case "colour_full":
            return missing & ~own
        case _:
            return missing & sum(
                OF_COLOUR[colour] for colour in range(len(COLOURS)) if _ahead(flight, seat, colour)
            )


def open_places(flights: tuple[Flight, ...], seat: int, rule: str) -> int:
    """All cards that `seat` might put anywhere, each side of each tile at its SHIFT."""
    fitting = 0
    if rule == "always":
        for flight in flights:
            fitting |= flight.room
        return fitting
    for flight in flights:
        own, other = SHIFT[flight.number][seat], SHIFT[flight.number][1 - seat]
        fitting |= side_room(flight, seat) << own | opponents_room(flight, seat, rule) << other
    return fitting


def _ahead(flight: Flight, seat: int, colour: int) -> bool:
    ours, theirs = (
        [COLOUR_OF[card] for card in flight.sides[side]].count(colour) for side in (seat, 1 - seat)
    )
    return ours > theirs


def cards_at(flights: tuple[Flight, ...]) -> int:
    """All cards on the table, as a set."""
    found = 0
    for flight in flights:
        for side in flight.sides:
            for card in side:
                found |= BIT[card]
    return found
