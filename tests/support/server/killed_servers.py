"""A server that is killed again and again: one archive, one port, and one server after another.

Run as a script it is the forker: it has read the server's code once, and makes a new server from it, a
process of its own, for every line on its stdin. So 25 starts cost hardly more than one.
"""

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

from support.paths import TESTS
from support.server.hearing import Hearing
from support.server.sockets import own_port

from parlour.server.app import ListeningServer, run
from parlour.server.config import make

Plain = dict[str, Any]


class KilledServer(Hearing):
    """One archive, one port, and one server after another."""

    def __init__(
        self, folder: Path, archive: str | None = None, clock: float = 0.0, **settings: object
    ) -> None:
        """`clock` is by how many seconds its clock is ahead of others'."""
        super().__init__()
        self.archive = archive or str(folder / "parlour.db")
        self.log = folder / "server.log"
        self.settings = settings
        self.clock = clock
        self.open = asyncio.Event()
        self.url = ""
        self.kills = 0
        self._held = contextlib.ExitStack()
        self.port = self._held.enter_context(own_port())
        self._pid: int | None = None
        self._forker: Process

    async def __aenter__(self) -> "KilledServer":
        self._forker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "support.server.killed_servers"), cwd=TESTS, stdin=PIPE, stdout=PIPE
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        self.open.clear()
        if self._pid is not None:
            await self.end(signal.SIGKILL)
        assert self._forker.stdin is not None
        self._forker.stdin.close()
        await self._forker.wait()
        self._held.close()

    async def start(self) -> None:
        settings = {
            "host": "127.0.0.1",
            "port": self.port,
            "bots": 0,
            "archive": self.archive,
            **self.settings,
        }
        order = {"settings": settings, "log": str(self.log), "clock": self.clock}
        assert self._forker.stdin is not None
        self._forker.stdin.write(json.dumps(order).encode() + b"\n")
        ready = await self._report()
        self._pid, self.url = ready["pid"], ready["url"]
        self.open.set()

    def send_signal(self, number: signal.Signals) -> None:
        """Sends a signal that does not end it."""
        assert self._pid is not None
        os.kill(self._pid, number)

    @property
    def runs(self) -> bool:
        return self._pid is not None

    async def end(self, number: signal.Signals) -> int:
        """Sends a signal and waits for the end: the exit status, or less the signal's number."""
        self.open.clear()
        assert self._pid is not None
        os.kill(self._pid, number)
        ended: int = (await self._report())["ended"]
        self._pid = None  # not before: one that does not end on a signal is killed in the end
        return ended

    async def kill(self) -> None:
        self.kills += 1
        assert await self.end(signal.SIGKILL) == -signal.SIGKILL

    async def _report(self) -> Plain:
        assert self._forker.stdout is not None
        told: Plain = json.loads(await self._forker.stdout.readline())
        return told


def forker() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os.close(0)
            logging.basicConfig(filename=order["log"], level=logging.WARNING)
            _set_clock(order["clock"])
            asyncio.run(run(make(order["settings"]), _say))
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        print(json.dumps({"ended": os.waitstatus_to_exitcode(status)}), flush=True)


def _set_clock(ahead: float) -> None:
    """Sets the clock of this process, as far as Python asks for it."""
    right, right_ns = time.time, time.time_ns
    time.time = lambda: right() + ahead
    time.time_ns = lambda: right_ns() + int(ahead * 1e9)


def _say(ready: ListeningServer) -> None:
    print(json.dumps({"pid": os.getpid(), "url": ready.url}), flush=True)


if __name__ == "__main__":
    forker()
