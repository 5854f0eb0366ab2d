"""An event loop that notes its longest piece of work: while one runs, nobody is served.

Counted is the processor time of the loop's own thread, so that other processes and threads do not matter.
"""

import asyncio
import gc
import time
from collections.abc import Callable
from contextvars import Context
from typing import Any, TypeVar, TypeVarTuple, Unpack

import attrs

from parlour.server.wire.websocket import ServerWebSocket

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@attrs.define
class Pieces:
    """The longest piece since the last look, in seconds, and what it was."""

    longest: float = 0.0
    what: str = ""
    garbage: float = 0.0
    """Of the longest piece: what Python's garbage collector took."""
    second: float = 0.0
    """The longest piece but one: on a virtual machine, time that its host took may be among the longest."""
    _collecting_since: float = 0.0
    _collected: float = 0.0
    """By the piece that is running."""

    def timed(self, work: Callable[[Unpack[Ts]], T]) -> Callable[[Unpack[Ts]], T]:
        def run(*arguments: *Ts) -> T:
            self._collected = 0.0
            began = time.thread_time()
            try:
                return work(*arguments)
            finally:
                took = time.thread_time() - began
                if took > self.longest:
                    self.second = self.longest
                    self.longest, self.what, self.garbage = took, _name(work), self._collected
                elif took > self.second:
                    self.second = took

        return run

    def note_collection(self, phase: str, _facts: dict[str, int]) -> None:
        """Of any thread: while one collects, none of the others runs."""
        if phase == "start":
            self._collecting_since = time.thread_time()
        else:
            self._collected += time.thread_time() - self._collecting_since

    def look(self) -> dict[str, Any]:
        what = f"{self.what}, {1e3 * self.garbage:.1f} of it garbage" if self.garbage else self.what
        found = {"piece": self.longest, "second": self.second, "what": what}
        self.longest, self.what, self.garbage, self.second = 0.0, "", 0.0, 0.0
        return found


def _name(work: Callable[..., Any]) -> str:
    """What a callback is: of the step of a task, whose task it is."""
    owner = getattr(work, "__self__", None)
    if isinstance(owner, asyncio.Task):
        return str(getattr(owner.get_coro(), "__qualname__", owner.get_name()))
    return str(getattr(work, "__qualname__", type(work).__name__))


PIECES = Pieces()
gc.callbacks.append(PIECES.note_collection)


class TimedLoop(asyncio.SelectorEventLoop):
    """Times whatever it is given to call. What it reads from sockets, `time_reading` times."""

    def call_soon(
        self, callback: Callable[[Unpack[Ts]], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        return super().call_soon(PIECES.timed(callback), *args, context=context)

    def call_soon_threadsafe(
        self, callback: Callable[[Unpack[Ts]], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        return super().call_soon_threadsafe(PIECES.timed(callback), *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return super().call_at(when, PIECES.timed(callback), *args, context=context)


def time_reading() -> None:
    """Times what a packet brings about as well: sockets are read by no callback of ours."""
    read = ServerWebSocket.data_received

    def data_received(self: ServerWebSocket, data: bytes) -> None:
        PIECES.timed(read)(self, data)

    ServerWebSocket.data_received = data_received  # type: ignore[method-assign]
