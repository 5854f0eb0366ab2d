"""One moment of a game as the frames of `update`: what all viewers share is written down once."""

from collections.abc import Iterable
from typing import Any

from parlour.engine.secret import Viewer
from parlour.engine.shown import Shown
from parlour.protocol.codec import pack
from parlour.protocol.messages import Update

Plain = dict[str, Any]


class Telling:
    """What happened, and what things look like now."""

    __slots__ = ("_news", "_plain", "_view")

    def __init__(
        self, table: str, view: Any, news: Iterable[Any], awaited: Iterable[int], clock: Plain
    ) -> None:
        self._view = Shown(view)
        self._news = [Shown(item, tagged=True) for item in news]
        # Written as it is packed: to make an `Update` and write that down would cost as much again.
        self._plain = {
            "type": Update.WORD,
            "table": table,
            "seq": 0,
            "view": None,
            "news": None,
            "awaited": sorted(awaited),
            "question": None,
            "clock": clock,
            "result": None,
        }

    def to(
        self, viewer: Viewer, eyes: Viewer, seq: int, question: Plain | None, result: Plain | None
    ) -> bytes:
        """The frame for a viewer, who may look with the eyes of one who sees everything."""
        plain = self._plain
        plain["seq"] = seq
        plain["view"] = self._view.to(eyes)
        plain["news"] = [item.to(viewer) for item in self._news]
        plain["question"] = question
        plain["result"] = result
        return pack(plain)
