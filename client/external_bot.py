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
from typing import Any

from parlour.client.bot import Bot
from parlour.client.decision import Decision
from parlour.machine.kept_output import KeptOutput, kept
from parlour.machine.process_group import GroupLeader, start_group
from parlour.machine.program_pipes import ProgramOutput
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
        """The file that gets its stderr, the newest of it (kept_output.py)."""
        self.starts = 0
        self._process: GroupLeader | None = None
        self._keeping = contextlib.AsyncExitStack()
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

    async def _start(self) -> GroupLeader:
        pipe = asyncio.subprocess.PIPE
        output = KeptOutput(self.stderr)
        try:
            self._process = await start_group(
                *self.command, stdin=pipe, stdout=pipe, stderr=pipe, limit=LONGEST_LINE
            )
        except BaseException:
            output.close()
            raise
        await self._keeping.enter_async_context(kept(self._process, output, GOODBYE_WITHIN))
        self.starts += 1
        self._told = 0
        log.info("program pid=%s %s", self._process.pid, " ".join(self.command))
        return self._process

    async def _ask(self, process: GroupLeader, decision: Decision) -> Any:
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
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(within):
                    await process.wait()
        finally:
            process.kill_group()
            try:
                await self._read_the_rest(process)
            finally:
                await process.let_go()

    async def _read_the_rest(self, process: GroupLeader) -> None:
        """Keeps what is left in the pipes of a program that has ended."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_WITHIN):
                while process.stdout is not None and await process.stdout.read(LONGEST_LINE):
                    pass
        await self._keeping.aclose()


async def _action(process: GroupLeader, stdout: ProgramOutput, turn: int) -> Any:
    """The first line that answers this question."""
    for _ in range(IDLE_LINES):
        try:
            line = await stdout.readline()
        except ValueError:
            raise Lost(f"it wrote a line of more than {LONGEST_LINE} bytes") from None
        if not line:
            raise Lost(await _how_it_ended(process))
        try:
            message: Mapping[str, Any] = unpack(line.decode())
        except (ProtocolError, UnicodeError):
            log.warning("passed over turn=%s, no map in JSON: %s", turn, ascii(line[:80]))
            continue
        if message.get("type") == "act" and message.get("turn") == turn:
            return message.get("action")
        log.warning("passed over turn=%s, no answer to it: %s", turn, ascii(line[:80]))
    raise Lost(f"it wrote {IDLE_LINES} lines without an answer")


async def _how_it_ended(process: GroupLeader) -> str:
    # It may have closed its stdout and live on.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(GOODBYE_WITHIN):
            await process.wait()
    return (
        "it closed its stdout" if process.returncode is None else f"it ended with status {process.returncode}"
    )


class ExecBot(Bot):
    """Asks a program."""

    def __init__(self, program: Program) -> None:
        self._program = program

    async def choose(self, decision: Decision) -> Any:
        return await self._program.answer(decision)
