"""What is to be sent to one peer: bounded, written at once, never waiting for a peer that won't read."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import OPEN

from parlour.server.frames import Frame


class Outbox:
    """A line to one peer (session.Line). It moves bytes and decides nothing.

    All frames of one moment go out in one write, without a task of their own: a task and a lock per frame
    would cost more than the rest of a move. Only while the peer does not read as fast as we write does a task
    wait for it.
    """

    def __init__(self, socket: ServerConnection, address: str, json: bool, most: int) -> None:
        self.address = address
        self.json = json
        self.stuck_since: float | None = None
        """Since when the peer has not read what was written."""
        self._unanswered = 0
        self._socket = socket
        self._most = most
        self._frames: deque[Frame] = deque()
        self._flushing = False
        self._hang_up: tuple[int, str] | None = None
        self._task: asyncio.Task[None] | None = None
        """Waits for a slow peer, or closes."""
        self._pinging: asyncio.Task[None] | None = None

    def send(self, frame: Frame) -> None:
        if self._hang_up is not None:
            return
        self._frames.append(frame)
        if not self._flushing:
            self._flushing = True
            self._socket.loop.call_soon(self._flush)
        # One busy moment may bring many frames; only a peer that is also slow is too slow.
        if len(self._frames) > self._most and self.stuck_since is not None:
            self.abort(4004, "not reading")

    def hang_up(self, code: int, reason: str) -> None:
        """Closes after what has been put in before."""
        if self._hang_up is None:
            self._hang_up = (code, reason)
            if not self._flushing:
                self._flushing = True
                self._socket.loop.call_soon(self._flush)

    def abort(self, code: int, reason: str) -> None:
        """Closes at once, whatever is still to be sent: the peer is not reading."""
        self._hang_up = (code, reason)
        self._frames.clear()
        self._socket.transport.abort()

    @property
    def hanging_up(self) -> bool:
        return self._hang_up is not None

    async def finished(self) -> None:
        """Waits until a line that is hung up has been closed."""
        while self._flushing or self._task is not None:
            await (self._task or asyncio.sleep(0))

    def cut(self) -> None:
        """The connection is gone: nothing waits for it any more."""
        self._frames.clear()
        self.stuck_since = None
        for task in (self._task, self._pinging):
            if task is not None:
                task.cancel()

    @property
    def silent(self) -> bool:
        """Two pings in a row were not answered."""
        return self._unanswered >= 2

    def ping(self, heard: Callable[[float], None]) -> None:
        """Sends a ping; `heard` gets the round trip in seconds."""
        self._unanswered += 1
        self._pinging = self._socket.loop.create_task(self._ping(heard))

    async def _ping(self, heard: Callable[[float], None]) -> None:
        with contextlib.suppress(ConnectionClosed):
            trip = await (await self._socket.ping())
            self._unanswered = 0
            heard(trip)

    def _flush(self) -> None:
        """Writes all that there is, unless the peer still has to read what came before."""
        self._flushing = False
        if self._task is not None:
            return
        protocol, transport = self._socket.protocol, self._socket.transport
        if protocol.state is not OPEN:
            self._frames.clear()
            return
        for frame in self._frames:
            if self.json:
                protocol.send_text(frame.text().encode())
            else:
                protocol.send_binary(frame.packed())
        self._frames.clear()
        transport.write(b"".join(protocol.data_to_send()))
        if transport.get_write_buffer_size() or self._hang_up is not None:
            self.stuck_since = self._socket.loop.time()
            self._task = self._socket.loop.create_task(self._wait())

    async def _wait(self) -> None:
        """Until the peer has read enough; then what came meanwhile goes out, or the line is closed."""
        try:
            await self._socket.drain()
            if self._hang_up is not None and not self._frames:
                await self._socket.close(*self._hang_up)
        except (ConnectionClosed, OSError):
            self._frames.clear()
        finally:
            self._task = None
            self.stuck_since = None
        if self._frames or (self._hang_up is not None and self._socket.protocol.state is OPEN):
            self._flush()
