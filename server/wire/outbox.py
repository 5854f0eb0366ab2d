"""Frames to one peer: a bounded queue, written at once. Nothing waits for a peer that does not read."""

import asyncio
from collections import deque
from collections.abc import Callable

from websockets.exceptions import ConnectionClosed

from parlour.protocol.frame import Frame
from parlour.server.border import nothing
from parlour.server.wire.peer_socket import PeerSocket

URGENT, PATIENT = 64, 16
"""Outboxes that are flushed in one round of the event loop: a write takes some 20 microseconds."""
BYTES = 128 * 1024
"""After so many bytes the round is over, too: long lists take longer, these some 0.7 milliseconds."""
REST = 0.02
"""Seconds after outboxes were flushed that could wait, before those that can wait are flushed again: what
comes meanwhile for one of them goes out in one write. Of changes in the lobby there may be hundreds a second,
and each is for everybody."""


class FlushScheduler:
    """Flushes the outboxes that have something to send, at the end of the current round of the event loop.

    Only so many in one round: a line of chat goes to thousands, and others are served in between. Outboxes
    with nothing but frames that can wait, as chat can, wait for all that have others, and for a rest after
    the last time.
    """

    def __init__(self, on_round: Callable[[], None] = nothing) -> None:
        self._on_round = on_round
        """Called in each round in which something is written."""
        self._urgent: deque[Outbox] = deque()
        self._patient: deque[Outbox] = deque()
        """Those of this turn; those of the next one gather meanwhile."""
        self._gathered: deque[Outbox] = deque()
        self._rests_until = 0.0
        self._running = self._resting = False
        """Whether a round is to come, and whether the rest is to end."""

    def schedule(self, outbox: "Outbox", loop: asyncio.AbstractEventLoop, urgent: bool = True) -> None:
        (self._urgent if urgent else self._gathered).append(outbox)
        if not self._running:
            self._go_on(loop)

    def _go_on(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._urgent or self._patient or (self._gathered and loop.time() >= self._rests_until):
            self._running = True
            loop.call_soon(self._flush_some, loop)
        elif self._gathered and not self._resting:
            self._resting = True
            loop.call_at(self._rests_until, self._end_rest, loop)

    def _end_rest(self, loop: asyncio.AbstractEventLoop) -> None:
        self._resting = False
        if not self._running:
            self._go_on(loop)

    def flush_urgent(self) -> None:
        """Flushes what is urgent, because one of them is about to close: a step goes out to all at once."""
        self._flush(self._urgent, URGENT, BYTES)

    def _flush_some(self, loop: asyncio.AbstractEventLoop) -> None:
        self._on_round()
        try:
            written = self._flush(self._urgent, URGENT, BYTES)
            if not self._patient and loop.time() >= self._rests_until:
                self._patient, self._gathered = self._gathered, self._patient
            if self._patient:
                self._flush(self._patient, PATIENT, BYTES - written)
                self._rests_until = loop.time() + REST
        finally:
            self._running = False
            self._go_on(loop)

    @staticmethod
    def _flush(outboxes: "deque[Outbox]", most: int, most_bytes: int) -> int:
        written = 0
        while outboxes and most and written <= most_bytes:
            most -= 1
            written += outboxes.popleft().flush()
        return written


class Outbox:
    """The frames for one peer (session.Peer). It moves bytes and decides nothing.

    All frames of one moment go out in one write, without a task: a task and a lock for each frame would cost
    more than the rest of a move. A task waits only while the peer reads more slowly than we write.
    """

    def __init__(
        self, socket: PeerSocket, scheduler: FlushScheduler, address: str, json: bool, most: int
    ) -> None:
        self.address = address
        self.json = json
        self.stuck_since: float | None = None
        """Since when the peer has not read what was written."""
        self._unanswered = 0
        self._socket = socket
        self._scheduler = scheduler
        self._most = most
        self._frames: deque[Frame] = deque()
        self._scheduled = self._urgent = False
        """Whether it is to be flushed, and whether that is urgent."""
        self._hang_up: tuple[int, str] | None = None
        self._held = False
        self._task: asyncio.Task[None] | None = None
        """Waits for a slow peer, or closes."""

    def send(self, frame: Frame, urgent: bool = True) -> None:
        if self._hang_up is not None:
            return
        self._frames.append(frame)
        if not self._urgent:
            self._schedule(urgent)
        # One busy moment may bring many frames; only a peer that is also slow is too slow.
        if self.stuck_since is not None and len(self._frames) > self._most:
            self.abort(4004, "not reading")

    def hold(self) -> None:
        """Writes nothing until `let_go`: what the frames say is not stored yet."""
        self._held = True

    def let_go(self, forget: bool = False) -> None:
        """Writes what was held, or forgets it."""
        self._held = False
        if forget:
            self._frames.clear()
        if self._frames or self._hang_up is not None:
            self._schedule()

    def _schedule(self, urgent: bool = True) -> None:
        # One that waits with frames that can wait is scheduled a second time for one that cannot: it is
        # flushed as a whole, in the order of the frames, and the second time there is nothing left.
        if not self._scheduled or (urgent and not self._urgent):
            self._scheduled, self._urgent = True, urgent
            self._scheduler.schedule(self, self._socket.loop, urgent)

    def hang_up(self, code: int, reason: str) -> None:
        """Closes after the frames that were sent before; messages of the peer are ignored from now on."""
        if self._hang_up is None:
            self._hang_up = (code, reason)
            self._socket.stop_listening()
            self._schedule()

    def abort(self, code: int, reason: str) -> None:
        """Closes at once, whatever is still to be sent: the peer is not reading."""
        self._hang_up = (code, reason)
        self._frames.clear()
        self._socket.abort()

    def cut(self) -> None:
        """Drops frames and the task of a connection that is gone."""
        self._frames.clear()
        self.stuck_since = None
        if self._task is not None:
            self._task.cancel()

    @property
    def silent(self) -> bool:
        """Two pings in a row were not answered."""
        return self._unanswered >= 2

    def ping(self, on_trip: Callable[[float], None]) -> None:
        """Sends a ping; `on_trip` gets the round trip in seconds."""
        self._unanswered += 1

        def answered(trip: float) -> None:
            self._unanswered = 0
            on_trip(trip)

        self._socket.measure(answered)

    def flush(self) -> int:
        """Writes the frames, unless the peer still has to read earlier ones; returns their size.

        Those behind BYTES of them wait for their turn like those of others.
        """
        urgent, self._scheduled, self._urgent = self._urgent, False, False
        if self._task is not None or self._held or not (self._frames or self._hang_up is not None):
            return 0
        socket, frames = self._socket, self._frames
        if not socket.is_open():
            frames.clear()
            return 0
        messages: list[bytes | str] = []
        size = 0
        while frames and size <= BYTES:
            frame = frames.popleft()
            messages.append(frame.text() if self.json else frame.packed())
            size += len(messages[-1])
        if not socket.write(messages) or self._hang_up is not None:
            self.stuck_since = socket.loop.time()
            self._task = socket.loop.create_task(self._wait())
        elif frames:
            self._schedule(urgent)
        return size

    async def _wait(self) -> None:
        """Waits until the peer has read enough; then flushes what came meanwhile, or closes."""
        try:
            await self._socket.until_written()
            if self._hang_up is not None and not self._frames:
                await self._socket.close(*self._hang_up)
        except (ConnectionClosed, OSError):
            self._frames.clear()
        finally:
            self._task = None
            self.stuck_since = None
        if self._frames or (self._hang_up is not None and self._socket.is_open()):
            self.flush()
