"""The archive: who owns which name, every table as it stands, and every game that was played.

It moves bytes and decides nothing. A change is stored as a whole or not at all, and is on the disk when its
`done` is called. Maps are opaque to it.
"""

import asyncio
import contextlib
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgpack

from parlour.server.storage.change import (
    END,
    GAME,
    HAPPENED,
    LINE,
    PARTS,
    PERSON,
    RATED,
    TABLE,
    TOURNAMENT,
    Added,
    Begun,
    Change,
    Done,
    Ended,
    Map,
    OpenGame,
    StoredGame,
    rows_of,
)
from parlour.server.storage.errors import (
    ArchiveError,
    Damaged,
    KnownGame,
    Missing,
    NoSuchGame,
    Unwritable,
)
from parlour.server.storage.lock import Lock
from parlour.server.storage.schema import create, examine, migrate, open_to_read, translate_errors
from parlour.server.storage.seal import unseal
from parlour.server.storage.writer import Open, Writer, fold_log, open_to_write

CLOSE_WITHIN = 5.0
StoredRecord = tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any] | None]
"""A game's header, its lines, and its end unless it has none."""
log = logging.getLogger("parlour.archive")


def log_damage(wrong: Damaged) -> None:
    log.error("not told: %s", wrong)


class Archive:
    """One SQLite file. Call `put` and `close` on the event loop; reading is allowed in any thread."""

    def __init__(self, path: Path, writer: Writer | None, lock: Lock | None) -> None:
        self.path = path
        self._writer = writer
        self._lock = lock
        self._reader: sqlite3.Connection | None = None
        self._reading = threading.Lock()

    @classmethod
    def open(
        cls, path: Path | str, *, readonly: bool = False, open_to_write: Open = open_to_write
    ) -> "Archive":
        """Makes the file if there is none, and locks it against other writers; raises ArchiveErrors.

        A read-only one may be opened while a server writes to it.
        """
        # Links are resolved, so that a server that is given a link to the file finds the same lock.
        path = Path(os.path.realpath(path))
        if readonly:
            archive = cls(path, None, None)
            archive._reader = open_to_read(path)
            return archive
        if path.is_file() and path.stat().st_nlink > 1:
            # Each name would have a lock and a log of its own, and the last writer would win.
            raise Unwritable(str(path), "linked")
        lock = Lock.take(path)
        try:
            try:
                examine(path)
            except Missing:
                create(path)
            with translate_errors(path, Unwritable):
                connection = open_to_write(path)
                try:
                    migrate(connection, path)
                    fold_log(connection)
                except BaseException:
                    connection.close()
                    raise
            archive = cls(path, Writer(path, connection, open_to_write), lock)
            try:
                archive._check_open_games()
            except BaseException:
                archive._stop_reading()
                connection.close()
                raise
        except BaseException:
            lock.release()
            raise
        return archive

    def _check_open_games(self) -> None:
        """Raises Damaged if a game that goes on is not as it was written: restored, it would be another."""
        # A CROSS JOIN is done in this order: few tables, their open games, and the lines of these.
        open_games = "tables CROSS JOIN games ON table_id = tables.id AND finish IS NULL"
        found = self._select(
            "SELECT games.id, lines.seq, number, lines.map "
            f"FROM {open_games} CROSS JOIN lines ON game_seq = games.seq"
        )
        if not self._select(f"SELECT 1 FROM {open_games} LIMIT 1"):
            return
        for game, _, number, sealed in found:
            if unseal(LINE, game, number, None, sealed) is None:
                raise self._damage(LINE, game, f"sum of {number}")
        # An index that has lost the last line of a game takes a move back: the table itself is counted too.
        ((count,),) = self._select(
            "SELECT count(*) FROM lines NOT INDEXED WHERE seq >= ? "
            f"AND game_seq IN (SELECT games.seq FROM {open_games})",
            min((seq for _, seq, _, _ in found), default=0),
        )
        if count != len(found):
            raise Damaged(str(self.path), "broken", f"lines of open games: {len(found)}, not {count}")

    # Writing

    def put(self, change: Change, done: Done) -> None:
        """Returns at once; `done` is called later, in the order of the puts.

        Changes that wait together are stored together, so none may build on another that still waits.
        """
        self._require_writer().put(rows_of(change), done)

    def put_low_priority(self, change: Change, done: Done) -> None:
        """Puts a change that is not urgent: urgent ones do not gather to be stored together with it."""
        self._require_writer().put(rows_of(change), done, urgent=False)

    def has_urgent(self) -> bool:
        """Whether an urgent change is being stored."""
        return self._require_writer().urgent_left > 0

    def problem(self) -> ArchiveError | None:
        """What keeps changes from being stored now, as far as that can be seen without one."""
        writer = self._require_writer()
        return writer.problem() or writer.refused

    def add_record(
        self,
        game: str,
        table: str,
        header: Map,
        lines: Sequence[Map],
        end: Map | None,
        names: Sequence[str] = (),
    ) -> None:
        """Stores a whole game at once, for these players; raises KnownGame if it is there, or NotStored."""
        if self._select("SELECT 1 FROM games WHERE id = ?", game):
            raise KnownGame(str(self.path), game)
        change = Change(
            begin=[Begun(game, table, header)],
            lines=[Added(game, number, line) for number, line in enumerate(lines)],
            end=[Ended(game, end, names)] if end is not None else [],
        )
        self._require_writer().store(rows_of(change))

    def _require_writer(self) -> Writer:
        if self._writer is None:
            raise RuntimeError("the archive was opened read-only")
        return self._writer

    # Reading: every map is held against its sum, and what is not as it was written raises Damaged

    def people(self) -> dict[str, dict[str, Any]]:
        found = self._select("SELECT name, map FROM people")
        return {name: self._map(PERSON, name, sealed) for name, sealed in found}

    def tables(self) -> dict[str, dict[str, Any]]:
        return {id: self._map(TABLE, id, sealed) for id, sealed in self._select("SELECT id, map FROM tables")}

    def open_games(self) -> list[OpenGame]:
        """Games without an end at tables that are still there, in the order of their beginnings."""
        found = self._select(
            "SELECT games.id, table_id, header FROM games JOIN tables ON tables.id = table_id "
            "WHERE finish IS NULL ORDER BY seq"
        )
        return [OpenGame(id, table, self._map(GAME, id, header, table=table)) for id, table, header in found]

    def lines(self, game: str) -> list[dict[str, Any]]:
        found = self._select(
            "SELECT number, map FROM lines JOIN games ON game_seq = games.seq WHERE id = ? ORDER BY number",
            game,
        )
        return [self._map(LINE, game, sealed, number) for number, sealed in found]

    def finished(self, damaged: Callable[[Damaged], None] = log_damage) -> list[StoredGame]:
        """Lists all in the order of their ends.

        A game that is damaged is left out and told to `damaged`: the others can be listed all the same.
        """
        query = "SELECT id, table_id, header, ending FROM games WHERE finish IS NOT NULL ORDER BY finish"
        return self._games(self._select(query), damaged)

    def played_by(self, name: str, most: int) -> list[StoredGame]:
        """Lists so many finished games of a player, the newest first, without those that are damaged."""
        found = self._select(
            "SELECT id, table_id, header, ending FROM played JOIN games ON seq = game_seq "
            "WHERE name = ? ORDER BY played.finish DESC LIMIT ?",
            name,
            most,
        )
        listed = []
        for game in self._games(found, log_damage):
            if name in game.header.get("names", ()):
                listed.append(game)
            else:
                log_damage(self._damage(GAME, game.id, f"listed for {name!r}"))
        return listed

    def _games(self, found: list[Any], damaged: Callable[[Damaged], None]) -> list[StoredGame]:
        listed = []
        for id, table, header, end in found:
            try:
                listed.append(
                    StoredGame(id, self._map(GAME, id, header, table=table), self._map(END, id, end))
                )
            except Damaged as wrong:
                damaged(wrong)
        return listed

    def tournaments(self) -> dict[str, dict[str, Any]]:
        """Reads what is listed of each, in the order in which they were made."""
        found = self._select("SELECT id, map FROM tournaments ORDER BY seq")
        return {id: self._map(TOURNAMENT, id, sealed) for id, sealed in found}

    def happenings(self, tournament: str, after: int = 0, most: int | None = None) -> list[dict[str, Any]]:
        """The events of a tournament, or so many of them after one with that number.

        `line` is as events.py writes it, `at` is in milliseconds since 1970.
        """
        found = self._select(
            "SELECT number, map FROM happenings WHERE tournament = ? AND number > ? ORDER BY number LIMIT ?",
            tournament,
            after,
            -1 if most is None else most,
        )
        return [self._map(HAPPENED, tournament, sealed, number) for number, sealed in found]

    def ratings(self, game: str) -> dict[str, dict[str, Any]]:
        """By name, as ratings.py writes them."""
        found = self._select("SELECT name, map FROM ratings WHERE game = ?", game)
        return {name: self._map(RATED, name, sealed, table=game) for name, sealed in found}

    def record(self, game: str) -> StoredRecord:
        """Raises NoSuchGame."""
        found = self._select("SELECT table_id, header, ending, lines FROM games WHERE id = ?", game)
        if not found:
            raise NoSuchGame(str(self.path), game)
        table, header, end, count = found[0]
        # A game that had ended has all its lines; one that had not may get some more meanwhile.
        lines = self.lines(game)
        if end is not None and count != len(lines):
            raise self._damage(GAME, game, f"lines: {len(lines)}, not {count}")
        return (
            self._map(GAME, game, header, table=table),
            lines,
            self._map(END, game, end) if end is not None else None,
        )

    def _select(self, query: str, *given: Any) -> list[Any]:
        with self._reading, translate_errors(self.path):
            if self._reader is None:
                self._reader = open_to_read(self.path)
            return self._reader.execute(query, given).fetchall()

    def _map(
        self, kind: int, key: str, sealed: bytes, number: int | None = None, table: str | None = None
    ) -> dict[str, Any]:
        packed = unseal(kind, key, number, table, sealed)
        if packed is None:
            raise self._damage(kind, key, "sum" if number is None else f"sum of {number}")
        try:
            plain = msgpack.unpackb(packed, strict_map_key=False)
        except (ValueError, msgpack.UnpackException) as wrong:
            raise self._damage(kind, key, str(wrong)) from None
        if type(plain) is not dict:
            raise self._damage(kind, key, "no map")
        return plain

    def _damage(self, kind: int, key: str, detail: str) -> Damaged:
        return Damaged(str(self.path), "changed", detail, PARTS[kind], str(key))

    # Closing

    async def close(self) -> bool:
        """Stores what waits and closes; False if the disk was too slow for that."""
        self._stop_reading()
        try:
            async with asyncio.timeout(CLOSE_WITHIN):
                if self._writer is not None:
                    await self._writer.finish()
        except TimeoutError:
            return False
        self._unlock()
        return True

    def close_now(self) -> None:
        """Closes without an event loop, and waits until all is stored."""
        self._stop_reading()
        if self._writer is not None:
            self._writer.close()
        self._unlock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close_now()

    def _stop_reading(self) -> None:
        with self._reading, contextlib.suppress(sqlite3.Error):
            if self._reader is not None:
                self._reader.close()
            self._reader = None

    def _unlock(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()
