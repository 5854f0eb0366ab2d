"""After a restart: people and tables come back from the archive, each game when its table is first touched.

A game is played again from its secret and its lines. No time has passed for anybody meanwhile: clocks go on
from the last thing that was kept, and everybody counts as away until they are back.
"""

import contextlib
import functools
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from parlour.engine.match import again
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Ok
from parlour.protocol.parts import part
from parlour.server.records.fairness import commitment
from parlour.server.records.reading import read_header, read_line
from parlour.server.records.record import BY, FAULT, Line, entry, without_by
from parlour.server.storage.errors import NoSuchGame
from parlour.server.tables.clock import GameClock
from parlour.server.tables.live_game import Play
from parlour.server.tables.registry import NEXT_LOOK, Tables
from parlour.server.tables.snapshots import clock_from, person_from, table_from
from parlour.server.tables.table import Table

Plain = dict[str, Any]
FIRST_LOOK = 2.0
"""Seconds until the games that nobody asks for come back by themselves, one after the other."""


class Kept(Protocol):
    """An archive as it is read after a restart."""

    def people(self) -> Mapping[str, Plain]: ...

    def tables(self) -> Mapping[str, Plain]: ...

    def record(self, game: str) -> tuple[Plain, list[Plain], Plain | None]: ...


StartBot = Callable[[str, str, str], None]
"""Starts a bot: its token, its table, its strategy."""


class Lost(Exception):
    """A game whose lines do not lead where they led before."""


def recover(tables: Tables, kept: Kept, start_bot: StartBot, clock: Callable[[], float]) -> None:
    """Everybody and every table; games lie still until `Tables.at` wakes them."""
    now = clock()
    for plain in kept.people().values():
        session = person_from(plain)
        tables.sessions[session.name] = session
        tables.register.restore(session.identity)
    for number, plain in enumerate(kept.tables().values()):
        table = table_from(plain, now)
        table.asleep = functools.partial(_wake_up, tables, kept, plain, start_bot, clock)
        table.sleeps_until = now + FIRST_LOOK + NEXT_LOOK * number
        tables.add(table)
        for sitter in table.sitters:
            session_of = tables.sessions.get(sitter.name) if sitter is not None and not sitter.gone else None
            if session_of is not None:
                session_of.tables.add(table.id)
        tables.alarms.set(table)


def _wake_up(
    tables: Tables,
    kept: Kept,
    plain: Mapping[str, Any],
    start_bot: StartBot,
    clock: Callable[[], float],
    table: Table,
) -> None:
    now = clock()
    table.store = table.book.store = tables.store
    try:
        header, lines, end = kept.record(f"{table.id}-{table.number}")
    except NoSuchGame:
        header, lines, end = {}, [], None
    if lines:
        _deal_again(tables, table, plain, header, lines, now)
        if table.play is not None and end is not None:
            table.play.head = end["head"]
    table.bulletin.turn_over()
    table.changed(now)
    for sitter in table.sitters:
        session = tables.sessions.get(sitter.name) if sitter is not None else None
        if sitter is not None and session is not None and sitter.strategy is not None and not sitter.gone:
            with contextlib.suppress(ProtocolError):  # too many at once: its seat is played for
                start_bot(tables.register.reissue(session.identity), table.id, sitter.strategy)


def _deal_again(
    tables: Tables, table: Table, plain: Mapping[str, Any], header: Plain, lines: list[Plain], now: float
) -> None:
    book = table.book
    book.last, book.game = read_header(header), f"{table.id}-{table.number}"
    sitters = [sitter for sitter in table.sitters if sitter is not None]
    play = table.play = Play.deal(table.settings, sitters, table.secret, table.keep, table.announce, 0.0)
    if commitment(play.secret) != book.last.commitment:
        raise Lost("the record is of another secret")
    saved = plain["entries"] if plain["clock"] is not None else 0
    if saved:
        play.clock = clock_from(plain["clock"], table.settings.clocks)
    else:
        play.clock = GameClock.start(table.settings.clocks, table.settings.seats)
        for seat, sitter in enumerate(plain["sitters"]):
            if not sitter["here"]:
                play.clock.away(seat, 0.0)
    while len(play.match.journal) < len(lines):
        _once_more(table, play, lines, saved)
    for each in lines:
        _answered(tables, each)
    book.last = _read(lines[-1])
    last = max(book.last.at / 1000, plain["clock"]["now"] if saved else 0.0)
    book.started = now - last
    play.come_back(now - last, now)
    table.stage = "finished" if play.over else "playing"


def _once_more(table: Table, play: Play, lines: list[Plain], saved: int) -> None:
    """The next line and what follows it; what the table has known since it was saved is told by numbers."""
    number = len(play.match.journal)
    line = _read(lines[number])
    proposal = again(play.match, entry(table.settings.game, line))
    for beat in proposal.beats:
        told = _read(lines[beat.entry.number]) if beat.entry.number < len(lines) else None
        if told is None or entry(table.settings.game, told) != beat.entry:
            raise Lost(f"entry {beat.entry.number} is another one")
    if number < saved:
        play.match.adopt(proposal)
    else:
        play.go_through(proposal, line.at / 1000, None, lines[number].get(FAULT))
        if line.cause == "act" and line.seat is not None:
            play.sitters[line.seat].stand_in = False  # whoever acts is awake
        table.bulletin.pass_over(table.viewers())


def _answered(tables: Tables, plain: Plain) -> None:
    """Whoever sends the command again that a line came from is told that it is done."""
    if BY in plain:
        name, id = plain[BY]
        session = tables.sessions.get(name)
        if session is not None:
            session.last_id = max(session.last_id, id)
            session.remember(id, Frame(part({"type": Ok.WORD, "id": id, "result": None})))


def _read(plain: Plain) -> Line:
    return read_line(without_by(plain))
