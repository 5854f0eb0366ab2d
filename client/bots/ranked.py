"""What a strategy thinks of an action: how good it is, and by which measure."""

from collections.abc import Sequence
from typing import Any, Literal

import attrs

from parlour.client.bots.halving import Tried

Measure = Literal["tried", "chance", "rounds", "rows", "only", "any"]
"""A share of games tried out that were won; how likely a win looks; rounds to the finish; what rows are
worth; nothing else is worth a thought; all are alike."""


@attrs.frozen
class Liked:
    """An action, in the engine's words, and what it is worth."""

    action: Any
    measure: Measure
    worth: float = 0.0
    games: int = 0
    """How many were tried out."""


def by_trial(candidates: Sequence[Any], tried: Sequence[Tried]) -> list[Liked]:
    """What a search has found: the one that it plays first, then those that lasted longest."""
    return [Liked(candidates[each.place], "tried", each.mean, each.worlds) for each in tried]
