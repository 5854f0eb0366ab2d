"""A league of four bots in one script, from its rules to its standings: python league_of_four.py [URL]"""

import asyncio
import random
import sys

from parlour.client import Bot, Decision
from parlour.client.connection import Connection
from parlour.client.legal import Action
from parlour.client.session import Session
from parlour.client.tournament_bot import play_tournament
from parlour.protocol import messages as m

RULES = {"name": "Four in a row", "game": "butterflies", "format": "round_robin", "seed": "any"}


class Anything(Bot):
    def choose(self, decision: Decision) -> Action:
        return decision.pick()


class First(Bot):
    """Likes what comes first, and plays the same again and again."""

    def choose(self, decision: Decision) -> Action:
        return next(decision.every())


async def league(url: str) -> None:
    run = random.randrange(10**6)  # a server gives each name to one player only
    async with Connection(url, Session(name=f"Organiser {run}")) as organiser:
        made = await organiser.ask(m.CreateTournament, rules=RULES)
        id = made["tournament"]
        await organiser.ask(m.Steer, tournament=id, to="open")
        await organiser.ask(m.WatchTournament, tournament=id)
        async with asyncio.TaskGroup() as playing:
            for number, bot in enumerate((Anything, Anything, Anything, First), 1):
                playing.create_task(play_tournament(bot, url, id, f"{bot.__name__} {number} {run}"))
            while organiser.session.tournaments[id].info.entrants < 4:
                await organiser.changed()
            # Check-in is open for a minute at most; it starts as soon as all are there.
            await organiser.ask(m.Steer, tournament=id, to="start")
        for line in (await organiser.ask(m.WatchTournament, tournament=id))["standings"]:
            print(f"{line['rank']}. {line['name']}: {line['points']:g} points")


if __name__ == "__main__":
    asyncio.run(league(sys.argv[1] if len(sys.argv) > 1 else "ws://localhost:21925"))
