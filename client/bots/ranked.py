"""What a strategy thinks of an action: how good it is, and by which measure."""

from collections.abc import Sequence
from typing import Any, Literal

import attrs

from parlour.client.bots.halving import Trial

Measure = Literal["tried", "chance", "rounds", "rows", "only", "any"]
"""A share of games tried out that were won; how likely a win looks; rounds to the finish; what rows are
worth; nothing else is worth a thought; all are alike."""


@attrs.frozen
class Ranked:
    """An action, in the engine's classes, and its evaluation."""

    action: Any
    measure: Measure
    evaluation: float = 0.0
    games: int = 0
    """How many were tried out."""

    @property
    def wins(self) -> bool:
        """Whether the game is won by it, as far as one move ahead can tell."""
        return self.measure == "chance" and self.evaluation >= 1.0


def by_trial(candidates: Sequence[Any], trials: Sequence[Trial]) -> list[Ranked]:
    """Ranks what a search tried out: first the action that it plays, then those that lasted longest."""
    return [Ranked(candidates[each.place], "tried", each.mean, each.worlds) for each in trials]
