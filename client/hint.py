"""Asks a strategy what it would play and why; it thinks in a process of its own."""

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import Any

import attrs

from parlour.client.decision import Decision
from parlour.machine.programs import THINKER, command_line

USUAL = "search"
PATIENCE = 60.0
"""Longer than any budget that somebody would wait for."""


class NoHint(Exception):
    """There is no hint: with the reason that the strategy gave, or empty if it gave none."""


@attrs.frozen
class Hint:
    """An action and what the strategy thinks of it, by which measure (see client/bots/ranked.py)."""

    action: Mapping[str, Any]
    measure: str
    evaluation: float
    games: int


async def ask_for_hints(decision: Decision, strategy: str = USUAL) -> list[Hint]:
    """The best few actions, best first; raises NoHint."""
    order = json.dumps({"strategy": strategy, "decision": attrs.asdict(decision, recurse=False)})
    pipe = asyncio.subprocess.PIPE
    thinker = await asyncio.create_subprocess_exec(
        *command_line(THINKER),
        stdin=pipe,
        stdout=pipe,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert thinker.stdin is not None and thinker.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            # Its stdin stays open while somebody waits.
            thinker.stdin.write(f"{order}\n".encode())
            said = await thinker.stdout.read()
            await thinker.wait()
    except TimeoutError:
        raise NoHint from None
    finally:
        thinker.stdin.close()
        # A process that nobody waits for must not go on thinking.
        if thinker.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                thinker.kill()
            await thinker.wait()
    return _read(said)


def _read(said: bytes) -> list[Hint]:
    try:
        told = json.loads(said)
    except ValueError:
        raise NoHint from None
    if "wrong" in told:
        raise NoHint(told["wrong"])
    return [Hint(**each) for each in told["ranked"]]
