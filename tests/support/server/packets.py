"""Bytes of a websocket by hand: frames as a client writes them, and a websocket without a network."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from support.server.sockets import by_hand, upgrade
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from parlour.protocol.codec import FRAME_BYTES
from parlour.server.app import ListeningServer
from parlour.server.wire.reading_turns import Turn
from parlour.server.wire.websocket import ServerWebSocket

MASK = b"\x01\x02\x03\x04"


def frame(payload: bytes | str, first: int | None = None, *, size_bytes: int | None = None) -> bytes:
    """A masked frame; `first` is its first byte, `size_bytes` how many bytes its size is written with."""
    if first is None:
        first = 0x81 if isinstance(payload, str) else 0x82
    data = payload.encode() if isinstance(payload, str) else payload
    size = len(data)
    if size_bytes is None:
        size_bytes = 0 if size < 126 else 2 if size < 1 << 16 else 8
    sizes = {0: bytes([0x80 | size & 0x7F]), 2: b"\xfe", 8: b"\xff"}[size_bytes]
    written = size.to_bytes(size_bytes, "big") if size_bytes else b""
    masked = bytes(byte ^ MASK[index % 4] for index, byte in enumerate(data))
    return bytes([first]) + sizes + written + MASK + masked


def goodbye(code: int = 1000) -> bytes:
    return frame(code.to_bytes(2, "big"), 0x88)


class MemoryTransport(asyncio.Transport):
    """A transport without a network: it collects what is written, and reading is on or off."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.reading = True
        self.aborted = False

    def write(self, data: Any) -> None:
        self.written += data

    def writelines(self, list_of_data: Any) -> None:
        self.write(b"".join(list_of_data))

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        pass

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True


class CollectingListener:
    """Collects messages, delays them by `waits`, and lets those wait for a turn that are `crowded`."""

    def __init__(self) -> None:
        self.messages: list[bytes | str] = []
        self.waits: list[float] = []
        self.crowded: list[bool] = []
        self.late: list[bool] = []
        """Whether those before it had taken long, for each frame."""

    def delay(self, message: bool) -> float:  # noqa: ARG002
        return self.waits.pop(0) if self.waits else 0.0

    def turn(self, go_on: Callable[[], None], late: bool) -> Turn | None:
        self.late.append(late)
        if not self.crowded or not self.crowded.pop(0):
            return None
        turn = Turn(go_on)
        asyncio.get_running_loop().call_soon(lambda: turn.go_on and turn.go_on())
        return turn

    def receive(self, message: bytes | str) -> None:
        self.messages.append(message)

    def flush(self) -> None:
        pass


class _Server:
    """As much of a websockets server as a connection asks for."""

    def __init__(self) -> None:
        self.handler_tasks: set[Any] = set()

    async def handler(self, _connection: Any) -> None:
        pass


@contextlib.asynccontextmanager
async def open_websocket() -> AsyncIterator[tuple[ServerWebSocket, MemoryTransport]]:
    """After the handshake, and before anybody listens."""
    websocket = ServerWebSocket(ServerProtocol(max_size=FRAME_BYTES), _Server(), close_timeout=1.0)  # type: ignore[arg-type]
    transport = MemoryTransport()
    websocket.connection_made(transport)
    websocket.data_received(upgrade("Host: x").replace("\n", "\r\n").encode())
    assert websocket.request is not None
    websocket.protocol.send_response(websocket.protocol.accept(websocket.request))
    websocket.send_data()
    assert websocket.protocol.state is OPEN
    transport.written = b""
    try:
        yield websocket, transport
    finally:
        websocket.connection_lost(None)


@contextlib.asynccontextmanager
async def packets(server: ListeningServer, behind: bytes = b"") -> AsyncIterator["Packets"]:
    """A peer that decides what goes into a packet; `behind` goes right behind the HTTP request."""
    async with by_hand(server) as (reader, writer):
        writer.write(upgrade("Host: 127.0.0.1").replace("\n", "\r\n").encode() + behind)
        await reader.readuntil(b"\r\n\r\n")
        yield Packets(reader, writer)


class Packets:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, *frames: bytes) -> None:
        """All in one write."""
        self.writer.write(b"".join(frames))

    async def receive(self) -> tuple[int, bytes]:
        """The first byte of the next frame, and its payload."""
        first, size = await self.reader.readexactly(2)
        if size == 126:
            size = int.from_bytes(await self.reader.readexactly(2), "big")
        elif size == 127:
            size = int.from_bytes(await self.reader.readexactly(8), "big")
        return first, await self.reader.readexactly(size)

    async def message(self) -> bytes:
        """The next message; pings are passed over."""
        while (received := await self.receive())[0] in (0x89, 0x8A):
            pass
        assert received[0] in (0x81, 0x82), received
        return received[1]

    async def closed(self) -> tuple[int, list[bytes]]:
        """Reads until the server closes: its code, and the messages that came before."""
        seen = []
        while (received := await self.receive())[0] != 0x88:
            if received[0] in (0x81, 0x82):
                seen.append(received[1])
        return Close.parse(received[1]).code, seen


def by_the_library(data: bytes) -> list[bytes | str]:
    """The messages in a stream of frames, as websockets reads them."""
    protocol = ServerProtocol(state=OPEN, max_size=FRAME_BYTES)
    protocol.receive_data(data)
    messages: list[bytes | str] = []
    parts: list[Frame] = []
    for event in protocol.events_received():
        assert isinstance(event, Frame)
        if event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            parts.append(event)
            if event.fin:
                whole = b"".join(bytes(part.data) for part in parts)
                messages.append(whole.decode() if parts[0].opcode is Opcode.TEXT else whole)
                parts = []
    return messages
