"""A client's connection: opens its lines, opens them again when they break, and says goodbye."""

import asyncio
import contextlib
import functools
import itertools
import logging
import random
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from parlour.client.lines.line import Answer, Line, Pending
from parlour.client.lines.wire import Gone as Gone
from parlour.client.lines.wire import Lost, Wire
from parlour.client.session import MOVE_AGAIN, Session
from parlour.protocol import messages as m
from parlour.protocol.codec import unpack
from parlour.protocol.errors import ProtocolError

if TYPE_CHECKING:
    from parlour.client.credentials import Credentials

FIRST_PATIENCE = 10.0
"""Seconds for which hello is said again to a server that was there and broke off before its first welcome."""
GOODBYE_WITHIN = 1.0
MOST_PENDING = 64
"""Commands without an answer; further ones wait in the client."""
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 10.0
OF_AN_ADDRESS = ("bad_url", "certificate", "no_parlour_there", "turned_away")
"""Reasons for which another node may be tried."""
log = logging.getLogger("parlour.connection")


class Refused(Exception):
    """The server's `error` as the answer to a command."""

    def __init__(self, error: m.Error) -> None:
        super().__init__(error.code, dict(error.facts))
        self.code = error.code
        self.facts = error.facts
        self.retry_after = error.retry_after


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
        self.session = session
        session.home.url = url
        if credentials is not None:
            session.nodes = {
                name: each for name, each in credentials.nodes.items() if session.is_reachable(each)
            }
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
        self._wires: dict[Line, Wire] = {}
        """Of the lines that are open, or being opened."""
        self._tasks: dict[Line, asyncio.Task[str]] = {}
        self._ends: asyncio.Queue[Line] = asyncio.Queue()
        self._change = asyncio.Event()
        self._welcomed = asyncio.Event()
        self._ended = asyncio.Event()
        self._room = asyncio.Semaphore(MOST_PENDING)
        self._waiting: set[asyncio.Future[Answer]] = set()
        self._running: asyncio.Task[str] | None = None
        self._over: Gone | None = None

    # For its owner

    @property
    def url(self) -> str:
        """The address of the server that is home."""
        return self.session.home.url

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
                self._send()
                answer = await waiting
            finally:
                self._waiting.discard(waiting)
        if isinstance(answer, m.Error):
            raise Refused(answer)
        return answer.result

    def tell(self, kind: type[m.Command], /, **fields: Any) -> None:
        """Sends a command whose answer nobody waits for."""
        self.session.ask(kind, **fields)
        self._send()

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
        except Exception:
            log.exception("ended url=%s", self.url)  # nobody else hears of a bug: all are told "closed"
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
        try:
            return await self._keep_lines()
        finally:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _keep_lines(self) -> str:
        """Keeps a line open at least, with the token if there is none, and those that the session wants."""
        session = self.session
        delays, lost_at = self._pauses(), time.monotonic()
        turns = self._turns(session.home)[1:]
        self._open(session.home)
        while True:
            line = await self._ends.get()
            was_open = line.open
            try:
                return self._end_of(line)
            except Lost as lost:
                why = lost
            if self._holds():
                continue
            if was_open:
                delays, lost_at, turns = self._pauses(), time.monotonic(), []
            if not turns and time.monotonic() - lost_at >= self._patience_after(why):
                raise Gone("unreachable", why.told)
            self._on_loss(why.told)
            if not turns:
                turns = self._turns(line)
                pause = next(delays) + (why.wait if turns == [line] else 0.0)
                log.info("lost url=%s reason=%s again_in=%.1f", line.url, why.told, pause)
                await self._sleep(pause)
            if not self._holds() and (following := turns.pop(0)) not in self._tasks:
                self._open(following)  # else it is being opened with a ticket, and its end is heard of

    def _end_of(self, line: Line) -> str:
        """Why a line has ended; raises Lost or Gone. While there is another, it is only lost."""
        task = self._tasks.pop(line)
        del self._wires[line]
        if line.open:
            self.session.lose(line)
        elif line.ticket is not None:
            self.session.not_reached(line)
        self._send()
        self._tell_change()
        try:
            return task.result()
        except Gone as gone:
            elsewhere = gone.reason in OF_AN_ADDRESS and len(self._turns(line)) > 1
            if not self._holds() and not elsewhere:
                raise
            raise Lost(gone.reason) from None

    def _holds(self) -> bool:
        """Whether a line is open, or being opened with the token."""
        return any(line.open or line.ticket is None for line in self._tasks)

    def _turns(self, lost: Line) -> list[Line]:
        """The nodes to say hello to: first the one that is lost, unless it has ended or is silent.

        These in any order: all clients of a node that died must not go to the same one.
        """
        session = self.session
        others = [session.line_to(name, url) for name, url in session.nodes.items() if name != lost.node]
        random.shuffle(others)
        return [*others, lost] if lost.ended or lost.silent else [lost, *others]

    def _patience_after(self, lost: Lost) -> float:
        if self.session.welcome is not None:
            return self._patience
        return FIRST_PATIENCE if lost.opened else 0.0

    def _open(self, line: Line) -> None:
        wire = self._wires[line] = Wire(
            line, functools.partial(self._hello, line), functools.partial(self._take, line), self._trust
        )
        task = self._tasks[line] = asyncio.create_task(self._run_line(line, wire))
        task.add_done_callback(lambda _: self._ends.put_nowait(line))

    async def _run_line(self, line: Line, wire: Wire) -> str:
        try:
            return await wire.run()
        finally:
            if line.ticket is not None:
                await self._sleep(MOVE_AGAIN)  # until others know what has become of that node

    # Messages

    @contextlib.asynccontextmanager
    async def _hello(self, line: Line) -> AsyncIterator[Mapping[str, Any]]:
        """The first message of a line. No other program says hello between reading a token and the next."""
        if self._credentials is None or line.ticket is not None:
            yield self.session.hello(line)
            return
        async with self._credentials.lock():
            self.session.token = self._credentials.token(self.session.token)
            yield self.session.hello(line)

    def _send(self) -> None:
        """Has all lines send what is there, and opens those that the session wants."""
        for line, wire in self._wires.items():
            if line.outgoing:
                wire.more.set()
        for line in self.session.lines:
            if line.ticket is not None and line not in self._tasks and self._over is None:
                self._open(line)

    def _take(self, line: Line, frame: bytes | str) -> m.Message | None:
        try:
            message = self.session.receive(unpack(frame), time.monotonic(), line)
        except ProtocolError as wrong:
            log.warning("unreadable url=%s problem=%s", line.url, wrong)
            message = None
        if isinstance(message, m.Welcome) and message.token and self._credentials is not None:
            self._credentials.keep(message)
        while self.session.postponed:
            seconds, where, pending = self.session.postponed.popleft()
            log.info("busy url=%s command=%s again_in=%.1f", where.url, pending.command.WORD, seconds)
            asyncio.get_running_loop().call_later(seconds, self._ask_again, where, pending)
            self._on_wait(seconds)
        self._send()
        if message is not None:
            if isinstance(message, m.Welcome):
                self._welcomed.set()
            self._tell_change()
            self._on_message(message)
        return message

    def _tell_change(self) -> None:
        self._change.set()
        self._change = asyncio.Event()

    def _ask_again(self, line: Line, pending: Pending) -> None:
        self.session.ask_again(line, pending)
        self._send()


def _settle(waiting: "asyncio.Future[Answer]", answer: Answer) -> None:
    if not waiting.done():
        waiting.set_result(answer)
