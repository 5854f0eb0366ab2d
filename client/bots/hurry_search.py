"""Searching play of Hurry' Cup: every action is tried out, and all drive greedily for two rounds after it."""

import functools
import math
from random import Random

from parlour.client.bots.budget import Budget
from parlour.client.bots.halving import best
from parlour.client.bots.hurry_greedy import Driver
from parlour.client.bots.hurry_worth import rounds_left
from parlour.client.bots.sight import Sight
from parlour.engine.chance import SECRET_BYTES, Seeded
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.rules import HurryCup
from parlour.engine.hurry_cup.state import SEATS_IN, State
from parlour.engine.hurry_cup.track import FINISH
from parlour.engine.secret import Seat

CANDIDATES = 8
ROUNDS = 2
"""How many rounds are driven before the places are judged."""
SHARP = 1.3
"""How sure a lead of one round makes a driver of the win."""
TRUMP, BONUS = 0.12, 0.1
"""Rounds that a token left over is worth."""


def choose(sight: Sight, luck: Random, budget: Budget) -> p.Action:
    state: State = sight.world(luck)
    driver = Driver(state, sight.seat)
    if state.phase == "grab" and state.options.grab == "sealed":
        return p.Rank(tuple(sorted(sight.choices[0].pawns, key=driver.with_pawn)))
    liked = [(driver.rounds(action), luck.random(), action) for action in sight.choices]
    liked.sort(key=lambda entry: entry[:2])
    candidates: list[p.Action] = [action for _, _, action in liked[:CANDIDATES]]
    game = HurryCup()
    secret = luck.randbytes(SECRET_BYTES - 4)

    @functools.lru_cache(maxsize=2)
    def world(number: int) -> State:
        return game.imagine(sight.view, sight.seat, Seeded(secret + number.to_bytes(4, "big")))

    def simulate(action: p.Action, number: int) -> float:
        chance = Seeded(secret + number.to_bytes(4, "little"))
        after = game.apply(world(number), sight.seat, action, chance).state
        return playout(game, after, sight.seat, chance)

    return best(candidates, budget, simulate)[0]


def playout(game: HurryCup, state: State, seat: Seat, chance: Seeded) -> float:
    """The chance to be first, as it looks when all have driven on for some rounds."""
    race, last = state.season.race, state.round + ROUNDS
    while state.waiting and state.round < last and state.season.race == race:
        asked = chance.draw("playout", SEATS_IN[state.waiting])
        state = game.apply(state, asked, quick(game, state, asked), chance).state
    outcome = game.outcome(state)
    if outcome is not None:
        return float(seat in outcome.winners) / max(1, len(outcome.winners))
    return lead(state, seat)


def quick(game: HurryCup, state: State, seat: Seat) -> p.Action:
    """Greedy play, in a world where everything is known."""
    driver = Driver(state, seat)
    choices = game.legal(state, seat)
    if state.phase == "grab" and state.options.grab == "sealed":
        return p.Rank(tuple(sorted(choices[0].pawns, key=driver.with_pawn)))  # type: ignore[union-attr]
    return min(choices, key=driver.rounds)


def lead(state: State, seat: Seat) -> float:
    """The chance to win the race, by the rounds that every car still needs."""
    if state.finished:
        return float(state.finished[0] == seat)
    left = rounds_left(state.road, state.oil)
    needs = [left[min(car, FINISH)] - _tokens(kit) for car, kit in zip(state.cars, state.kits, strict=True)]
    least = min(needs)
    shares = [math.exp(-SHARP * (need - least)) for need in needs]
    return shares[seat] / sum(shares)


def _tokens(kit: int) -> float:
    """What the tokens of a kit are worth: three trumps, and bonuses above them."""
    return TRUMP * (kit & 7).bit_count() + BONUS * (kit >> 6).bit_count()
