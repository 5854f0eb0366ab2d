"""Long work beside the event loop: in a thread, or in short steps between which others are served.

Whatever grows with the archive, the lobby or a tournament is read, worked out and packed here, so that no
piece of it keeps everybody waiting.
"""

import asyncio
import functools
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

WORK, PAUSE = 0.0005, 0.002
"""Seconds of `gently`."""
T = TypeVar("T")
Done = Callable[[Callable[[], T]], object]
"""Called on the event loop with a function that returns the result of the work, or raises what it raised."""


def gently(items: Iterable[T]) -> Iterator[T]:
    """Hands on items for long work in a thread, with a pause after each half millisecond of it.

    While a thread computes, the event loop has to wait for Python's lock after each of its writes.
    """
    began = time.perf_counter()
    for item in items:
        yield item
        if time.perf_counter() - began > WORK:
            time.sleep(PAUSE)
            began = time.perf_counter()


class Background(Protocol):
    """Does long work while the event loop goes on."""

    waiting: int
    """Pieces of work that are not done yet."""

    def run(self, work: Callable[[], T], done: Done[T]) -> None:
        """Does a piece of work in the thread, after those that came before."""

    def soon(self, step: Callable[[], None], rest: float = 0.0) -> None:
        """Does a short step on the event loop, with others served before it, for `rest` seconds at least."""


class AtOnce:
    """Does everything at once: for a server without an event loop."""

    waiting = 0

    def run(self, work: Callable[[], T], done: Done[T]) -> None:
        try:
            result = work()
        except Exception as wrong:
            _hand_over(done, wrong)
        else:
            done(lambda: result)

    def soon(self, step: Callable[[], None], rest: float = 0.0) -> None:  # noqa: ARG002
        step()


def _hand_over(done: Done[T], wrong: Exception) -> None:
    def fail() -> T:
        raise wrong

    done(fail)


class WorkThread:
    """One thread: long work takes up one core at most. Whoever fills its queue bounds it by `waiting`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, name: str) -> None:
        self.waiting = 0
        self._loop = loop
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)

    def run(self, work: Callable[[], T], done: Done[T]) -> None:
        def take(found: "asyncio.Future[T]") -> None:
            self.waiting -= 1
            if not found.cancelled():
                found.exception()  # `done` need not look at it, when nobody waits any more
                done(found.result)

        self.waiting += 1
        self._loop.run_in_executor(self._executor, work).add_done_callback(take)

    def soon(self, step: Callable[[], None], rest: float = 0.0) -> None:
        if rest:
            self._loop.call_later(rest, step)
        else:
            self._loop.call_soon(step)

    async def close(self, within: float) -> None:
        """Forgets what has not begun, for nobody is left to answer, and waits for the rest for so long."""
        shutdown = functools.partial(self._executor.shutdown, cancel_futures=True)
        await asyncio.wait([self._loop.run_in_executor(None, shutdown)], timeout=within)
