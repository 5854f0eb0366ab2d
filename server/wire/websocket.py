"""Messages from one peer and to it: handed over whole as their packet is read, written all at once.

This is the one module that uses websockets past its documentation (tests/server/wire/test_websockets_parts.py
has every part), and for speed alone. In instructions, of some 700,000 that a move takes with its sockets:

    read a command    11,000 here    30,000 by the documented Sans-I/O protocol (websockets.server)
    write a frame      4,600 here    13,600; a move has three

That would be 6.5% of a move. By the documented connection (plain_websocket.py) it is 16%.
"""

import asyncio
import secrets
import struct
from collections.abc import Callable, Sequence

from websockets.asyncio.server import ServerConnection
from websockets.frames import CONT, DATA_OPCODES, PONG, TEXT, CloseCode, Frame
from websockets.frames import apply_mask as unmask  # type: ignore[attr-defined]
from websockets.protocol import CLOSED, OPEN, Event

from parlour.server.wire.peer_socket import Listener, hand_over
from parlour.server.wire.reading_turns import LONGEST, Turn

TEXT_FRAME, BINARY_FRAME = 0x81, 0x82
"""The first byte of a message in one frame."""
PLAIN = (BINARY_FRAME, TEXT_FRAME)
LAST_FRAGMENT, CLOSE_FRAME, PING_FRAME = 0x80, 0x88, 0x89
ENDS_MESSAGE = (*PLAIN, LAST_FRAGMENT)
MASKED = 0x80
TWO_BYTES, EIGHT_BYTES = 126, 127
"""Sizes that say how the size is written."""
MOST_UNREAD = 16 * 1024
"""Bytes that may lie unread before no more are taken from the kernel."""
END_OF_REQUEST = b"\r\n\r\n"
_HEAD_OF_TWO = struct.Struct(">BBH").pack


def head_of(first: int, size: int) -> bytes:
    """Makes the head of a whole frame to a client, which is neither masked nor compressed."""
    if size < TWO_BYTES:
        return bytes((first, size))
    if size < 1 << 16:
        return _HEAD_OF_TWO(first, TWO_BYTES, size)
    return bytes((first, EIGHT_BYTES)) + size.to_bytes(8, "big")


