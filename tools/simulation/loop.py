"""Time and order: an event loop whose clock is moved by an agenda, and whose sockets are simulated.

The loop is one of our own, behind asyncio's interface for such loops: it runs callbacks in the order of
asyncio's, without threads, signals and a selector, which no world needs. What a seed decides is when the
world outside does something: between which two rounds of the loop a packet comes in, a timer runs out, the
disk answers, a thread is done.
"""

import asyncio
import contextvars
import heapq
import logging
import random
import socket
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

Work = Callable[[], None]
BUSY = 0.02
"""Seconds that a round of the loop may take at most: what comes within them comes in between."""
MOMENT = 1e-9
"""Seconds by which a timer may be early, as on a real clock."""
log = logging.getLogger("asyncio")


class Agenda:
    """What happens outside the server, and when. One for a whole world, over all its servers."""

    def __init__(self, luck: random.Random) -> None:
        self.now = 1000.0
        self.luck = luck
        self._heap: list[tuple[float, int, Work]] = []
        self._count = 0
        self.rounds = 0
        """Rounds of the server's loop so far."""

    def at(self, time: float, work: Work) -> None:
        self._count += 1
        heapq.heappush(self._heap, (time if time > self.now else self.now, self._count, work))

    def later(self, seconds: float, work: Work) -> None:
        self._count += 1
        heapq.heappush(self._heap, (self.now + seconds, self._count, work))

    def advance(self, until: float | None) -> None:
        """Moves time on to what happens next, but not past `until`, and does all that happens then."""
        heap = self._heap
        if heap and (until is None or heap[0][0] <= until):
            now = self.now = heap[0][0]
        elif until is None:
            raise RuntimeError("nothing will ever happen again")
        else:
            self.now = until
            return
        while heap and heap[0][0] <= now:
            heapq.heappop(heap)[2]()


class SimulatedServer(asyncio.AbstractServer):
    """Stands for a listening socket: `accept` is a new connection."""

    def __init__(self, loop: "SimulatedLoop", factory: Callable[[], Any]) -> None:
        self._loop = loop
        self._factory = factory
        self._open = 0
        self._serving = True
        self._waiters: list[asyncio.Future[None]] = []

    @property
    def sockets(self) -> list["SimulatedServer"]:
        return [self]

    family = socket.AF_INET

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", 21925

    def accept(self) -> Any:
        """The protocol of a new connection; None if nobody listens."""
        if not self._serving:
            return None
        self._open += 1
        return self._factory()

    def lost(self) -> None:
        self._open -= 1
        self._wake()

    def _wake(self) -> None:
        if not self._serving and not self._open:
            for waiter in self._waiters:
                if not waiter.done():
                    waiter.set_result(None)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def is_serving(self) -> bool:
        return self._serving

    async def start_serving(self) -> None:
        pass

    async def serve_forever(self) -> None:
        await self.wait_closed()

    def close(self) -> None:
        self._serving = False
        self._wake()

    async def wait_closed(self) -> None:
        if self._serving or self._open:
            waiter = self._loop.create_future()
            self._waiters.append(waiter)
            await waiter


class Handle:
    """A callback that the loop is going to run (asyncio.Handle; with a time, asyncio.TimerHandle)."""

    __slots__ = ("_context", "_when", "_work", "off")

    def __init__(
        self, callback: Callable[..., Any], given: tuple[Any, ...], context: Any, when: float = 0.0
    ) -> None:
        self._work = callback, given
        self._context = contextvars.copy_context() if context is None else context
        self._when = when
        self.off = False

    def cancel(self) -> None:
        self.off = True
        self._work = _nothing, ()  # nothing that it knows of lives on until its time

    def cancelled(self) -> bool:
        return self.off

    def when(self) -> float:
        return self._when

    def run(self) -> None:
        callback, given = self._work
        self._context.run(callback, *given)

    def __lt__(self, _other: "Handle") -> bool:
        return False  # no order among those of one time


def _nothing() -> None:
    pass


