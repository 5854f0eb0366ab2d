"""An action tried out in worlds that fit what a seat sees, with the same luck for every action."""

import functools
from collections.abc import Callable
from random import Random
from typing import Any

from parlour.client.bots.position import Sight
from parlour.engine.chance import SECRET_BYTES, Seeded
from parlour.engine.game import Game
from parlour.engine.secret import Seat

Playout = Callable[[Any, Any, Seat, Seeded], float]
"""What a state is worth to a seat, played on with this luck; the game comes first."""


def in_worlds(
    game: Game[Any, Any, Any], sight: Sight, luck: Random, playout: Playout
) -> Callable[[Any, int], float]:
    """What an action is worth in the world of a number."""
    secret = luck.randbytes(SECRET_BYTES - 4)

    @functools.lru_cache(maxsize=2)
    def world(number: int) -> Any:
        return game.imagine(sight.view, sight.seat, Seeded(secret + number.to_bytes(4, "big")))

    def simulate(action: Any, number: int) -> float:
        chance = Seeded(secret + number.to_bytes(4, "little"))
        return playout(game, game.apply(world(number), sight.seat, action, chance).state, sight.seat, chance)

    return simulate
