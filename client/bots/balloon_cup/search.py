"""Searching play of Balloon Cup: the best few cards by evaluation, tried out with short greedy playouts."""

import functools
from random import Random

from parlour.client.bots.balloon_cup import greedy
from parlour.client.bots.balloon_cup.evaluation import evaluate, outlook, stakes
from parlour.client.bots.budget import Budget
from parlour.client.bots.halving import best
from parlour.client.bots.position import Position
from parlour.client.bots.ranked import Ranked, by_trial
from parlour.client.bots.worlds import in_worlds
from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.cards import OF_COLOUR, numbers
from parlour.engine.balloon_cup.flight import SEATS, Flight, opponents_room, placed, side_room, sums, winner
from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.engine.balloon_cup.state import State
from parlour.engine.chance import Seeded
from parlour.engine.secret import Seat

CANDIDATES = 8
PLIES = 10
"""How far a playout goes before the position is judged."""
CLOSE = 0.12
"""A candidate that looks so much worse than the best one is not tried."""


def rank(position: Position, luck: Random, budget: Budget) -> list[Ranked]:
    state: State = position.world(luck)
    scored = sorted(
        [(greedy.score(state, position.seat, action), luck.random(), action) for action in position.choices],
        key=lambda entry: (-entry[0], entry[1]),
    )
    top = scored[0][0]
    candidates: list[p.Action] = [action for score, _, action in scored[:CANDIDATES] if score > top - CLOSE]
    if len(candidates) == 1 or top >= greedy.WON or state.phase == "exchange":
        return [Ranked(candidates[0], "only")]
    simulate = in_worlds(BalloonCup(), position, luck, playout)
    return by_trial(candidates, best(candidates, budget, simulate))


def playout(game: BalloonCup, state: State, seat: Seat, chance: Seeded) -> float:
    """What a seat has after some plies of quick play on both sides: the chance to win, 0 to 1."""
    for _ in range(PLIES):
        turn = state.turn
        if turn is None:
            break
        state = game.apply(state, turn, quick(game, state, turn), chance).state
    outcome = game.outcome(state)
    if outcome is not None:
        return 0.5 if not outcome.winners else float(seat in outcome.winners)
    other = Seat(1 - seat)
    return min(1.0, max(0.0, (evaluate(state, seat) + 1 - evaluate(state, other)) / 2))


def quick(game: BalloonCup, state: State, seat: Seat) -> p.Action:
    """A good move at little cost: of each colour the ends of the hand, and only the tile that changes."""
    if state.phase == "exchange":
        choices = game.legal(state, seat)
        return choices[choices.count - 1]
    if state.phase == "claim":
        return max(game.legal(state, seat), key=lambda action: greedy.score(state, seat, action))
    found: p.Action | None = None
    most = -2.0
    hand, rule = state.hands[seat].value, state.options.opponent_side
    for flight in state.flights:
        own, other = side_room(flight, seat) & hand, opponents_room(flight, seat, rule) & hand
        if not own and not other:
            continue
        card, side, better = _best(flight, seat, own, other)
        won, lost = stakes(flight.cubes, state.prizes, seat)
        gain = (won - lost) * better
        if gain > most:
            most, found = gain, p.Play(p.CARDS[card], flight.number, SEATS[side])
    return game.legal(state, seat)[0] if found is None else found


@functools.lru_cache(maxsize=131072)
def _best(flight: Flight, seat: Seat, own: int, other: int) -> tuple[int, int, float]:
    """The card that helps most to win a flight, its side, and by how much; whatever else is in the hand."""
    tries = [
        (_after(flight, side, card, seat), card, side)
        for side, cards in ((seat, own), (1 - seat, other))
        for card in _ends(cards)
    ]
    best, card, side = max(tries)
    return card, side, best - outlook(flight, seat, 0)


@functools.lru_cache(maxsize=16384)
def _ends(cards: int) -> tuple[int, ...]:
    """Of each colour the lowest card and the highest."""
    by_colour = [numbers(cards & colour) for colour in OF_COLOUR if cards & colour]
    return tuple({end for held in by_colour for end in (held[0], held[-1])})


def _after(flight: Flight, side: int, card: int, seat: Seat) -> float:
    """The chance to win a flight once a card is there."""
    after = placed(flight, side, card)
    if not after.room:
        return float(winner(after.mountain, sums(after), seat) == seat)
    return outlook(after, seat, 0)
