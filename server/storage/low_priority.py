"""A store for tournaments: their games go on beside those of people, and never in front of them.

Changes are gathered and stored together, with pauses in which the disk is free for others. What follows from
them is done one piece at a time, so that other clients are served in between. While an urgent change is being
stored everything here waits, but never for long.
"""

import functools
from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

import attrs

from parlour.server.border import Bug, guard, silent
from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.store import Done, Store

REST, SHARE = 0.0015, 0.2
"""For each change the store rests so many seconds, or such a part of the time that storing took: a few games
hardly notice, and many leave a slow disk to others for most of the time."""
LEAST_REST, LONGEST_REST = 0.03, 0.5
"""Bounds of a rest in seconds. Few large batches, not many small ones: a move that comes meanwhile waits."""
ALONE = 0.005
"""Seconds of rest for each change while there are few of them."""
PATIENCE = 4
"""How often in a row urgent changes go first: on a server full of people tournaments are slow, but go on."""


class Timer(Protocol):
    """The part of an event loop that is used here."""

    def time(self) -> float: ...

    def call_soon(self, work: Callable[[], None], /) -> object: ...

    def call_later(self, seconds: float, work: Callable[[], None], /) -> object: ...


def _never() -> bool:
    """Default when nothing else is stored."""
    return False


@attrs.define
class Patience:
    """How often in a row something has let others go first."""

    spent: int = 0

    def waits(self, others: bool) -> bool:
        self.spent = self.spent + 1 if others and self.spent < PATIENCE else 0
        return self.spent > 0


@attrs.define(eq=False, repr=False)
class LowPriorityStore:
    """A store (store.Store) that puts its changes into another one, with pauses."""

    store: Store
    timer: Timer
    put_low_priority: Callable[[Change, Done], None]
    """Puts a change that is not urgent."""
    has_urgent: Callable[[], bool] = _never
    """Whether an urgent change is being stored."""
    report: Bug = silent
    durable: bool = True
    _gathered: list[tuple[Change, Done]] = attrs.field(factory=list)
    _due: deque[Callable[[], None]] = attrs.field(factory=deque)
    _running: bool = False
    """A call of `_next` is scheduled."""
    _resting: bool = False
    _on_the_way: int = 0
    _batch: int = 0
    _began: float = 0.0
    _to_go_on: Patience = attrs.field(factory=Patience)
    _to_store: Patience = attrs.field(factory=Patience)

    def wall(self) -> int:
        return self.store.wall()

    def put(self, change: Change, done: Done) -> None:
        self._gathered.append((change, done))
        if not self._resting and not self._on_the_way:
            self._rest(0.0)

    def soon(self, work: Callable[[], None]) -> None:
        """Does a piece of work after all that is due, with other clients served in between."""
        self._due.append(work)
        if not self._running:
            self._running = True
            self.timer.call_soon(self._next)

    def _next(self) -> None:
        if not self._due:
            self._running = False
            return
        self.timer.call_later(REST, self._next)
        if not self._to_go_on.waits(self.has_urgent()):
            guard(self._due.popleft(), self.report, "low priority")

    def _rest(self, seconds: float) -> None:
        self._resting = True
        self.timer.call_later(min(LONGEST_REST, seconds), self._store)

    def _store(self) -> None:
        if self._gathered and self._to_store.waits(self.has_urgent()):
            self.timer.call_later(REST, self._store)
            return
        self._resting = False
        self._hand_over()

    def let_go(self, people: Iterable[str]) -> None:
        """Hands over what waits if one of these people has asked for it: they are stored next, elsewhere.

        What is stored of them has the answer already, which must not be in the archive before its change.
        """
        answered = {name for change, _ in self._gathered for name in change.answered}
        if answered and not answered.isdisjoint(people):
            self._hand_over()

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        if gathered and not self._on_the_way:
            self._batch, self._began = 0, self.timer.time()
        self._on_the_way += len(gathered)
        self._batch += len(gathered)
        for change, done in gathered:
            self.put_low_priority(change, lambda wrong, done=done: self._stored(done, wrong))  # type: ignore[misc]

    def _stored(self, done: Done, wrong: ArchiveError | None) -> None:
        self._on_the_way -= 1
        if wrong is None:
            self.soon(lambda: done(None))
        else:
            # At once: until then whatever is stored of the player has the answer that it was done.
            guard(functools.partial(done, wrong), self.report, "low priority")
        if not self._on_the_way:
            took = self.timer.time() - self._began
            self._rest(max(min(LEAST_REST, self._batch * ALONE), self._batch * max(REST, SHARE * took)))
