"""The connection that writes to an archive's file, and the log beside it."""

import contextlib
import logging
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from parlour.server.storage.backend import InDoubt
from parlour.server.storage.change import Row
from parlour.server.storage.errors import NotStored
from parlour.server.storage.sqlite import bulk_insert
from parlour.server.storage.sqlite.lock import Lock
from parlour.server.storage.sqlite.place import Place
from parlour.server.storage.sqlite.schema import connect, reason

CHECKPOINT_ROWS = 2000
"""After so many rows the log beside the file is copied into it. SQLite would do so within a commit, while
everybody waits for its answer."""
Open = Callable[[Path], sqlite3.Connection]
log = logging.getLogger("parlour.archive")


def open_to_write(path: Path, factory: type[sqlite3.Connection] = sqlite3.Connection) -> sqlite3.Connection:
    """A connection whose commits are on the disk when they return."""
    connection = connect(path, "rw", factory)
    try:
        _set_up(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def fold_log(connection: sqlite3.Connection) -> None:
    """Copies the log that a server left behind that was killed into the file, and empties it.

    While another process reads the archive SQLite does what it can, and the log stays as long as it is.
    """
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _set_up(connection: sqlite3.Connection) -> None:
    for setting in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "wal_autocheckpoint = 0",
        "temp_store = MEMORY",
        "cache_size = -16384",
        "recursive_triggers = OFF",
    ):
        connection.execute(f"PRAGMA {setting}").fetchall()
    bulk_insert.create_insert_view(connection)


class SqliteRows:
    """A file that is open for writing (backend.RowStore)."""

    def __init__(self, path: Path, connection: sqlite3.Connection, open: Open, lock: Lock) -> None:
        self.place = str(path)
        self._path = path
        self._connection: sqlite3.Connection | None = connection
        self._open = open
        self._lock = lock
        self._file = Place(path)
        self._taken = self._astray = False
        """Whether something else is at the path now; whether something was stored there meanwhile."""
        self._rows = 0

    def store(self, rows: Sequence[Row]) -> None:
        try:
            if self._connection is None:
                self._connection = self._open(self._path)
            if rows:
                bulk_insert.insert_rows(self._connection, rows)
        except Exception as wrong:
            self._clean_up()
            raise NotStored(self.place, reason(wrong), str(wrong)) from None
        self._rows += len(rows)

    def settle(self, doubt: InDoubt) -> bool | None:
        raise doubt  # there is none: SQLite answers in this process

    def misplaced(self) -> NotStored | None:
        """Looks whether the file is still where it was opened, and logs when that changes.

        Nothing is written to a file that has lost its place, so that all goes on when it is put back. Only if
        it was lost during a transaction, whose changes were refused, it has more than was acknowledged: then
        nothing is stored until a restart reads it anew.
        """
        taken = self._file.is_taken()
        if taken and not self._taken:
            log.error(
                "archive=%s was deleted, moved or replaced: nothing is kept until the same file is put back. "
                "Put it back, or stop the server and put a backup in its place.",
                self._path,
            )
        elif self._taken and not taken and not self._astray:
            log.warning("archive=%s is back: everything is kept again", self._path)
        elif self._taken and not taken:
            log.error(
                "archive=%s is back, with a change that was refused when it was lost: nothing is kept until "
                "the server is restarted, and reads it anew.",
                self._path,
            )
        self._taken = taken
        if taken or self._astray:
            return NotStored(self.place, "moved" if taken else "astray")
        return None

    def distrust(self) -> None:
        self._astray = True

    def tidy(self) -> None:
        """Copies a log that has grown long into the file."""
        if self._rows < CHECKPOINT_ROWS or self._connection is None:
            return
        self._rows = 0
        # If this fails the log grows on, and the next checkpoint may succeed.
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        connection, self._connection = self._connection, None
        self._file.forget_log()
        if connection is not None:
            # Leaves a single file, which can be copied, and read in a folder where nothing can be written.
            # While another process reads the archive SQLite refuses, and the log stays beside it.
            with contextlib.suppress(sqlite3.Error):
                fold_log(connection)
                connection.execute("PRAGMA journal_mode = DELETE").fetchall()
            with contextlib.suppress(sqlite3.Error):
                connection.close()
        self._lock.release()

    def _clean_up(self) -> None:
        """Leaves nothing of a transaction that failed, neither open here nor in the log on the disk."""
        connection = self._connection
        if connection is None:
            return
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._file.forget_log()
            self._connection = None
            with contextlib.suppress(sqlite3.Error):
                connection.close()
            return
        # When only the flush failed, all of it stands in the log, and a crash now would bring it back. Any
        # other write takes its place there; this one changes nothing.
        with contextlib.suppress(sqlite3.Error):
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            connection.execute(f"PRAGMA user_version = {version}")
