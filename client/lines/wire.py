"""The websocket of a line: opens it, says hello, reads and writes until it is closed, and says why."""

import asyncio
import contextlib
import ssl
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.frames import CloseCode
from websockets.typing import Subprotocol

from parlour.client.lines.line import Line
from parlour.machine.addresses import system_words
from parlour.protocol import messages as m
from parlour.protocol.codec import pack
from parlour.protocol.errors import CODES
from parlour.protocol.version import MSGPACK

LARGEST = 16 * 2**20
"""Bytes of one message from the server: whole views are far below."""
WITHIN = 10.0
"""Seconds for a connection to open, and for the answer to hello."""
HEARTBEAT = 15.0
"""The server's, until a welcome says otherwise."""
QUIET, PATIENCE = 1 / 3, 2 / 3
"""Of its heartbeat: after how long a client pings the server, and how long it waits for the answer."""
REFUSED, RESTART = 4000, 1012
FINAL = {1009: "too_large", REFUSED: "refused", 4001: "replaced", 4005: "errors"}
"""Close codes after which there is nothing to come back for, or nothing that another try would change."""
PASSING: Mapping[int, str] = {
    HTTPStatus.SERVICE_UNAVAILABLE: "too many connections there",
    HTTPStatus.BAD_GATEWAY: "a proxy does not reach the server",
    HTTPStatus.GATEWAY_TIMEOUT: "a proxy gets no answer from the server",
}
"""What is said over HTTP that another try may change: a proxy says so while a server starts again."""


class Gone(Exception):
    """There is no connection and there will be none; `reason` is an error code or a word of the client."""

    def __init__(self, reason: str, told: str = "", facts: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{reason} ({told})" if told else reason)
        self.reason = reason
        self.told = told
        self.facts = facts or {}


class Lost(Exception):
    """The connection broke, or did not come about, and another may be opened after so many seconds."""

    def __init__(self, told: str, wait: float = 0.0, *, opened: bool = False) -> None:
        super().__init__(told)
        self.told = told
        self.wait = wait
        self.opened = opened
        """Whether there was a connection that broke; else nobody has answered."""


class Wire:
    """One connection of a line."""

    def __init__(
        self,
        line: Line,
        hello: Callable[[], AbstractAsyncContextManager[Mapping[str, Any]]],
        take: Callable[[bytes | str], m.Message | None],
        trust: ssl.SSLContext | None,
    ) -> None:
        self._line = line
        self._hello = hello
        """Gives the first message; what it holds is let go when the welcome was taken in."""
        self._take = take
        self._trust = trust
        self.more = asyncio.Event()
        """Set when there is something to send."""

    async def run(self) -> str:
        """From start to end; gives the server's reason. Raises Lost if another may follow, Gone if not."""
        try:
            async with self._opening() as socket:
                try:
                    await self._converse(socket)
                except asyncio.CancelledError:
                    await (
                        socket.close()
                    )  # normally: the client has no more use for it, and nothing has failed
                    raise
                sent = socket.protocol.close_sent
                self._line.silent = sent is not None and sent.code == CloseCode.INTERNAL_ERROR
                return self._verdict(socket.close_code or 1006, socket.close_reason or "")
        except ssl.SSLCertVerificationError as wrong:
            raise Gone("certificate", wrong.verify_message) from None
        except InvalidStatus as wrong:
            status = wrong.response.status_code
            if status in PASSING:
                raise Lost(PASSING[status]) from None
            raise Gone("turned_away", f"HTTP status {status}") from None
        except ConnectionClosed:
            raise Lost("the connection broke", opened=True) from None
        except InvalidHandshake as wrong:
            if self._line.welcome is not None and isinstance(wrong.__cause__, EOFError):
                raise Lost("the connection broke", opened=True) from None  # a server that has just died
            raise Gone("no_parlour_there", str(wrong)) from None
        except TimeoutError:
            raise Lost("no answer in time") from None
        except OSError as wrong:
            raise Lost(system_words(wrong) or "no connection") from None

    def _opening(self) -> connect:
        line = self._line
        beat = line.welcome.heartbeat if line.welcome else HEARTBEAT
        secure = line.url.lower().startswith("wss:")
        try:
            return connect(
                line.url,
                subprotocols=[Subprotocol(MSGPACK)],
                compression=None,
                max_size=LARGEST,
                open_timeout=WITHIN,
                close_timeout=1.0,
                ping_interval=beat * QUIET,
                ping_timeout=beat * PATIENCE,
                # A server on the LAN is reached directly, whatever the environment says about the web.
                proxy=None,
                ssl=(self._trust or True) if secure else None,
            )
        except (InvalidURI, ValueError) as wrong:
            raise Gone("bad_url", str(wrong)) from None

    def _verdict(self, code: int, reason: str) -> str:
        """What a close code means for a client."""
        refusal, goodbye = self._line.refusal, self._line.goodbye
        self._line.ended = code == RESTART and goodbye is not None
        if code == CloseCode.NORMAL_CLOSURE:
            return reason or "done"
        if code == REFUSED and refusal is not None:
            known = CODES.get(refusal.code)
            if known is not None and known.again == "later":
                raise Lost(refusal.code, refusal.retry_after or 0.0)
            told = ", ".join(f"{key} {value}" for key, value in refusal.facts.items())
            raise Gone(refusal.code, told, refusal.facts)
        if code in FINAL:
            raise Gone(FINAL[code])
        raise Lost(f"close code {code}", (goodbye and goodbye.retry_after) or 0.0, opened=True)

    async def _converse(self, socket: ClientConnection) -> None:
        """Greets, reads and writes until the connection is closed."""
        with contextlib.suppress(ConnectionClosed):
            async with self._hello() as hello:
                await self._greet(socket, hello)
            async with asyncio.TaskGroup() as group:
                writing = group.create_task(self._write(socket))
                await self._read(socket)
                writing.cancel()

    async def _greet(self, socket: ClientConnection, hello: Mapping[str, Any]) -> None:
        """Sends hello and waits for the welcome."""
        await socket.send(pack(hello))
        async with asyncio.timeout(WITHIN):
            while not isinstance(self._take(await socket.recv()), m.Welcome):
                pass

    async def _read(self, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                self._take(await socket.recv())

    async def _write(self, socket: ClientConnection) -> None:
        outgoing = self._line.outgoing
        with contextlib.suppress(ConnectionClosed):
            while True:
                self.more.clear()
                while outgoing:
                    await socket.send(pack(outgoing.popleft()))
                await self.more.wait()
