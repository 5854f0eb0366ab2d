"""What a position of Balloon Cup is worth: races for trophies, and who is likely to win a flight.

Every cube is handed out in the end and each price is more than half of its colour, so each trophy finds an
owner, and three of five win. A race for a trophy is judged by the cubes that both still need, a flight by the
sums that its sides may come to.
"""

import functools
import math

from parlour.engine.balloon_cup.bag import PRICE, total
from parlour.engine.balloon_cup.cards import COLOUR_OF, OF_COLOUR, VALUE_OF, numbers
from parlour.engine.balloon_cup.flight import SHIFT, Five, Flight
from parlour.engine.balloon_cup.public import CUBES_IN_A_TRADE
from parlour.engine.balloon_cup.state import Prizes, State
from parlour.engine.balloon_cup.trophies import EVERY_COLOUR, Holders

LEAD = 1.7
"""How much it counts to need fewer cubes than the other."""
TRADED = 0.5
"""What three cubes of a taken colour are worth in cubes of another: they must come by three, and in time."""
CLOSE = 0.25
"""What is at least needed for a trophy that only trades may bring: the same cubes count in several races."""
AVERAGE = 7.0
OWN_CARE = 1.0
"""How far, on average, a side comes out better than the average card: its owner mostly fills it."""
SPREAD = 3.2
"""How far one open place may be from what is expected of it."""
TRUST = 0.45
"""How sure it is that a card in hand comes to the place that it suits: tiles compete for cards and turns."""
DUMPED = 0.3
"""The same for a card that would spoil a place of the opponent."""


# Trophies


@functools.lru_cache(maxsize=65536)
def evaluate_trophies(ours: Five, theirs: Five, holders: Holders, seat: int) -> float:
    """The chance to be the one with three trophies in the end."""
    at_least = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    more, less = _traded(ours, holders), _traded(theirs, holders)
    for colour in EVERY_COLOUR:
        holder = holders[colour]
        if holder is None:
            price = PRICE[colour]
            mine = _race(_needed(price - ours[colour], more), _needed(price - theirs[colour], less))
        else:
            mine = 1.0 if holder == seat else 0.0
        at_least = [
            at_least[count] * (1 - mine) + (at_least[count - 1] * mine if count else 0.0)
            for count in range(6)
        ]
    return at_least[3] + at_least[4] + at_least[5]


def _traded(cubes: Five, holders: Holders) -> float:
    """What cubes of taken colours help elsewhere."""
    spare = sum([count for count, holder in zip(cubes, holders, strict=True) if holder is not None])
    return TRADED * spare / CUBES_IN_A_TRADE


def _needed(missing: int, traded: float) -> float:
    """Cubes to come by. Trades help in every race, but no trophy is had before its price is there."""
    return max(missing - traded, CLOSE) if missing > 0 else 0.0


def _race(ours: float, theirs: float) -> float:
    """The chance to be first, by the cubes that both need."""
    if not ours or not theirs:
        return 1.0 if not ours else 0.0
    return float(theirs**LEAD / (theirs**LEAD + ours**LEAD))


def evaluate_prizes(prizes: Prizes, seat: int) -> float:
    return evaluate_trophies(prizes.cubes[seat], prizes.cubes[1 - seat], prizes.holders, seat)


@functools.lru_cache(maxsize=65536)
def stakes(cubes: Five, prizes: Prizes, seat: int) -> tuple[float, float]:
    """What the prizes are worth if we win these cubes, and if we lose them."""
    ours, theirs = prizes.cubes[seat], prizes.cubes[1 - seat]
    return (
        evaluate_trophies(total(ours, cubes), theirs, prizes.holders, seat),
        evaluate_trophies(ours, total(theirs, cubes), prizes.holders, seat),
    )


# Flights


@functools.lru_cache(maxsize=65536)
def _missing(cubes: Five, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The colours of the open places of a side."""
    left = list(cubes)
    for card in cards:
        left[COLOUR_OF[card]] -= 1
    return tuple([colour for colour in EVERY_COLOUR for _ in range(left[colour])])


@functools.lru_cache(maxsize=65536)
def _values(hand: int, colour: int) -> tuple[int, ...]:
    return tuple([VALUE_OF[card] for card in numbers(hand & OF_COLOUR[colour])])


@functools.lru_cache(maxsize=65536)
def _side(cubes: Five, cards: tuple[int, ...], hand: int, high: bool, trust: float) -> tuple[float, int]:
    """What a side may come to if a hand wants it high or low, and how many places are open."""
    expected = float(sum([VALUE_OF[card] for card in cards]))
    open_ = _missing(cubes, cards)
    used = [0, 0, 0, 0, 0]
    for colour in open_:
        held = _values(hand, colour)
        nth = used[colour]
        used[colour] += 1
        if nth < len(held):
            best = held[-1 - nth] if high else held[nth]
            expected += trust * best + (1 - trust) * AVERAGE
        else:
            expected += AVERAGE
    return expected, len(open_)


def outlook(flight: Flight, seat: int, hand: int) -> float:
    """The chance that a seat with this hand wins the flight; nothing is known of the other hand."""
    low, high = SHIFT[flight.number]
    fitting = hand & (flight.room >> low | flight.room >> high)
    return _outlook(flight.mountain, flight.cubes, flight.sides, seat, fitting)


@functools.lru_cache(maxsize=131072)
def _outlook(
    high: bool, cubes: Five, sides: tuple[tuple[int, ...], tuple[int, ...]], seat: int, hand: int
) -> float:
    """Kept, with no more of the hand than fits: playouts meet the same flights again and again."""
    ours, open_here = _side(cubes, sides[seat], hand, high, TRUST)
    theirs, open_there = _side(cubes, sides[1 - seat], hand, not high, DUMPED)
    ahead = ours - theirs if high else theirs - ours
    ahead += OWN_CARE * (open_here - open_there)
    doubt = SPREAD * math.sqrt(open_here + open_there)
    if not doubt:
        return 1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0
    return 0.5 * math.erfc(-ahead / (doubt * math.sqrt(2)))


def evaluate(state: State, seat: int) -> float:
    """The chance to win, as this seat sees it: its own hand counts, the other one does not."""
    prizes = state.prizes
    now = evaluate_prizes(prizes, seat)
    sum_ = now
    hand = state.hands[seat].value
    for flight in state.flights:
        won, lost = stakes(flight.cubes, prizes, seat)
        chance = outlook(flight, seat, hand)
        sum_ += chance * (won - now) + (1 - chance) * (lost - now)
    return sum_
