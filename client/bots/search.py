"""A bot that tries its best few actions out in worlds that fit what it sees, as long as its budget lasts."""

from random import Random

import attrs

from parlour.client.bots.budget import WALL, Budget
from parlour.client.bots.built_in import BuiltInBot
from parlour.client.bots.catalogue import bots_of
from parlour.client.bots.position import Position, action_to_map
from parlour.client.bots.ranked import Ranked
from parlour.client.decision import Decision
from parlour.client.legal import Action

USUAL = Budget(seconds=1.0)
SHARE = 0.2
"""Of the time that is left, for one decision: there are many in a game."""
HURRIED = 0.3
"""Seconds for a decision in a scramble, at most: whoever thinks for longer finds nothing left to grab."""


class SearchBot(BuiltInBot):
    """Plays the action that did best in its trials; at random in a game without a search."""

    reaction = (0.8, 1.6)

    def __init__(self, luck: Random | None = None, budget: Budget = USUAL) -> None:
        super().__init__(luck)
        self._budget = budget

    def choose(self, decision: Decision) -> Action:
        if bots_of(decision.game).search is None or decision.count == 1:
            return decision.pick(self._luck)
        position = Position.of(decision)
        if decision.scramble:
            soon = WALL() + HURRIED / SHARE
            until = soon if position.until is None else min(soon, position.until)
            position = attrs.evolve(position, until=until)
        return action_to_map(self.rank(position)[0].action)

    def rank(self, position: Position) -> list[Ranked]:
        """The actions that were tried out, best first."""
        search = bots_of(position.game.name).search
        if search is None:
            raise ValueError(f"there is no search for {position.game.name}")
        return search(position, self._luck, self._budget.within(position.until, SHARE))
