"""A node that ends, dies or is cut off: others have its tables, and it tells nothing of them any more."""

import asyncio
import contextlib
import random
import signal
from pathlib import Path
from typing import Any

import pytest
from support.server.databases import PostgresqlDatabase
from support.server.killed_servers import KilledServer
from support.server.nodes import (
    LONG,
    Reachable,
    Traveller,
    arrive,
    expire,
    leave_to_others,
    node,
    silence,
    three_nodes,
)
from support.server.running_tournaments import Organiser, eventually
from support.server.sockets import BALLOON, PATIENCE, Caller, open_server, until_closed
from websockets.asyncio.server import Server

from parlour.server import app
from parlour.server.storage.postgresql import house
from parlour.server.wire.gateway import Gateway
from parlour.server.wire.listening import listen
from tools.postgresql import Cluster


@pytest.fixture
def database(postgresql_cluster: Cluster) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgresql_cluster)


async def dealt(server: Reachable) -> tuple[str, list[Traveller]]:
    """A game of two at one node."""
    people = [await arrive(server, name) for name in ("Ann", "Bob")]
    table = (await people[0].do("create_table", **BALLOON))["table"]
    await people[1].do("join", table=table)
    for person in people:
        await person.do("ready", table=table)
    await people[0].do("start", table=table)
    return table, people


async def play_some(people: list[Traveller], table: str, moves: int) -> int:
    """Makes so many moves that are acknowledged; how many lines they are at least."""
    rng = random.Random(3)
    for _ in range(moves):
        for person in people:
            await person.do("resume", table=table)
            while person.known(table).get("question") is None and person.backlog:
                person.backlog.pop()
            await person.act(table, rng)
    return moves


def lines(database: PostgresqlDatabase) -> int:
    ((count,),) = database.select("SELECT count(*) FROM lines")
    return int(count)


async def come_back(person: Traveller, server: Reachable) -> Traveller:
    back = Traveller(server.url, person.name)
    back.token = person.token
    await back.connect()
    return back


async def test_a_node_that_is_stopped_hands_its_tables_over_and_games_go_on(
    database: PostgresqlDatabase,
) -> None:
    async with node(database, "n2") as two:
        async with node(database, "n1") as one:
            table, people = await dealt(one)
            await play_some(people, table, 2)
            before = lines(database)
            secret = one.lobby.tables.by_id[table].secret
        assert database.select("SELECT node, epoch FROM leases") == [("n2", 2)]
        code, _ = await until_closed(people[0].socket)
        assert code == 1012
        await eventually(lambda: table in two.lobby.tables.by_id)
        assert lines(database) == before
        again = [await come_back(person, two) for person in people]
        for person in again:
            assert person.welcome["tables"] == [table]
            assert (await person.do("resume", table=table))["snapshot"]
        assert two.lobby.tables.by_id[table].secret == secret
        await play_some(again, table, 2)
        assert lines(database) > before


async def test_what_a_node_had_that_was_killed_is_taken_over_and_it_stores_nothing_more(
    database: PostgresqlDatabase,
) -> None:
    async with node(database, "n1", lease=LONG) as one, node(database, "n2") as two:
        table, people = await dealt(one)
        eve = await arrive(two, "Eve")
        expire(database, "n1")
        await eventually(lambda: table in two.lobby.tables.by_id)
        before = lines(database)
        assert table in one.lobby.tables.by_id  # it does not know yet
        await people[0].send("say", table=table, text="am I still here?")
        closed = [await until_closed(person.socket) for person in people]
        assert [code for code, _ in closed] == [1012, 1012]
        assert one.lost.is_set() and lines(database) == before
        again = [await come_back(person, two) for person in people]
        for person in again:
            assert (await person.do("resume", table=table))["snapshot"]
        await play_some(again, table, 1)
        assert (await eve.do("list_tables"))["tables"][0]["table"] == table


async def test_each_of_the_others_takes_its_share_of_what_a_node_had(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "SHARES", "1 hour")
    async with three_nodes(database) as (one, two, three):
        for number in range(5):
            await (await arrive(one, f"Ann {number}")).do("create_table", **BALLOON)
        await (await arrive(two, "Bob")).do("create_table", **BALLOON)
        expire(database, "n1")
        await eventually(lambda: len(two.lobby.tables.by_id) + len(three.lobby.tables.by_id) == 6)
        assert database.select("SELECT node, count(*) FROM leases GROUP BY node ORDER BY node") == [
            ("n2", 3),
            ("n3", 3),
        ]


