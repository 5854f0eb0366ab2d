"""Restores people and tables from the archive after a restart, each game when its table is first used.

A game is replayed from its secret and its lines. No time has passed meanwhile: clocks go on from the last
change that was stored, and all players are away until they are back.
"""

import functools
from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from parlour.engine.match import propose_again
from parlour.server.people.remembered import OK
from parlour.server.records.fairness import commitment
from parlour.server.records.reading import read_header, read_line
from parlour.server.records.record import BY, FAILURE, JournalLine, entry, without_by
from parlour.server.storage.errors import NoSuchGame
from parlour.server.tables.clock import GameClock
from parlour.server.tables.live_game import LiveGame
from parlour.server.tables.registry import NEXT_LOOK, Tables
from parlour.server.tables.stored_maps import clock_from, person_from, table_from
from parlour.server.tables.table import Table

Plain = dict[str, Any]
FIRST_LOOK = 2.0
"""Seconds until games whose players do not come back are restored all the same, one after the other."""


class Source(Protocol):
    """An archive as it is read after a restart."""

    def people(self) -> Mapping[str, Plain]: ...

    def kept(self) -> Collection[str]: ...

    def sessions(self) -> Mapping[str, Plain]: ...

    def tables(self) -> Mapping[str, Plain]: ...

    def table(self, id: str) -> Plain | None: ...

    def record(self, game: str) -> tuple[Plain, list[Plain], Plain | None]: ...


class LostGame(Exception):
    """The lines of a stored game do not lead to the same entries again."""


def recover(tables: Tables, source: Source, clock: Callable[[], float]) -> None:
    """Restores everybody and every table; `Tables.at` restores each game."""
    recover_people(tables, source)
    for place, plain in enumerate(source.tables().values()):
        restore_table(tables, source, plain, clock, place)
    forget_idle_bots(tables)


def recover_people(tables: Tables, source: Source) -> None:
    kept, answered = source.kept(), source.sessions()
    people = [person_from(plain, answered.get(name), name in kept) for name, plain in source.people().items()]
    for session in sorted(people, key=lambda session: session.identity.seen):
        tables.sessions[session.name] = session
        tables.register.restore(session.identity)
        tables.newcomers.welcome(session)


def restore_table(
    tables: Tables, source: Source, plain: Mapping[str, Any], clock: Callable[[], float], place: int
) -> Table:
    """Restores a table whose players are known; its game when it is first used, or in its turn."""
    now = clock()
    table = table_from(plain, now)
    tables.add(table)
    for name in table.names():
        owner = tables.sessions.get(name)
        if owner is not None and table.seat_played_by(name) is not None:
            owner.tables.add(table.id)
    restore = functools.partial(_restore_game, tables, source, plain, clock)
    tables.restore_later(table, restore, now + FIRST_LOOK + NEXT_LOOK * place)
    return table


def forget_idle_bots(tables: Tables) -> None:
    """Frees the names of built-in bots that have no table any more."""
    for session in list(tables.sessions.values()):
        if session.built_in and not session.tables:
            tables.forget(session)


def _restore_game(
    tables: Tables,
    source: Source,
    plain: Mapping[str, Any],
    clock: Callable[[], float],
    table: Table,
) -> None:
    now = clock()
    try:
        header, lines, end = source.record(f"{table.id}-{table.number}")
    except NoSuchGame:
        header, lines, end = {}, [], None
    if lines:
        _replay_game(tables, table, plain, header, lines, now)
        if table.live_game is not None and end is not None:
            table.live_game.head = end["head"]
    table.event_log.restart(table.viewers())
    table.renumbered = True
    table.changed(now)


def _replay_game(
    tables: Tables, table: Table, plain: Mapping[str, Any], header: Plain, lines: list[Plain], now: float
) -> None:
    recorder = table.recorder
    recorder.last, recorder.game = read_header(header), f"{table.id}-{table.number}"
    players = [player for player in table.players if player is not None]
    game = table.live_game = LiveGame.deal(table.settings, players, table.secret, 0.0)
    if commitment(game.secret) != recorder.last.commitment:
        raise LostGame("the record is of another secret")
    saved = plain["entries"] if plain["clock"] is not None else 0
    if saved:
        game.clock = clock_from(plain["clock"], table.settings.clocks)
    else:
        game.clock = GameClock.start(table.settings.clocks, table.settings.seats)
        for seat, player in enumerate(plain["sitters"]):
            if not player["here"]:
                game.clock.away(seat, 0.0)
    while len(game.match.journal) < len(lines):
        _replay_line(table, game, lines, saved)
    for each in lines:
        _remember_answer(tables, each)
    recorder.last = _read_line(lines[-1])
    last = max(recorder.last.at / 1000, plain["clock"]["now"] if saved else 0.0)
    recorder.started = now - last
    game.resume(now - last, now)
    table.stage = "finished" if game.over else "playing"


def _replay_line(table: Table, game: LiveGame, lines: list[Plain], saved: int) -> None:
    """Replays the next line and what follows from it; events since the table was stored are only counted."""
    number = len(game.match.journal)
    line = _read_line(lines[number])
    proposal = propose_again(game.match, entry(table.settings.game, line))
    for beat in proposal.beats:
        stored = _read_line(lines[beat.entry.number]) if beat.entry.number < len(lines) else None
        if stored is None or entry(table.settings.game, stored) != beat.entry:
            raise LostGame(f"entry {beat.entry.number} is another one")
    if number < saved:
        game.match.adopt(proposal)
    else:
        game.apply(proposal, line.at / 1000, None, lines[number].get(FAILURE))
        if line.cause == "act" and line.seat is not None:
            game.players[line.seat].stand_in = False  # a player who acts is back
        table.event_log.skip_all(table.viewers())


def _remember_answer(tables: Tables, plain: Plain) -> None:
    """Notes the answer to the command that a line came from, in case it is sent again.

    Not if its player has been welcomed without this table, which was at another node then: ids above what the
    welcome said are given to other commands.
    """
    if BY in plain:
        name, id, *node = plain[BY]
        session = tables.sessions.get(name)
        if session is None or (node or [""]) != [tables.node]:
            return
        if session.told_id is None or id <= session.told_id:
            session.last_id = max(session.last_id, id)
            session.answers.restore(id, OK)


def _read_line(plain: Plain) -> JournalLine:
    return read_line(without_by(plain))
