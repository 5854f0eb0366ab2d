"""Three nodes over one database: whatever becomes of one, nothing that was said is lost, or said by two."""

import asyncio
import random
from pathlib import Path

import pytest
from support import figures
from support.nodes.evening import evening
from support.nodes.house import house
from support.nodes.pooler import PORT, pooler
from support.server.postgresql import cluster
from support.server.sockets import PATIENCE
from support.soak import count

from tools.postgresql import USER, Cluster

KILLS = count(6, 150)
"""50 in `make soak`."""
LONGEST_SLICE = 160
"""Messages to all players together between two kills."""


async def test_nodes_that_are_killed_lose_nothing_and_others_take_over(
    tmp_path: Path, postgresql_cluster: Cluster, request: pytest.FixtureRequest
) -> None:
    rng = random.Random(26)
    async with house(tmp_path, postgresql_cluster) as nodes, asyncio.timeout(PATIENCE + 20 * KILLS):
        await nodes.start_all()
        async with evening(nodes, "killed") as players:
            for number in range(KILLS):
                victim = rng.choice([node for node in nodes.nodes if nodes.tables_of(node)])
                await nodes.kill(victim)
                if number % 2:  # started again in place; otherwise others have its tables first
                    await nodes.until_taken_over()
                await nodes.start(victim)
                await nodes.hears(rng.randrange(LONGEST_SLICE))
        figures.note(request, players.summary(f"{KILLS} kills"))
        assert len(nodes.takeovers) >= KILLS // 2


async def test_nodes_that_are_ended_hand_their_tables_over(
    tmp_path: Path, postgresql_cluster: Cluster, request: pytest.FixtureRequest
) -> None:
    async with house(tmp_path, postgresql_cluster) as nodes, asyncio.timeout(2 * PATIENCE):
        await nodes.start_all()
        async with evening(nodes, "ended") as players:
            for node in nodes.nodes:
                assert await nodes.end(node) == 0
                await nodes.until_taken_over()
                await nodes.start(node)
                await nodes.hears(LONGEST_SLICE)
        figures.note(request, players.summary("an upgrade, node by node"))


async def test_a_node_that_was_frozen_for_longer_than_its_lease_tells_nothing_of_its_tables(
    tmp_path: Path, postgresql_cluster: Cluster, request: pytest.FixtureRequest
) -> None:
    async with house(tmp_path, postgresql_cluster) as nodes, asyncio.timeout(2 * PATIENCE):
        await nodes.start_all()
        async with evening(nodes, "frozen") as players:
            victim = max(nodes.nodes, key=lambda node: len(nodes.tables_of(node)))
            async with nodes.frozen(victim):
                await nodes.until_taken_over()
                await nodes.hears(LONGEST_SLICE)
            await nodes.hears(LONGEST_SLICE)
        figures.note(request, players.summary("a frozen node"))


async def test_a_node_that_is_cut_off_from_the_database_lets_its_players_go(
    tmp_path: Path, postgresql_cluster: Cluster, request: pytest.FixtureRequest
) -> None:
    async with house(tmp_path, postgresql_cluster) as nodes, asyncio.timeout(2 * PATIENCE):
        await nodes.start_all()
        async with evening(nodes, "cut off") as players:
            victim = max(nodes.nodes, key=lambda node: len(nodes.tables_of(node)))
            async with nodes.cut_off(victim):
                await nodes.until_taken_over()
                await nodes.hears(LONGEST_SLICE)
            await nodes.hears(LONGEST_SLICE)
        figures.note(request, players.summary("a node without its database"))


@pytest.mark.parametrize("how", ["stop", "kill"])
async def test_nodes_go_on_when_their_database_is_back(
    how: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with cluster() as own:
        async with house(tmp_path, own) as nodes, asyncio.timeout(2 * PATIENCE):
            await nodes.start_all()
            async with evening(nodes, how) as players:
                for _ in range(2):
                    await asyncio.to_thread(own.stop if how == "stop" else own.kill)
                    await asyncio.to_thread(own.start)
                    await nodes.hears(LONGEST_SLICE)
            figures.note(request, players.summary(f"the database, {how}, twice"))


async def test_behind_a_pooler_it_is_the_same(
    tmp_path: Path, postgresql_cluster: Cluster, request: pytest.FixtureRequest
) -> None:
    with pooler(postgresql_cluster) as folder:
        address = f"postgresql://{USER}@/{{}}?host={folder}&port={PORT}"
        async with (
            house(tmp_path, postgresql_cluster, pooler_address=address) as nodes,
            asyncio.timeout(2 * PATIENCE),
        ):
            await nodes.start_all()
            async with evening(nodes, "pooler") as players:
                for node in nodes.nodes[:2]:
                    await nodes.kill(node)
                    await nodes.until_taken_over()
                    await nodes.start(node)
                    await nodes.hears(LONGEST_SLICE)
            figures.note(request, players.summary("behind a pooler"))
