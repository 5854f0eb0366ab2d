"""GAME_BOTS: how the built-in bots think about each game, a line each."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import attrs

from parlour.client.bots.balloon_cup import greedy as balloon_greedy
from parlour.client.bots.balloon_cup import search as balloon_search
from parlour.client.bots.budget import Budget
from parlour.client.bots.butterflies import greedy as butterfly_greedy
from parlour.client.bots.butterflies import search as butterfly_search
from parlour.client.bots.hurry_cup import greedy as hurry_greedy
from parlour.client.bots.hurry_cup import search as hurry_search
from parlour.client.bots.hurry_cup.race import race
from parlour.client.bots.position import Position
from parlour.client.bots.ranked import Ranked


@attrs.frozen
class GameBots:
    """How bots rank the actions of a game. Where one is None, that strategy plays at random."""

    greedy: Callable[[Position, Random], list[Ranked]] | None = None
    """Ranks all actions by the position after each."""
    search: Callable[[Position, Random, Budget], list[Ranked]] | None = None
    """Ranks the most promising actions by trying them out."""
    race: Callable[[Mapping[str, Any], Mapping[str, Any]], object] | None = None
    """In a scramble: which race an action is part of, by the view; None if it hurries nobody."""


GAME_BOTS: dict[str, GameBots] = {
    "balloon-cup": GameBots(balloon_greedy.rank, balloon_search.rank),
    "hurry-cup": GameBots(hurry_greedy.rank, hurry_search.rank, race),
    "butterflies": GameBots(butterfly_greedy.rank, butterfly_search.rank),
}
NONE = GameBots()


def bots_of(game: str) -> GameBots:
    """The entry of a game; one without any strategy for a game that is not listed."""
    return GAME_BOTS.get(game, NONE)
