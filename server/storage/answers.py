"""Answers to changes, given on the event loop in their order and in slices: others are served in between.

A batch of eighty changes at once was one piece of work of up to twenty milliseconds.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from parlour.server.storage.backend import RowStore
from parlour.server.storage.errors import ArchiveError

SLICE = 0.001
"""Seconds after which the answers that are left wait for the next round of the loop."""
Answer = Callable[[], None]


class Answers:
    """Those that are still to be given; used on the loop alone."""

    def __init__(self, rows: RowStore) -> None:
        self._rows = rows
        self.lost: ArchiveError | None = None
        """What is wrong with the archive's place, in this slice: then nothing counts as stored."""
        self._left: deque[Answer] = deque()
        self._running = False
        """A slice is being given, or is to come."""

    def give(self, answers: Iterable[Answer], loop: asyncio.AbstractEventLoop) -> None:
        """Gives answers after all that are still to be given; at once if there are none."""
        self._left += answers
        if not self._running:
            self._running = True
            self._give_some(loop)

    def _give_some(self, loop: asyncio.AbstractEventLoop) -> None:
        # Looked up for each slice and not in the thread that writes, which would wait for Python's lock after
        # each call of the system.
        self.lost, ends = self._rows.misplaced(), loop.time() + SLICE
        while self._left:
            answer = self._left.popleft()
            try:
                answer()
            except Exception as bug:  # it stops no other answer
                loop.call_exception_handler({"message": "bug in an answer", "exception": bug})
            if loop.time() >= ends:
                break
        self._running = bool(self._left)
        if self._running:
            loop.call_soon(self._give_some, loop)
