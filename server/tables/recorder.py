"""The record of the game at a table, as it is written: line by line, each before it counts."""

import attrs

from parlour.protocol.version import PROTOCOL, build
from parlour.server.records.fairness import commitment
from parlour.server.records.record import (
    BY,
    FAULT,
    Header,
    Line,
    end_after,
    end_map,
    game_id,
    header_map,
    line_after,
    line_map,
    sealed,
)
from parlour.server.storage.change import Added, Begun, Change, Ended
from parlour.server.storage.store import Store
from parlour.server.tables.live_game import Deed, Play


@attrs.frozen(repr=False)
class Page:
    """What a deed adds to the record."""

    change: Change
    last: Line
    head: str | None


@attrs.define(repr=False)
class Book:
    """`last` is what the next line follows; `started` is when the game was dealt, by the server's clock."""

    store: Store
    table: str
    last: Header | Line | None = None
    game: str = ""
    started: float = 0.0

    def open(self, play: Play, number: int, now: float) -> None:
        """A new game: its header comes before all lines."""
        settings = play.settings
        header = Header(
            game=settings.game.name,
            seats=settings.seats,
            options=settings.options.plain(),
            names=tuple(sitter.name for sitter in play.sitters),
            bots=tuple(sitter.bot for sitter in play.sitters),
            commitment=commitment(play.secret),
            nonces=play.nonces,
            build=build(),
            protocol=PROTOCOL,
            started=self.store.wall(),
            table=self.table,
            number=number,
        )
        self.last = header = sealed(header)
        self.game = game_id(header)
        self.started = now

    def page(self, play: Play, deed: Deed) -> Page:
        """What is to be kept of a deed, before it is carried out."""
        last, beats = self.last, deed.proposal.beats
        begin = [Begun(self.game, self.table, header_map(last))] if isinstance(last, Header) else ()
        lines = []
        for beat in beats:
            last = line_after(_some(last), beat.entry, deed.at - self.started, deed.reaction)
            lines.append(Added(self.game, last.number, line_map(last)))
        if deed.by is not None:
            # Not part of the record: whoever sends this command again is told that it is done.
            lines[0] = Added(self.game, lines[0].number, {**lines[0].line, BY: deed.by})
        if deed.fault is not None:
            lines[0] = Added(self.game, lines[0].number, {**lines[0].line, FAULT: deed.fault})
        written = _line(last)
        outcome = play.match.outcome_of(deed.proposal)
        if outcome is None:
            return Page(Change(begin=begin, lines=lines), written, None)
        end = end_after(written, outcome, play.secret, self.store.wall())
        return Page(Change(begin=begin, lines=lines, end=[Ended(self.game, end_map(end))]), written, end.head)


def _some(last: Header | Line | None) -> Header | Line:
    if last is None:
        raise RuntimeError("no game has been opened")
    return last


def _line(last: Header | Line | None) -> Line:
    if not isinstance(last, Line):
        raise RuntimeError("a deed without an entry")
    return last
