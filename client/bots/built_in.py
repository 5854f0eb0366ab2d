"""What all built-in bots have in common: in a scramble with people they are as slow as a person."""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from parlour.client.bot import Bot
from parlour.client.bots.catalogue import bots_of
from parlour.client.decision import Decision


class BuiltInBot(Bot):
    """A bot of one of the levels."""

    reaction: ClassVar[tuple[float, float]] = (0.0, 0.0)
    """The shortest and the longest time that a person of this level takes to honk or to grab."""

    def __init__(self, luck: Random | None = None) -> None:
        self._luck = luck or Random()
        self._race: object = None
        self._pause = 0.0

    def pause(self, decision: Decision, action: Mapping[str, Any]) -> float:
        """One draw for each race: whoever is awake honks and grabs early."""
        race_of = bots_of(decision.game).race
        race = race_of(decision.view, action) if race_of is not None else None
        if race is None:
            return 0.0
        if race != self._race:
            self._race, self._pause = race, self._luck.uniform(*self.reaction)
        return self._pause
