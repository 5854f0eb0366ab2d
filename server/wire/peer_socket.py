"""A websocket as connections and outboxes see it; there are two kinds.

`websocket.ServerWebSocket` reads and writes the usual frames itself and is what servers use.
`plain_websocket.PlainWebSocket` leaves everything to websockets, by its documented ways only:
`--plain-websockets` falls back to it. The same tests run on both.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

from websockets.typing import Subprotocol

from parlour.server.wire.reading_turns import Turn


class Listener(Protocol):
    """Receives the messages of one connection."""

    def delay(self, message: bool) -> float:
        """Seconds that a message has to wait, or a frame that ends none; called once for each.

        `PlainWebSocket` asks for messages only: other frames are read by websockets.
        """

    def turn(self, go_on: Callable[[], None], late: bool) -> Turn | None:
        """None if a frame may be read now; else `go_on` is called when it is its turn.

        `late`: those in front of it in its packet have taken long.
        `PlainWebSocket` does not ask: its messages come one by one through tasks.
        """

    def receive(self, message: bytes | str) -> None: ...

    def flush(self) -> None:
        """Writes what there is to write: the connection may close next.

        `PlainWebSocket` does not call it: websockets answers a close frame before it hands over the messages
        in front of it.
        """


class PeerSocket(Protocol):
    """One websocket after its handshake."""

    loop: asyncio.AbstractEventLoop
    over: asyncio.Future[None]
    """Done when the connection has ended; has the exception that the listener raised, if it did."""

    @property
    def subprotocol(self) -> Subprotocol | None: ...

    def is_open(self) -> bool:
        """Whether messages may still be written."""

    def listen(self, listener: Listener) -> None:
        """Begins to hand over messages, also those that came before."""

    def stop_listening(self) -> None:
        """Ignores every message from now on; the peer's close frame is still read."""

    def write(self, messages: Sequence[bytes | str]) -> bool:
        """Writes messages, each in a frame of its own: text as text, bytes as bytes.

        False if the peer has yet to read something before more is written: wait for `until_written`.
        """

    async def until_written(self) -> None: ...

    def measure(self, on_trip: Callable[[float], None]) -> None:
        """Sends a ping; `on_trip` is told how many seconds its pong took."""

    async def close(self, code: int = 1000, reason: str = "") -> None: ...

    def abort(self) -> None:
        """Ends the connection at once."""


def hand_over(socket: PeerSocket, listener: Listener, message: bytes | str) -> None:
    """Hands a message over; after a bug the listener gets no more."""
    try:
        listener.receive(message)
    except Exception as bug:
        # Reading goes on for the closing handshake; `over` hands the bug to the gateway.
        socket.stop_listening()
        if not socket.over.done():
            socket.over.set_exception(bug)
