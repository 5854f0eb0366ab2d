"""The thread that writes: all changes that wait are stored with one flush to the disk, and answered."""

import asyncio
import contextlib
import functools
import logging
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

from parlour.server.storage import bulk_insert
from parlour.server.storage.change import Done, Row
from parlour.server.storage.errors import ArchiveError, NotStored
from parlour.server.storage.place import Place
from parlour.server.storage.schema import connect, reason

CHECKPOINT_ROWS = 2000
"""After so many rows the log beside the file is copied into it. SQLite would do so within a commit, while
everybody waits for its answer."""
MANY = 4
GATHERING, LONGEST_GATHERING = 0.0005, 0.004
"""If MANY changes came together, the next ones wait for each other: GATHERING seconds for each that came
last time. A flush costs as much as ten rows, and nobody on a busy server notices a few milliseconds."""
Open = Callable[[Path], sqlite3.Connection]
Waiting = tuple[list[Row], Done, bool]
"""Rows to store, whom to answer, and whether they are urgent."""
Verdict = tuple[Done, ArchiveError | None]
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


class Writer:
    """A thread and its queue, which needs no bound: each table lets at most one change wait."""

    def __init__(self, path: Path, connection: sqlite3.Connection, open: Open) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = connection
        self._open = open
        self._place = Place(path)
        self._taken = self._astray = False
        """Whether something else is at the path now; whether something was stored there meanwhile."""
        self._gathered: list[Waiting] = []
        self._together = self._urgent = 0
        """How many urgent changes went to the thread together last time, and how many gather now."""
        self.urgent_left = 0
        """Urgent changes that have no answer yet."""
        self.refused: ArchiveError | None = None
        """Why the last change was not stored, if it was not: the disk may be full."""
        self._queue: SimpleQueue[list[Waiting] | None] = SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._writing = threading.Lock()
        self._ended = asyncio.Event()
        self._rows = 0
        self._closing = False
        self._closed = False

    def put(self, rows: list[Row], done: Done, urgent: bool = True) -> None:
        if self._closing:
            asyncio.get_running_loop().call_soon(done, NotStored(str(self._path), "closed"))
            return
        if not self._gathered:
            if self._thread is None:
                self._start()
            # Changes of one round of the loop go over together: waking a thread costs more than a row.
            loop = asyncio.get_running_loop()
            if self._together < MANY:
                loop.call_soon(self._hand_over)
            else:
                loop.call_later(min(LONGEST_GATHERING, self._together * GATHERING), self._hand_over)
        self._urgent += urgent
        self.urgent_left += urgent
        self._gathered.append((rows, done, urgent))

    def store(self, rows: list[Row]) -> None:
        """Stores at once, in the calling thread; raises NotStored."""
        with self._writing:
            wrong = self.problem() or self._transaction(rows) or self.problem()
        if wrong is not None:
            raise wrong

    def close(self) -> None:
        """Does what `finish` does, and waits for it in the calling thread."""
        self._closing = True
        if self._thread is not None:
            self._hand_over()
            self._queue.put(None)
            self._thread.join()
        self._shut()

    async def finish(self) -> None:
        """Stores what waits, answers it, and closes."""
        self._closing = True
        if self._thread is None:
            self._start()
        self._hand_over()
        self._queue.put(None)
        await self._ended.wait()

    def problem(self) -> NotStored | None:
        """Looks whether the file is still where it was opened, and logs when that changes.

        Nothing is written to a file that has lost its place, so that all goes on when it is put back. Only if
        it was lost during a transaction, whose changes were refused, it has more than was acknowledged: then
        nothing is stored until a restart reads it anew.
        """
        taken = self._place.is_taken()
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
            return NotStored(str(self._path), "moved" if taken else "astray")
        return None

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        if not gathered:
            return
        self._together, self._urgent = self._urgent, 0
        wrong = self.problem()
        if wrong is None:
            self._queue.put(gathered)
            return
        self.urgent_left -= self._together
        for _, done, _ in gathered:
            self._on_the_loop(functools.partial(done, wrong))

    def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        # A disk that hangs must not keep the process from ending.
        self._thread = threading.Thread(target=self._run, name="archive", daemon=True)
        self._thread.start()

    # In the thread

    def _run(self) -> None:
        going_on = True
        while going_on:
            taken = [self._queue.get()]
            while not self._queue.empty():
                taken.append(self._queue.get())
            going_on = None not in taken
            batch = [waiting for gathered in taken if gathered is not None for waiting in gathered]
            if batch:
                with self._writing:
                    self._tell(self._write(batch), sum(urgent for _, _, urgent in batch))
                    self._checkpoint()
        self._shut()
        self._on_the_loop(self._ended.set)

    def _write(self, batch: list[Waiting]) -> list[Verdict]:
        wrong = self._transaction([row for rows, _, _ in batch for row in rows])
        if wrong is None:
            return [(done, None) for _, done, _ in batch]
        # One bad change must not refuse its neighbours.
        alone = len(batch) == 1
        verdicts: list[Verdict] = [
            (done, wrong if alone else self._transaction(rows)) for rows, done, _ in batch
        ]
        refused = [wrong for _, wrong in verdicts if wrong is not None]
        if refused:
            log.error("refused=%s of=%s first: %s", len(refused), len(batch), refused[0])
        return verdicts

    def _tell(self, verdicts: list[Verdict], urgent: int) -> None:
        """Wakes the loop once, to call all answers; it reports a bug in one of them and calls the others."""

        def tell() -> None:
            self.urgent_left -= urgent
            loop = asyncio.get_running_loop()
            # Here and not in the thread, which would wait for Python's lock after each call of the system.
            lost = self.problem()
            self.refused = verdicts[-1][1]
            if lost is not None:
                self._astray = self._astray or any(wrong is None for _, wrong in verdicts)
            for done, wrong in verdicts:
                loop.call_soon(done, wrong or lost)

        self._on_the_loop(tell)

    def _on_the_loop(self, call: Callable[[], None]) -> None:
        # A loop that was closed has nobody left to answer.
        with contextlib.suppress(RuntimeError):
            if self._loop is not None:
                self._loop.call_soon_threadsafe(call)

    def _transaction(self, rows: list[Row]) -> NotStored | None:
        """Stores all rows or none; returns what was wrong."""
        try:
            if self._closed:
                return NotStored(str(self._path), "closed")
            if self._connection is None:
                self._connection = self._open(self._path)
            if rows:
                bulk_insert.insert_rows(self._connection, rows)
        except Exception as wrong:  # the border of this thread: tables wait for its answers
            self._clean_up()
            return NotStored(str(self._path), reason(wrong), str(wrong))
        self._rows += len(rows)
        return None

    def _clean_up(self) -> None:
        """Leaves nothing of a transaction that failed, neither open here nor in the log on the disk."""
        connection = self._connection
        if connection is None:
            return
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._place.forget_log()
            self._connection = None
            with contextlib.suppress(sqlite3.Error):
                connection.close()
            return
        # When only the flush failed, all of it stands in the log, and a crash now would bring it back. Any
        # other write takes its place there; this one changes nothing.
        with contextlib.suppress(sqlite3.Error):
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            connection.execute(f"PRAGMA user_version = {version}")

    def _checkpoint(self) -> None:
        if self._rows < CHECKPOINT_ROWS or self._connection is None:
            return
        self._rows = 0
        # If this fails the log grows on, and the next checkpoint may succeed.
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _shut(self) -> None:
        with self._writing:
            connection, self._connection, self._closed = self._connection, None, True
            self._place.forget_log()
        if connection is None:
            return
        # Leaves a single file, which can be copied, and read in a folder where nothing can be written. While
        # another process reads the archive SQLite refuses, and the log stays beside it.
        with contextlib.suppress(sqlite3.Error):
            fold_log(connection)
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        with contextlib.suppress(sqlite3.Error):
            connection.close()
