"""An action tried out in worlds that fit what a seat sees, with the same luck for every action."""

import functools
from collections.abc import Callable
from random import Random
from typing import Any

from parlour.client.bots.position import Position
from parlour.engine.chance import SECRET_BYTES, Seeded
from parlour.engine.game import Game
from parlour.engine.secret import Seat

NUMBER_BYTES = 4
Likely = Callable[[Any, Random], Any]
"""Changes a world that fits into one that is as likely as what others have done makes it."""
Playout = Callable[[Any, Any, Seat, Seeded], float]
"""What a state is worth to a seat, played on with this luck; the game comes first."""


def worlds(
    game: Game[Any, Any, Any], position: Position, secret: bytes, likely: Likely | None = None
) -> Callable[[int], Any]:
    """Worlds that fit what a seat sees, by number: one for each, whoever asks."""

    @functools.lru_cache(maxsize=2)
    def world(number: int) -> Any:
        seed = secret + number.to_bytes(NUMBER_BYTES, "big")
        state = game.imagine(position.view, position.seat, Seeded(seed))
        return state if likely is None else likely(state, Random(seed))

    return world


def secret_of(luck: Random) -> bytes:
    """What the worlds of one decision follow from, with a number each."""
    return luck.randbytes(SECRET_BYTES - NUMBER_BYTES)


def in_worlds(
    game: Game[Any, Any, Any], position: Position, luck: Random, playout: Playout
) -> Callable[[Any, int], float]:
    """What an action is worth in the world of a number."""
    secret = secret_of(luck)
    world = worlds(game, position, secret)

    def simulate(action: Any, number: int) -> float:
        chance = Seeded(secret + number.to_bytes(NUMBER_BYTES, "little"))
        return playout(
            game, game.apply(world(number), position.seat, action, chance).state, position.seat, chance
        )

    return simulate
