"""A websocket that leaves all reading and writing to websockets, by its documented ways only.

Slower than `websocket.ServerWebSocket`, which does 1.16 times its moves per CPU second, by a queue, a future
and a task for each message. It is there to fall back to, when something goes wrong with our own reading and
writing or with the parts of websockets that these use.

It closes as websockets does, which RFC 6455 allows, and less kindly than ours: a close frame or a fault is
answered before the messages in front of it, a close frame between two fragments with 1002, and a message in
more than 4096 fragments with 1009.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.protocol import State

from parlour.server.wire.peer_socket import Listener, hand_over


class PlainWebSocket(ServerConnection):
    """A connection (peer_socket.PeerSocket)."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.loop = asyncio.get_running_loop()
        self.over: asyncio.Future[None] = self.loop.create_future()
        self._tasks: list[asyncio.Task[None]] = []
        self._pinging: asyncio.Task[None] | None = None
        self._ignoring = asyncio.Event()
        self._aborted = False
        self._messages: deque[bytes | str] = deque()

    def listen(self, listener: Listener) -> None:
        self._tasks = [
            self.loop.create_task(self._read(listener)),
            self.loop.create_task(self._note_end()),
        ]

    async def _read(self, listener: Listener) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                message = await self.recv()
                wait = 0.0 if self._ignoring.is_set() else listener.delay(message=True)
                if wait > 0:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._ignoring.wait(), wait)
                if not self._ignoring.is_set():
                    hand_over(self, listener, message)

    async def _note_end(self) -> None:
        await self.wait_closed()
        self.stop_listening()
        if self._pinging is not None:
            self._pinging.cancel()
        if not self.over.done():
            self.over.set_result(None)

    def stop_listening(self) -> None:
        self._ignoring.set()

    def measure(self, on_trip: Callable[[float], None]) -> None:
        self._pinging = self.loop.create_task(self._ping(on_trip))

    async def _ping(self, on_trip: Callable[[float], None]) -> None:
        with contextlib.suppress(ConnectionClosed):
            on_trip(await (await self.ping()))

    def is_open(self) -> bool:
        return self.state is State.OPEN and not self._aborted

    def write(self, messages: Sequence[bytes | str]) -> bool:
        self._messages += messages
        return False

    async def until_written(self) -> None:
        try:
            while self._messages:
                await self.send(self._messages.popleft())
        finally:
            self._messages.clear()

    async def close(self, code: CloseCode | int = CloseCode.NORMAL_CLOSURE, reason: str = "") -> None:
        self.stop_listening()
        await super().close(code, reason)

    def abort(self) -> None:
        self._aborted = True
        self._messages.clear()
        self.transport.abort()
