"""A bot that looks one move ahead, with an evaluation made by hand for each game."""

from collections.abc import Callable
from random import Random

from parlour.client.bot import Bot
from parlour.client.bots.balloon_cup import greedy as balloon_greedy
from parlour.client.bots.butterflies import greedy as butterfly_greedy
from parlour.client.bots.hurry_cup import greedy as hurry_greedy
from parlour.client.bots.position import Sight, written
from parlour.client.bots.ranked import Liked
from parlour.client.decision import Decision
from parlour.client.legal import Action

LIKED: dict[str, Callable[[Sight, Random], list[Liked]]] = {
    "balloon-cup": balloon_greedy.liked,
    "hurry-cup": hurry_greedy.liked,
    "butterflies": butterfly_greedy.liked,
}
"""By game: all actions that were thought of, best first."""


class GreedyBot(Bot):
    """See the module. A game that it has no eye for, it plays at random."""

    def __init__(self, luck: Random | None = None) -> None:
        self._luck = luck or Random()

    def choose(self, decision: Decision) -> Action:
        if decision.game not in LIKED or decision.count == 1:
            return decision.pick(self._luck)
        return written(self.liked(Sight.of(decision))[0].action)

    def liked(self, sight: Sight) -> list[Liked]:
        """All actions, best first."""
        return LIKED[sight.game.name](sight, self._luck)
