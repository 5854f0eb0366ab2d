"""Bots that are programs of their own: questions go to their stdin, answers come from their stdout.

Each line is a map in JSON, and its words are those of PROTOCOL.md. A question has all that there is to know,
so that a program that was started a moment ago can answer it:

    {"type": "question", "turn": 7, "game": "...", "options": {...}, "seat": 1, "view": {...},
     "legal": [...], "news": [...], "phase": "play", "scramble": false, "seconds_left": 29.5}

`news` is what has happened since the program's last question; `seconds_left` is null if there is no hurry.
The answer is {"type": "act", "turn": 7, "action": {...}}. Lines with another type or turn are passed over.
"""

import asyncio
import contextlib
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from parlour.client.bot import Bot
from parlour.client.decision import Decision
from parlour.protocol.codec import pack_json, unpack
from parlour.protocol.errors import ProtocolError

STARTS = 3
"""How often a program is started for one question before any legal action is played instead."""
LONGEST_LINE = 2**20
IDLE_LINES = 1000
"""Lines without an answer after which a program is given up."""
OVERTIME = 1.0
"""Seconds after its time is up until a program that has not answered is started again."""
GOODBYE_WITHIN = 1.0
log = logging.getLogger("parlour.bot")


class Lost(Exception):
    """The program ended, or does not answer."""


class Program:
    """A program that is started when it is needed, again when it crashed, and ended with its context."""

    def __init__(self, command: Sequence[str], stderr: Path) -> None:
        self.command = tuple(command)
        self.stderr = stderr
        """The file that gets its stderr."""
        self.starts = 0
        self._process: asyncio.subprocess.Process | None = None
        self._told = 0
        """How many pieces of news of the game were sent to the process."""
        self._turn = 0

    async def __aenter__(self) -> "Program":
        """Starts it at once: a command that cannot be run raises OSError before a seat is taken."""
        await self._start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end(within=GOODBYE_WITHIN)

    async def answer(self, decision: Decision) -> Any:
        """The action that the program chooses; raises Lost after several crashes."""
        if decision.turn < self._turn:
            self._told = 0
        self._turn = decision.turn
        for _ in range(STARTS):
            try:
                process = self._process or await self._start()
                return await self._ask(process, decision)
            except (Lost, OSError) as wrong:
                await self._end()
                log.warning("program lost: %s; its stderr is in %s", wrong, self.stderr)
        raise Lost(f"no answer from {self.command[0]}")

    async def _start(self) -> asyncio.subprocess.Process:
        with self._open_stderr() as stderr:
            self._process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=stderr,
                limit=LONGEST_LINE,
            )
        self.starts += 1
        self._told = 0
        log.info("program pid=%s %s", self._process.pid, " ".join(self.command))
        return self._process

    def _open_stderr(self) -> IO[bytes]:
        return self.stderr.open("ab")

    async def _ask(self, process: asyncio.subprocess.Process, decision: Decision) -> Any:
        if process.stdin is None or process.stdout is None:
            raise Lost("it has no pipes")
        process.stdin.write(f"{pack_json(self._question(decision))}\n".encode())
        self._told = len(decision.news)
        left = decision.seconds_left
        try:
            async with asyncio.timeout(None if left is None else left + OVERTIME):
                await process.stdin.drain()
                return await _action(process, process.stdout, decision.turn)
        except TimeoutError:
            raise Lost("its time is up") from None

    def _question(self, decision: Decision) -> dict[str, Any]:
        return {
            "type": "question",
            "turn": decision.turn,
            "game": decision.game,
            "options": decision.options,
            "seat": decision.seat,
            "view": decision.view,
            "legal": decision.legal,
            "news": decision.news[self._told :],
            "phase": decision.phase,
            "scramble": decision.scramble,
            "seconds_left": decision.seconds_left,
        }

    async def _end(self, within: float = 0.0) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                await process.wait()
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        # The process counts as ended when its pipes have: what is left in them must be read, and a child of
        # the program may keep them open.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_WITHIN):
                while process.stdout is not None and await process.stdout.read(LONGEST_LINE):
                    pass
                await process.wait()


async def _action(process: asyncio.subprocess.Process, stdout: asyncio.StreamReader, turn: int) -> Any:
    """The first line that answers this question."""
    for _ in range(IDLE_LINES):
        try:
            line = await stdout.readline()
        except ValueError:
            raise Lost(f"it wrote a line of more than {LONGEST_LINE} bytes") from None
        if not line:
            raise Lost(f"it ended with status {await process.wait()}")
        try:
            message: Mapping[str, Any] = unpack(line.decode())
        except (ProtocolError, UnicodeError):
            log.warning("passed over turn=%s, no map in JSON: %s", turn, ascii(line[:80]))
            continue
        if message.get("type") == "act" and message.get("turn") == turn:
            return message.get("action")
        log.warning("passed over turn=%s, no answer to it: %s", turn, ascii(line[:80]))
    raise Lost(f"it wrote {IDLE_LINES} lines without an answer")


class ExecBot(Bot):
    """Asks a program."""

    def __init__(self, program: Program) -> None:
        self._program = program

    async def choose(self, decision: Decision) -> Any:
        return await self._program.answer(decision)
