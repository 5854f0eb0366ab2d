"""A websocket client with nothing to spare: it costs so little that what is measured is the server."""

import asyncio
import struct
import sys

_REQUEST = (
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "{more}\r\n"
)
_BINARY, _CLOSE, _PING, _PONG = 0x82, 0x88, 0x89, 0x8A


class LeanSocket(asyncio.Protocol):
    """One connection; whoever uses it overrides `opened` and `received`."""

    def __init__(self, port: int, subprotocol: str | None = None) -> None:
        more = f"Sec-WebSocket-Protocol: {subprotocol}\r\n" if subprotocol else ""
        self._request = _REQUEST.format(port=port, more=more).encode()
        self._buffer = b""
        self._open = False
        self.closing = False
        self.gone = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport

    def opened(self) -> None:
        """The handshake is over."""

    def received(self, payload: bytes) -> None:
        """A whole message came in."""

    def send(self, payload: bytes, head: int = _BINARY) -> None:
        # A key of zeros masks nothing here and costs the server what any other key would.
        size = len(payload)
        sizes = struct.pack("!BB", head, 0x80 | size) if size < 126 else struct.pack("!BBH", head, 0xFE, size)
        self.transport.write(sizes + b"\0\0\0\0" + payload)

    def close(self) -> None:
        self.closing = True
        self.transport.abort()

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.closing:
            print(f"a lean client lost its connection: {exc}", file=sys.stderr)
        self.gone.set_result(None)

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._open:
            head, end, buffer = buffer.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                raise RuntimeError(f"the handshake failed: {head!r}")
            self._open = True
            self.opened()
        start, length = 0, len(buffer)
        while length - start >= 2:
            size, body = buffer[start + 1], start + 2
            if size == 126:
                if length - start < 4:
                    break
                size, body = buffer[start + 2] << 8 | buffer[start + 3], start + 4
            elif size == 127:
                if length - start < 10:
                    break
                size, body = int.from_bytes(buffer[start + 2 : start + 10], "big"), start + 10
            if length - body < size:
                break
            head_byte, payload, start = buffer[start], buffer[body : body + size], body + size
            if head_byte == _BINARY:
                self.received(payload)
            elif head_byte == _PING:
                self.send(payload, _PONG)
            elif head_byte == _CLOSE:
                raise RuntimeError(f"the server hung up: {payload!r}")
        self._buffer = buffer[start:]
