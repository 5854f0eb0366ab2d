"""The thread that writes: all changes that wait are stored with one flush to the disk, and answered."""

import asyncio
import contextlib
import functools
import logging
import threading
import time
from collections.abc import Sequence
from queue import Empty, SimpleQueue

from parlour.engine.lean import lean
from parlour.server.storage.answers import Answer, Answers
from parlour.server.storage.backend import InDoubt, RowStore
from parlour.server.storage.change import SESSION, Done, Row
from parlour.server.storage.errors import ArchiveError, NotStored

MANY = 4
GATHERING, LONGEST_GATHERING = 0.0005, 0.004
"""If MANY changes came together, the next ones wait for each other: GATHERING seconds for each that came
last time. A flush costs as much as ten rows, and nobody on a busy server notices a few milliseconds."""
AGAIN_AFTER, DOUBT_WITHIN = 0.2, 30.0
"""Seconds after which to ask again what became of rows in doubt, and for how long a command does so."""
log = logging.getLogger("parlour.storage")


@lean(eq=False)
class Waiting:
    """A change that has no answer yet."""

    rows: list[Row]
    done: Done
    urgent: bool
    known: int
    """How many refusals were known on the loop when it came."""
    answered: Sequence[str]
    """The people whose command it is."""


Verdict = tuple[Waiting, ArchiveError | None]


