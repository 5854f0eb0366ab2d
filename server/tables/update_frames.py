"""One moment of a game as frames of `update`: what viewers share is packed once."""

from collections.abc import Iterable
from typing import Any, Final

from parlour.engine.choices import PatternMap
from parlour.engine.match import Match
from parlour.engine.secret import Viewer
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Update
from parlour.protocol.parts import NOTHING, entries, list_header, list_of, map_header, map_of, part
from parlour.server.tables.view_writer import Hidden, Segments, Written, view_writer, write_news

Plain = dict[str, Any]
FIELDS: Final = 9
"""Fields of an update, with its type: a test compares every frame with the message class."""
_SEQ, _QUESTION, _RESULT, _VIEW, _NEWS, _LEGAL = map(
    part, ("seq", "question", "result", "view", "news", "legal")
)
_HEAD: Final = map_header(FIELDS)


def _pack_pattern(pattern: PatternMap) -> bytes:
    pattern.kept = packed = part(pattern)
    return packed


def pack_question(question: Plain) -> bytes:
    """Packs what `LiveGame.question_map` makes: from one question to the next most patterns are the same."""
    head = question.copy()
    patterns: list[PatternMap] = head.pop("legal")
    legal = list_of([pattern.kept or _pack_pattern(pattern) for pattern in patterns])
    return map_of(len(question), entries(head), _LEGAL, legal)


class UpdateFrames:
    """An update, as one frame for each viewer."""

    __slots__ = ("_news_gaps", "_parts", "_view_gaps", "written")

    def __init__(
        self,
        table: str,
        match: Match[Any, Any, Any],
        news: Iterable[Any],
        clock: Plain,
        before: Written | None = None,
    ) -> None:
        """`before`: the view of the update before this one, if it was of the same game."""
        shared = {"type": Update.WORD, "table": table, "awaited": sorted(match.awaited), "clock": clock}
        self.written = view_writer(match.game.views).write(match.state, before)
        parts = self._parts = self.written.parts.copy()
        parts[0] = b"".join((_HEAD, entries(shared), _VIEW, parts[0]))
        self._view_gaps = self.written.gaps
        written = [write_news(item) for item in news]
        parts.append(_NEWS + list_header(len(written)))
        gaps: list[tuple[int, Hidden | Segments]] = []
        for item in written:
            if item.gaps:
                gaps += [(len(parts) + place, hidden) for place, hidden in item.gaps]
            parts += item.parts
        self._news_gaps = gaps

    def frame_for(
        self, viewer: Viewer, eyes: Viewer, seq: int, question: Plain | None, result: Plain | None
    ) -> Frame:
        """Makes the frame for a viewer; `eyes` says whose view it has, which may be that of all seats."""
        parts = self._parts.copy()
        for place, hidden in self._view_gaps:
            parts[place] = hidden.packed_for(eyes)
        for place, hidden in self._news_gaps:
            parts[place] = hidden.packed_for(viewer)
        asked = NOTHING if question is None else pack_question(question)
        ended = NOTHING if result is None else part(result)
        parts.append(b"".join((_SEQ, part(seq), _QUESTION, asked, _RESULT, ended)))
        return Frame(parts)
