"""The client library in a house of real nodes: tables elsewhere, nodes that end, and nodes that die."""

import asyncio
import contextlib
import random
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from support.server.databases import PostgresqlDatabase
from support.server.nodes import node
from support.server.sockets import PATIENCE, own_port
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from parlour.client.bot import Bot, Played, play
from parlour.client.bots.random import RandomBot
from parlour.client.connection import Connection
from parlour.client.decision import Decision
from parlour.client.session import Session
from parlour.machine.programs import PARLOUR, command_line
from parlour.protocol import messages as m
from parlour.server.app import ListeningServer
from tools.postgresql import Cluster

SHORT = 2.0
"""Seconds of the lease of a node that is killed."""


@pytest.fixture
def database(postgresql_cluster: Cluster) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgresql_cluster)


class Slow(Bot):
    """Leaves time for a node to end in the middle of its games."""

    async def choose(self, decision: Decision) -> Mapping[str, Any]:
        await asyncio.sleep(0.02)
        return decision.pick()


def bot(server: ListeningServer, name: str) -> Connection:
    return Connection(server.url, Session(name=name, bot=True))


async def seated(ann: Connection, bob: Connection) -> str:
    """A game of two that has begun, at the node of the first."""
    id = str((await ann.ask(m.CreateTable, game="butterflies", seats=2))["table"])
    await bob.ask(m.WatchLobby, on=True)
    while id not in (bob.session.lobby or {}):
        await bob.changed()
    await bob.ask(m.Join, table=id)
    await ann.ask(m.Start, table=id)
    return id


def agree(*games: Played | None) -> None:
    assert all(played is not None for played in games)
    assert len({played.result.places for played in games if played}) == 1


async def test_two_who_are_at_different_nodes_play_together(database: PostgresqlDatabase) -> None:
    async with (
        asyncio.timeout(PATIENCE),
        node(database, "n1") as one,
        node(database, "n2") as two,
        bot(one, "Ann") as ann,
        bot(two, "Bob") as bob,
    ):
        id = await seated(ann, bob)
        assert bob.session.places[id].node == "n1" and bob.session.home.node == "n2"
        players = [play(RandomBot(random.Random(1)), each, id) for each in (ann, bob)]
        agree(*await asyncio.gather(*players))


async def begun(ann: Connection, bob: Connection, moves: int = 5) -> list["asyncio.Task[Played | None]"]:
    """A game that is being played, after so many moves."""
    id = await seated(ann, bob)
    players = [asyncio.create_task(play(Slow(), each, id)) for each in (ann, bob)]
    first = ann.session.tables[id].seq
    while ann.session.tables[id].seq < first + moves:
        await ann.changed()
    return players


async def test_a_game_goes_on_when_its_node_ends(database: PostgresqlDatabase) -> None:
    async with contextlib.AsyncExitStack() as people, asyncio.timeout(PATIENCE):
        two = await people.enter_async_context(node(database, "n2"))
        async with node(database, "n1") as one:
            ann = await people.enter_async_context(bot(one, "Ann"))
            bob = await people.enter_async_context(bot(two, "Bob"))
            players = await begun(ann, bob)
        agree(*await asyncio.gather(*players))
        assert ann.session.home.node == "n2"


@contextlib.asynccontextmanager
async def node_process(database: PostgresqlDatabase, name: str) -> AsyncIterator[tuple[Process, str]]:
    """A node that can be killed, and its address."""
    with own_port() as port:
        url = f"ws://127.0.0.1:{port}/"
        flags = ["--node", name, "--advertise", url, "--host", "127.0.0.1", "--port", str(port)]
        flags += ["--lease", str(SHORT)]
        command = command_line(PARLOUR, "serve", *flags, "--hidden", "--archive", database.place)
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=DEVNULL)
        try:
            assert process.stdout is not None
            while b"Ctrl-C" not in await process.stdout.readline():
                assert process.returncode is None
            yield process, url
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()


def _all_here(connection: Connection, id: str, node: str) -> bool:
    """Whether a table of that node shows all its players as connected."""
    table, place = connection.session.tables[id], connection.session.places[id]
    return place.node == node and all(chair is not None and chair.here for chair in table.info.chairs)


async def test_a_game_goes_on_when_its_node_is_killed(database: PostgresqlDatabase) -> None:
    async with (
        asyncio.timeout(PATIENCE),
        node(database, "n2") as two,
        node_process(database, "n1") as (process, url),
        Connection(url, Session(name="Ann", bot=True)) as ann,
        bot(two, "Bob") as bob,
    ):
        players = await begun(ann, bob)
        process.kill()
        await process.wait()
        (id,) = bob.session.tables
        while not _all_here(bob, id, "n2"):
            await bob.changed()
        agree(*await asyncio.gather(*players))
        assert ann.session.home.node == "n2"


async def test_a_bot_of_the_house_plays_on_at_the_node_that_has_its_table_now(
    database: PostgresqlDatabase,
) -> None:
    async with (
        asyncio.timeout(PATIENCE),
        node(database, "n2", bots=1),
        node_process(database, "n1") as (process, url),
        Connection(url, Session(name="Ann")) as ann,
    ):
        id = str((await ann.ask(m.CreateTable, game="butterflies", seats=2))["table"])
        await ann.ask(m.AddBot, table=id, strategy="random")
        await ann.ask(m.Ready, table=id)
        await ann.ask(m.Start, table=id)
        person = asyncio.create_task(play(Slow(), ann, id))
        first = ann.session.tables[id].seq
        while ann.session.tables[id].seq < first + 5:
            await ann.changed()
        process.kill()
        await process.wait()
        played = await person
        assert played is not None and ann.session.places[id].node == "n2"


async def test_the_page_of_a_node_may_connect_to_the_others(database: PostgresqlDatabase) -> None:
    async with node(database, "n1") as one, node(database, "n2") as two, asyncio.timeout(PATIENCE):
        async with bot(two, "Ann") as ann:
            while "n1" not in ann.session.nodes:
                await ann.changed()
        # Also if it was opened under another name of the machine.
        for host in ("127.0.0.1", "localhost"):
            async with connect(two.url, origin=Origin(f"http://{host}:{one.port}"), proxy=None):
                pass
        for page in (
            "127.0.0.1:1",
            f"203.0.113.7:{one.port}",
            f"elsewhere.example:{one.port}",
            "localhost:x",
        ):
            with pytest.raises(InvalidStatus, match="403"):
                await connect(two.url, origin=Origin(f"http://{page}"), proxy=None)
