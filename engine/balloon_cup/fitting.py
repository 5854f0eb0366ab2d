"""Whether any card fits anywhere: for a player's turn, for the wind, and for the lock that ends a game."""

from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.cards import BIT, COLOUR_OF, WIND_OF, numbers
from parlour.engine.balloon_cup.flight import Flight, cards_at, open_places
from parlour.engine.balloon_cup.plays import EVERYWHERE, Plays
from parlour.engine.secret import Seat


def fits(flights: tuple[Flight, ...], seat: Seat, hand: int, options: p.BalloonOptions) -> bool:
    """Whether this seat can play any card of this hand anywhere."""
    if Plays(flights, hand, seat, options.opponent_side).count:
        return True
    return options.wind == "on" and wind_fits(flights, hand)


def wind_fits(flights: tuple[Flight, ...], hand: int) -> bool:
    """Whether a 7 of this hand has a card of its colour to replace."""
    lying = cards_at(flights)
    return any(hand & BIT[WIND_OF[COLOUR_OF[card]]] for card in numbers(lying) if card not in WIND_OF)


def locked(flights: tuple[Flight, ...], outside: int, options: p.BalloonOptions) -> bool:
    """Whether no card outside the table (hands, deck and discard pile) fits any open place."""
    if outside * EVERYWHERE & open_places(flights, 0, "always"):
        return False
    return not (options.wind == "on" and wind_fits(flights, outside))
