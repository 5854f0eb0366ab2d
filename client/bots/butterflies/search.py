"""Searching play of Butterflies: the best dozen actions, followed in worlds with goals as they may be."""

from random import Random

from parlour.client.bots.budget import Budget
from parlour.client.bots.butterflies.belief import beliefs, believed
from parlour.client.bots.butterflies.evaluation import Looks
from parlour.client.bots.butterflies.greedy import WON, Collector
from parlour.client.bots.butterflies.lookahead import Lookahead
from parlour.client.bots.halving import best
from parlour.client.bots.position import Position
from parlour.client.bots.ranked import Ranked, by_trial
from parlour.client.bots.worlds import secret_of, worlds
from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.butterflies.state import State

CANDIDATES = 12


def rank(position: Position, luck: Random, budget: Budget) -> list[Ranked]:
    collector = Collector.of(position, luck)
    scored = [(score, luck.random(), action) for score, action in collector.scored(position)]
    scored.sort(key=lambda entry: (-entry[0], entry[1]))
    candidates: list[p.Action] = [action for score, _, action in scored[:CANDIDATES] if score > -WON]
    if scored[0][0] >= WON:
        return [Ranked(scored[0][2], "chance", 1.0)]
    if len(candidates) < 2:
        return [Ranked(scored[0][2], "only")]
    game = Butterflies()
    looks = Looks(collector.cards)
    told = beliefs(position.news, len(position.view.hands))

    def likely(state: State, luck: Random) -> State:
        return believed(state, position.view, told, luck)

    world = worlds(game, position, secret_of(luck), likely)

    def simulate(action: p.Action, number: int) -> float:
        return Lookahead(game, world(number), position.seat, looks).evaluate(action)

    return by_trial(candidates, best(candidates, budget, simulate))
