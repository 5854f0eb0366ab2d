"""A bot that looks one move ahead, with an evaluation made by hand for each game."""

from collections.abc import Callable
from random import Random
from typing import Any

from parlour.client.bot import Bot
from parlour.client.bots import balloon_greedy, butterfly_greedy, hurry_greedy
from parlour.client.bots.sight import Sight, written
from parlour.client.decision import Decision
from parlour.client.legal import Action

PLAYS: dict[str, Callable[[Sight, Random], Any]] = {
    "balloon-cup": balloon_greedy.choose,
    "hurry-cup": hurry_greedy.choose,
    "butterflies": butterfly_greedy.choose,
}


class GreedyBot(Bot):
    """See the module. A game that it has no eye for, it plays at random."""

    def __init__(self, luck: Random | None = None) -> None:
        self._luck = luck or Random()

    def choose(self, decision: Decision) -> Action:
        play = PLAYS.get(decision.game)
        if play is None or decision.count == 1:
            return decision.pick(self._luck)
        return written(play(Sight.of(decision), self._luck))
