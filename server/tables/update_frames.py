"""One moment of a game as frames of `update`: what viewers share is packed once."""

import functools
from collections.abc import Iterable
from typing import Any, Final

from parlour.engine.choices import Choices, PatternMap
from parlour.engine.game import Deadline
from parlour.engine.match import Match
from parlour.engine.patterns import ONE_OF, pattern_to_map
from parlour.engine.secret import Seat, Viewer
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Update
from parlour.protocol.parts import NOTHING, entries, list_header, map_header, part
from parlour.server.tables.view_writer import Segments, Written, fill, view_writer, write_news

Plain = dict[str, Any]
FIELDS: Final = 9
"""Fields of an update, with its type: a test compares every frame with the message class."""
QUESTION_FIELDS: Final = 4
_CLOCK, _VIEW, _NEWS, _QUESTION, _LEGAL, _TURN, _SEQ, _RESULT = map(
    part, ("clock", "view", "news", "question", "legal", "turn", "seq", "result")
)
_NOT_ASKED = _QUESTION + NOTHING


Asked = tuple[int, Deadline, Choices[Any]]
"""What a question to a seat is made of: its number, what the clock measures, and what is legal."""


# Parts that many frames have


@functools.lru_cache(maxsize=4096)
def _opening(table: str) -> bytes:
    return map_header(FIELDS) + entries({"type": Update.WORD, "table": table}) + _VIEW


@functools.lru_cache(maxsize=1024)
def _awaited(seats: frozenset[Seat]) -> bytes:
    return entries({"awaited": sorted(seats)})


@functools.lru_cache(maxsize=4096)
def _question_head(phase: str, scramble: bool, patterns: int) -> bytes:
    fields = entries({"phase": phase, "scramble": scramble})
    return b"".join((_QUESTION, map_header(QUESTION_FIELDS), fields, _LEGAL, list_header(patterns)))


def _pack_row(row: PatternMap, open_field: str) -> bytes:
    """Packs a pattern up to the values of its open field."""
    some = map_header(len(row) + 1), entries(row), part(open_field), map_header(1), part(ONE_OF)
    row.kept = packed = b"".join(some)
    return packed


def _pack_pattern(pattern: PatternMap) -> bytes:
    pattern.kept = packed = part(pattern)
    return packed


def _add_question(parts: list[Any], deadline: Deadline, legal: Choices[Any]) -> None:
    """Adds a question to the parts of a frame, up to its turn, which comes last."""
    open_field = legal.open_field
    if open_field is None:
        patterns = list(map(pattern_to_map, legal.patterns))
        parts.append(_question_head(deadline.phase, deadline.scramble, len(patterns)))
        parts += [pattern.kept or _pack_pattern(pattern) for pattern in patterns]
    else:
        rows = legal.rows()
        parts.append(_question_head(deadline.phase, deadline.scramble, len(rows)))
        values: dict[Any, bytes] = {}  # those of one row are often those of another
        for row, of in rows:
            packed = values.get(of)
            if packed is None:
                packed = values[of] = part(legal.values(of))
            parts += (row.kept or _pack_row(row, open_field), packed)


class UpdateFrames:
    """An update, as one frame for each viewer, in three pieces.

    The first has what changes seldom in a view, and is that of the update before while nothing of it has
    changed; the second has what else is shown to all. Frames that are kept share both.
    """

    __slots__ = ("_all_gaps", "_news_gaps", "_parts", "_shown", "_view_gaps", "written")

    def __init__(
        self,
        table: str,
        match: Match[Any, Any, Any],
        news: Iterable[Any],
        clock: Plain,
        before: Written | None = None,
    ) -> None:
        """`before`: the view of the update before this one, if it was of the same game; it is written on."""
        writer = view_writer(match.game.views)
        if before is None:
            before = writer.write(match.state, _opening(table))
        else:
            writer.write_on(before, match.state)
        self.written = before
        view, layout = before.parts, before.layout
        self._shown = b"".join(view[layout.begin : layout.shown])
        self._parts = parts = view[layout.shown :]
        written_news = list(map(write_news, news))
        head = _awaited(match.awaited), _CLOCK, part(clock), _NEWS, list_header(len(written_news))
        parts.append(b"".join(head))
        gaps: list[int] = []
        for item in written_news:
            if type(item) is Segments:
                gaps += [len(parts) + gap for gap in item.gaps]
                parts += item.parts
            else:
                parts.append(item)
        self._view_gaps, self._news_gaps, self._all_gaps = layout.gaps, gaps, layout.gaps + gaps

    def frame_for(
        self, viewer: Viewer, eyes: Viewer, seq: int, asked: Asked | None, result: Plain | None
    ) -> Frame:
        """Makes the frame for a viewer; `eyes` says whose view it has, which may be that of all seats."""
        parts = self._parts.copy()
        if eyes is viewer:
            fill(parts, self._all_gaps, viewer)
        else:
            fill(parts, self._view_gaps, eyes)
            fill(parts, self._news_gaps, viewer)
        ended = NOTHING if result is None else part(result)
        if asked is None:
            parts += (_NOT_ASKED, _SEQ, part(seq), _RESULT, ended)
        else:
            turn, deadline, legal = asked
            _add_question(parts, deadline, legal)
            parts += (_TURN, part(turn), _SEQ, part(seq), _RESULT, ended)
        return Frame((self.written.steady, self._shown, b"".join(parts)))
