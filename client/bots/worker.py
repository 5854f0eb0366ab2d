"""The process in which a server runs its own bots: `python -m parlour.client.bots.worker URL`.

Each line on stdin is one bot: {"token": ..., "table": ..., "strategy": ...}. Bots of one process think one at
a time, so that the server's limit on processes is one on thinking. It ends with its stdin, which ends with
the server in whatever way: a server that is started again has bots of its own, and those of a dead one would
take its time. It ends as well when the server cannot be reached any more. Whatever goes wrong is one line on
stderr.
"""

import asyncio
import concurrent.futures
import json
import logging
import os
import signal
import ssl
import sys
import threading
from typing import Any

import attrs

from parlour.client.bot import Bot, play
from parlour.client.bots import STRATEGIES
from parlour.client.connection import Connection, Gone
from parlour.client.session import Session
from parlour.machine.output import log_to_stderr, say
from parlour.machine.programs import BOT_WORKER

PATIENCE = 10.0
"""The server is on this machine: if it is not back soon, nothing will come of it."""
NICE = 10
"""The server, for which people wait, comes before its bots."""
log = logging.getLogger("parlour.worker")


@attrs.frozen
class Order:
    """One bot to be run."""

    token: str
    table: str
    strategy: type[Bot]

    @classmethod
    def read(cls, line: str) -> "Order":
        """Raises ValueError with what is wrong, never with the token."""
        try:
            plain: Any = json.loads(line)
        except ValueError:
            raise ValueError("is not JSON") from None
        match plain:
            case {"token": str(token), "table": str(table), "strategy": str(strategy)}:
                if strategy not in STRATEGIES:
                    raise ValueError(f"there is no strategy {strategy[:40]!r}")
                return cls(token, table, STRATEGIES[strategy])
        raise ValueError("must have a token, a table and a strategy")


def _trust() -> ssl.SSLContext:
    """Our server is on this machine, and its certificate need not name the address that we use."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def attend(order: Order, url: str) -> str:
    """Plays every game at one table until the connection is over; gives the reason."""
    session = Session(token=order.token, bot=True)
    try:
        async with Connection(url, session, patience=PATIENCE, trust=_trust()) as connection:
            while True:
                table = session.tables.get(order.table)
                if table is not None and table.result is None:
                    await play(order.strategy(), connection, order.table)
                else:
                    await connection.changed()
    except Gone as gone:
        return gone.reason


class Worker:
    """The bots of one process."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._bots: set[asyncio.Task[str]] = set()
        self._over = asyncio.Event()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()

        def read() -> None:
            for line in sys.stdin:
                loop.call_soon_threadsafe(self.take, line)
            loop.call_soon_threadsafe(self._over.set)

        # A daemon, so that a worker whose server is gone need not wait for another line.
        threading.Thread(target=read, daemon=True).start()
        await self._over.wait()

    def take(self, line: str) -> None:
        """A line of stdin: one more bot."""
        try:
            order = Order.read(line)
        except ValueError as wrong:
            log.error("order refused: %s", wrong)
            return
        bot = asyncio.create_task(attend(order, self.url), name=order.table)
        self._bots.add(bot)
        bot.add_done_callback(self._done)

    def _done(self, bot: "asyncio.Task[str]") -> None:
        self._bots.discard(bot)
        bug = None if bot.cancelled() else bot.exception()
        if bug is not None:
            log.error("bot failed table=%s %s: %s", bot.get_name(), type(bug).__name__, bug)
        if bug is None and not bot.cancelled() and bot.result() == "unreachable":
            self._over.set()


def _step_back() -> None:
    """The thread that thinks gives way at once to whoever else wants the processor."""
    if sys.platform == "linux":
        os.sched_setscheduler(threading.get_native_id(), os.SCHED_IDLE, os.sched_param(0))


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        say(f"usage: python -m {BOT_WORKER} URL", file=sys.stderr)
        return 2
    log_to_stderr(logging.getLogger(), logging.WARNING)
    # Ctrl-C reaches the whole group of processes: the server decides when its bots stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    if hasattr(os, "nice"):
        os.nice(NICE)

    async def work() -> None:
        mind = concurrent.futures.ThreadPoolExecutor(1, initializer=_step_back)
        asyncio.get_running_loop().set_default_executor(mind)
        await Worker(arguments[0]).run()
        # A thought that has begun cannot be broken off, and Python would wait for its end.
        os._exit(0)

    asyncio.run(work())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
