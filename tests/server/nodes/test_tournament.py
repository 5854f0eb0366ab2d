"""A tournament in a house: whichever node is killed, whenever, its results and ratings are right."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from support import figures
from support.nodes.house import House, house
from support.server.kept_tournament import kept_tournament
from support.server.running_tournaments import RULES
from support.server.sockets import PATIENCE
from support.soak import count

from parlour.client.bots.random import RandomBot
from parlour.client.cli.main import main
from parlour.client.connection import Connection
from parlour.client.session import Session
from parlour.client.tournament_bot import play_tournament
from parlour.protocol import messages as m
from tools.postgresql import Cluster

SIZE, ROUNDS, GAMES = 6, 2, 2
KILLS = count(3, 25)
LONGEST_SLICE = 60
"""Moves in all games together between two kills."""


class Organiser:
    """Makes a tournament, wherever it is, and steers it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.tournament = ""

    async def announce(self) -> str:
        rules = {**RULES, "format": "round_robin", "rounds": ROUNDS, "games": GAMES}
        made = await self.connection.ask(m.CreateTournament, rules=rules)
        self.tournament = made["tournament"]
        await self.steer("open")
        return self.tournament

    async def steer(self, to: str) -> None:
        await self.connection.ask(m.Steer, tournament=self.tournament, to=to)

    async def until(self, entered: int, checked_in: int) -> None:
        """Until so many have entered, and checked in."""
        while True:
            seen = await self.connection.ask(m.WatchTournament, tournament=self.tournament)
            there = [entrant["checked_in"] for entrant in seen["entrants"]]
            if len(there) == entered and sum(there) == checked_in:
                return
            await asyncio.sleep(0.05)


async def moves_in(place: str) -> int:
    async with await psycopg.AsyncConnection.connect(place) as connection:
        found = await (await connection.execute("SELECT count(*) FROM parlour.lines")).fetchone()
    assert found is not None
    return int(found[0])


async def hears(nodes: House, more: int, over: Callable[[], bool]) -> None:
    """Waits until so many moves more are stored, or the tournament is over."""
    due = await moves_in(nodes.place) + more
    while await moves_in(nodes.place) < due and not over():
        await asyncio.sleep(0.05)


async def test_any_node_killed_at_any_moment_leaves_standings_and_ratings_right(
    tmp_path: Path, postgresql_cluster: Cluster, request: pytest.FixtureRequest
) -> None:
    rng = random.Random(27)
    async with house(tmp_path, postgresql_cluster) as nodes, asyncio.timeout(3 * PATIENCE + 15 * KILLS):
        await nodes.start_all()
        async with Connection(nodes.nodes[0].url, Session(name="Olga")) as connection:
            organiser = Organiser(connection)
            id = await organiser.announce()
            entrants = [
                asyncio.create_task(
                    play_tournament(RandomBot, rng.choice(nodes.nodes).url, id, f"Bot-{number}")
                )
                for number in range(SIZE)
            ]
            await organiser.until(SIZE, 0)
            await organiser.steer("check_in")
            await organiser.until(SIZE, SIZE)
            await organiser.steer("start")
            playing = asyncio.gather(*entrants)
            await kill_some(nodes, rng, playing.done)
            await playing
        await nodes.start_all()
        for node in nodes.nodes:
            assert await nodes.end(node) == 0
    names = {f"Bot-{number}" for number in range(SIZE)}
    games = ROUNDS * SIZE // 2 * GAMES
    kept_tournament(nodes.place, names, games)
    assert "Traceback" not in nodes.logs
    folder = str(tmp_path / "folder")
    assert main(["tournament", "export", id, folder, "--archive", nodes.place]) == 0
    assert main(["tournament", "verify", folder]) == 0
    kills = sum(node.kills for node in nodes.nodes)
    figures.note(request, f"a tournament, {kills} kills: {games} games, each once; verify agrees")


async def kill_some(nodes: House, rng: random.Random, over: Callable[[], bool]) -> None:
    """Until there were enough kills, or the tournament is over."""
    for _ in range(KILLS):
        await hears(nodes, rng.randrange(LONGEST_SLICE), over)
        if over():
            return
        victim = rng.choice(nodes.nodes)
        await nodes.kill(victim)
        await hears(nodes, rng.choice([0, 1]), over)  # started again at once, or when others have its games
        await nodes.start(victim)
