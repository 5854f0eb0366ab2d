"""Writes the record of the game at a table, line by line, each before its move counts."""

import attrs

from parlour.engine.lean import lean
from parlour.protocol.version import PROTOCOL, build
from parlour.server.records.fairness import commitment
from parlour.server.records.record import (
    BY,
    FAILURE,
    Header,
    JournalLine,
    end_after,
    end_map,
    game_id,
    header_map,
    line_after,
    line_map,
    sealed,
)
from parlour.server.storage.change import Added, Begun, Change, Ended
from parlour.server.tables.live_game import LiveGame, PendingMove


@lean(eq=False)
class Addition:
    """What a move adds to the record."""

    change: Change
    last: JournalLine
    head: str | None


@attrs.define(repr=False)
class Recorder:
    """The next line follows `last`; `started` is when the game was dealt, by the server's clock."""

    table: str
    node: str = ""
    """The one at which commands come in, empty if the server is alone."""
    last: Header | JournalLine | None = None
    game: str = ""
    started: float = 0.0

    def begin(self, game: LiveGame, number: int, now: float, wall: int) -> None:
        """Begins the record of a new game with its header; `wall`: milliseconds since 1970."""
        settings = game.settings
        header = Header(
            game=settings.game.name,
            seats=settings.seats,
            options=settings.options.plain(),
            names=tuple(player.name for player in game.players),
            bots=tuple(player.bot for player in game.players),
            commitment=commitment(game.secret),
            nonces=game.nonces,
            build=build(),
            protocol=PROTOCOL,
            started=wall,
            table=self.table,
            number=number,
        )
        self.last = header = sealed(header)
        self.game = game_id(header)
        self.started = now

    def addition(self, game: LiveGame, pending: PendingMove, wall: int) -> Addition:
        """Makes the lines of a move before it counts, and the end if it ends the game."""
        last, beats = self.last, pending.proposal.beats
        begin = [Begun(self.game, self.table, header_map(last))] if isinstance(last, Header) else ()
        maps = []
        substitute = _substitute(game, pending)
        for beat in beats:
            seconds = pending.at - self.started
            last = line_after(_not_none(last), beat.entry, seconds, pending.reaction, substitute)
            substitute = None  # what follows by the rules, nobody has chosen
            maps.append(line_map(last))
        if pending.by is not None:
            # Not part of the record: recovery needs it to answer a command that is sent again.
            maps[0][BY] = (*pending.by, self.node) if self.node else pending.by
        if pending.failure is not None:
            maps[0][FAILURE] = pending.failure
        lines = [Added(self.game, plain["number"], plain) for plain in maps]
        answered = () if pending.by is None else pending.by[:1]
        at = (self.table,)
        written = _last_line(last)
        outcome = game.match.outcome_of(pending.proposal)
        if outcome is None:
            return Addition(Change(begin=begin, lines=lines, answered=answered, at=at), written, None)
        end = end_after(written, outcome, game.secret, wall)
        names = [player.name for player in game.players]
        ended = Ended(self.game, end_map(end), names)
        change = Change(begin=begin, lines=lines, end=[ended], answered=answered, at=at)
        return Addition(change, written, end.head)


def _substitute(game: LiveGame, pending: PendingMove) -> str | None:
    """Who has chosen a move for the player of its seat; None if the player has."""
    seat = pending.proposal.beats[0].entry.seat
    if not pending.chosen or pending.by is None or seat is None:
        return None
    chooser = pending.by[0]
    return chooser if chooser != game.players[seat].name else None


def _not_none(last: Header | JournalLine | None) -> Header | JournalLine:
    if last is None:
        raise RuntimeError("no game has begun")
    return last


def _last_line(last: Header | JournalLine | None) -> JournalLine:
    if not isinstance(last, JournalLine):
        raise RuntimeError("a move without an entry")
    return last
