"""The slow lane: games of tournaments go on beside those of people, and never in front of them.

What they want kept is gathered and stored together, with pauses in which the disk is free for others; and
what follows from it is done one at a time, so that whoever else has something to say is heard in between.
While somebody else's change is on its way to the disk the lane stands still, but never for long.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol, TypeVar

import attrs

from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.store import Done, Ledger

REST, SHARE = 0.0015, 0.2
"""For each change the lane rests so many seconds after storing, or such a part of the time that storing took:
a few games hardly notice, and many leave a slow disk to others for most of the time."""
LEAST_REST, LONGEST_REST = 0.03, 0.5
"""Few large stores, not many small ones: whoever's move comes while one is on waits for it."""
ALONE = 0.005
"""What a change rests where there are so few of them that they are no burden."""
PATIENCE = 4
"""How often in a row the lane lets others go first: on a server full of people it is slow, and does go on."""
T = TypeVar("T")


class Timer(Protocol):
    """An event loop as far as it is needed here."""

    def time(self) -> float: ...

    def call_soon(self, work: Callable[[], None], /) -> object: ...

    def call_later(self, seconds: float, work: Callable[[], None], /) -> object: ...

    def run_in_executor(self, executor: None, work: Callable[[], T], /) -> "asyncio.Future[T]": ...


def _never() -> bool:
    """Nobody else is there."""
    return False


@attrs.define
class Patience:
    """How often in a row something has let others go first."""

    spent: int = 0

    def waits(self, others: bool) -> bool:
        self.spent = self.spent + 1 if others and self.spent < PATIENCE else 0
        return self.spent > 0


@attrs.define(eq=False, repr=False)
class Lane:
    """A ledger (ledger.Ledger) in front of another one."""

    ledger: Ledger
    timer: Timer
    store: Callable[[Change, Done], None]
    """How the ledger takes what is not urgent."""
    pressed: Callable[[], bool] = _never
    """Whether the ledger has something urgent to do."""
    keeps: bool = True
    _gathered: list[tuple[Change, Done]] = attrs.field(factory=list)
    _due: deque[Callable[[], None]] = attrs.field(factory=deque)
    _running: bool = False
    """Something is due, and will be done."""
    _resting: bool = False
    _on_the_way: int = 0
    _batch: int = 0
    _began: float = 0.0
    _to_go_on: Patience = attrs.field(factory=Patience)
    _to_store: Patience = attrs.field(factory=Patience)

    def wall(self) -> int:
        return self.ledger.wall()

    def put(self, change: Change, done: Done) -> None:
        self._gathered.append((change, done))
        if not self._resting and not self._on_the_way:
            self._rest(0.0)

    def soon(self, work: Callable[[], None]) -> None:
        """Does something after all that is due, and after everybody else was heard."""
        self._due.append(work)
        if not self._running:
            self._running = True
            self.timer.call_soon(self._next)

    def think(self, work: Callable[[], T], done: Callable[["asyncio.Future[T]"], None]) -> None:
        """Works something long out in another thread, and comes back with it."""
        self.timer.run_in_executor(None, work).add_done_callback(done)

    def _next(self) -> None:
        if not self._due:
            self._running = False
            return
        self.timer.call_later(REST, self._next)
        if not self._to_go_on.waits(self.pressed()):
            self._due.popleft()()

    def _rest(self, seconds: float) -> None:
        self._resting = True
        self.timer.call_later(min(LONGEST_REST, seconds), self._store)

    def _store(self) -> None:
        if self._gathered and self._to_store.waits(self.pressed()):
            self.timer.call_later(REST, self._store)
            return
        self._resting = False
        if not self._gathered:
            return
        gathered, self._gathered = self._gathered, []
        self._on_the_way = self._batch = len(gathered)
        self._began = self.timer.time()
        for change, done in gathered:
            self.store(change, lambda wrong, done=done: self._stored(done, wrong))  # type: ignore[misc]

    def _stored(self, done: Done, wrong: ArchiveError | None) -> None:
        self._on_the_way -= 1
        self.soon(lambda: done(wrong))
        if not self._on_the_way:
            took = self.timer.time() - self._began
            self._rest(max(min(LEAST_REST, self._batch * ALONE), self._batch * max(REST, SHARE * took)))
