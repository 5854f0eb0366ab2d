"""Greedy play of Balloon Cup: whatever leaves the best position, the card that is drawn next left aside."""

from collections.abc import Callable
from random import Random
from typing import Any

from parlour.client.bots.balloon_cup.evaluation import evaluate, evaluate_prizes, outlook, stakes
from parlour.client.bots.position import Position
from parlour.client.bots.ranked import Ranked
from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.bag import PRICE, plus, rest, total
from parlour.engine.balloon_cup.cards import BIT, COLOUR_NUMBER, NUMBER
from parlour.engine.balloon_cup.flight import Five, Flight, placed, replaced, side_room, sums, winner
from parlour.engine.balloon_cup.state import Prizes, State
from parlour.engine.balloon_cup.trophies import payment, taken
from parlour.engine.secret import Seat

WON = 10.0
"""More than any position is worth."""


def rank(position: Position, luck: Random) -> list[Ranked]:
    """Ranks by what this seat sees: it does not read the imagined hand of the other and the deck."""
    state = position.world(luck)
    scored = [(score(state, position.seat, action), luck.random(), action) for action in position.choices]
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    return [Ranked(action, "chance", min(1.0, max(0.0, value))) for value, _, action in scored]


def score(state: State, seat: Seat, action: p.Action) -> float:
    return _SCORES[type(action)](state, seat, action)


def _play(state: State, seat: Seat, action: p.Play) -> float:
    card = NUMBER[action.card]
    hand = state.hands[seat].value & ~BIT[card]
    flights = [
        placed(flight, action.side, card) if flight.number == action.tile else flight
        for flight in state.flights
    ]
    return evaluate_table(flights, state.prizes, seat, hand)


def _wind(state: State, seat: Seat, action: p.Wind) -> float:
    card, old = NUMBER[action.card], NUMBER[action.replaces]
    hand = state.hands[seat].value & ~BIT[card]
    flights = [
        replaced(flight, action.side, old, card) if flight.number == action.tile else flight
        for flight in state.flights
    ]
    return evaluate_table(flights, state.prizes, seat, hand)


def evaluate_table(flights: list[Flight], prizes: Prizes, seat: Seat, hand: int) -> float:
    """What tiles, prizes and a hand are worth to a seat that has just placed a card."""
    for flight in flights:
        if not flight.room:
            won_by = winner(flight.mountain, sums(flight), seat)
            prizes = with_cubes(prizes, won_by, flight.cubes)
    now = evaluate_prizes(prizes, seat)
    sum_ = now
    for flight in flights:
        if flight.room:
            won, lost = stakes(flight.cubes, prizes, seat)
            chance = outlook(flight, seat, hand)
            sum_ += chance * (won - now) + (1 - chance) * (lost - now)
    return sum_


def with_cubes(prizes: Prizes, seat: int, cubes: Five) -> Prizes:
    """After a flight; a trophy whose full price is there is taken at once."""
    own = total(prizes.cubes[seat], cubes)
    holders = prizes.holders
    for colour, price in enumerate(PRICE):
        if own[colour] >= price and holders[colour] is None:
            own = plus(own, colour, -price)
            holders = taken(holders, colour, seat)
    pair = (prizes.cubes[0], own) if seat else (own, prizes.cubes[1])
    return Prizes(prizes.bag, pair, holders)


def _claim(state: State, seat: Seat, action: p.Claim) -> float:
    prizes = state.prizes
    own = rest(prizes.cubes[seat], payment(action))
    pair = (prizes.cubes[0], own) if seat else (own, prizes.cubes[1])
    holders = taken(prizes.holders, COLOUR_NUMBER[action.trophy], seat)
    if holders.count(seat) >= p.TROPHIES_TO_WIN:
        return WON
    return _with_prizes(state, seat, Prizes(prizes.bag, pair, holders))


def _trade(state: State, seat: Seat, action: p.Trade) -> float:
    prizes = state.prizes
    give, take = COLOUR_NUMBER[action.give], COLOUR_NUMBER[action.take]
    own = plus(plus(prizes.cubes[seat], give, -p.CUBES_IN_A_TRADE), take)
    pair = (prizes.cubes[0], own) if seat else (own, prizes.cubes[1])
    traded = with_cubes(Prizes(plus(prizes.bag, take, -1), pair, prizes.holders), seat, (0, 0, 0, 0, 0))
    if traded.holders.count(seat) >= p.TROPHIES_TO_WIN:
        return WON
    if traded.holders != prizes.holders or state.phase == "claim":
        return _with_prizes(state, seat, traded)
    # Before a card is played a trade only pays if it takes a trophy: it can wait.
    return -1.0


def _with_prizes(state: State, seat: Seat, prizes: Prizes) -> float:
    return evaluate_table(list(state.flights), prizes, seat, state.hands[seat].value)


def _decline(state: State, seat: Seat, _: p.Decline) -> float:
    return evaluate(state, seat)


def _exchange(state: State, seat: Seat, action: p.Exchange) -> float:
    """Cards that may suit a tile stay; the others go, and the more the better."""
    hand = state.hands[seat].value
    kept = hand
    for card in action.cards:
        kept &= ~BIT[NUMBER[card]]
    usable = 0
    for flight in state.flights:
        usable |= side_room(flight, 0) | side_room(flight, 1)
    return _with_hand(state, seat, kept) + 0.01 * (hand & ~kept & ~usable).bit_count()


def _with_hand(state: State, seat: Seat, hand: int) -> float:
    return evaluate_table(list(state.flights), state.prizes, seat, hand)


_SCORES: dict[type, Callable[[State, Seat, Any], float]] = {
    p.Play: _play,
    p.Wind: _wind,
    p.Claim: _claim,
    p.Trade: _trade,
    p.Decline: _decline,
    p.Exchange: _exchange,
}
