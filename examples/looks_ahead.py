"""A bot that tries its actions out in worlds that it imagines: python looks_ahead.py [URL]

It uses the rules as a library, and plays Balloon Cup: in each of a few worlds that fit what it sees it takes
some actions, lets chance play on for a few turns after each, and counts cubes.
"""

import random
import secrets
import sys
from typing import Any

from parlour.client import Bot, Decision, run
from parlour.client.legal import Action
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.maps import from_map

WORLDS, TURNS = 3, 6
GAME = GAMES["balloon-cup"]


class LooksAhead(Bot):
    def choose(self, decision: Decision) -> Action:
        view = from_map(GAME.view_class, decision.view)
        actions = random.sample(found := list(decision.every()), min(12, len(found)))
        worth = [0.0] * len(actions)
        for _ in range(WORLDS):
            chance = Seeded(secrets.token_bytes(32))
            world = GAME.imagine(view, decision.seat, chance)
            for number, action in enumerate(actions):
                worth[number] += try_out(world, decision.seat, action, chance.fork())
        return actions[worth.index(max(worth))]


def try_out(world: Any, seat: Any, action: Action, chance: Seeded) -> float:
    """Cubes of ours without theirs, some turns after this action."""
    state = GAME.act(world, seat, GAME.read_action(action), chance).state
    for _ in range(TURNS):
        for asked in GAME.awaited(state):
            choices = GAME.legal(state, asked)
            state = GAME.act(state, asked, choices[chance.roll("any", choices.count) - 1], chance).state
    cubes = [sum(each.values()) for each in GAME.position(state)["cubes"]]
    trophies = list(GAME.position(state)["trophies"].values())
    return cubes[seat] - cubes[1 - seat] + 5.0 * (trophies.count(seat) - trophies.count(1 - seat))


if __name__ == "__main__":
    url = sys.argv[1] if len(sys.argv) > 1 else "ws://localhost:21925"
    print(run(LooksAhead, url, game="balloon-cup")[0].won)
