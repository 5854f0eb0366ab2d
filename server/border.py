"""The border for bugs: an exception in a piece of work ends that piece, is reported, and stops nothing else.

Reports name the type and the place of a bug, and the ids that the reporter knows. They never show the
values it happened to: the `repr` of a server takes a minute and gigabytes, and holds everybody's secrets.
"""

import asyncio
import logging
import traceback
from collections.abc import Callable
from typing import Any

Bug = Callable[[str, int, BaseException], None]
"""Reports a bug: the id of a table, tournament or player, the number of an entry or command, the bug."""
LONGEST_MESSAGE = 200
log = logging.getLogger("parlour.border")


def silent(_where: str, _number: int, _bug: BaseException) -> None:
    """Default when nobody wants reports."""


def nothing() -> None:
    """Default when nobody waits for an answer."""


def describe(bug: BaseException) -> str:
    """Type and message of a bug, cut short, and the lines of code that it came through."""
    message = str(bug)[:LONGEST_MESSAGE]
    parts = [f"{type(bug).__name__}: {message!a}"]
    for frame in traceback.extract_tb(bug.__traceback__):
        parts.append(f"  {frame.filename}:{frame.lineno} {frame.name}")
    cause = bug.__cause__ or (None if bug.__suppress_context__ else bug.__context__)
    if cause is not None:
        parts.append(f"after {describe(cause)}")
    return "\n".join(parts)


def guard(
    work: Callable[[], object],
    report: Bug,
    where: str,
    number: int = 0,
    failed: Callable[[], None] = nothing,
) -> None:
    """Does a piece of work; reports a bug in it and calls `failed`, which answers a client that waits."""
    try:
        work()
    except Exception as bug:
        report(where, number, bug)
        failed()


def on_loop_error(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Reports what no border caught, without the callback's arguments, which asyncio's own handler prints."""
    # asyncio writes "Exception in callback NAME(ARGUMENTS) at PLACE".
    message = str(context.get("message", ""))[:LONGEST_MESSAGE].partition("(")[0]
    task = context.get("task") or context.get("future")
    name = task.get_name() if isinstance(task, asyncio.Task) else ""
    bug = context.get("exception")
    log.error(
        "loop error=%r task=%r\n%s", message, name, describe(bug) if bug is not None else "no exception"
    )
