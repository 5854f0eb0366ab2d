"""The thread that asks the database what a node has to know, and the one that waits for the bell.

It looks once a second, in case that the bell was not heard: NOTIFY reaches only who listens at that moment.
"""

import asyncio
import contextlib
import functools
import logging
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import psycopg

from parlour.server.storage.errors import ArchiveError, Unreadable
from parlour.server.storage.postgresql.connection import Connection, detail, translated
from parlour.server.storage.postgresql.house import BELL, HouseRows
from parlour.server.storage.postgresql.house_values import Look, Mark
from parlour.server.storage.postgresql.rows import PostgresqlRows

LOOK_EVERY, TIDY_EVERY = 1.0, 60.0
LISTEN_AGAIN = 2.0
"""Seconds after which to connect again for the bell."""
MOVED = "moved"
"""The event that tells that tables have another node."""
T = TypeVar("T")
log = logging.getLogger("parlour.house")


class HouseThread:
    """Runs until `stop`; whatever is found is handed over on the event loop."""

    def __init__(
        self,
        rows: PostgresqlRows,
        open: Callable[[], HouseRows],
        listen: Callable[[], Connection],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._place, self._open, self._listen, self._loop = rows.place, open, listen, loop
        self._writing = rows
        self.epochs = rows.epochs
        self._queue: SimpleQueue[Callable[[HouseRows], None] | None] = SimpleQueue()
        self._rows: HouseRows | None = None
        self._mark: Mark | None = None
        self._look: Callable[[Look], None] | None = None
        self._stopping = threading.Event()
        self._hearing: Connection | None = None
        self.takes_over = True
        """Whether this node takes what others had that are over."""
        self._threads = [
            threading.Thread(target=run, name=name, daemon=True)
            for run, name in ((self._run, "house"), (self._hear, "bell"))
        ]

    @property
    def over(self) -> bool:
        return self._writing.over

    def soon(self, work: Callable[[], None]) -> None:
        self._loop.call_soon(work)

    def first(self) -> tuple[Mark, HouseRows]:
        self._rows = self._open()
        return self._rows.now(), self._rows

    def begin(self, mark: Mark, look: Callable[[Look], None]) -> None:
        """Has `look` called on the loop with everything after this mark."""
        self._mark, self._look = mark, look
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Ends both; what was asked before is still done."""
        self._stopping.set()
        self._queue.put(None)
        hearing = self._hearing
        if hearing is not None:
            with contextlib.suppress(Exception):
                hearing.close()
        if self._threads[0].is_alive():
            self._threads[0].join()
        else:
            self._drop()

    def ask(self, work: Callable[[HouseRows], T], then: Callable[[Callable[[], T]], None]) -> None:
        """Does the work in the thread; `then` gets a function that returns the result, or raises."""
        self._queue.put(functools.partial(self._answer, work, then))

    def _answer(
        self, work: Callable[[HouseRows], T], then: Callable[[Callable[[], T]], None], rows: HouseRows
    ) -> None:
        try:
            found = work(rows)
        except psycopg.Error as wrong:
            self._later(then, functools.partial(_raise, translated(self._place, wrong)))
            raise
        except Exception as wrong:
            self._later(then, functools.partial(_raise, wrong))
        else:
            self._later(then, lambda: found)

    # In the threads

    def _run(self) -> None:
        look_at = tidy_at = time.monotonic()
        while not (self._stopping.is_set() and self._queue.empty()):
            rung = False
            try:
                work = self._queue.get(timeout=max(0.0, look_at - time.monotonic()))
                if work is None:
                    rung = True
                else:
                    self._do(work)
            except Empty:
                rung = True
            if rung or time.monotonic() >= look_at:
                look_at = time.monotonic() + LOOK_EVERY
                self._do(self._look_around)
            if time.monotonic() >= tidy_at:
                tidy_at = time.monotonic() + TIDY_EVERY
                self._do(HouseRows.tidy)
        self._drop()

    def _do(self, work: Callable[[HouseRows], None]) -> None:
        try:
            if self._rows is None:
                self._rows = self._open()
        except (psycopg.Error, ArchiveError) as wrong:
            self._refuse(work, wrong)
            return
        try:
            work(self._rows)
        except (psycopg.Error, ArchiveError) as wrong:
            log.warning("house: %s", detail(wrong))
            self._drop()

    def _refuse(self, work: Any, wrong: Exception) -> None:
        """Answers who asks while there is no connection."""
        if isinstance(work, functools.partial):
            self._later(work.args[1], functools.partial(_raise, Unreadable(self._place, str(wrong))))

    def _look_around(self, rows: HouseRows) -> None:
        while self.takes_over and not self._stopping.is_set() and rows.take_over(MOVED):
            pass
        assert self._mark is not None and self._look is not None
        found = rows.look(self._mark)
        self._mark = found.mark
        self._later(self._look, found)

    def _hear(self) -> None:
        deaf = False
        while not self._stopping.is_set():
            try:
                self._hearing = self._listen()
                with self._hearing as connection:
                    connection.execute(f"LISTEN {BELL}")
                    deaf = False
                    self._queue.put(None)
                    for _ in connection.notifies():
                        if self._stopping.is_set():
                            return
                        self._queue.put(None)
            except (psycopg.Error, ArchiveError) as wrong:
                if not deaf and not self._stopping.is_set():
                    deaf = True
                    why = detail(wrong)
                    log.warning("no connection for the bell, news of other nodes comes each second: %s", why)
            self._stopping.wait(LISTEN_AGAIN)

    def _drop(self) -> None:
        rows, self._rows = self._rows, None
        if rows is not None:
            with contextlib.suppress(psycopg.Error):
                rows.close()

    def _later(self, call: Callable[..., object], *given: object) -> None:
        # A loop that was closed has nobody left to tell.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *given)


def _raise(wrong: BaseException) -> Any:
    raise wrong
