"""Time and order: an asyncio loop whose clock is moved by an agenda, and whose sockets are simulated.

The loop is asyncio's own, used by its documented hooks: callbacks run in the order that asyncio promises.
What a seed decides is when the world outside does something: between which two rounds of the loop a packet
comes in, a timer runs out, the disk answers, a thread is done.
"""

import asyncio
import heapq
import random
import selectors
import socket
from collections.abc import Callable, Mapping
from contextvars import Context
from typing import Any

Work = Callable[[], None]
BUSY = 0.02
"""Seconds that a round of the loop may take at most: what comes within them comes in between."""


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
        heapq.heappush(self._heap, (max(time, self.now), self._count, work))

    def later(self, seconds: float, work: Work) -> None:
        self.at(self.now + seconds, work)

    def advance(self, until: float | None) -> None:
        """Moves time on to what happens next, but not past `until`, and does all that happens then."""
        heap = self._heap
        if heap and (until is None or heap[0][0] <= until):
            self.now = heap[0][0]
        elif until is None:
            raise RuntimeError("nothing will ever happen again")
        else:
            self.now = until
        while heap and heap[0][0] <= self.now:
            heapq.heappop(heap)[2]()


class _Selector(selectors.BaseSelector):
    """Asked by the loop what has come in, it lets the agenda go on instead."""

    def __init__(self, agenda: Agenda) -> None:
        self.agenda = agenda
        self.woken = False
        """The loop has something to do: a round that would do nothing is left out."""
        self._keys: dict[Any, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        key = self._keys[fileobj] = selectors.SelectorKey(fileobj, 0, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._keys.pop(fileobj)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._keys

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        agenda = self.agenda
        agenda.rounds += 1
        if timeout is None or timeout > 0:
            until = None if timeout is None else agenda.now + timeout
            self.woken = False
            while not self.woken and (until is None or agenda.now < until):
                agenda.advance(until)
        elif agenda.luck.random() < 0.3:
            agenda.advance(agenda.now + agenda.luck.random() * BUSY)
        return []


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


class SimulatedLoop(asyncio.SelectorEventLoop):
    """The loop of one server, from its start until it stops or is killed."""

    def __init__(self, agenda: Agenda) -> None:
        self.agenda = agenda
        self._simulated = _Selector(agenda)
        self.listening: SimulatedServer | None = None
        super().__init__(self._simulated)

    def time(self) -> float:
        return self._simulated.agenda.now

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        self._simulated.woken = True
        return super().call_soon(callback, *args, context=context)

    def detach(self) -> None:
        """Leaves the world: what is still to be cleared away moves no time but its own."""
        alone = Agenda(random.Random(0))
        alone.now = self.agenda.now
        self._simulated.agenda = alone

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
