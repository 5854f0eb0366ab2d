"""The story of a table so far, in sentences: what happened and what was said, in the order it was heard."""

from collections.abc import Mapping, Sequence

import attrs

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.ending import ending
from parlour.client.boards.reader import Reader
from parlour.client.boards.text import Line, columns, wrapped
from parlour.client.language import Texts
from parlour.client.language.safe import safe
from parlour.client.table import Table
from parlour.protocol import messages as m

LOOKED_BACK = 20
"""Sentences; twice as many at most are laid out in lines."""
FEW = 3
"""Lines, up to which sentences share them."""


def names_of(table: Table) -> list[str]:
    return [safe(chair.name) if chair is not None else "?" for chair in table.chairs]


def _with_substitutes(names: list[str], chosen_by: Mapping[int, str], texts: Texts) -> list[str]:
    """The names of those who chose: of a bot that played for somebody, both."""
    return [
        texts("absence.for", bot=safe(chosen_by[seat]), name=name) if seat in chosen_by else name
        for seat, name in enumerate(names)
    ]


def said_by(line: m.Line, width: int, texts: Texts) -> list[str]:
    """What somebody said, with the name before every line: none may pass for the game's or another's."""
    who = texts("list.lead", what=safe(line.name))
    return [f"{who}{piece}" for piece in wrapped(safe(line.text), max(8, width - columns([("", who)])))]


def _unheard(before: Sequence[m.Line], now: Sequence[m.Line]) -> list[m.Line]:
    """What is new; a server that was started again has another clock, and tells the same words anew."""
    if any(line in before for line in now):
        return [line for line in now if line not in before]
    old, new = ([(line.name, line.text) for line in lines] for lines in (before, now))
    known = next(
        most for most in range(min(len(old), len(new)), -1, -1) if old[len(old) - most :] == new[:most]
    )
    return list(now[known:])


def _time_up(names: Sequence[str], seat: int, me: int | None, texts: Texts) -> str:
    return texts("play.time_up") if seat == me else texts("play.time_up_for", who=names[seat])


def _comings_and_goings(before: Sequence[m.Chair | None], table: Table, texts: Texts) -> list[str]:
    """Who has left a game that goes on, and who is back. Who is away is told beside the turn."""
    if table.info.stage != "playing" or table.result is not None:
        return []
    told = []
    for seat, (was, now) in enumerate(zip(before, table.info.chairs, strict=False)):
        if was is None or now is None or was.name != now.name or seat == table.seat:
            continue
        if now.left and not was.left:
            told.append(texts("absence.left", name=safe(now.name)))
        elif now.here and not was.here:
            told.append(texts("absence.back", name=safe(now.name)))
    return told


@attrs.define
class Story:
    """Grows with a table: `follow` it whenever it may have changed."""

    sentences: list[str] = attrs.field(factory=list)
    spoken: dict[int, m.Line] = attrs.field(factory=dict)
    """Those of them that somebody said."""
    _game: tuple[str, int] = ("", 0)
    _news: int = 0
    _chairs: Sequence[m.Chair | None] = ()
    _chat: Sequence[m.Line] = ()

    def follow(self, table: Table, texts: Texts) -> list[str]:
        """Takes in what is new of a table; gives the new sentences."""
        game = (table.id, table.info.number)
        if game != self._game:
            self._game, self._news, self._chairs = game, 0, table.info.chairs
            self.sentences.clear()
            self.spoken.clear()
        words = board_of(table.info.game).words
        first = self._news if self._news <= len(table.news) else 0
        fresh = table.news[first:]
        new = []
        for place, news in enumerate(fresh, first):
            chosen_by = table.chosen_by.get(place, {})
            names = _with_substitutes(names_of(table), chosen_by, texts)
            reader = table.seat if table.seat not in chosen_by else None
            new += [_time_up(names, seat, table.seat, texts) for seat in table.timed_out.get(place, ())]
            new.append(safe(words(news, names, texts, reader)))
        new = [sentence for sentence in new if sentence]
        new += _comings_and_goings(self._chairs, table, texts)
        self._news, self._chairs = len(table.news), table.info.chairs
        heard = _unheard(self._chat, table.chat)
        said = [f"{texts('list.lead', what=safe(line.name))}{safe(line.text)}" for line in heard]
        self._chat = table.chat
        self.sentences += new
        self.spoken.update(enumerate(heard, len(self.sentences)))
        self.sentences += said
        return [*new, *said]

    def lines(self, width: int, room: int, texts: Texts) -> list[Line]:
        """The last sentences, the newest at the bottom; where there is little room, several to a line."""
        # From a place that seldom changes, so that what was read stays where it was.
        first = max(0, len(self.sentences) // LOOKED_BACK - 1) * LOOKED_BACK
        lines: list[Line] = []
        for number in range(first, len(self.sentences)):
            style = "" if number == len(self.sentences) - 1 else "class:faint"
            sentence = self.sentences[number]
            last = columns(lines[-1]) if lines else width
            apart = room > FEW or number in self.spoken or number - 1 in self.spoken
            if not apart and last + 2 + columns([("", sentence)]) < width:
                lines[-1] = [*lines[-1], (style, f"  {sentence}")]
            else:
                spoken = self.spoken.get(number)
                told = wrapped(sentence, width - 2) if spoken is None else said_by(spoken, width - 2, texts)
                lines += [[(style, f" {piece}")] for piece in told]
        return lines[-room:] if room > 0 else []


def lesson_text(table: Table, texts: Texts) -> str:
    """At a table for practice: what happens now and what the choices mean."""
    lesson = board_of(table.info.game).lesson
    taught = lesson is not None and table.info.practice and table.result is None and table.view is not None
    return lesson(table.view or {}, table.seat, texts) if lesson is not None and taught else ""


def outcome(table: Table, texts: Texts) -> str:
    """How the game ended, in words."""
    if table.result is None:
        return ""
    reader = Reader(names_of(table), texts, table.seat)
    left = {seat for seat, chair in enumerate(table.chairs) if chair is not None and chair.left}
    return ending(table.info.game, table.view or {}, table.result, reader, left)
