"""One node: its process, its log, and how it is started again whenever it ends."""

import asyncio
import contextlib
import logging
import re
import sys
from asyncio.subprocess import PIPE

from parlour.machine.output import say
from parlour.machine.process_group import GroupLeader, start_group
from parlour.machine.program_pipes import ProgramOutput
from parlour.server.processes.pauses import Pauses
from parlour.server.processes.plan import NodePlan

GRACE = 15.0
"""Seconds in which a node hands its tables over and ends; then it is killed."""
LOG_LINE = 1_000_000
"""Bytes of a line of its log, at most."""
_URL = re.compile(rb"wss?://\S+")
log = logging.getLogger("parlour.processes")


class NotStarted(Exception):
    """The first start of a node has failed: the text is what it said last."""


class Node:
    """Keeps one process alive. Moves bytes."""

    def __init__(self, plan: NodePlan) -> None:
        self.plan = plan
        self.starts = 0
        self.listening = asyncio.Event()
        """Set while its process listens."""
        self._has_listened = False
        self._process: GroupLeader | None = None
        self._stopping = asyncio.Event()
        self._at_once = False
        self._last_line = ""

    async def live(self) -> None:
        """Runs until `stop`; raises NotStarted if it has never listened."""
        loop, pauses = asyncio.get_running_loop(), Pauses()
        while not self._stopping.is_set():
            began = loop.time()
            status = await self._run()
            self.listening.clear()
            if self._stopping.is_set():
                return
            if not self._has_listened:
                raise NotStarted(self._last_line)
            if self._at_once:
                self._at_once = False
                continue
            pause = pauses.after(loop.time() - began)
            told = f": {self._last_line}" if self._last_line else ""
            log.warning(
                "node=%s has ended status=%s, is started in %.1f s%s", self.plan.name, status, pause, told
            )
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause)

    async def _run(self) -> int | None:
        """From the start of the process to its end; its status."""
        self.starts += 1
        self._last_line = ""
        process = await start_group(*self.plan.command, limit=LOG_LINE, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        self._process = process
        assert process.stdout is not None and process.stderr is not None
        log.info("node=%s starts pid=%s", self.plan.name, process.pid)
        reading = [
            asyncio.create_task(self._read_screen(process.stdout)),
            asyncio.create_task(self._pass_log_on(process.stderr)),
        ]
        try:
            if self._stopping.is_set():
                process.terminate()
            await process.wait()
        finally:
            # With it end its bots: they may hold its pipes.
            self._process = None
            process.kill_group()
            await asyncio.wait(reading, timeout=1.0)
            for task in reading:
                task.cancel()
            await asyncio.gather(*reading, return_exceptions=True)
            await process.let_go()
        return process.returncode

    async def _read_screen(self, stdout: ProgramOutput) -> None:
        """Its screen says where it listens; one that nobody reads would stop it when the pipe is full."""
        told = False
        while line := await _line(stdout):
            if not told and _URL.search(line):
                told = self._has_listened = True
                self.listening.set()

    async def _pass_log_on(self, stderr: ProgramOutput) -> None:
        while line := await _line(stderr):
            text = line.decode(errors="replace").rstrip("\n")
            if not self.listening.is_set() and text.startswith("parlour: "):
                self._last_line = text.removeprefix("parlour: ")  # told with its end
            else:
                say(f"{self.plan.name} {text}", file=sys.stderr)

    def renew(self) -> None:
        """Has its process end and another one start at once; `listening` is set by that one."""
        self._at_once = self._process is not None
        self.listening.clear()
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()

    def stop(self) -> None:
        """Asks for its end, for good."""
        self._stopping.set()
        self._end()

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill_group()


async def _line(output: ProgramOutput) -> bytes:
    """The next line; one that is too long is left out."""
    while True:
        with contextlib.suppress(ValueError):
            return await output.readline()
