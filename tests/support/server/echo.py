"""A server that sends every message back, on either kind of websocket: to test the framing and nothing else.

`PYTHONPATH=tests .venv/bin/python -m support.server.echo ours 9001` is there for the Autobahn test suite.
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from parlour.server.wire.peer_socket import PeerSocket
from parlour.server.wire.plain_websocket import PlainWebSocket
from parlour.server.wire.websocket import ServerWebSocket

KINDS = {"ours": ServerWebSocket, "plain": PlainWebSocket}
LARGEST = 16 * 1024 * 1024
"""The largest message that the suite sends."""


class Echo:
    """Sends back what it gets (peer_socket.Listener)."""

    def __init__(self, socket: PeerSocket) -> None:
        self.socket = socket
        self._writing: asyncio.Task[None] | None = None

    def delay(self, message: bool) -> float:  # noqa: ARG002
        return 0.0

    def turn(self, go_on: Callable[[], None], late: bool) -> None:
        pass

    def receive(self, message: bytes | str) -> None:
        if not self.socket.write([message]) and self._writing is None:
            self._writing = self.socket.loop.create_task(self._write())

    def flush(self) -> None:
        pass  # it writes at once

    async def _write(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            await self.socket.until_written()
        self._writing = None


async def _serve(socket: ServerConnection) -> None:
    assert isinstance(socket, ServerWebSocket | PlainWebSocket)
    socket.listen(Echo(socket))
    await socket.over


@contextlib.asynccontextmanager
async def echoing(kind: str, port: int = 0) -> AsyncIterator[int]:
    """The port that it listens on."""
    async with serve(
        _serve,
        "127.0.0.1",
        port,
        compression=None,
        max_size=LARGEST,
        ping_interval=None,
        close_timeout=1.0,
        create_connection=KINDS[kind],
    ) as server:
        yield server.sockets[0].getsockname()[1]


async def _main(kind: str, port: int) -> None:
    async with echoing(kind, port):
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], int(sys.argv[2])))
