"""The thread that writes: all changes that wait are stored with one flush to the disk, and answered."""

import asyncio
import contextlib
import functools
import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue

from parlour.server.storage.backend import RowStore
from parlour.server.storage.change import Done, Row
from parlour.server.storage.errors import ArchiveError, NotStored

MANY = 4
GATHERING, LONGEST_GATHERING = 0.0005, 0.004
"""If MANY changes came together, the next ones wait for each other: GATHERING seconds for each that came
last time. A flush costs as much as ten rows, and nobody on a busy server notices a few milliseconds."""
Waiting = tuple[list[Row], Done, bool]
"""Rows to store, whom to answer, and whether they are urgent."""
Verdict = tuple[Done, ArchiveError | None]
log = logging.getLogger("parlour.archive")


class Writer:
    """A thread and its queue, which needs no bound: each table lets at most one change wait."""

    def __init__(self, rows: RowStore) -> None:
        self._rows = rows
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
        self._closing = False
        self._closed = False

    def put(self, rows: list[Row], done: Done, urgent: bool = True) -> None:
        if self._closing:
            asyncio.get_running_loop().call_soon(done, NotStored(self._rows.place, "closed"))
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
            wrong = self._rows.misplaced() or self._transaction(rows) or self._rows.misplaced()
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

    def problem(self) -> ArchiveError | None:
        """What keeps changes from being stored now, as far as that can be seen without one."""
        return self._rows.misplaced() or self.refused

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        if not gathered:
            return
        self._together, self._urgent = self._urgent, 0
        wrong = self._rows.misplaced()
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
                    self._rows.tidy()
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
        """Wakes the loop once, to call all answers; a bug in one of them is reported and stops no other."""

        def tell() -> None:
            self.urgent_left -= urgent
            loop = asyncio.get_running_loop()
            # Here and not in the thread, which would wait for Python's lock after each call of the system.
            lost = self._rows.misplaced()
            self.refused = verdicts[-1][1]
            if lost is not None and any(wrong is None for _, wrong in verdicts):
                self._rows.distrust()
            for done, wrong in verdicts:
                try:
                    done(wrong or lost)
                except Exception as bug:
                    loop.call_exception_handler({"message": "bug in an answer", "exception": bug})

        self._on_the_loop(tell)

    def _on_the_loop(self, call: Callable[[], None]) -> None:
        # A loop that was closed has nobody left to answer.
        with contextlib.suppress(RuntimeError):
            if self._loop is not None:
                self._loop.call_soon_threadsafe(call)

    def _transaction(self, rows: list[Row]) -> NotStored | None:
        """Stores all rows or none; returns what was wrong."""
        if self._closed:
            return NotStored(self._rows.place, "closed")
        try:
            self._rows.store(rows)
        except NotStored as wrong:
            return wrong
        except Exception as bug:  # the border of this thread: tables wait for its answers
            return NotStored(self._rows.place, type(bug).__name__, str(bug))
        return None

    def _shut(self) -> None:
        with self._writing:
            if not self._closed:
                self._closed = True
                self._rows.close()
