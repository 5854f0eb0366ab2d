"""Lines between peers and the server: they are slow, lose their end, or fall silent, as luck has it.

`Line` is the peer's end, `_Transport` is what the server's websocket writes to. Both move bytes.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from tools.simulation.loop import Agenda, SimulatedLoop, SimulatedServer

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
NO_MASK = b"\0\0\0\0"
TEXT, BINARY, CLOSE, PING, PONG = 0x81, 0x82, 0x88, 0x89, 0x8A
DELAYS = (0.0, 0.0, 0.0, 0.001, 0.004, 0.02, 0.15)
"""Seconds that a packet may take."""
QUICK = (0.0, 0.0, 0.0, 0.001)
"""The same on a line that flaps: it is back before it is lost again."""


def frame(payload: bytes, first: int = BINARY) -> bytes:
    """A frame as a client writes it; the mask leaves everything as it is."""
    size = len(payload)
    if size < 126:
        return bytes((first, 0x80 | size)) + NO_MASK + payload
    if size < 1 << 16:
        return bytes((first, 0xFE)) + size.to_bytes(2, "big") + NO_MASK + payload
    return bytes((first, 0xFF)) + size.to_bytes(8, "big") + NO_MASK + payload


class Reader(Protocol):
    """The peer at the end of a line."""

    def on_open(self, line: "Line") -> None: ...

    def on_message(self, line: "Line", payload: bytes, first: int) -> None: ...

    def on_end(self, line: "Line", code: int | None) -> None: ...


class _Transport(asyncio.Transport):
    def __init__(self, line: "Line") -> None:
        super().__init__()
        self._line = line
        self.unsent: deque[bytes] = deque()
        self.closing = False
        self.gone = False
        self.reading = True
        self.paused = False
        self.unread: deque[bytes] = deque()
        self._high = 65536

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self._line.address, 40000) if name == "peername" else default

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:  # noqa: ARG002
        self._high = 65536 if high is None else high

    def get_write_buffer_size(self) -> int:
        return sum(map(len, self.unsent))

    def write(self, data: Any) -> None:
        if self.gone or self.closing or not data:
            return
        line = self._line
        if self.unsent or (line.stuck and line.room <= 0):
            self.unsent.append(bytes(data))
            if not self.paused and self.get_write_buffer_size() > self._high:
                self.paused = True
                line.protocol.pause_writing()
            return
        line.room -= len(data)
        line.carry(bytes(data))

    def writelines(self, list_of_data: Any) -> None:
        self.write(b"".join(list_of_data))

    def flush(self) -> None:
        """The peer reads again."""
        while self.unsent:
            self._line.carry(self.unsent.popleft())
        if self.paused:
            self.paused = False
            self._line.protocol.resume_writing()
        if self.closing:
            self._lose()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self._line.carry(b"")

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        if not self.reading:
            self.reading = True
            while self.unread and self.reading and not self.gone:
                self._line.call_soon(self._read_one)
                break

    def take(self, data: bytes) -> None:
        """Bytes have come in; none are the end."""
        if self.gone:
            return
        self.unread.append(data)
        if self.reading:
            self._read_one()

    def _read_one(self) -> None:
        while self.unread and self.reading and not self.gone:
            data = self.unread.popleft()
            if data:
                self._line.protocol.data_received(data)
            elif not self._line.protocol.eof_received():
                self.close()

    def is_closing(self) -> bool:
        return self.closing or self.gone

    def close(self) -> None:
        if not self.closing and not self.gone:
            self.closing = True
            if not self.unsent:
                self._lose()

    def abort(self) -> None:
        self.unsent.clear()
        self.closing = True
        self._lose()

    def _lose(self, wrong: Exception | None = None) -> None:
        if not self.gone:
            self.gone = True
            self._line.call_soon(self._line.protocol.connection_lost, wrong)
            self._line.on_lost()

    def break_off(self) -> None:
        """The network has lost it."""
        if self._line.protocol is None:
            return
        self.unsent.clear()
        self.closing = True
        self._lose(ConnectionResetError("lost"))


class Line:
    """One connection of a peer, from its handshake to its end."""

    def __init__(
        self,
        agenda: Agenda,
        loop: SimulatedLoop,
        server: SimulatedServer,
        reader: Reader,
        number: int,
        luck: random.Random,
        address: str,
        delays: tuple[float, ...] = DELAYS,
    ) -> None:
        self._delays = delays
        self.number = number
        self.agenda, self.luck, self.address = agenda, luck, address
        self.reader = reader
        self.loop, self.server = loop, server
        self.open = False
        """The handshake is done, and the peer's end is not closed."""
        self.over = False
        """The peer knows that it has ended, or has left it."""
        self.silent = False
        """Nothing gets through any more, and nobody is told."""
        self.stuck = False
        """The peer does not read."""
        self.room = 0
        """Bytes that still go out to a peer that does not read."""
        self.closed_with: int | None = None
        self.written_in = 0
        """The round of the server's loop in which what is read now was written."""
        self.written_at = 0.0
        """And when that was."""
        self._in: deque[bytes] = deque()
        self._gathered: list[bytes] | None = None
        self._out: deque[tuple[bytes, int, float]] = deque()
        self._in_at = self._out_at = 0.0
        self._unparsed = b""
        self._answered = self._closing = False
        self.protocol: Any = server.accept()
        self.transport = _Transport(self)
        if self.protocol is None:
            self._later_end()
            return
        self.call_soon(self.protocol.connection_made, self.transport)
        self.send_bytes(REQUEST)

    def call_soon(self, work: Callable[..., Any], *given: Any) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon(work, *given)

    def _delay(self) -> float:
        delays = self._delays
        return delays[int(self.luck.random() * len(delays))]  # as `choice` does, in a third of its time

    # From the peer to the server

    def send_bytes(self, data: bytes) -> None:
        if self.over or self.protocol is None:
            return
        if self._gathered is not None:
            self._gathered.append(data)
            return
        self._in.append(data)
        self._in_at = max(self._in_at, self.agenda.now + self._delay())
        self.agenda.at(self._in_at, self._arrive)

    def gather(self) -> None:
        """Lets what is sent wait for `send_gathered`."""
        self._gathered = []

    def send_gathered(self) -> None:
        """Sends what was gathered in one packet."""
        gathered, self._gathered = self._gathered, None
        if gathered:
            self.send_bytes(b"".join(gathered))

    def _arrive(self) -> None:
        data = self._in.popleft()
        if not self.silent and not self.transport.gone:
            self.call_soon(self.transport.take, data)

    def send(self, payload: bytes, first: int = BINARY) -> None:
        """Sends a frame, whole or in two packets."""
        data = frame(payload, first)
        self._closing = self._closing or first == CLOSE
        if self.luck.random() < 0.05:
            cut = self.luck.randrange(1, len(data))
            self.send_bytes(data[:cut])
            data = data[cut:]
        self.send_bytes(data)

    # From the server to the peer

    def carry(self, data: bytes) -> None:
        self._out.append((data, self.agenda.rounds, self.agenda.now))
        self._out_at = max(self._out_at, self.agenda.now + self._delay())
        self.agenda.at(self._out_at, self._come)

    def _come(self) -> None:
        data, self.written_in, self.written_at = self._out.popleft()
        if self.over or self.silent:
            return
        if not data:
            self.send_bytes(b"")  # the server has closed: so does the peer
            return
        self._unparsed += data
        self._parse()

    def _parse(self) -> None:
        if not self._answered:
            head, found, rest = self._unparsed.partition(b"\r\n\r\n")
            if not found:
                return
            self._unparsed, self._answered = rest, True
            if not head.startswith(b"HTTP/1.1 101"):
                self.end()
                return
            self.open = True
            self.reader.on_open(self)
        data, at = self._unparsed, 0
        while len(data) - at >= 2 and not self.over:
            first, size, body = data[at], data[at + 1], at + 2
            if size == 126:
                size, body = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, body = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if body + size > len(data):
                break
            at = body + size
            self._take(first, data[body:at])
        self._unparsed = data[at:]

    def _take(self, first: int, payload: bytes) -> None:
        if first == PING:
            self.send(payload, PONG)
        elif first == CLOSE:
            self.closed_with = int.from_bytes(payload[:2], "big") if payload else 1005
            if not self._closing:
                self.send(payload, CLOSE)
        elif first in (TEXT, BINARY):
            self.reader.on_message(self, payload, first)

    # The end

    def on_lost(self) -> None:
        """The server's end is gone."""
        self.call_soon(self.server.lost)
        self._later_end()

    def _later_end(self) -> None:
        self._out_at = max(self._out_at, self.agenda.now + self._delay())
        self.agenda.at(self._out_at, self.end)

    def end(self) -> None:
        """The peer learns that it is over."""
        if not self.over and not self.silent:
            self.over, self.open = True, False
            self.reader.on_end(self, self.closed_with)

    def cut(self, notice: float | None) -> None:
        """The peer leaves without a word; the server notices after so many seconds, or by itself."""
        self.over, self.open = True, False
        if notice is None:
            self.silent = True
        else:
            self.agenda.later(notice, self.transport.break_off)

    def break_with_server(self) -> None:
        """The server was killed: the peer learns of it, and nothing more goes either way."""
        self.transport.break_off()

    def read_on(self) -> None:
        self.stuck = False
        if not self.transport.gone:
            self.call_soon(self.transport.flush)
