"""A client's connection: opens it, keeps it alive, opens it again when it breaks, and says goodbye."""

import asyncio
import contextlib
import errno
import itertools
import logging
import os
import random
import ssl
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.frames import CloseCode
from websockets.typing import Subprotocol

from parlour.client.session import Answer, Pending, Session
from parlour.protocol import messages as m
from parlour.protocol.codec import pack, unpack
from parlour.protocol.errors import CODES, ProtocolError
from parlour.protocol.version import MSGPACK

if TYPE_CHECKING:
    from parlour.client.credentials import Credentials

LARGEST = 16 * 2**20
"""Bytes of one message from the server: whole views are far below."""
WITHIN = 10.0
"""Seconds for a connection to open, and for the answer to hello."""
FIRST_PATIENCE = 10.0
"""Seconds for which hello is said again to a server that was there and broke off before its first welcome."""
HEARTBEAT = 15.0
"""Until a welcome says otherwise."""
GOODBYE_WITHIN = 1.0
MOST_PENDING = 64
"""Commands without an answer; further ones wait in the client."""
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 10.0
REFUSED = 4000
FINAL = {1009: "too_large", REFUSED: "refused", 4001: "replaced", 4005: "errors"}
"""Close codes after which there is nothing to come back for, or nothing that another try would change."""
PASSING: Mapping[int, str] = {
    HTTPStatus.SERVICE_UNAVAILABLE: "too many connections there",
    HTTPStatus.BAD_GATEWAY: "a proxy does not reach the server",
    HTTPStatus.GATEWAY_TIMEOUT: "a proxy gets no answer from the server",
}
"""What is said over HTTP that another try may change: a proxy says so while a server starts again."""
log = logging.getLogger("parlour.connection")


class Refused(Exception):
    """The server's `error` as the answer to a command."""

    def __init__(self, error: m.Error) -> None:
        super().__init__(error.code, dict(error.facts))
        self.code = error.code
        self.facts = error.facts
        self.retry_after = error.retry_after


class Gone(Exception):
    """There is no connection and there will be none; `reason` is an error code or a word of the client."""

    def __init__(self, reason: str, told: str = "", facts: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{reason} ({told})" if told else reason)
        self.reason = reason
        self.told = told
        self.facts = facts or {}


def _words_of(wrong: OSError) -> str:
    """The system's own words; those of asyncio are written for programmers."""
    if wrong.errno is not None and wrong.errno in errno.errorcode:
        return os.strerror(wrong.errno)
    return wrong.strerror or "no connection"


class Lost(Exception):
    """The connection broke, or did not come about, and another may be opened after so many seconds."""

    def __init__(self, told: str, wait: float = 0.0, *, opened: bool = False) -> None:
        super().__init__(told)
        self.told = told
        self.wait = wait
        self.opened = opened
        """Whether there was a connection that broke; else nobody has answered."""


def pauses() -> Iterator[float]:
    """Longer and longer, and never the same: a hundred clients must not come back at one moment."""
    for number in itertools.count():
        yield min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(number, 10)) * random.uniform(0.5, 1.0)


def _ignore_message(_message: m.Message) -> None:
    """Default when nobody wants to know."""


def _ignore_loss(_told: str) -> None:
    """Default when nobody wants to know."""


def _ignore_wait(_seconds: float) -> None:
    """Default when nobody wants to know."""


