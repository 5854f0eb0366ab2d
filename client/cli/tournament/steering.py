"""Starting a tournament as its organiser: after a check-in of all who entered."""

import asyncio
import contextlib
from collections.abc import Callable

from parlour.client.connection import Connection
from parlour.client.language import Texts
from parlour.protocol import messages as m

BEFORE = ("announced", "registration")
"""Phases before check-in."""
LATE = 10.0
"""Seconds after the end of check-in in which news of it come, if they do."""


async def started(
    connection: Connection, id: str, texts: Texts, seconds: int, say: Callable[[str], None]
) -> bool:
    """Has everybody checked in, for so many seconds at most, and waits for the start; raises Refused.

    The server keeps the time: it is what everybody who checks in sees.
    """

    async def steer(to: str, seconds: int | None = None) -> None:
        await connection.ask(m.Steer, tournament=id, to=to, seconds=seconds)

    def phase() -> str:
        return connection.session.tournaments[id].info.phase

    await connection.ask(m.WatchTournament, tournament=id, on=True)
    if phase() == "paused":
        await steer("resume")
        say(texts("tournament.steered.resume", id=id))
        return True
    if phase() in BEFORE:
        await steer("start", seconds)
        say(texts("tournament.steered.check_in", id=id, seconds=seconds))
        opened = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds + LATE):
                while phase() == "check_in" or (phase() in BEFORE and not opened):
                    opened = opened or phase() == "check_in"
                    await connection.changed()
        if phase() in BEFORE:
            say(texts("tournament.steered.too_few", id=id))
            return False
    if phase() != "running":
        await steer("start")
    say(texts("tournament.steered.start", id=id, count=connection.session.tournaments[id].info.checked_in))
    return True
