"""A bot that tries its best few actions out in worlds that fit what it sees, as long as its budget lasts."""

from collections.abc import Callable
from random import Random
from typing import Any

from parlour.client.bot import Bot
from parlour.client.bots import balloon_search, butterfly_search, hurry_search
from parlour.client.bots.budget import Budget
from parlour.client.bots.greedy import PLAYS
from parlour.client.bots.sight import Sight, written
from parlour.client.decision import Decision
from parlour.client.legal import Action

USUAL = Budget(seconds=1.0)
SHARE = 0.2
"""Of the time that is left, for one decision: there are many in a game."""
SEARCHES: dict[str, Callable[[Sight, Random, Budget], Any]] = {
    "balloon-cup": balloon_search.choose,
    "butterflies": butterfly_search.choose,
    "hurry-cup": hurry_search.choose,
}


class SearchBot(Bot):
    """See the module. A game that it cannot search, it plays greedily."""

    def __init__(self, luck: Random | None = None, budget: Budget = USUAL) -> None:
        self._luck = luck or Random()
        self._budget = budget

    def choose(self, decision: Decision) -> Action:
        if decision.count == 1:
            return decision.pick(self._luck)
        sight = Sight.of(decision)
        search = SEARCHES.get(decision.game)
        if search is None:
            return written(PLAYS[decision.game](sight, self._luck))
        return written(search(sight, self._luck, self._budget.within(sight.until, SHARE)))