async def test_a_share_that_nobody_takes_is_anybodys(database: PostgresqlDatabase) -> None:
    async with three_nodes(database) as (one, two, three):
        await leave_to_others(three)
        for number in range(3):
            await (await arrive(one, f"Ann {number}")).do("create_table", **BALLOON)
        expire(database, "n1")
        await eventually(lambda: len(two.lobby.tables.by_id) == 3)


async def test_a_node_that_loses_its_place_before_it_listens_begins_anew(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def late(gateway: Gateway, *arguments: Any) -> Server:
        database.spoil("UPDATE nodes SET expires = clock_timestamp() - interval '1 second'")
        await eventually(lambda: gateway.lobby.house.over)
        return await listen(gateway, *arguments)

    monkeypatch.setattr(app, "listen", late)
    async with node(database, "n1") as one:
        assert one.lost.is_set()


async def test_whoever_comes_before_a_table_is_taken_over_is_told_to_ask_for_it(
    database: PostgresqlDatabase,
) -> None:
    async with node(database, "n1", lease=LONG) as one, node(database, "n2") as two:
        table, (ann, _) = await dealt(one)
        house = two.lobby.house
        await eventually(lambda: house.directory.of("Ann"))
        await leave_to_others(two)
        expire(database, "n1")
        await eventually(lambda: "n1" not in house.nodes)
        back = await come_back(ann, two)
        assert not back.welcome["tables"]
        assert back.welcome["elsewhere"] == [{"table": table, "url": two.url}]
        assert (await back.refused("resume", table=table))["code"] == "busy"
        house.database.takes_over = True  # type: ignore[attr-defined]
        snapshot = await back.told("snapshot")  # without being asked
        ann_sits, bob_sits = snapshot["info"]["chairs"]
        assert snapshot["table"] == table and ann_sits["here"] and not bob_sits["here"]
        assert not (await back.do("resume", table=table, after=snapshot["seq"]))["snapshot"]


async def test_whoever_has_another_line_is_told_which_node_has_the_table_of_one_that_is_frozen(
    database: PostgresqlDatabase,
) -> None:
    async with three_nodes(database) as (one, two, three):
        cara, ann = await arrive(one, "Cara"), await arrive(three, "Ann")
        table = (await cara.do("create_table", **BALLOON))["table"]
        there = await ann.follow(await ann.moved("join", table=table))
        await there.do("join", table=table)
        await eventually(lambda: three.lobby.house.directory.of("Ann"))
        await leave_to_others(three)
        expire(database, "n1")
        told = await ann.told("table_at")
        assert (told["table"], told["node"], told["url"]) == (table, "n2", two.url)
        assert (await (await ann.follow(told)).finds(table))["snapshot"]


async def test_whoever_sat_down_just_before_the_node_died_finds_the_table(
    database: PostgresqlDatabase,
) -> None:
    async with three_nodes(database) as (one, two, three):
        ann, bob = [await arrive(one, name) for name in ("Ann", "Bob")]
        table = (await ann.do("create_table", **BALLOON))["table"]
        for other in (two, three):
            await eventually(lambda other=other: other.lobby.house.directory.of("Ann"))  # type: ignore[misc]
        silence(database)  # neither that Bob sits down, nor who has the table then
        await bob.do("join", table=table)
        await leave_to_others(three)
        expire(database, "n1")
        await eventually(lambda: table in two.lobby.tables.by_id)
        await eventually(lambda: "n1" not in three.lobby.house.nodes)
        back = await come_back(bob, three)
        assert [each["table"] for each in back.welcome["elsewhere"]] == [table]
        facts = await back.moved("resume", table=table)
        assert facts["node"] == "n2"
        # Ann is known to sit there, as far as the third node has heard at the first one.
        assert (await (await come_back(ann, three)).moved("resume", table=table))["node"] == "n2"
        line = await back.follow(facts)
        assert line.welcome["tables"] == [table]
        assert (await line.finds(table))["snapshot"]


async def test_a_private_table_of_which_nobody_has_heard_is_found_by_its_code(
    database: PostgresqlDatabase,
) -> None:
    async with node(database, "n1", lease=LONG) as one, node(database, "n2") as two:
        await eventually(lambda: "n1" in two.lobby.house.nodes)
        ann, bob = await arrive(one, "Ann"), await arrive(two, "Bob")
        silence(database)
        made = await ann.do("create_table", **{**BALLOON, "public": False})
        assert (await bob.moved("join", code=made["code"]))["node"] == "n1"
        expire(database, "n1")
        # While it is on its way, and from then on.
        while (answer := await bob.answer(await bob.send("join", code=made["code"])))["type"] == "error":
            assert answer["code"] in ("moved", "busy"), answer
        assert answer["result"]["table"] == made["table"]


async def test_whoever_watches_the_lobby_of_a_node_hears_of_tables_that_it_takes_over(
    database: PostgresqlDatabase,
) -> None:
    async with node(database, "n2") as two:
        bob = await Caller(two.url, "Bob").connect()  # without the feature: he sees the tables of n2 alone
        assert (await bob.do("watch_lobby", on=True))["tables"] == []
        async with node(database, "n1") as one:
            ann = await arrive(one, "Ann")
            table = (await ann.do("create_table", **BALLOON))["table"]
        told = await bob.event()
        assert (told["type"], told["info"]["table"]) == ("lobby_table", table)


async def test_a_node_that_takes_a_tournament_over_goes_on_with_those_that_it_has(
    database: PostgresqlDatabase,
) -> None:
    async with three_nodes(database) as (one, two, three):
        await leave_to_others(three)
        made = []
        for server, name in ((one, "Olga"), (two, "Oleg")):
            organiser = Organiser(server.url, name)
            await organiser.connect()
            made.append(await organiser.announce())
        expire(database, "n2")
        await eventually(lambda: set(made) <= one.lobby.tournaments.listing.open.keys())
        for person in (await arrive(one, "Ann"), await Caller(one.url, "Bob").connect()):
            for tournament in made:
                await person.do("enter", tournament=tournament)


async def test_a_node_whose_time_is_up_answers_nothing_whatever_is_asked(
    database: PostgresqlDatabase, tmp_path: Path
) -> None:
    """It was stopped for longer than its lease, and goes on with what lay in its sockets."""
    async with KilledServer(tmp_path, database.place) as one, asyncio.timeout(PATIENCE):
        one.settings.update(node="n1", advertise=f"ws://127.0.0.1:{one.port}", lease=1.0)
        await one.start()
        table, people = await dealt(one)
        one.send_signal(signal.SIGSTOP)
        await people[0].send("resume", table=table)
        await people[1].send("watch", table=table)
        over = "SELECT 1 FROM nodes WHERE name = 'n1' AND expires < clock_timestamp()"
        await eventually(lambda: database.select(over))
        one.send_signal(signal.SIGCONT)
        for person in people:
            code, seen = await until_closed(person.socket)
            assert code == 1012
            assert not [frame for frame in seen if b"snapshot" in frame]


async def test_a_server_that_was_alone_leaves_its_tables_to_the_first_node(
    database: PostgresqlDatabase,
) -> None:
    async with open_server(archive=database.place) as alone:
        ann = await Caller(alone.url, "Ann").connect()
        table = (await ann.do("create_table", **BALLOON))["table"]
    async with node(database, "n1") as one:
        await eventually(lambda: table in one.lobby.tables.by_id)
        back = Traveller(one.url, "Ann")
        back.token = ann.token
        await back.connect()
        assert (await back.do("resume", table=table))["snapshot"]
    async with open_server(archive=database.place) as alone:
        assert table in alone.lobby.tables.by_id


async def test_commands_at_a_node_that_began_anew_are_done_when_an_old_table_comes_back(
    database: PostgresqlDatabase,
) -> None:
    """Its journal has the same ids: those of commands from before, which the welcome did not know of."""
    async with contextlib.AsyncExitStack() as second:
        await second.enter_async_context(node(database, "n2"))
        async with node(database, "n1") as one:
            table, people = await dealt(one)
            await play_some(people, table, 3)
        async with node(database, "n1") as one:
            again = [await come_back(person, one) for person in people]
            for person in again:
                assert person.welcome["last_id"] < people[0].last_id and not person.welcome["tables"]
            await second.aclose()
            await eventually(lambda: table in one.lobby.tables.by_id)
            before = lines(database)
            made = await play_some(again, table, 1)
            assert lines(database) >= before + made * len(again)
