"""Greedy play of Stones: to leave a multiple of four."""

from random import Random

from parlour.client.bots.catalogue import GameBots
from parlour.client.bots.position import Position
from parlour.client.bots.ranked import Ranked


def rank(position: Position, _luck: Random) -> list[Ranked]:
    best = sorted(position.choices, key=lambda action: (position.view.stones - action.count) % 4)
    return [Ranked(action, "only") for action in best]


STONES = GameBots(rank)
