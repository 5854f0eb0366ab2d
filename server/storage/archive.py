"""The archive: who owns which name, every table as it stands, and every game that was played.

It moves bytes and decides nothing. A change is stored as a whole or not at all, and is on the disk when its
`done` is called. Maps are opaque to it.
"""

import asyncio
import contextlib
import os
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgpack

from parlour.server.storage.change import (
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
from parlour.server.storage.errors import Damaged, KnownGame, Missing, NoSuchGame, Unwritable
from parlour.server.storage.lock import Lock
from parlour.server.storage.schema import create, examine, migrate, open_to_read, translate_errors
from parlour.server.storage.writer import Open, Writer, open_to_write

CLOSE_WITHIN = 5.0
StoredRecord = tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any] | None]
"""A game's header, its lines, and its end unless it has none."""


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
                except BaseException:
                    connection.close()
                    raise
        except BaseException:
            lock.release()
            raise
        return cls(path, Writer(path, connection, open_to_write), lock)

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

    def add_record(self, game: str, table: str, header: Map, lines: Sequence[Map], end: Map | None) -> None:
        """Stores a whole game at once; raises KnownGame if it is there already, or NotStored."""
        if self._select("SELECT 1 FROM games WHERE id = ?", game):
            raise KnownGame(str(self.path), game)
        change = Change(
            begin=[Begun(game, table, header)],
            lines=[Added(game, number, line) for number, line in enumerate(lines)],
            end=[Ended(game, end)] if end is not None else [],
        )
        self._require_writer().store(rows_of(change))

    def _require_writer(self) -> Writer:
        if self._writer is None:
            raise RuntimeError("the archive was opened read-only")
        return self._writer

    # Reading

    def people(self) -> dict[str, dict[str, Any]]:
        return {name: self._map(packed) for name, packed in self._select("SELECT name, map FROM people")}

    def tables(self) -> dict[str, dict[str, Any]]:
        return {id: self._map(packed) for id, packed in self._select("SELECT id, map FROM tables")}

    def open_games(self) -> list[OpenGame]:
        """Games without an end at tables that are still there, in the order of their beginnings."""
        found = self._select(
            "SELECT games.id, table_id, header FROM games JOIN tables ON tables.id = table_id "
            "WHERE finish IS NULL ORDER BY seq"
        )
        return [OpenGame(id, table, self._map(header)) for id, table, header in found]

    def lines(self, game: str) -> list[dict[str, Any]]:
        found = self._select(
            "SELECT map FROM lines JOIN games ON game_seq = games.seq WHERE id = ? ORDER BY number", game
        )
        return [self._map(packed) for (packed,) in found]

    def finished(self, newest: int | None = None) -> list[StoredGame]:
        """Lists all in the order of their ends, or so many of them, the newest first."""
        query = "SELECT id, header, ending FROM games WHERE finish IS NOT NULL ORDER BY finish"
        found = self._select(query) if newest is None else self._select(f"{query} DESC LIMIT ?", newest)
        return [StoredGame(id, self._map(header), self._map(end)) for id, header, end in found]

    def tournaments(self) -> dict[str, dict[str, Any]]:
        """Reads what is listed of each, in the order in which they were made."""
        found = self._select("SELECT id, map FROM tournaments ORDER BY seq")
        return {id: self._map(packed) for id, packed in found}

    def happenings(self, tournament: str) -> list[dict[str, Any]]:
        """The events of a tournament: `line` as events.py writes it, and `at` in milliseconds since 1970."""
        found = self._select("SELECT map FROM happenings WHERE tournament = ? ORDER BY number", tournament)
        return [self._map(packed) for (packed,) in found]

    def ratings(self, game: str) -> dict[str, dict[str, Any]]:
        """By name, as ratings.py writes them."""
        found = self._select("SELECT name, map FROM ratings WHERE game = ?", game)
        return {name: self._map(packed) for name, packed in found}

    def record(self, game: str) -> StoredRecord:
        """Raises NoSuchGame."""
        found = self._select("SELECT header, ending FROM games WHERE id = ?", game)
        if not found:
            raise NoSuchGame(str(self.path), game)
        header, end = found[0]
        # A game that had ended has all its lines; one that had not may get some more meanwhile.
        return self._map(header), self.lines(game), self._map(end) if end is not None else None

    def _select(self, query: str, *given: Any) -> list[Any]:
        with self._reading, translate_errors(self.path):
            if self._reader is None:
                self._reader = open_to_read(self.path)
            return self._reader.execute(query, given).fetchall()

    def _map(self, packed: bytes) -> dict[str, Any]:
        try:
            plain = msgpack.unpackb(packed, strict_map_key=False)
        except (ValueError, msgpack.UnpackException) as wrong:
            raise Damaged(str(self.path), "broken", str(wrong)) from None
        if type(plain) is not dict:
            raise Damaged(str(self.path), "broken", "no map")
        return plain

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
