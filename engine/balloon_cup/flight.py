"""A flight: a tile, its cubes, and the cards on both sides of it."""

from parlour.engine.balloon_cup.cards import BIT, COLOUR_OF, OF_COLOUR, VALUE_OF
from parlour.engine.balloon_cup.public import COLOURS
from parlour.engine.lean import lean
from parlour.engine.secret import Seat

Five = tuple[int, int, int, int, int]
"""A count for every colour."""
SEATS = (Seat(0), Seat(1))
FULL = (0, 0)
"""The room of a flight that is complete on both sides."""
NO_CARDS: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


@lean
class Flight:
    """`cubes`: by colour, what each side takes; `room`: by side, the set of all cards that it would take."""

    number: int
    mountain: bool
    cubes: Five
    sides: tuple[tuple[int, ...], tuple[int, ...]]
    room: tuple[int, int]


def new_flight(
    number: int, mountain: bool, cubes: Five, sides: tuple[tuple[int, ...], tuple[int, ...]] = NO_CARDS
) -> Flight:
    low = room(cubes, sides[0])
    return Flight(number, mountain, cubes, sides, (low, low if sides is NO_CARDS else room(cubes, sides[1])))


def room(cubes: Five, cards: tuple[int, ...]) -> int:
    """The set of cards that a side with these cards still takes, by their colours."""
    left = list(cubes)
    for card in cards:
        left[COLOUR_OF[card]] -= 1
    taken = 0
    for colour, missing in enumerate(left):
        if missing > 0:
            taken |= OF_COLOUR[colour]
    return taken


def placed(flight: Flight, side: int, card: int) -> Flight:
    """The flight with one card more."""
    colour = COLOUR_OF[card]
    cards = flight.sides[side]
    left = flight.cubes[colour] - 1
    for other in cards:
        if COLOUR_OF[other] == colour:
            left -= 1
    rooms = flight.room
    if side:
        sides = (flight.sides[0], (*cards, card))
        if not left:
            rooms = (rooms[0], rooms[1] & ~OF_COLOUR[colour])
    else:
        sides = ((*cards, card), flight.sides[1])
        if not left:
            rooms = (rooms[0] & ~OF_COLOUR[colour], rooms[1])
    return Flight(flight.number, flight.mountain, flight.cubes, sides, rooms)


def replaced(flight: Flight, side: int, old: int, new: int) -> Flight:
    """The flight with one card in the place of another of its colour."""
    cards = tuple([new if card == old else card for card in flight.sides[side]])
    sides = (flight.sides[0], cards) if side else (cards, flight.sides[1])
    return Flight(flight.number, flight.mountain, flight.cubes, sides, flight.room)


def sums(flight: Flight) -> tuple[int, int]:
    low, high = flight.sides
    return sum([VALUE_OF[card] for card in low]), sum([VALUE_OF[card] for card in high])


def winner(mountain: bool, sums: tuple[int, int], last: Seat) -> Seat:
    """Mountains go to the higher sum, plains to the lower, equal sums to whoever placed the last card."""
    ours, theirs = sums
    if ours == theirs:
        return last
    return SEATS[0] if (ours > theirs) == mountain else SEATS[1]


def opponents_room(flight: Flight, seat: int, rule: str) -> int:
    """The set of cards that `seat` might put on the other side, by the option `opponent_side`."""
    missing = flight.room[1 - seat]
    own = flight.room[seat]
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