class Writer:
    """A thread and its queue, which needs no bound: each table lets at most one change wait."""

    def __init__(self, rows: RowStore) -> None:
        self._rows = rows
        self._answers = Answers(rows)
        self._gathered: list[Waiting] = []
        self._together = self._urgent = 0
        """How many urgent changes went to the thread together last time, and how many gather now."""
        self.urgent_left = 0
        """Urgent changes that have no answer yet."""
        self.refused: ArchiveError | None = None
        """Why the last change was not stored, if it was not: the disk may be full."""
        self._refusals = self._known = 0
        """How often something was refused, and of how many of these everybody on the loop knows."""
        self._refused_people: dict[str, tuple[int, ArchiveError]] = {}
        """People whose command was refused: by which refusal, and why."""
        self._queue: SimpleQueue[list[Waiting] | None] = SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._writing = threading.Lock()
        self._ended = asyncio.Event()
        self._doubts: list[tuple[InDoubt, list[Waiting]]] = []
        """Changes that may be stored or not."""
        self._closing = False
        self._closed = False

    def put(self, rows: list[Row], done: Done, urgent: bool = True, answered: Sequence[str] = ()) -> None:
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
        self._gathered.append(Waiting(rows, done, urgent, self._known, answered))

    def store(self, rows: list[Row]) -> None:
        """Stores at once, in the calling thread; raises NotStored."""
        with self._writing:
            wrong = self._rows.misplaced() or self._transaction(rows)
            if isinstance(wrong, InDoubt):
                wrong = self._wait_for(wrong)
            wrong = wrong or self._rows.misplaced()
        if wrong is not None:
            raise wrong

    def _wait_for(self, doubt: InDoubt) -> NotStored | None:
        until = time.monotonic() + DOUBT_WITHIN
        while (stored := self._rows.settle(doubt)) is None and time.monotonic() < until:
            time.sleep(AGAIN_AFTER)
        return None if stored else NotStored(doubt.place, "doubt" if stored is None else "away")

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
        return self._rows.misplaced() or self.refused or self._unknown()

    def _unknown(self) -> NotStored | None:
        """Why nothing is stored while something is in doubt: it might build on what is not there."""
        if not self._doubts:
            return None
        return NotStored(self._rows.place, "away", "it is not known yet what became of the last change")

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        if not gathered:
            return
        self._together, self._urgent = self._urgent, 0
        wrong = self._rows.misplaced()
        if wrong is None:
            self._queue.put(gathered)
            return
        self._on_the_loop(self._answers_to([(waiting, wrong) for waiting in gathered]))

    def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        # A disk that hangs must not keep the process from ending.
        self._thread = threading.Thread(target=self._run, name="archive", daemon=True)
        self._thread.start()

    # In the thread

    def _run(self) -> None:
        going_on, pause = True, None
        while going_on:
            taken = self._take(pause)
            going_on = None not in taken
            batch = [waiting for gathered in taken if gathered is not None for waiting in gathered]
            pause = self._round(batch, pause)
        self._shut()
        self._on_the_loop([self._ended.set])

    def _round(self, batch: list[Waiting], paused: float | None) -> float | None:
        """Stores what has come and answers it; the seconds after which to do so again, whatever comes."""
        with self._writing:
            if batch:
                self._tell(self._write(batch))
            pause = self._rows.tidy()
            self._settle()
        if self._doubts:
            return pause or AGAIN_AFTER
        if paused is not None and pause is None:
            self._on_the_loop([functools.partial(self._note_last, None)])
        return pause

    def _take(self, pause: float | None) -> list[list[Waiting] | None]:
        """Everything that waits, or what comes next; nothing after a pause."""
        try:
            taken = [self._queue.get(timeout=pause)]
        except Empty:
            return []
        while not self._queue.empty():
            taken.append(self._queue.get())
        return taken

    def _write(self, batch: list[Waiting]) -> list[Verdict]:
        """Stores a batch; verdicts on all but those in doubt, who are answered by `_settle`."""
        # First: what comes now may build on a change in doubt, and must not be stored if that is not.
        self._settle()
        verdicts = self._try(batch)
        refused = [wrong for _, wrong in verdicts if wrong is not None]
        if refused:
            self._refusals += 1
            # A table that another node has now is nothing to worry about: each upgrade gives some away.
            level = logging.WARNING if getattr(refused[0], "reason", "") == "taken" else logging.ERROR
            log.log(level, "refused=%s of=%s first: %s", len(refused), len(batch), refused[0])
        return verdicts

    def _try(self, batch: list[Waiting]) -> list[Verdict]:
        """Stores a batch as one or, if that cannot be, each change alone: a bad one refuses no neighbours."""
        if self._refused_people and all(waiting.known == self._refusals for waiting in batch):
            self._refused_people.clear()
        if not self._refused_people and len(batch) > 1:
            wrong = self._transaction([row for waiting in batch for row in waiting.rows])
            if wrong is None or isinstance(wrong, InDoubt):
                return self._judge(batch, wrong)
        verdicts: list[Verdict] = []
        for waiting in batch:
            verdicts += self._judge([waiting], self._store_alone(waiting))
        return verdicts

    def _judge(self, batch: list[Waiting], wrong: ArchiveError | InDoubt | None) -> list[Verdict]:
        if isinstance(wrong, InDoubt):
            self._doubts.append((wrong, batch))
            return []
        return [(waiting, wrong) for waiting in batch]

    def _store_alone(self, waiting: Waiting) -> ArchiveError | InDoubt | None:
        wrong = self._builds_on_refused(waiting) or self._transaction(waiting.rows)
        if wrong is not None and not isinstance(wrong, InDoubt):
            self._note_people(waiting.answered, wrong)
        return wrong

    def _builds_on_refused(self, waiting: Waiting) -> ArchiveError | None:
        """Why a change is refused that was made before the loop knew of another refusal.

        What is stored of a person has the answer to a command whose own change is on its way. If that one
        is refused, no other may bring the answer into the archive.
        """
        for kind, key, *_ in waiting.rows if self._refused_people else ():
            if kind == SESSION and key in self._refused_people:
                refusal, wrong = self._refused_people[key]
                if waiting.known < refusal:
                    return wrong
        return None

    def _note_people(self, answered: Sequence[str], wrong: ArchiveError) -> None:
        """Only those whose command it was: else changes that overlap could refuse each other for ever."""
        for name in answered:
            self._refused_people[name] = self._refusals + 1, wrong

    def _settle(self) -> None:
        """Answers those who were in doubt, as soon as it is known what became of their rows."""
        left = []
        for doubt, batch in self._doubts:
            stored = self._rows.settle(doubt)
            if stored is None:
                left.append((doubt, batch))
                continue
            log.warning("in doubt=%s stored=%s", len(batch), stored)
            wrong = None if stored else NotStored(doubt.place, "away", "the connection was lost")
            if wrong is not None:
                for waiting in batch:
                    self._note_people(waiting.answered, wrong)
                self._refusals += 1
            self._tell([(waiting, wrong) for waiting in batch])
        self._doubts = left

    def _tell(self, verdicts: list[Verdict]) -> None:
        """Wakes the loop once, to give all answers."""
        if verdicts:
            before = functools.partial(self._note_last, verdicts[-1][1])
            after = functools.partial(self._know, self._refusals)
            self._on_the_loop([before, *self._answers_to(verdicts), after])

    def _answers_to(self, verdicts: list[Verdict]) -> list[Answer]:
        return [functools.partial(self._answer_one, *verdict) for verdict in verdicts]

    # On the loop

    def _note_last(self, wrong: ArchiveError | None) -> None:
        self.refused = wrong

    def _answer_one(self, waiting: Waiting, wrong: ArchiveError | None) -> None:
        self.urgent_left -= waiting.urgent
        lost = self._answers.lost
        if lost is not None and wrong is None:
            self._rows.distrust()
        waiting.done(wrong or lost)

    def _know(self, refusals: int) -> None:
        self._known = refusals

    # In any thread

    def _on_the_loop(self, answers: list[Answer]) -> None:
        # A loop that was closed has nobody left to answer.
        with contextlib.suppress(RuntimeError):
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._answers.give, answers, self._loop)

    def _transaction(self, rows: list[Row]) -> NotStored | InDoubt | None:
        """Stores all rows or none; returns what was wrong."""
        if self._closed:
            return NotStored(self._rows.place, "closed")
        unknown = self._unknown()
        if unknown is not None:
            return unknown
        try:
            self._rows.store(rows)
        except (NotStored, InDoubt) as wrong:
            return wrong
        except Exception as bug:  # the border of this thread: tables wait for its answers
            return NotStored(self._rows.place, type(bug).__name__, str(bug))
        return None

    def _shut(self) -> None:
        with self._writing:
            if not self._closed:
                self._closed = True
                self._rows.close()