class SimulatedLoop(asyncio.AbstractEventLoop):
    """The loop of one server, from its start until it stops or is killed."""

    def __init__(self, agenda: Agenda) -> None:
        self.agenda = agenda
        self._moved_by = agenda
        self.listening: SimulatedServer | None = None
        self._ready: deque[Handle] = deque()
        self._timers: list[tuple[float, Handle]] = []
        self._on_error: Any = None
        self._stopping = self._closed = False

    # Rounds

    def run_forever(self) -> None:
        asyncio._set_running_loop(self)
        try:
            while not self._stopping:
                self._pass_time()
                self._do_round()
        finally:
            self._stopping = False
            asyncio._set_running_loop(None)

    def run_now(self, work: Callable[[], object]) -> None:
        """Runs a callback between two rounds."""
        asyncio._set_running_loop(self)
        try:
            work()
        finally:
            asyncio._set_running_loop(None)

    def _pass_time(self) -> None:
        """Lets the agenda go on until there is something to do; and sometimes for a moment if there is."""
        agenda, ready, timers = self._moved_by, self._ready, self._timers
        while timers and timers[0][1].off:
            heapq.heappop(timers)
        agenda.rounds += 1
        until = timers[0][0] if timers else None
        if ready or self._stopping or (until is not None and until <= agenda.now):
            if agenda.luck.random() < 0.3:
                agenda.advance(agenda.now + agenda.luck.random() * BUSY)
            return
        while not ready and (until is None or agenda.now < until):
            agenda.advance(until)

    def _do_round(self) -> None:
        """Runs what was ready, and what has come to its time; what becomes ready by that waits."""
        ready, timers, end = self._ready, self._timers, self._moved_by.now + MOMENT
        while timers and timers[0][0] < end:
            ready.append(heapq.heappop(timers)[1])
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle.off:
                try:
                    handle.run()
                except Exception as wrong:
                    self.call_exception_handler({"message": "a callback failed", "exception": wrong})

    def run_until_complete(self, future: Any) -> Any:
        main = asyncio.ensure_future(future, loop=self)
        main.add_done_callback(lambda _: self.stop())
        self.run_forever()
        return main.result()

    def stop(self) -> None:
        self._stopping = True

    def detach(self) -> None:
        """Leaves the world: what is still to be cleared away moves no time but its own."""
        alone = Agenda(random.Random(0))
        alone.now = self.agenda.now
        self._moved_by = alone

    def close(self) -> None:
        self._closed = True
        self._ready.clear()
        self._timers.clear()

    def is_closed(self) -> bool:
        return self._closed

    def is_running(self) -> bool:
        return asyncio._get_running_loop() is self

    # What is to be run: with fewer types than asyncio's, for nobody here looks at them

    def time(self) -> float:
        return self._moved_by.now

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., Any], *args: Any, context: Any = None
    ) -> Any:
        handle = Handle(callback, args, context)
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Any = None
    ) -> Any:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., Any], *args: Any, context: Any = None
    ) -> Any:
        handle = Handle(callback, args, context, when)
        heapq.heappush(self._timers, (when, handle))
        return handle

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Coroutine[Any, Any, Any], **options: Any) -> Any:  # type: ignore[override]
        return asyncio.Task(coro, loop=self, **options)

    # What goes wrong

    def get_debug(self) -> bool:
        return False

    def get_exception_handler(self) -> Any:
        return self._on_error

    def set_exception_handler(self, handler: Any) -> None:
        self._on_error = handler

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if self._on_error is not None:
            self._on_error(self, context)
        else:
            log.error(context["message"], exc_info=context.get("exception"))

    # The machine

    async def create_server(self, protocol_factory: Any, *_given: Any, **_options: Any) -> Any:
        self.listening = SimulatedServer(self, protocol_factory)
        return self.listening

    def run_in_executor(  # type: ignore[override]
        self,
        _executor: Any,
        func: Callable[..., Any],
        *args: Any,
    ) -> Any:
        """Does the work of a thread at some later moment."""
        future = self.create_future()

        def work() -> None:
            if self.is_closed() or future.cancelled():
                return
            try:
                future.set_result(func(*args))
            except Exception as wrong:
                future.set_exception(wrong)

        self.agenda.later(self.agenda.luck.choice((0.0, 0.001, 0.02, 0.5)), work)
        return future
