"""A bot that waits on the event loop and minds its clock, for any game: python patient.py [URL [GAME]]

It stands for all bots that ask somebody else what to play, over a network or in another process.
"""

import asyncio
import sys

from parlour.client import Bot, Decision, run
from parlour.client.legal import Action

MARGIN = 0.5
"""Seconds to spare: an answer takes its time to the server."""


class Patient(Bot):
    async def choose(self, decision: Decision) -> Action:
        left = decision.seconds_left
        try:
            async with asyncio.timeout(None if left is None else max(0.0, left - MARGIN)):
                return await advice(decision)
        except TimeoutError:
            return decision.pick()


async def advice(decision: Decision) -> Action:
    """The adviser here likes whatever comes first."""
    await asyncio.sleep(0)
    return next(decision.every())


if __name__ == "__main__":
    url = sys.argv[1] if len(sys.argv) > 1 else "ws://localhost:21925"
    game = sys.argv[2] if len(sys.argv) > 2 else "butterflies"
    print(run(Patient, url, game=game)[0].won)
