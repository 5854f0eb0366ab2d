"""A bot that tries its best few actions out in worlds that fit what it sees, as long as its budget lasts."""

from collections.abc import Callable
from random import Random

from parlour.client.bot import Bot
from parlour.client.bots.balloon_cup import search as balloon_search
from parlour.client.bots.budget import Budget
from parlour.client.bots.butterflies import search as butterfly_search
from parlour.client.bots.hurry_cup import search as hurry_search
from parlour.client.bots.position import Sight, written
from parlour.client.bots.ranked import Liked
from parlour.client.decision import Decision
from parlour.client.legal import Action

USUAL = Budget(seconds=1.0)
SHARE = 0.2
"""Of the time that is left, for one decision: there are many in a game."""
SEARCHES: dict[str, Callable[[Sight, Random, Budget], list[Liked]]] = {
    "balloon-cup": balloon_search.liked,
    "butterflies": butterfly_search.liked,
    "hurry-cup": hurry_search.liked,
}


class SearchBot(Bot):
    """See the module. A game that it cannot search, it plays at random."""

    def __init__(self, luck: Random | None = None, budget: Budget = USUAL) -> None:
        self._luck = luck or Random()
        self._budget = budget

    def choose(self, decision: Decision) -> Action:
        if decision.game not in SEARCHES or decision.count == 1:
            return decision.pick(self._luck)
        return written(self.liked(Sight.of(decision))[0].action)

    def liked(self, sight: Sight) -> list[Liked]:
        """The actions that were worth a thought, best first."""
        return SEARCHES[sight.game.name](sight, self._luck, self._budget.within(sight.until, SHARE))
