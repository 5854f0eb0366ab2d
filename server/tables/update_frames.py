"""One moment of a game as frames of `update`: what viewers share is packed once."""

from collections.abc import Iterable
from typing import Any, Final

from parlour.engine.identity_cache import cached_by_identity
from parlour.engine.secret import Viewer
from parlour.engine.shown import Shown
from parlour.protocol.messages import Update
from parlour.protocol.parts import entries, list_of, map_of, part

Plain = dict[str, Any]
FIELDS: Final = 9
"""Fields of an update, with its type: a test compares every frame with the message class."""
_SEQ, _QUESTION, _RESULT, _VIEW, _NEWS = map(part, ("seq", "question", "result", "view", "news"))
_NOTHING = part(None)


class PackedPart:
    """A view or a piece of news: its public part is packed once, the rest for each viewer."""

    __slots__ = ("_packed", "_public", "_shown", "_size", "_whole")

    def __init__(self, shown: Shown) -> None:
        self._whole = None if shown.hides else part(shown.public)
        if shown.hides:
            self._shown = shown
            self._size = len(shown.public)
            self._public = entries(shown.public)
            self._packed: dict[Viewer, bytes] = {}

    def packed_for(self, viewer: Viewer) -> bytes:
        if self._whole is not None:
            return self._whole
        packed = self._packed.get(viewer)
        if packed is None:
            secrets = self._shown.secrets(viewer)
            packed = map_of(self._size + len(secrets), self._public, entries(secrets))
            self._packed[viewer] = packed
        return packed


@cached_by_identity
def _news(item: Any) -> PackedPart:
    """Cached: games use the same value for the same piece of news every time."""
    return PackedPart(Shown(item, tagged=True))


class UpdateFrames:
    """An update, as one frame for each viewer."""

    __slots__ = ("_news", "_shared", "_view")

    def __init__(
        self, table: str, view: Any, news: Iterable[Any], awaited: Iterable[int], clock: Plain
    ) -> None:
        shared = {"type": Update.WORD, "table": table, "awaited": sorted(awaited), "clock": clock}
        self._shared = entries(shared)
        self._view = PackedPart(Shown(view))
        self._news = [_news(item) for item in news]

    def frame_for(
        self, viewer: Viewer, eyes: Viewer, seq: int, question: Plain | None, result: Plain | None
    ) -> bytes:
        """Makes the frame for a viewer; `eyes` says whose view it has, which may be that of all seats."""
        asked = _NOTHING if question is None else part(question)
        ended = _NOTHING if result is None else part(result)
        news = list_of([item.packed_for(viewer) for item in self._news])
        own = _SEQ, part(seq), _QUESTION, asked, _RESULT, ended
        return map_of(FIELDS, self._shared, *own, _VIEW, self._view.packed_for(eyes), _NEWS, news)
