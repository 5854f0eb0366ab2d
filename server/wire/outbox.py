"""Frames to one peer: a bounded queue, written at once. Nothing waits for a peer that does not read."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable

from websockets.exceptions import ConnectionClosed

from parlour.protocol.frame import Frame
from parlour.server.wire.peer_socket import PeerSocket


class FlushScheduler:
    """Flushes every outbox that has something to send, at the end of the current round of the event loop."""

    def __init__(self) -> None:
        self._waiting: deque[Outbox] = deque()

    def schedule(self, outbox: "Outbox", loop: asyncio.AbstractEventLoop) -> None:
        if not self._waiting:
            loop.call_soon(self._flush_all, loop)
        self._waiting.append(outbox)

    def _flush_all(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while self._waiting:
                self._waiting.popleft().flush()
        finally:
            if self._waiting:  # one of them raised: go on with the others
                loop.call_soon(self._flush_all, loop)


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
        self._flushing = False
        self._hang_up: tuple[int, str] | None = None
        self._held = False
        self._task: asyncio.Task[None] | None = None
        """Waits for a slow peer, or closes."""
        self._pinging: asyncio.Task[None] | None = None

    def send(self, frame: Frame) -> None:
        if self._hang_up is not None:
            return
        self._frames.append(frame)
        if not self._flushing:
            self._flushing = True
            self._scheduler.schedule(self, self._socket.loop)
        # One busy moment may bring many frames; only a peer that is also slow is too slow.
        if len(self._frames) > self._most and self.stuck_since is not None:
            self.abort(4004, "not reading")

    def hold(self) -> None:
        """Writes nothing until `let_go`: what the frames say is not stored yet."""
        self._held = True

    def let_go(self, forget: bool = False) -> None:
        """Writes what was held, or forgets it."""
        self._held = False
        if forget:
            self._frames.clear()
        if (self._frames or self._hang_up is not None) and not self._flushing:
            self._flushing = True
            self._scheduler.schedule(self, self._socket.loop)

    def hang_up(self, code: int, reason: str) -> None:
        """Closes after the frames that were sent before; messages of the peer are ignored from now on."""
        if self._hang_up is None:
            self._hang_up = (code, reason)
            self._socket.stop_listening()
            if not self._flushing:
                self._flushing = True
                self._scheduler.schedule(self, self._socket.loop)

    def abort(self, code: int, reason: str) -> None:
        """Closes at once, whatever is still to be sent: the peer is not reading."""
        self._hang_up = (code, reason)
        self._frames.clear()
        self._socket.abort()

    def cut(self) -> None:
        """Drops frames and tasks of a connection that is gone."""
        self._frames.clear()
        self.stuck_since = None
        for task in (self._task, self._pinging):
            if task is not None:
                task.cancel()

    @property
    def silent(self) -> bool:
        """Two pings in a row were not answered."""
        return self._unanswered >= 2

    def ping(self, on_trip: Callable[[float], None]) -> None:
        """Sends a ping; `on_trip` gets the round trip in seconds."""
        self._unanswered += 1
        self._pinging = self._socket.loop.create_task(self._ping(on_trip))

    async def _ping(self, on_trip: Callable[[float], None]) -> None:
        with contextlib.suppress(ConnectionClosed):
            trip = await (await self._socket.ping())
            self._unanswered = 0
            on_trip(trip)

    def flush(self) -> None:
        """Writes all frames, unless the peer still has to read earlier ones."""
        self._flushing = False
        if self._task is not None or self._held:
            return
        socket, frames = self._socket, self._frames
        if not socket.is_open:
            frames.clear()
            return
        messages = [frame.text() if self.json else frame.packed() for frame in frames]
        frames.clear()
        socket.write(messages)
        if socket.unwritten or self._hang_up is not None:
            self.stuck_since = socket.loop.time()
            self._task = socket.loop.create_task(self._wait())

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
        if self._frames or (self._hang_up is not None and self._socket.is_open):
            self.flush()
