"""What a bot is asked: the position as its seat may know it, and what it may do."""

import time
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import attrs

from parlour.client import legal as patterns
from parlour.client.table import Table
from parlour.protocol.messages import Question

LUCK = Random()
"""Used when a bot brings no luck of its own."""


@attrs.frozen
class Decision:
    """All that a bot may know when it is asked."""

    game: str
    options: Mapping[str, Any]
    seat: int
    view: Mapping[str, Any]
    legal: Sequence[Mapping[str, Any]]
    """Patterns; the functions below save looking into them."""
    news: Sequence[Mapping[str, Any]]
    """What has happened so far in this game."""
    news_missed: bool
    """Some of it happened while the connection was lost; the view has all that came of it."""
    phase: str
    scramble: bool
    turn: int
    seq: int
    until: float | None
    """When time is up, on the clock of `time.monotonic`."""

    @classmethod
    def at(cls, table: Table, view: Mapping[str, Any], question: Question) -> "Decision":
        now = time.monotonic()
        left = table.time_left(now)
        return cls(
            game=table.info.game,
            options=table.info.options,
            seat=table.seat or 0,
            view=view,
            legal=question.legal,
            news=tuple(table.news),
            news_missed=table.news_missed,
            phase=question.phase,
            scramble=question.scramble,
            turn=question.turn,
            seq=table.seq,
            until=None if left is None else now + left,
        )

    @property
    def seconds_left(self) -> float | None:
        """None: there is no limit."""
        return None if self.until is None else max(0.0, self.until - time.monotonic())

    @property
    def count(self) -> int:
        """How many actions are legal."""
        return patterns.count(self.legal)

    def pick(self, luck: Random | None = None) -> patterns.Action:
        """Any legal action, each as likely as the others."""
        return patterns.pick(self.legal, luck or LUCK)

    def every(self) -> Iterator[patterns.Action]:
        """All legal actions, one after the other."""
        return patterns.every(self.legal)
