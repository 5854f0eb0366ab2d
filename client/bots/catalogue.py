"""GAME_BOTS: how the built-in bots think about each game, a line each."""

from collections.abc import Callable
from random import Random

import attrs

from parlour.client.bots.balloon_cup import greedy as balloon_greedy
from parlour.client.bots.balloon_cup import search as balloon_search
from parlour.client.bots.budget import Budget
from parlour.client.bots.butterflies import greedy as butterfly_greedy
from parlour.client.bots.butterflies import search as butterfly_search
from parlour.client.bots.hurry_cup import greedy as hurry_greedy
from parlour.client.bots.hurry_cup import search as hurry_search
from parlour.client.bots.position import Sight
from parlour.client.bots.ranked import Liked


@attrs.frozen
class GameBots:
    """What a game brings for bots. A strategy that it does not bring plays it at random."""

    greedy: Callable[[Sight, Random], list[Liked]] | None = None
    """All actions that were thought of, best first, by one look ahead."""
    search: Callable[[Sight, Random, Budget], list[Liked]] | None = None
    """Those that were worth a thought, best first, by trying them out."""


GAME_BOTS: dict[str, GameBots] = {
    "balloon-cup": GameBots(balloon_greedy.liked, balloon_search.liked),
    "hurry-cup": GameBots(hurry_greedy.liked, hurry_search.liked),
    "butterflies": GameBots(butterfly_greedy.liked, butterfly_search.liked),
}
NONE = GameBots()


def bots_of(game: str) -> GameBots:
    """How bots think about a game; about one that is not listed, not at all."""
    return GAME_BOTS.get(game, NONE)