class Connection:
    """Keeps one session connected: `run` does it, `ask` sends commands, `on_message` gets what changed."""

    def __init__(
        self,
        url: str,
        session: Session,
        *,
        on_message: Callable[[m.Message], None] = _ignore_message,
        on_loss: Callable[[str], None] = _ignore_loss,
        on_wait: Callable[[float], None] = _ignore_wait,
        patience: float = 120.0,
        trust: ssl.SSLContext | None = None,
        credentials: "Credentials | None" = None,
        pauses: Callable[[], Iterator[float]] = pauses,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.url = url
        self.session = session
        self._on_message = on_message
        self._on_loss = on_loss
        """Gets the reason whenever a connection breaks that will be opened again."""
        self._on_wait = on_wait
        """Gets the seconds for which a busy server puts a command off."""
        self._patience = patience
        """Seconds without a welcome after which it gives up; where nobody answers at first, at once."""
        self._trust = trust
        self._credentials = credentials
        """None: the session's own token, which nobody else knows and nobody keeps."""
        self._pauses, self._sleep = pauses, sleep
        self._more = asyncio.Event()
        self._change = asyncio.Event()
        self._welcomed = asyncio.Event()
        self._ended = asyncio.Event()
        self._room = asyncio.Semaphore(MOST_PENDING)
        self._waiting: set[asyncio.Future[Answer]] = set()
        self._running: asyncio.Task[str] | None = None
        self._over: Gone | None = None

    # For its owner

    async def ask(self, kind: type[m.Command], /, **fields: Any) -> Any:
        """Sends a command, again if it must be, and gives its result; raises Refused or Gone.

        A server that is busy for a moment is asked again when it says so (`Session.waits`).
        """
        async with self._room:
            await self._welcomed.wait()
            if self._over is not None:
                raise self._over
            waiting: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
            self._waiting.add(waiting)
            try:
                self.session.ask(kind, lambda answer: _settle(waiting, answer), **fields)
                self._more.set()
                answer = await waiting
            finally:
                self._waiting.discard(waiting)
        if isinstance(answer, m.Error):
            raise Refused(answer)
        return answer.result

    def tell(self, kind: type[m.Command], /, **fields: Any) -> None:
        """Sends a command whose answer nobody waits for."""
        self.session.ask(kind, **fields)
        self._more.set()

    async def changed(self) -> None:
        """Waits until something changes; raises Gone if nothing can any more."""
        await self._change.wait()
        if self._over is not None:
            raise self._over

    async def rest(self, seconds: float) -> None:
        """Waits so many seconds; raises Gone as soon as the connection is over."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()
        if self._over is not None:
            raise self._over

    async def __aenter__(self) -> "Connection":
        """Runs in the background; `ask` and `changed` raise Gone when it is over."""
        self._running = asyncio.create_task(self.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._running is not None:
            await self.close()
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def close(self) -> None:
        """Says goodbye and waits a moment for the server to close the connection."""
        with contextlib.suppress(TimeoutError, Gone, Refused):
            async with asyncio.timeout(GOODBYE_WITHIN):
                await self.ask(m.Bye)
                await self._ended.wait()

    async def run(self) -> str:
        """Stays connected until the server closes normally, and gives its reason; raises Gone."""
        try:
            word = await self._stay()
            self._end(Gone(word))
            return word
        except Gone as gone:
            self._end(gone)
            raise
        finally:
            self._end(Gone("closed"))

    def _end(self, gone: Gone) -> None:
        if self._over is None:
            self._over = gone
            self._ended.set()
            self._welcomed.set()
            self._change.set()
            for waiting in self._waiting:
                if not waiting.done():
                    waiting.set_exception(gone)

    # Opening, and opening again

    async def _stay(self) -> str:
        delays = self._pauses()
        lost_at = time.monotonic()
        while True:
            before = self.session.welcome
            try:
                return await self._once()
            except Lost as lost:
                if self.session.welcome is not before:
                    delays, lost_at = self._pauses(), time.monotonic()
                if time.monotonic() - lost_at >= self._patience_after(lost):
                    raise Gone("unreachable", lost.told) from None
                pause = lost.wait + next(delays)
                log.info("lost url=%s reason=%s again_in=%.1f", self.url, lost.told, pause)
                self._on_loss(lost.told)
            await self._sleep(pause)

    def _patience_after(self, lost: Lost) -> float:
        if self.session.welcome is not None:
            return self._patience
        return FIRST_PATIENCE if lost.opened else 0.0

    async def _once(self) -> str:
        """One connection from start to end; raises Lost if another may follow, Gone if not."""
        try:
            async with self._opening() as socket:
                await self._converse(socket)
                return self._verdict(socket.close_code or 1006, socket.close_reason or "")
        except ssl.SSLCertVerificationError as wrong:
            raise Gone("certificate", wrong.verify_message) from None
        except InvalidStatus as wrong:
            status = wrong.response.status_code
            if status in PASSING:
                raise Lost(PASSING[status]) from None
            raise Gone("turned_away", f"HTTP status {status}") from None
        except InvalidHandshake as wrong:
            raise Gone("no_parlour_there", str(wrong)) from None
        except TimeoutError:
            raise Lost("no answer in time") from None
        except OSError as wrong:
            raise Lost(_words_of(wrong)) from None

    def _opening(self) -> connect:
        beat = self.session.welcome.heartbeat if self.session.welcome else HEARTBEAT
        secure = self.url.lower().startswith("wss:")
        try:
            return connect(
                self.url,
                subprotocols=[Subprotocol(MSGPACK)],
                compression=None,
                max_size=LARGEST,
                open_timeout=WITHIN,
                close_timeout=1.0,
                ping_interval=beat,
                ping_timeout=beat,
                # A server on the LAN is reached directly, whatever the environment says about the web.
                proxy=None,
                ssl=(self._trust or True) if secure else None,
            )
        except (InvalidURI, ValueError) as wrong:
            raise Gone("bad_url", str(wrong)) from None

    def _verdict(self, code: int, reason: str) -> str:
        """What a close code means for a client."""
        refusal, goodbye = self.session.refusal, self.session.goodbye
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

    # One connection

    async def _converse(self, socket: ClientConnection) -> None:
        """Greets, reads and writes until the connection is closed."""
        with contextlib.suppress(ConnectionClosed):
            async with (
                self._credentials.lock() if self._credentials is not None else contextlib.nullcontext()
            ):
                await self._greet(socket)
            async with asyncio.TaskGroup() as group:
                writing = group.create_task(self._write(socket))
                await self._read(socket)
                writing.cancel()

    async def _greet(self, socket: ClientConnection) -> None:
        """Sends hello and waits for the welcome."""
        if self._credentials is not None:
            self.session.token = self._credentials.token(self.session.token)
        await socket.send(pack(self.session.hello()))
        async with asyncio.timeout(WITHIN):
            while not isinstance(self._take(await socket.recv()), m.Welcome):
                pass

    async def _read(self, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                self._take(await socket.recv())

    async def _write(self, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                self._more.clear()
                while self.session.outgoing:
                    await socket.send(pack(self.session.outgoing.popleft()))
                await self._more.wait()

    def _take(self, frame: bytes | str) -> m.Message | None:
        try:
            message = self.session.receive(unpack(frame), time.monotonic())
        except ProtocolError as wrong:
            log.warning("unreadable url=%s problem=%s", self.url, wrong)
            message = None
        while self.session.postponed:
            seconds, pending = self.session.postponed.popleft()
            log.info("busy url=%s command=%s again_in=%.1f", self.url, pending.command.WORD, seconds)
            asyncio.get_running_loop().call_later(seconds, self._ask_again, pending)
            self._on_wait(seconds)
        if self.session.outgoing:
            self._more.set()
        if message is not None:
            if isinstance(message, m.Welcome):
                if self._credentials is not None:
                    self._credentials.keep(message)
                self._welcomed.set()
            self._change.set()
            self._change = asyncio.Event()
            self._on_message(message)
        return message

    def _ask_again(self, pending: Pending) -> None:
        self.session.ask_again(pending)
        self._more.set()


def _settle(waiting: "asyncio.Future[Answer]", answer: Answer) -> None:
    if not waiting.done():
        waiting.set_result(answer)
