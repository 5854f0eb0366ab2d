"""One moment of a game as the frames of `update`: what viewers share is written and packed once."""

from collections.abc import Iterable
from typing import Any, Final

from parlour.engine.kept import kept
from parlour.engine.secret import Viewer
from parlour.engine.shown import Shown
from parlour.protocol.messages import Update
from parlour.protocol.parts import entries, list_of, map_of, part

Plain = dict[str, Any]
FIELDS: Final = 9
"""Of an update, with its type: a test holds every frame to the message class."""
_SEQ, _QUESTION, _RESULT, _VIEW, _NEWS = map(part, ("seq", "question", "result", "view", "news"))
_NOTHING = part(None)


class Piece:
    """A view or a piece of news, packed for one viewer after the other."""

    __slots__ = ("_packed", "_public", "_shown", "_size", "_whole")

    def __init__(self, shown: Shown) -> None:
        self._whole = None if shown.hides else part(shown.public)
        if shown.hides:
            self._shown = shown
            self._size = len(shown.public)
            self._public = entries(shown.public)
            self._packed: dict[Viewer, bytes] = {}

    def to(self, viewer: Viewer) -> bytes:
        if self._whole is not None:
            return self._whole
        packed = self._packed.get(viewer)
        if packed is None:
            secrets = self._shown.secrets(viewer)
            packed = map_of(self._size + len(secrets), self._public, entries(secrets))
            self._packed[viewer] = packed
        return packed


@kept
def _news(item: Any) -> Piece:
    """Kept: games tell of a card by the same piece of news every time."""
    return Piece(Shown(item, tagged=True))


class Telling:
    """What happened, and what things look like now."""

    __slots__ = ("_news", "_shared", "_view")

    def __init__(
        self, table: str, view: Any, news: Iterable[Any], awaited: Iterable[int], clock: Plain
    ) -> None:
        shared = {"type": Update.WORD, "table": table, "awaited": sorted(awaited), "clock": clock}
        self._shared = entries(shared)
        self._view = Piece(Shown(view))
        self._news = [_news(item) for item in news]

    def to(
        self, viewer: Viewer, eyes: Viewer, seq: int, question: Plain | None, result: Plain | None
    ) -> bytes:
        """The frame for a viewer, who may look with the eyes of one who sees everything."""
        asked = _NOTHING if question is None else part(question)
        ended = _NOTHING if result is None else part(result)
        news = list_of([item.to(viewer) for item in self._news])
        own = _SEQ, part(seq), _QUESTION, asked, _RESULT, ended
        return map_of(FIELDS, self._shared, *own, _VIEW, self._view.to(eyes), _NEWS, news)
