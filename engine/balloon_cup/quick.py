"""The usual play in one go: three plays of four complete no tile, and playouts are made of them.

It does what `Turn.play` does and nothing else; where anything unusual follows it gives None, and the long way
is taken. A test holds the two to each other.
"""

from parlour.engine.balloon_cup.cards import BIT, NUMBER
from parlour.engine.balloon_cup.flight import SEATS, placed
from parlour.engine.balloon_cup.plays import Plays
from parlour.engine.balloon_cup.public import CARDS, CardDrawn, CardPlayed, Play
from parlour.engine.balloon_cup.state import State
from parlour.engine.balloon_cup.turn import OWNER
from parlour.engine.game import Step
from parlour.engine.secret import Seat, Secret


def usual_play(state: State, seat: Seat, action: Play) -> Step[State] | None:
    """A card played that completes no tile, a card drawn, and the other player has one that fits."""
    options = state.options
    deck = state.deck.value
    number = NUMBER[action.card]
    bit = BIT[number]
    if not deck or state.seen[seat] & bit or options.wind == "on" or options.trade == "turn":
        return None
    flights = state.flights
    place = 0
    while flights[place].number != action.tile:
        place += 1
    flight = placed(flights[place], action.side, number)
    if not flight.room:
        return None
    flights = (*flights[:place], flight, *flights[place + 1 :])
    other = SEATS[1 - seat]
    hands = state.hands
    plays = Plays(flights, hands[other].value, other, options.opponent_side)
    if not plays.count:
        return None
    drawn = deck[0]
    hand = Secret(hands[seat].value ^ bit | BIT[drawn], OWNER[seat])
    after = State(
        options,
        flights,
        (hands[0], hand) if seat else (hand, hands[1]),
        Secret(deck[1:]),
        state.discard,
        state.prizes,
        other,
        "play",
        False,
        state.seen,
        None,
        0,
        state.decision + 1,
        plays,
    )
    played = CardPlayed(seat, action.card, action.tile, action.side)
    return Step(after, (played, CardDrawn(seat, Secret(CARDS[drawn], OWNER[seat]))))
