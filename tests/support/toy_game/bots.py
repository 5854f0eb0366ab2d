"""Greedy play of Stones: to leave a multiple of four."""

from random import Random

from parlour.client.bots.catalogue import GameBots
from parlour.client.bots.position import Sight
from parlour.client.bots.ranked import Liked


def liked(sight: Sight, _luck: Random) -> list[Liked]:
    best = sorted(sight.choices, key=lambda action: (sight.view.stones - action.count) % 4)
    return [Liked(action, "only") for action in best]


STONES = GameBots(liked)
