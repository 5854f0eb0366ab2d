"""A bot that looks one move ahead, with an evaluation made by hand for each game."""

from random import Random

from parlour.client.bot import Bot
from parlour.client.bots.catalogue import bots_of
from parlour.client.bots.position import Sight, written
from parlour.client.bots.ranked import Liked
from parlour.client.decision import Decision
from parlour.client.legal import Action


class GreedyBot(Bot):
    """Plays the action that ranks first; a game that it has no eye for, at random."""

    def __init__(self, luck: Random | None = None) -> None:
        self._luck = luck or Random()

    def choose(self, decision: Decision) -> Action:
        if bots_of(decision.game).greedy is None or decision.count == 1:
            return decision.pick(self._luck)
        return written(self.liked(Sight.of(decision))[0].action)

    def liked(self, sight: Sight) -> list[Liked]:
        """All actions, best first."""
        rank = bots_of(sight.game.name).greedy
        if rank is None:
            raise ValueError(f"there is no greedy play for {sight.game.name}")
        return rank(sight, self._luck)
