"""Searching play of Balloon Cup: the best few cards by evaluation, tried out with short greedy playouts."""

import functools
from random import Random

from parlour.client.bots import balloon_greedy as greedy
from parlour.client.bots.balloon_worth import outlook, stakes, worth
from parlour.client.bots.budget import Budget
from parlour.client.bots.halving import best
from parlour.client.bots.sight import Sight
from parlour.engine.balloon_cup import public as p
from parlour.engine.balloon_cup.cards import COLOUR_OF, NUMBER
from parlour.engine.balloon_cup.flight import Flight, placed, sums, winner
from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.engine.balloon_cup.state import State
from parlour.engine.chance import SECRET_BYTES, Seeded
from parlour.engine.choices import Choices
from parlour.engine.secret import Seat

CANDIDATES = 8
PLIES = 10
"""How far a playout goes before the position is judged."""
CLOSE = 0.12
"""A candidate that looks so much worse than the best one is not tried."""


def choose(sight: Sight, luck: Random, budget: Budget) -> p.Action:
    state: State = sight.world(luck)
    scored = sorted(
        [(greedy.score(state, sight.seat, action), luck.random(), action) for action in sight.choices],
        key=lambda entry: (-entry[0], entry[1]),
    )
    top = scored[0][0]
    candidates: list[p.Action] = [action for score, _, action in scored[:CANDIDATES] if score > top - CLOSE]
    if len(candidates) == 1 or top >= greedy.WON or state.phase == "exchange":
        return candidates[0]
    game = BalloonCup()
    secret = luck.randbytes(SECRET_BYTES - 4)

    @functools.lru_cache(maxsize=2)
    def world(number: int) -> State:
        return game.imagine(sight.view, sight.seat, Seeded(secret + number.to_bytes(4, "big")))

    def simulate(action: p.Action, number: int) -> float:
        chance = Seeded(secret + number.to_bytes(4, "little"))
        return playout(game, game.apply(world(number), sight.seat, action, chance).state, sight.seat, chance)

    return best(candidates, budget, simulate)[0]


def playout(game: BalloonCup, state: State, seat: Seat, chance: Seeded) -> float:
    """What a seat has after some plies of quick play on both sides: the chance to win, 0 to 1."""
    for _ in range(PLIES):
        turn = state.turn
        if turn is None:
            break
        state = game.apply(state, turn, quick(state, turn, game.legal(state, turn)), chance).state
    outcome = game.outcome(state)
    if outcome is not None:
        return 0.5 if not outcome.winners else float(seat in outcome.winners)
    other = Seat(1 - seat)
    return min(1.0, max(0.0, (worth(state, seat) + 1 - worth(state, other)) / 2))


def quick(state: State, seat: Seat, choices: Choices[p.Action]) -> p.Action:
    """A good move at little cost: of each colour the ends of the hand, and only the tile that changes."""
    if state.phase == "exchange":
        return choices[choices.count - 1]
    if state.phase == "claim":
        return max(choices, key=lambda action: greedy.score(state, seat, action))
    flights = {flight.number: flight for flight in state.flights}
    found: p.Action | None = None
    most = -2.0
    for pattern in choices.patterns:
        if pattern.kind is not p.Play:
            continue
        cards, tile, side = pattern.fields
        flight = flights[tile]
        won, lost = stakes(flight.cubes, state.prizes, seat)
        now = outlook(flight, seat, 0)
        for card in _ends(cards.values):
            gain = (won - lost) * (_after(flight, side, card, seat) - now)
            if gain > most:
                most, found = gain, p.Play(p.CARDS[card], tile, side)
    return choices[0] if found is None else found


@functools.lru_cache(maxsize=16384)
def _ends(cards: tuple[p.Card, ...]) -> tuple[int, ...]:
    """Of each colour the lowest card and the highest."""
    by_colour: dict[int, list[int]] = {}
    for card in cards:
        by_colour.setdefault(COLOUR_OF[NUMBER[card]], []).append(NUMBER[card])
    return tuple({end for held in by_colour.values() for end in (min(held), max(held))})


@functools.lru_cache(maxsize=65536)
def _after(flight: Flight, side: int, card: int, seat: Seat) -> float:
    """The chance to win a flight once a card is there, whatever else is in the hand."""
    after = placed(flight, side, card)
    if not after.room:
        return float(winner(after.mountain, sums(after), seat) == seat)
    return outlook(after, seat, 0)
