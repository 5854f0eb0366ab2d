"""A bot that tries its best few actions out in worlds that fit what it sees, as long as its budget lasts."""

from random import Random

from parlour.client.bot import Bot
from parlour.client.bots.budget import Budget
from parlour.client.bots.catalogue import bots_of
from parlour.client.bots.position import Sight, written
from parlour.client.bots.ranked import Liked
from parlour.client.decision import Decision
from parlour.client.legal import Action

USUAL = Budget(seconds=1.0)
SHARE = 0.2
"""Of the time that is left, for one decision: there are many in a game."""


class SearchBot(Bot):
    """Plays what did best when it was tried out; a game that it cannot search, at random."""

    def __init__(self, luck: Random | None = None, budget: Budget = USUAL) -> None:
        self._luck = luck or Random()
        self._budget = budget

    def choose(self, decision: Decision) -> Action:
        if bots_of(decision.game).search is None or decision.count == 1:
            return decision.pick(self._luck)
        return written(self.liked(Sight.of(decision))[0].action)

    def liked(self, sight: Sight) -> list[Liked]:
        """The actions that were worth a thought, best first."""
        search = bots_of(sight.game.name).search
        if search is None:
            raise ValueError(f"there is no search for {sight.game.name}")
        return search(sight, self._luck, self._budget.within(sight.until, SHARE))
