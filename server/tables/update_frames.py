"""One moment of a game as frames of `update`: what viewers share is packed once."""

from collections.abc import Iterable
from typing import Any, Final

from parlour.engine.secret import Viewer
from parlour.protocol.messages import Update
from parlour.protocol.parts import NOTHING, entries, list_of, map_of, part
from parlour.server.tables.view_writer import ViewWriter, Written, write_news

Plain = dict[str, Any]
FIELDS: Final = 9
"""Fields of an update, with its type: a test compares every frame with the message class."""
_SEQ, _QUESTION, _RESULT, _VIEW, _NEWS = map(part, ("seq", "question", "result", "view", "news"))


class UpdateFrames:
    """An update, as one frame for each viewer."""

    __slots__ = ("_news", "_shared", "_views", "written")

    def __init__(
        self,
        table: str,
        view: Any,
        news: Iterable[Any],
        awaited: Iterable[int],
        clock: Plain,
        before: Written | None = None,
    ) -> None:
        """`before`: the view of the update before this one, if it was of the same game."""
        shared = {"type": Update.WORD, "table": table, "awaited": sorted(awaited), "clock": clock}
        self._shared = entries(shared)
        self.written = ViewWriter.of(type(view)).write(view, before)
        self._views: dict[Viewer, bytes] = {}
        self._news = [write_news(item) for item in news]

    def frame_for(
        self, viewer: Viewer, eyes: Viewer, seq: int, question: Plain | None, result: Plain | None
    ) -> bytes:
        """Makes the frame for a viewer; `eyes` says whose view it has, which may be that of all seats."""
        asked = NOTHING if question is None else part(question)
        ended = NOTHING if result is None else part(result)
        news = list_of([item.packed_for(viewer) for item in self._news])
        view = self._views.get(eyes)
        if view is None:
            view = self._views[eyes] = self.written.packed_for(eyes)
        return map_of(
            FIELDS, self._shared, _SEQ, part(seq), _QUESTION, asked, _RESULT, ended, _VIEW, view, _NEWS, news
        )