class ServerWebSocket(ServerConnection):
    """A connection (peer_socket.PeerSocket) whose messages go through no queue, no future and no task.

    A message in one frame, as nearly all are, is read here. Everything else (control frames, fragments,
    faults) is left to websockets, which gets whole frames only and so is always between two frames. Nothing
    is read ahead: a frame that must wait stays here as bytes, one packet at most, the rest with the peer.
    Pings and fragments by the thousand are held back like messages.
    """

    _listener: Listener | None = None
    _ignoring = False
    _unread = b""
    _fragments: bytearray
    """What has come of a message in several frames; websockets holds its size to the limit."""
    _is_text = False
    """Whether that message is text."""
    _alarm: asyncio.TimerHandle | Turn | None = None
    """Calls `_take_turn` or `_let_go` when the next frame may be read."""
    _waited = False
    """The next frame came too soon and has waited: it does not wait again."""
    _pings: dict[bytes, tuple[float, Callable[[float], None]]]
    """Those without a pong: when each was sent, and who wants to know."""
    over: asyncio.Future[None]
    """Done when the connection has ended; has the exception that the listener raised, if it did."""

    def listen(self, listener: Listener) -> None:
        """Begins to hand over messages, also those that came before."""
        if not self._ignoring:
            self._listener = listener
            self._ask_turn()

    def stop_listening(self) -> None:
        """Ignores every message from now on; the peer's close frame is still read."""
        if self._ignoring:
            return
        self._ignoring, self._listener = True, None
        self._forget()
        self._take_turn()

    async def close(self, code: CloseCode | int = CloseCode.NORMAL_CLOSURE, reason: str = "") -> None:
        # The peer's own close frame may come after messages that nobody waits for any more.
        self.stop_listening()
        await super().close(code, reason)

    def abort(self) -> None:
        self.transport.abort()

    # Writing: websockets has nothing to add. Each message is one frame, neither masked nor compressed, the
    # connection is open, and websockets holds nothing back that would have to go first.

    def is_open(self) -> bool:
        # Whatever closes it stops listening first, or at once.
        return self._listener is not None or self.protocol.state is OPEN

    def write(self, messages: Sequence[bytes | str]) -> bool:
        parts: list[bytes] = []
        for message in messages:
            if isinstance(message, str):
                text = message.encode()
                parts += (head_of(TEXT_FRAME, len(text)), text)
            else:
                parts += (head_of(BINARY_FRAME, len(message)), message)
        self.transport.write(b"".join(parts))
        return self.transport.get_write_buffer_size() == 0

    async def until_written(self) -> None:
        await self.drain()

    def measure(self, on_trip: Callable[[float], None]) -> None:
        if self.is_open():
            ping = secrets.token_bytes(4)
            self._pings[ping] = self.loop.time(), on_trip
            self.transport.write(head_of(PING_FRAME, len(ping)) + ping)

    def _take_pong(self, ping: bytes) -> None:
        if ping in self._pings:  # and those before it count as answered, too
            sent, on_trip = self._pings[ping]
            self._pings.clear()
            on_trip(self.loop.time() - sent)

    # Bytes

    def data_received(self, data: bytes) -> None:
        if self.request is None:
            data = self._read_request(data)
        self._unread = self._unread + data if self._unread else data
        if self._ignoring:
            self._read()
        elif self._listener is not None and self._alarm is None:
            # Before anything is looked at: on a busy server most packets wait.
            self._alarm = self._listener.turn(self._take_turn, late=False)
            if self._alarm is None:
                self._read()
        elif len(self._unread) > MOST_UNREAD:
            self.transport.pause_reading()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.over = self.loop.create_future()
        self._fragments = bytearray()
        self._pings = {}
        super().connection_made(transport)

    def eof_received(self) -> None:
        # No message can come any more, and websockets ends our side, too: nothing may be written from now on.
        self._ignoring, self._listener, self._unread = True, None, b""
        super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ignoring, self._listener, self._unread = True, None, b""
        self._forget()
        super().connection_lost(exc)
        if not self.over.done():
            self.over.set_result(None)

    def _read_request(self, data: bytes) -> bytes:
        """Gives websockets the HTTP request and nothing that comes after it, which is returned."""
        before = self._unread  # only as much as may be the beginning of END_OF_REQUEST
        end = (before + data).find(END_OF_REQUEST)
        if end < 0:
            self._unread = (before + data)[-len(END_OF_REQUEST) + 1 :]
            super().data_received(data)
            return b""
        self._unread = b""
        end += len(END_OF_REQUEST) - len(before)
        super().data_received(data[:end])
        return data[end:]

    def _read(self) -> None:
        """Reads what is unread, frame by frame, until one has to wait; it is the turn of the first."""
        data, self._unread = self._unread, b""
        protocol, at, end, until = self.protocol, 0, len(data), 0.0
        while end - at >= 2:
            listener = self._listener
            if listener is None:
                self._leave_to_websockets(data[at:])
                return
            head, size, body = data[at], data[at + 1] ^ MASKED, at + 6
            if size == TWO_BYTES:
                if end < at + 4:
                    break
                size, body = data[at + 2] << 8 | data[at + 3], at + 8
            elif size == EIGHT_BYTES:
                if end < at + 10:
                    break
                size, body = int.from_bytes(data[at + 2 : at + 10], "big"), at + 14
            elif size >= MASKED:
                self._leave_to_websockets(data[at:])  # not masked
                return
            if protocol.max_message_size is not None and size > protocol.max_message_size:
                self._leave_to_websockets(data[at:])
                return
            stop = body + size
            if stop > end:
                break
            if at:
                self._alarm = listener.turn(self._take_turn, late=self.loop.time() > until)
                if self._alarm is not None:
                    break
            elif stop < end:
                until = self.loop.time() + LONGEST
            if self._comes_too_soon(listener, head):
                break
            if head in PLAIN and protocol.current_size is None:
                message = unmask(data[body:stop], data[body - 4 : body])
                if head == BINARY_FRAME:
                    hand_over(self, listener, message)
                else:
                    self._pass_on(message, is_text=True)
            else:
                if head == CLOSE_FRAME:
                    # Between two fragments it is as good as elsewhere (RFC 6455, 5.4); websockets would
                    # call it a fault.
                    protocol.current_size = None
                listener.flush()
                super().data_received(data[at:stop])
                if protocol.state is not OPEN:
                    self._end_soon()
            at = stop
        self._unread = data[at:]

    def _comes_too_soon(self, listener: Listener, head: int) -> bool:
        """Asks once for each frame; if it has to wait, nothing is read until `_let_go`."""
        wait = 0.0 if self._waited else listener.delay(head in ENDS_MESSAGE)
        self._waited = False
        if wait > 0:
            # Not reading is enough: it is the peer's own buffers that fill up.
            self.transport.pause_reading()
            self._alarm = self.loop.call_later(wait, self._let_go)
        return wait > 0

    def _let_go(self) -> None:
        """Reads on, from the frame that came too soon."""
        self._alarm, self._waited = None, True
        self._ask_turn()

    def _ask_turn(self) -> None:
        """Reads what is unread when it is its turn."""
        if self._listener is not None and self._unread:
            self._alarm = self._listener.turn(self._take_turn, late=False)
        if self._alarm is None:
            self._take_turn()

    def _take_turn(self) -> None:
        self._alarm = None
        if self._unread:
            self._read()
        if self._alarm is None:
            self.transport.resume_reading()

    def _leave_to_websockets(self, data: bytes) -> None:
        """Leaves everything from now on to websockets, which finds the fault, or the peer's close frame."""
        listener, self._listener, self._ignoring = self._listener, None, True
        if listener is not None:
            listener.flush()
        if self.protocol.state is not CLOSED:
            super().data_received(data)
        if listener is not None:
            self._end_soon()

    # Messages

    def process_event(self, event: Event) -> None:
        if not isinstance(event, Frame) or event.opcode not in DATA_OPCODES:
            super().process_event(event)
            if isinstance(event, Frame) and event.opcode is PONG:
                self._take_pong(bytes(event.data))
        elif not self._ignoring:
            if event.opcode is not CONT:
                self._is_text = event.opcode is TEXT
            self._fragments += event.data
            if event.fin:
                message = bytes(self._fragments)
                self._fragments.clear()
                self._pass_on(message, self._is_text)

    def _pass_on(self, message: bytes, is_text: bool) -> None:
        if self._listener is None:
            return
        whole: bytes | str = message
        if is_text:
            try:
                whole = message.decode()
            except UnicodeDecodeError as wrong:
                self._fail(CloseCode.INVALID_DATA, f"{wrong.reason} at position {wrong.start}")
                return
        hand_over(self, self._listener, whole)

    def _forget(self) -> None:
        self._fragments.clear()
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _fail(self, code: CloseCode, reason: str) -> None:
        """Closes because the peer broke the rules of websockets."""
        if self._listener is not None:
            self._listener.flush()
        self.protocol.fail(code, reason)
        self.send_data()
        self._end_soon()

    def _end_soon(self) -> None:
        """Gives the peer a moment to close the TCP connection, and then aborts it."""
        self.stop_listening()
        self.loop.call_later(self.close_timeout or 0.0, self.transport.abort)
