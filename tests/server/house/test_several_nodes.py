"""Several servers over one database: names, tokens, tickets, the lobby, and the way to a table."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Sequence

import psycopg
import pytest
from support.server.databases import PostgresqlDatabase
from support.server.nodes import Traveller, arrive, node, silence
from support.server.running_tournaments import RULES, eventually
from support.server.sockets import (
    BALLOON,
    PATIENCE,
    Caller,
    ask,
    by_hand,
    open_server,
    status,
    until_closed,
    upgrade,
)

from parlour.server.app import ListeningServer
from parlour.server.config import BadConfig
from parlour.server.storage.postgresql.house import HouseRows
from parlour.server.storage.postgresql.house_values import Person
from tools.postgresql import Cluster

Two = tuple[ListeningServer, ListeningServer]


@pytest.fixture
def database(postgresql_cluster: Cluster) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgresql_cluster)


@contextlib.asynccontextmanager
async def two_nodes(database: PostgresqlDatabase) -> AsyncIterator[Two]:
    async with node(database, "n1") as one, node(database, "n2") as two:
        for server in (one, two):
            while len(server.lobby.house.nodes) < 2:
                await asyncio.sleep(0.01)
        yield one, two


async def test_a_welcome_names_the_nodes_to_those_who_can_go_there_and_to_nobody_else(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        ann = await arrive(one, "Ann")
        assert (ann.welcome["node"], "nodes" in ann.welcome["features"]) == ("n1", True)
        assert ann.welcome["nodes"] == [{"name": "n1", "url": one.url}, {"name": "n2", "url": two.url}]
        bob = await Caller(two.url, "Bob").connect()
        assert "nodes" not in bob.welcome["features"] and not {"node", "nodes", "elsewhere"} & {*bob.welcome}


async def test_a_node_answers_to_the_name_under_which_clients_are_sent_there(
    database: PostgresqlDatabase,
) -> None:
    where = {"archive": database.place, "node": "n1", "advertise": "wss://oak.example"}
    async with open_server(**where) as server:
        for host, wanted in (("oak.example", 200), ("elm.example", 403)):
            assert status(await ask(server, f"GET /healthz HTTP/1.1\nHost: {host}\n\n")) == wanted


async def test_a_page_that_was_opened_at_a_node_goes_on_at_another_when_that_one_is_over(
    database: PostgresqlDatabase,
) -> None:
    async with open_server(archive=database.place, node="n1", advertise="wss://oak.example"):
        pass
    async with node(database, "n2") as two:
        while not two.lobby.house.addresses:
            await asyncio.sleep(0.01)
        for origin, wanted in (("https://oak.example", 101), ("https://elm.example", 403)):
            async with by_hand(two, upgrade("Host: 127.0.0.1", f"Origin: {origin}")) as (reader, _):
                assert status((await reader.readline()).decode()) == wanted


async def test_a_name_is_given_away_once_in_a_house(database: PostgresqlDatabase) -> None:
    async with two_nodes(database) as (one, two):
        ann = await arrive(one, "Ann")
        for name in ("Ann", "ANN"):
            assert (await Traveller(two.url, "").greet(name=name))["code"] == "name_taken"
        await ann.drop(rudely=False)  # she has done nothing, and gives the name up
        while "Ann" in one.lobby.tables.sessions or database.select("SELECT 1 FROM people"):
            await asyncio.sleep(0.01)
        assert (await Traveller(two.url, "").greet(name="Ann"))["type"] == "welcome"


async def test_a_token_is_good_at_every_node_and_replaces_the_lines_at_all_others(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        ann = await arrive(one, "Ann")
        first = ann.token
        again = Traveller(two.url, "Ann")
        again.token = first
        await again.connect()
        code, _ = await until_closed(ann.socket)
        assert code == 4001
        # Used at the second node, the new token ends the first one at both.
        back = Traveller(one.url, "Ann")
        back.token = again.token
        await back.connect()
        for server in (one, two):
            assert (await Traveller(server.url, "").greet(token=first))["code"] == "bad_token"


async def test_a_table_of_another_node_is_reached_by_a_ticket_and_the_first_line_stays(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        ann, bob = await arrive(one, "Ann"), await arrive(two, "Bob")
        table = (await ann.do("create_table", **BALLOON))["table"]
        facts = await bob.moved("join", table=table)
        assert (facts["node"], facts["url"]) == ("n1", one.url)
        there = await bob.follow(facts)
        assert there.welcome["token"] == "" and there.welcome["you"]["name"] == "Bob"
        await there.do("join", table=table)
        await bob.do("ping")
        assert (await Traveller(one.url, "").greet(ticket=facts["ticket"]))["code"] == "bad_token"
        # Where he sits he is told at the next hello, anywhere.
        while not two.lobby.house.directory.of("Bob"):
            await asyncio.sleep(0.01)
        again = Traveller(two.url, "Bob")
        again.token = bob.token
        await again.connect()
        assert again.welcome["elsewhere"] == [{"table": table, "url": one.url}]
        for word in ("resume", "leave"):
            assert (await again.moved(word, table=table))["url"] == one.url


async def test_a_ticket_is_good_only_at_its_node(database: PostgresqlDatabase) -> None:
    async with two_nodes(database) as (one, two):
        ann, bob = await arrive(one, "Ann"), await arrive(two, "Bob")
        table = (await ann.do("create_table", **BALLOON))["table"]
        ticket = (await bob.moved("watch", table=table))["ticket"]
        assert (await Traveller(two.url, "").greet(ticket=ticket))["code"] == "bad_token"
        assert (await Traveller(one.url, "").greet(ticket=ticket))["type"] == "welcome"


async def test_a_hello_by_token_voids_all_tickets_of_the_name(database: PostgresqlDatabase) -> None:
    async with two_nodes(database) as (one, two):
        ann, bob = await arrive(one, "Ann"), await arrive(two, "Bob")
        table = (await ann.do("create_table", **BALLOON))["table"]
        stolen = [(await bob.moved("watch", table=table))["ticket"] for _ in range(2)]
        assert (await Traveller(one.url, "").greet(ticket=stolen[0]))["type"] == "welcome"
        for place in (one, two):  # at the node of the ticket, and at another
            thief = (await bob.moved("watch", table=table))["ticket"]
            back = Traveller(place.url, "Bob")
            back.token = bob.token
            await back.connect()
            for ticket in (stolen[1], thief):
                assert (await Traveller(one.url, "").greet(ticket=ticket))["code"] == "bad_token"
            if place is one:
                bob = Traveller(two.url, "Bob")
                bob.token = back.token
                await bob.connect()


async def test_a_line_that_came_by_ticket_ends_with_the_next_hello_by_token(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        ann, bob = await arrive(one, "Ann"), await arrive(two, "Bob")
        table = (await ann.do("create_table", **BALLOON))["table"]
        thief = await bob.follow(await bob.moved("watch", table=table))
        back = Traveller(two.url, "Bob")
        back.token = bob.token
        await back.connect()
        assert (await until_closed(thief.socket))[0] == 4001


async def test_what_a_replaced_line_gets_before_its_node_has_heard_of_that_is_void(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two), node(database, "n3") as three:
        ann, bob = await arrive(one, "Ann"), await arrive(two, "Bob")
        table = (await ann.do("create_table", **BALLOON))["table"]
        thief = await bob.moved("watch", table=table)
        silence(database)
        back = Traveller(three.url, "Bob")
        back.token = bob.token
        await back.connect()
        thief = await bob.moved("watch", table=table)
        assert (await Traveller(one.url, "").greet(ticket=thief["ticket"]))["code"] == "bad_token"
        good = await back.moved("watch", table=table)
        assert (await Traveller(one.url, "").greet(ticket=good["ticket"]))["type"] == "welcome"


async def test_of_two_hellos_at_one_time_the_later_one_has_the_line(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    people, asked, go_on = HouseRows.people, threading.Event(), threading.Event()

    def read_late(rows: HouseRows, names: Sequence[str]) -> list[Person]:
        if not asked.is_set():
            asked.set()
            assert go_on.wait(PATIENCE)
        return people(rows, names)

    async with two_nodes(database) as (one, two):
        ann, bob = await arrive(one, "Ann"), await arrive(two, "Bob")
        table = (await ann.do("create_table", **BALLOON))["table"]
        monkeypatch.setattr(HouseRows, "people", read_late)
        first = Traveller(one.url, "Bob")
        greeted = asyncio.create_task(first.greet(token=bob.token))
        await asyncio.to_thread(asked.wait, PATIENCE)
        second = Traveller(two.url, "Bob")
        await second.greet(token=bob.token)
        go_on.set()
        refused = await greeted
        assert refused["code"] == "busy" and refused["retry_after"] > 0
        second.token = second.welcome["token"]
        await second.follow(await second.moved("watch", table=table))
        assert (await Traveller(one.url, "Bob").greet(token=bob.token))["type"] == "welcome"
        assert (await until_closed(second.socket))[0] == 4001


async def test_a_client_that_cannot_go_there_sees_the_tables_of_its_node_alone(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        ann = await arrive(one, "Ann")
        table = (await ann.do("create_table", **BALLOON))["table"]
        eve = await arrive(two, "Eve")
        while table not in two.lobby.house.directory.entries:
            await asyncio.sleep(0.01)
        (listed,) = (await eve.do("list_tables"))["tables"]
        assert (listed["table"], listed["node"]) == (table, one.url)
        bob = await Caller(two.url, "Bob").connect()
        assert (await bob.do("list_tables"))["tables"] == []
        answer = await bob.answer(await bob.send("join", table=table))
        assert answer["code"] == "no_such_table"
        (own,) = (await ann.do("list_tables"))["tables"]
        assert "node" not in own


async def test_whoever_watches_the_lobby_hears_of_all_nodes(database: PostgresqlDatabase) -> None:
    async with two_nodes(database) as (one, two):
        ann, eve = await arrive(one, "Ann"), await arrive(two, "Eve")
        bob = await Caller(two.url, "Bob").connect()
        for person in (eve, bob):
            await person.do("watch_lobby", on=True)
        table = (await ann.do("create_table", **BALLOON))["table"]
        told = await eve.told("lobby_table")
        assert (told["info"]["table"], told["info"]["node"]) == (table, one.url)
        await ann.do("say", text="hello, all")
        assert (await eve.told("lobby_chat"))["line"]["text"] == "hello, all"
        assert (await bob.event())["type"] == "lobby_chat"  # and nothing of the table before it
        await ann.do("leave", table=table)
        assert (await eve.told("lobby_gone"))["table"] == table


async def test_a_table_that_nobody_has_heard_of_is_not_there(database: PostgresqlDatabase) -> None:
    async with two_nodes(database) as (one, _):
        ann = await arrive(one, "Ann")
        assert (await ann.refused("join", table="NOWHERE"))["code"] == "no_such_table"
        assert (await ann.refused("resume", table="NOWHERE"))["code"] == "not_seated"


async def test_what_another_node_has_is_found_before_that_has_told_of_it(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        ann, bob = await arrive(one, "Ann"), await arrive(two, "Bob")
        silence(database)
        private = await ann.do("create_table", **BALLOON, public=False)
        public = await ann.do("create_table", **BALLOON)
        made = await ann.do("create_tournament", rules=RULES)
        for word, named in (
            ("join", {"code": private["code"].lower()}),
            ("join", {"table": public["table"]}),
            ("watch_tournament", {"tournament": made["tournament"].lower()}),
        ):
            refused = await bob.refused(word, **named)
            assert (refused["code"], refused["facts"].get("url")) == ("moved", one.url)
        assert (await bob.refused("join", code="NOBODY"))["code"] == "no_such_table"
        assert (await bob.refused("enter", tournament="NOBODY"))["code"] == "no_such_tournament"


async def test_a_private_table_of_another_node_is_as_unknown_as_one_that_does_not_exist(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        ann, bob = await arrive(one, "Ann"), await arrive(two, "Bob")
        for heard in (True, False):
            if not heard:
                silence(database)
            eve = await arrive(two, f"Eve {heard}")
            made = await ann.do("create_table", **BALLOON, public=False)
            table, code = made["table"], made["code"]
            while heard and table not in two.lobby.house.directory.entries:
                await asyncio.sleep(0.01)
            for word, fields in (
                ("join", {}),
                ("join", {"code": "NOBODY"}),
                ("watch", {}),
                ("say", {"text": "anybody?"}),
                ("resume", {}),
                ("leave", {}),
            ):
                there = await eve.refused(word, table=table, **fields)
                nowhere = await eve.refused(word, table="NOWHERE", **fields)
                assert (there["code"], there["facts"]) == (nowhere["code"], nowhere["facts"]), word
            answer = await eve.refused("watch_tournament", tournament=table)
            assert answer["code"] == "no_such_tournament"
            # Who knows the code is sent there, and so is who has just sat down.
            facts = await bob.moved("join", table=table, code=code)
            there = await bob.follow(facts)
            await there.do("join", table=table, code=code)
            assert (await bob.moved("resume", table=table))["url"] == one.url
            assert (await bob.moved("join", table="NOWHERE", code=code))["url"] == one.url
            await there.drop(rudely=False)


async def test_whoever_asks_for_a_table_while_the_database_is_away_may_ask_again(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        ann, bob = await arrive(one, "Ann"), await arrive(two, "Bob")
        silence(database)
        table = (await ann.do("create_table", **BALLOON))["table"]
        database.spoil("ALTER TABLE leases RENAME TO away")
        refused = await bob.refused("join", table=table)
        assert refused["code"] == "busy" and refused["retry_after"] > 0
        database.spoil("ALTER TABLE away RENAME TO leases")
        assert (await bob.refused("join", table=table))["code"] == "moved"


async def test_hellos_that_cannot_be_looked_up_are_one_line_of_the_log(
    database: PostgresqlDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    async with node(database, "n1") as one:
        for outage in (1, 2):
            database.spoil("ALTER TABLE looks RENAME TO away")
            for name in ("Ann", "Bob", "Cara"):
                assert (await Traveller(one.url, "").greet(name=name))["code"] == "not_kept"
            database.spoil("ALTER TABLE away RENAME TO looks")
            await arrive(one, f"Dan {outage}")
            assert caplog.text.count("hellos cannot be looked up") == outage


async def test_what_could_not_be_told_while_the_database_was_away_is_told_later(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        ann, eve = await arrive(one, "Ann"), await arrive(two, "Eve")
        await eve.do("watch_lobby", on=True)
        tables = []
        for _ in range(3):
            database.end_connections()
            while True:
                answer = await ann.answer(await ann.send("create_table", **BALLOON))
                if answer["type"] == "ok":
                    break
            tables.append(answer["result"]["table"])
        told: dict[str, None] = {}
        while len(told) < len(tables):  # what may have been told already is told again
            told[(await eve.told("lobby_table"))["info"]["table"]] = None
        assert list(told) == tables


AGAIN = "INSERT INTO parlour.house_events (node, map) SELECT node, map FROM parlour.house_events"


async def test_what_is_committed_late_is_heard_all_the_same_and_in_its_place(
    database: PostgresqlDatabase,
) -> None:
    async with two_nodes(database) as (one, two):
        ann, eve = await arrive(one, "Ann"), await arrive(two, "Eve")
        await eve.do("watch_lobby", on=True)
        await ann.do("say", text="early")
        await eve.told("lobby_chat")
        async with (
            await psycopg.AsyncConnection.connect(database.place) as late,
            node(database, "n3"),
        ):
            await late.execute(
                f"{AGAIN} WHERE position('early'::bytea IN map) > 0"
            )  # has its number before the next one
            await ann.do("say", text="later")
            await eve.told("nodes_changed")  # n3: so n2 has looked meanwhile
            await late.commit()
            heard = [(await eve.told("lobby_chat"))["line"]["text"] for _ in range(2)]
        assert heard == ["early", "later"]


@pytest.mark.parametrize("there", ["nothing", "a house"])
async def test_another_database_behind_the_pooler_is_refused(
    database: PostgresqlDatabase, postgresql_cluster: Cluster, there: str
) -> None:
    other = PostgresqlDatabase(postgresql_cluster)
    if there == "a house":
        async with node(other, "n1"):
            pass
    with pytest.raises(BadConfig, match="archive_direct: leads to another database than archive"):
        async with node(database, "n1", archive_direct=other.place):
            pass
    async with node(database, "n1", archive_direct=database.place.replace("postgresql:", "postgres:")):
        pass


async def test_what_postgresql_says_in_several_lines_is_one_line_of_the_log(
    database: PostgresqlDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    async with node(database, "n1") as one:
        asked = asyncio.Event()
        one.lobby.house.database.ask(  # type: ignore[attr-defined]
            lambda rows: rows._connection.execute("SELECT nonsense"), lambda _result: asked.set()
        )
        await asked.wait()
        await eventually(lambda: "house: " in caplog.text)
        (told,) = [record.getMessage() for record in caplog.records if "house: " in record.getMessage()]
        assert "nonsense" in told and "\n" not in told


async def test_news_of_other_nodes_come_without_the_bell_as_well(database: PostgresqlDatabase) -> None:
    deaf = database.cluster.address("nowhere")
    async with node(database, "n1") as one, node(database, "n2", archive_direct=deaf) as two:
        ann, eve = await arrive(one, "Ann"), await arrive(two, "Eve")
        await eve.do("watch_lobby", on=True)
        await ann.do("say", text="anybody?")
        assert (await eve.told("lobby_chat"))["line"]["text"] == "anybody?"
