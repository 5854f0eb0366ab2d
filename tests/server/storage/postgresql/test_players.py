"""What players and operators are told when the database of a server is away, and after it."""

import asyncio
from collections.abc import Iterator

import pytest
from support.server.databases import PostgresqlDatabase
from support.server.postgresql import cluster
from support.server.sockets import BALLOON, Caller, ask, open_server, status

from parlour.server.storage.postgresql import rows
from tools.postgresql import Cluster

HEALTH = "GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n"


@pytest.fixture(scope="module")
def own_cluster() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


async def test_a_database_that_is_away_is_told_to_players_and_operators_and_they_go_on(
    own_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "AGAIN_AFTER", 0.01)
    database = PostgresqlDatabase(own_cluster)
    async with open_server(archive=database.place) as server:
        ann = await Caller(server.url, "Ann").connect()
        tables = [(await ann.do("create_table", **BALLOON))["table"]]
        for end in (own_cluster.stop, own_cluster.kill):
            await asyncio.to_thread(end)
            for _ in range(2):
                answer = await ann.answer(await ann.send("create_table", **BALLOON))
                assert (answer["type"], answer["code"]) == ("error", "not_kept")
            for word, what in (("played", {}), ("replay", {"game": f"{tables[0]}-1"})):
                answer = await ann.answer(await ann.send(word, **what))
                assert (answer["type"], answer["code"]) == ("error", "busy"), word
            health = await ask(server, HEALTH)
            assert status(health) == 503 and "database" in health and str(own_cluster.folder) not in health
            await asyncio.to_thread(own_cluster.start)
            while status(await ask(server, HEALTH)) != 200:
                pass
            tables.append((await ann.do("create_table", **BALLOON))["table"])
    async with open_server(archive=database.place) as server:
        back = Caller(server.url, "Ann")
        back.token = ann.token
        await back.connect()
        assert sorted(back.welcome["tables"]) == sorted(tables)
