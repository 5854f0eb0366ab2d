"""Tournaments over real sockets: an organiser, and entrants who know no more than what they are asked."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from support.server.sockets import Caller, Plain, pick
from websockets.exceptions import ConnectionClosed

from parlour.server.app import ListeningServer
from parlour.server.storage.store import wall_clock
from parlour.server.tournament.live.running import RunningTournament

RULES: Plain = {"name": "Cup", "game": "balloon-cup", "format": "swiss", "seed": "lots"}


class Organiser(Caller):
    """Makes a tournament, steers it, and hears everything about it."""

    tournament = ""

    def __init__(self, url: str, name: str = "Olga", **connection: Any) -> None:
        super().__init__(url, name, **connection)
        self.heard: list[Plain] = []

    async def announce(self, **rules: Any) -> str:
        self.tournament = (await self.do("create_tournament", rules={**RULES, **rules}))["tournament"]
        await self.steer("open")
        return self.tournament

    async def steer(self, to: str, why: str = "") -> None:
        await self.do("steer", tournament=self.tournament, to=to, why=why)

    async def watch(self) -> Plain:
        snapshot: Plain = await self.do("watch_tournament", tournament=self.tournament)
        return snapshot

    async def until(self, word: str, matches: Callable[[Plain], bool] = lambda _: True) -> Plain:
        while True:
            event = await self.event()
            self.heard.append(event)
            if event["type"] == word and matches(event):
                return event

    async def until_over(self) -> Plain:
        over = ("finished", "cancelled")
        return await self.until("tournament_changed", lambda event: event["info"]["phase"] in over)


class Entrant(Caller):
    """Answers whatever it is asked with something legal, and knows nothing else."""

    server: ListeningServer
    """For those who do more than that."""

    def __init__(self, url: str, name: str, **connection: Any) -> None:
        super().__init__(url, name, **connection)
        self.rng = random.Random(name)
        self.errors: list[Plain] = []
        self.results: dict[str, Plain] = {}
        self.asked = 0

    def dress(self, message: Plain) -> Plain:
        return {**message, "bot": True} if message["type"] == "hello" else message

    async def take_part(self, tournament: str) -> None:
        await self.do("enter", tournament=tournament)

    async def check_in(self, tournament: str) -> None:
        await self.do("check_in", tournament=tournament, nonce=self.name.replace(" ", "-"))

    async def live(self) -> None:
        """Plays until the connection is closed."""
        for table in self.welcome["tables"]:
            await self.send("resume", table=table)
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.hear(await self.event())

    async def event(self) -> Plain:
        while True:
            message = self.backlog.pop(0) if self.backlog else await self.receive()
            if message["type"] == "error":
                self.errors.append(message)
            elif message["type"] != "ok":
                return message

    async def hear(self, message: Plain) -> None:
        if message["type"] not in ("snapshot", "update"):
            return
        if message["result"] is not None:
            self.results[message["table"]] = message["result"]
        elif message["question"] is not None:
            self.asked += 1
            await self.answer_question(message["table"], message["question"])

    async def answer_question(self, table: str, question: Plain) -> None:
        action = pick(question["legal"], self.rng)
        await self.send("act", table=table, turn=question["turn"], action=action)


async def eventually(condition: Callable[[], object]) -> None:
    """Waits for it; the server has the time limit."""
    while not condition():
        await asyncio.sleep(0.005)


def tournament_of(server: ListeningServer, organiser: Organiser) -> RunningTournament:
    return server.lobby.tournaments.listing.find(organiser.tournament)


def in_the_future(server: ListeningServer, seconds: float) -> None:
    """Sets the wall clock of a server, and has it look after its tournaments."""
    server.lobby.tables.store.wall = lambda: wall_clock() + int(seconds * 1000)  # type: ignore[method-assign]
    for found in server.lobby.tournaments.listing.running():
        found.looks_at = 0.0
    server.lobby.tournaments.tick(server.lobby.tables.clock())


@contextlib.asynccontextmanager
async def living(entrants: Sequence[Entrant]) -> AsyncIterator[None]:
    """They play while the context is open."""
    lives = [asyncio.create_task(entrant.live()) for entrant in entrants]
    try:
        yield
    finally:
        for life in lives:
            life.cancel()
        for ended in await asyncio.gather(*lives, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended


async def assemble(
    server: ListeningServer,
    names: Sequence[str] | int,
    kinds: dict[str, type[Entrant]] | None = None,
    organiser: str = "Olga",
    **rules: Any,
) -> tuple[Organiser, list[Entrant]]:
    """A tournament of which the organiser hears everything, and all have entered and are there."""
    names = [f"Bot {number}" for number in range(names)] if isinstance(names, int) else names
    olga = Organiser(server.url, organiser)
    await olga.connect()
    id = await olga.announce(**rules)
    await olga.watch()
    entrants = [(kinds or {}).get(name, Entrant)(server.url, name) for name in names]
    for entrant in entrants:
        entrant.server = server
        await entrant.connect()
        await entrant.take_part(id)
    await olga.steer("check_in")
    for entrant in entrants:
        await entrant.check_in(id)
    return olga, entrants


async def played(
    server: ListeningServer,
    names: Sequence[str] | int,
    kinds: dict[str, type[Entrant]] | None = None,
    **rules: Any,
) -> tuple[Organiser, list[Entrant], RunningTournament]:
    """A tournament that was played to its end."""
    organiser, entrants = await assemble(server, names, kinds, **rules)
    async with living(entrants):
        await organiser.steer("start")
        await organiser.until_over()
    return organiser, entrants, tournament_of(server, organiser)
