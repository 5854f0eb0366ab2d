"""Opens an archive that is one SQLite file: for one who writes, for any who read, for a backup."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from parlour.server.storage.backend import Compare, Progress, Rows
from parlour.server.storage.change import LINE
from parlour.server.storage.errors import Damaged, Missing, Unwritable
from parlour.server.storage.seal import unseal
from parlour.server.storage.sqlite.lock import Lock
from parlour.server.storage.sqlite.rows import Open, SqliteRows, fold_log, open_to_write
from parlour.server.storage.sqlite.schema import (
    APPLICATION_ID,
    connect,
    create,
    examine,
    migrate,
    open_to_read,
    sync_folder,
    translate_errors,
)
from parlour.server.storage.tables import TABLES

PAGES = 4096
"""To a step of a backup, after which the progress is told."""


class SqliteReader:
    """A file that is open for reading (backend.Reader)."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path, self._connection = path, connection

    def select(self, query: str, *given: Any) -> list[Any]:
        with translate_errors(self._path):
            return self._connection.execute(query, given).fetchall()

    def walk(self, query: str) -> Iterator[Any]:
        with translate_errors(self._path):
            yield from self._connection.execute(query)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        with translate_errors(self._path):
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("COMMIT")

    def faults(self) -> Iterator[Damaged]:
        for (found,) in self.walk("PRAGMA integrity_check"):
            if found != "ok":
                yield Damaged(str(self._path), "broken", str(found))

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()


class SqliteBackend:
    """One file (backend.Backend). One server at a time writes to it: there is nothing to be shared."""

    node = ""
    has_leases = False

    def __init__(self, path: Path | str, open_to_write: Open = open_to_write) -> None:
        # Links are resolved, so that a server that is given a link to the file finds the same lock.
        self._path = Path(os.path.realpath(path))
        self._open = open_to_write
        self.place = str(self._path)

    def open_to_read(self) -> SqliteReader:
        return SqliteReader(self._path, open_to_read(self._path))

    def open_to_write(self) -> SqliteRows:
        path = self._path
        if path.is_file() and path.stat().st_nlink > 1:
            # Each name would have a lock and a log of its own, and the last writer would win.
            raise Unwritable(self.place, "linked")
        lock = Lock.take(path)
        try:
            try:
                examine(path)
            except Missing:
                create(path)
            with translate_errors(path, Unwritable):
                connection = self._open(path)
                try:
                    migrate(connection, path)
                    fold_log(connection)
                    with contextlib.closing(self.open_to_read()) as reader:
                        self._check_open_games(reader)
                except BaseException:
                    connection.close()
                    raise
        except BaseException:
            lock.release()
            raise
        return SqliteRows(path, connection, self._open, lock)

    def _check_open_games(self, reader: SqliteReader) -> None:
        """Raises Damaged if a game that goes on is not as it was written: restored, it would be another."""
        # A CROSS JOIN is done in this order: few tables, their open games, and the lines of these.
        open_games = "tables CROSS JOIN games ON table_id = tables.id AND finish IS NULL"
        if not reader.select(f"SELECT 1 FROM {open_games} LIMIT 1"):
            return
        found = reader.select(
            "SELECT games.id, lines.seq, number, lines.map "
            f"FROM {open_games} CROSS JOIN lines ON game_seq = games.seq"
        )
        for game, _, number, sealed in found:
            if unseal(LINE, game, number, None, sealed) is None:
                raise Damaged(self.place, "changed", f"sum of {number}", "game", str(game))
        # An index that has lost the last line of a game takes a move back: the table itself is counted too.
        ((count,),) = reader.select(
            "SELECT count(*) FROM lines NOT INDEXED WHERE seq >= ? "
            f"AND game_seq IN (SELECT games.seq FROM {open_games})",
            min((seq for _, seq, _, _ in found), default=0),
        )
        if count != len(found):
            raise Damaged(self.place, "broken", f"lines of open games: {len(found)}, not {count}")

    def back_up(self, target: Path, progress: Progress) -> None:
        with contextlib.closing(open_to_read(self._path)) as reading, translate_errors(target):
            # In one transaction: otherwise SQLite begins anew whenever the server has written.
            reading.execute("BEGIN")
            reading.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            with contextlib.closing(connect(target, "rw")) as writing:
                reading.backup(
                    writing, pages=PAGES, progress=lambda _, left, all: progress(all - left, all), sleep=0
                )
                # The copy says, as its source did, that a log belongs to it: it is one file instead.
                writing.execute("PRAGMA journal_mode = DELETE").fetchall()
        _flush(target)

    def fill(self, tables: Mapping[str, Rows], compare: Compare) -> None:
        """The file is there, and empty."""
        path = self._path
        with translate_errors(path, Unwritable), contextlib.closing(connect(path, "rw")) as writing:
            writing.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrate(writing, path)
            writing.execute("BEGIN")
            for table, rows in tables.items():
                columns = TABLES[table]
                marks = ",".join("?" * len(columns))
                writing.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)
            compare(SqliteReader(path, writing))
            writing.execute("COMMIT")
        _flush(path)


def _flush(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
    sync_folder(path.parent)
