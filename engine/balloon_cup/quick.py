"""The usual play in one go: nine plays of ten ask nobody for anything but the next card, and playouts are
made of them.

It does what `Turn.play` does and nothing else; where anything unusual follows it gives None, and the long way
is taken. A test holds the two to each other.
"""

from parlour.engine.balloon_cup.bag import fill, total
from parlour.engine.balloon_cup.cards import BIT, NUMBER
from parlour.engine.balloon_cup.flight import SEATS, SHIFT, Flight, new_flight, placed, sums, winner
from parlour.engine.balloon_cup.plays import PLAYED, Plays
from parlour.engine.balloon_cup.public import CardPlayed, Play
from parlour.engine.balloon_cup.state import Prizes, State
from parlour.engine.balloon_cup.trophies import can_claim
from parlour.engine.balloon_cup.turn import DRAWN, OWNER, Turn, filled, scoring
from parlour.engine.chance import Chance
from parlour.engine.game import Step
from parlour.engine.secret import Seat, Secret


def usual_play(state: State, before: Plays, seat: Seat, action: Play, chance: Chance) -> Step[State] | None:
    """A card played, a card drawn, and the other player has one that fits; `before`: what could be played."""
    options = state.options
    deck = state.deck.value
    number, tile, side = NUMBER[action.card], action.tile, action.side
    bit = BIT[number]
    if not deck or state.seen[seat] & bit or options.wind == "on" or options.trade == "turn":
        return None
    flights = state.flights
    place = 0
    while flights[place].number != tile:
        place += 1
    old = flights[place]
    flight = placed(old, side, number)
    played = PLAYED[seat][SHIFT[tile][side] + number]
    drawn = deck[0]
    hands = state.hands
    hand = Secret(hands[seat].value ^ bit | BIT[drawn], OWNER[seat])
    hands = (hands[0], hand) if seat else (hand, hands[1])
    if not flight.room:
        return _usual_score(state, seat, hands, flight, place, played, chance)
    flights = (*flights[:place], flight, *flights[place + 1 :])
    other = SEATS[1 - seat]
    if options.opponent_side == "always":  # the room is the same for both, but for this one flight
        plays = Plays(before.room ^ old.room ^ flight.room, hands[other].value)
    else:
        plays = Plays.at(flights, hands[other].value, other, options.opponent_side)
    if not plays.count:
        return None
    after = State(
        options,
        flights,
        hands,
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
    return Step(after, (played, DRAWN[seat][drawn]))


def _usual_score(
    state: State,
    seat: Seat,
    hands: tuple[Secret[int], Secret[int]],
    flight: Flight,
    place: int,
    played: CardPlayed,
    chance: Chance,
) -> Step[State] | None:
    """A tile is complete: its cubes are won, it is turned over and filled anew, and nobody can claim."""
    options, prizes, tile = state.options, state.prizes, flight.number
    with_trades = options.trade == "claim"
    if sum(prizes.bag) < tile or not (with_trades or options.trade == "off"):
        return None
    both = sums(flight)
    won = winner(flight.mountain, both, seat)
    lost = SEATS[1 - won]
    cubes = total(prizes.cubes[won], flight.cubes)
    others = prizes.cubes[lost]
    if can_claim(cubes, prizes.holders, with_trades) or can_claim(others, prizes.holders, with_trades):
        return None
    before, behind = state.flights[:place], state.flights[place + 1 :]
    bag, filling = fill(prizes.bag, tile, before + behind, options, chance)
    turned = new_flight(tile, not flight.mountain, filling)
    flights = (*before, turned, *behind)
    deck = state.deck.value
    plays = Plays.at(flights, hands[lost].value, lost, options.opponent_side)
    after = State(
        options,
        flights,
        hands,
        Secret(deck[1:]),
        (*state.discard, *flight.sides[0], *flight.sides[1]),
        Prizes(bag, (others, cubes) if won else (cubes, others), prizes.holders),
        lost,
        "play",
        False,
        state.seen,
        None,
        0,
        state.decision + 1 if plays.count else state.decision,
        plays,
    )
    news = (played, scoring(flight, both, won), filled(turned), DRAWN[seat][deck[0]])
    if plays.count:
        return Step(after, news)
    turn = Turn(after, chance)  # the luck of the cubes is spent: the long way goes on from here
    turn.news += news
    turn.begin(lost)
    return turn.finish()
