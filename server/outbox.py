"""What is to be sent to one peer: bounded, written by one task, never waiting for a peer that won't read."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from parlour.server.frames import Frame


class Outbox:
    """A line to one peer (session.Line). It moves bytes and decides nothing."""

    def __init__(self, socket: ServerConnection, address: str, json: bool, most: int) -> None:
        self.address = address
        self.json = json
        self.stuck_since: float | None = None
        """Since when the peer has not read what is being written."""
        self._task: asyncio.Future[None] | None = None
        self._unanswered = 0
        self._socket = socket
        self._most = most
        self._frames: deque[Frame] = deque()
        self._more = asyncio.Event()
        self._hang_up: tuple[int, str] | None = None

    def send(self, frame: Frame) -> None:
        if self._hang_up is not None:
            return
        self._frames.append(frame)
        self._more.set()
        # One busy moment may bring many frames; only a peer that also keeps the writer waiting is too slow.
        if len(self._frames) > self._most and self.stuck_since is not None:
            self.abort(4004, "not reading")

    def hang_up(self, code: int, reason: str) -> None:
        """Closes after what has been put in before."""
        if self._hang_up is None:
            self._hang_up = (code, reason)
            self._more.set()

    def abort(self, code: int, reason: str) -> None:
        """Closes at once, whatever is still to be sent: the peer is not reading."""
        self._hang_up = (code, reason)
        self._frames.clear()
        self._socket.transport.abort()

    @property
    def hanging_up(self) -> bool:
        return self._hang_up is not None

    @property
    def silent(self) -> bool:
        """Two pings in a row were not answered."""
        return self._unanswered >= 2

    def ping(self, heard: Callable[[float], None]) -> None:
        """Sends a ping through the writer's back door; `heard` gets the round trip in seconds."""
        self._unanswered += 1
        self._task = asyncio.ensure_future(self._ping(heard))

    async def _ping(self, heard: Callable[[float], None]) -> None:
        with contextlib.suppress(ConnectionClosed):
            trip = await (await self._socket.ping())
            self._unanswered = 0
            heard(trip)

    async def write(self) -> None:
        """Runs as long as the connection does."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                await self._more.wait()
                self._more.clear()
                while self._frames:
                    frame = self._frames.popleft()
                    self.stuck_since = loop.time()
                    await self._socket.send(frame.text() if self.json else frame.packed())
                    self.stuck_since = None
                if self._hang_up is not None:
                    self.stuck_since = loop.time()
                    await self._socket.close(*self._hang_up)
                    return
        except ConnectionClosed:
            return
        finally:
            self.stuck_since = None
            self._frames.clear()
