"""The process in which a server runs its own bots: `python -m parlour.client.bots.worker`.

Each line on stdin is one bot: {"url": ..., "token": ..., "table": ..., "strategy": ...}. Bots of one process
think one at a time, so that the server's limit on processes is one on thinking. It ends with its stdin, which
ends with the server in whatever way: a server that is started again has bots of its own, and those of a dead
one would take its time. A bot that fails, or does not get in, ends alone; its server sees that it is gone.
Whatever goes wrong is one line on stderr.
"""

import asyncio
import concurrent.futures
import contextlib
import json
import logging
import os
import signal
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
from parlour.protocol.version import FEATURES

PATIENCE = 10.0
"""The server is on this machine: if it is not back soon, nothing will come of it."""
NICE = 10
"""The server, for which people wait, comes before its bots."""
log = logging.getLogger("parlour.worker")


@attrs.frozen
class Order:
    """One bot to be run. Its address and its token are secrets."""

    url: str
    token: str
    table: str
    strategy: type[Bot]

    @classmethod
    def read(cls, line: str) -> "Order":
        """Raises ValueError with what is wrong, never with a secret."""
        try:
            plain: Any = json.loads(line)
        except ValueError:
            raise ValueError("is not JSON") from None
        match plain:
            case {"url": str(url), "token": str(token), "table": str(table), "strategy": str(strategy)}:
                if strategy not in STRATEGIES:
                    raise ValueError(f"there is no strategy {strategy[:40]!r}")
                return cls(url, token, table, STRATEGIES[strategy])
        raise ValueError("must have a url, a token, a table and a strategy")


async def attend(order: Order) -> None:
    """Plays every game at one table until the connection is over."""
    session = Session(token=order.token, bot=True, features=FEATURES)  # it does not leave its node
    with contextlib.suppress(Gone):
        async with Connection(order.url, session, patience=PATIENCE) as connection:
            while True:
                table = session.tables.get(order.table)
                if table is not None and table.result is None:
                    await play(order.strategy(), connection, order.table)
                else:
                    await connection.changed()


class Worker:
    """The bots of one process."""

    def __init__(self) -> None:
        self._bots: set[asyncio.Task[None]] = set()
        self._over = asyncio.Event()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()

        def read() -> None:
            for line in sys.stdin:
                loop.call_soon_threadsafe(self.take, line)
            loop.call_soon_threadsafe(self._over.set)

        # A daemon: nobody waits for it at the end.
        threading.Thread(target=read, daemon=True).start()
        await self._over.wait()

    def take(self, line: str) -> None:
        """A line of stdin: one more bot."""
        try:
            order = Order.read(line)
        except ValueError as wrong:
            log.error("order refused: %s", wrong)
            return
        bot = asyncio.create_task(attend(order), name=order.table)
        self._bots.add(bot)
        bot.add_done_callback(self._done)

    def _done(self, bot: "asyncio.Task[None]") -> None:
        self._bots.discard(bot)
        bug = None if bot.cancelled() else bot.exception()
        if bug is not None:
            log.error("bot failed table=%s %s: %s", bot.get_name(), type(bug).__name__, bug)


def _step_back() -> None:
    """The thread that thinks gives way at once to whoever else wants the processor."""
    if sys.platform == "linux":
        os.sched_setscheduler(threading.get_native_id(), os.SCHED_IDLE, os.sched_param(0))


def main(arguments: list[str]) -> int:
    if arguments:
        say(f"usage: python -m {BOT_WORKER}", file=sys.stderr)
        return 2
    log_to_stderr(logging.getLogger(), logging.WARNING)
    # Ctrl-C reaches the whole group of processes: the server decides when its bots stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    if hasattr(os, "nice"):
        os.nice(NICE)

    async def work() -> None:
        mind = concurrent.futures.ThreadPoolExecutor(1, initializer=_step_back)
        asyncio.get_running_loop().set_default_executor(mind)
        await Worker().run()
        # A thought that has begun cannot be broken off, and Python would wait for its end.
        os._exit(0)

    asyncio.run(work())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
