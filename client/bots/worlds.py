"""An action tried out in worlds that fit what a seat sees, with the same luck for every action."""

import functools
from collections.abc import Callable
from random import Random
from typing import Any

from parlour.client.bots.position import Position
from parlour.engine.chance import SECRET_BYTES, Seeded
from parlour.engine.game import Game
from parlour.engine.secret import Seat

Playout = Callable[[Any, Any, Seat, Seeded], float]
"""What a state is worth to a seat, played on with this luck; the game comes first."""


def in_worlds(
    game: Game[Any, Any, Any], position: Position, luck: Random, playout: Playout
) -> Callable[[Any, int], float]:
    """Gives the function that evaluates an action in the world of a number."""
    secret = luck.randbytes(SECRET_BYTES - 4)

    @functools.lru_cache(maxsize=2)
    def world(number: int) -> Any:
        return game.imagine(position.view, position.seat, Seeded(secret + number.to_bytes(4, "big")))

    def simulate(action: Any, number: int) -> float:
        chance = Seeded(secret + number.to_bytes(4, "little"))
        return playout(
            game, game.apply(world(number), position.seat, action, chance).state, position.seat, chance
        )

    return simulate
