"""Searching play of Hurry' Cup: actions are tried out, and all drive carefully for some rounds after."""

import math
from random import Random

from parlour.client.bots.budget import Budget
from parlour.client.bots.halving import best
from parlour.client.bots.hurry_cup.prospect import prospect_of
from parlour.client.bots.hurry_cup.racer import Racer
from parlour.client.bots.position import Position
from parlour.client.bots.ranked import Ranked, by_trial
from parlour.client.bots.worlds import in_worlds
from parlour.engine.chance import Seeded
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.rules import HurryCup
from parlour.engine.hurry_cup.state import DRIVING_ORDER, SEATS_IN, State
from parlour.engine.hurry_cup.track import FINISH
from parlour.engine.secret import Seat

CANDIDATES = 6
CLOSE = 1.2
"""A candidate that needs so many rounds more than the best one is not tried."""
ROUNDS = 2
"""How many rounds are driven before the places are judged."""
SHARP = 3.0
"""How sure a lead of one round, one round from the finish, makes a driver of the win."""
TURN = 0.1
"""Rounds that it costs to drive later than others in a round."""


def rank(position: Position, luck: Random, budget: Budget) -> list[Ranked]:
    state: State = position.world(luck)
    racer = Racer(state, position.seat)
    if state.phase == "grab" and state.options.grab == "sealed":
        wishes = sorted(position.choices[0].pawns, key=racer.with_pawn)
        return [Ranked(p.Rank(tuple(wishes)), "rounds", racer.with_pawn(wishes[0]))]
    scored = [(racer.rounds(action), luck.random(), action) for action in position.choices]
    scored.sort(key=lambda entry: entry[:2])
    least = scored[0][0]
    tried = [action for rounds, _, action in scored if rounds < least + CLOSE]
    candidates: list[p.Action] = tried[:CANDIDATES]
    if len(candidates) == 1 or state.finished:
        return [Ranked(action, "rounds", rounds) for rounds, _, action in scored]
    simulate = in_worlds(HurryCup(), position, luck, playout)
    return by_trial(candidates, best(candidates, budget, simulate))


def playout(game: HurryCup, state: State, seat: Seat, chance: Seeded) -> float:
    """The chance to be first, as it looks when all have driven on for some rounds."""
    race, wins, last = state.season.race, state.season.wins[seat], state.round + ROUNDS
    while state.waiting and state.round < last and state.season.race == race and not state.finished:
        asked = chance.draw("playout", SEATS_IN[state.waiting])
        state = game.apply(state, asked, quick(game, state, asked), chance).state
    if state.season.race != race:
        return float(state.season.wins[seat] > wins)
    return lead(state, seat)


def quick(game: HurryCup, state: State, seat: Seat) -> p.Action:
    """Careful driving, in a world where everything is known."""
    racer = Racer(state, seat)
    choices = game.legal(state, seat)
    if state.phase == "grab" and state.options.grab == "sealed":
        return p.Rank(tuple(sorted(choices[0].pawns, key=racer.with_pawn)))  # type: ignore[union-attr]
    return racer.best(choices)


def lead(state: State, seat: Seat) -> float:
    """The chance to win the race, by the rounds that every car still needs."""
    if state.finished:
        return float(state.finished[0] == seat)
    prospect = prospect_of(state.road, state.oil)
    needs = [prospect.of(kit)[min(car, FINISH)] for car, kit in zip(state.cars, state.kits, strict=True)]
    for turn, driver in enumerate(DRIVING_ORDER[len(needs)][state.starter]):
        needs[driver] += TURN * turn
    least = min(needs)
    sharp = SHARP / math.sqrt(max(least, 0.5))
    shares = [math.exp(-sharp * (need - least)) for need in needs]
    return shares[seat] / sum(shares)
