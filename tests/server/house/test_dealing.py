"""Tournaments in a house: to which nodes their games go."""

import threading
from collections.abc import Mapping, Sequence
from queue import SimpleQueue
from typing import Any

import psycopg
import pytest
from support.server.databases import PostgresqlDatabase
from support.server.nodes import LONG, Traveller, arrive, checked_in, expire, node, silence
from support.server.running_tournaments import Organiser, eventually
from support.server.sockets import BALLOON, PATIENCE

from parlour.server.app import ListeningServer
from parlour.server.house.node import NodeHouse
from parlour.server.storage.change import LEASE, Row
from parlour.server.storage.postgresql import rows
from parlour.server.storage.postgresql.house import BELL, HouseRows
from parlour.server.storage.postgresql.house_values import LeaseHolder, Look
from parlour.server.tables.table import Table
from parlour.server.tournament.live import guests
from parlour.server.tournament.live.house import GONE
from tools.postgresql import Cluster


@pytest.fixture
def database(postgresql_cluster: Cluster) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgresql_cluster)


async def test_the_games_of_a_round_are_dealt_to_the_nodes_that_have_the_least(
    database: PostgresqlDatabase,
) -> None:
    async with node(database, "n1") as one, node(database, "n2"), node(database, "n3"):
        await eventually(lambda: len(one.lobby.house.nodes) == 3)
        olga, _ = await checked_in(one, 6)
        await olga.steer("start")

        def nodes() -> list[str]:
            found = database.select("SELECT node FROM leases WHERE kind = 'table' ORDER BY node")
            return [name for (name,) in found]

        await eventually(lambda: nodes() == ["n1", "n2", "n3"])


async def test_players_are_told_of_a_game_whose_first_node_dies_before_it_says_who_plays(
    database: PostgresqlDatabase,
) -> None:
    async with node(database, "n1") as one, node(database, "n2"), node(database, "n3") as three:
        await eventually(lambda: len(one.lobby.house.nodes) == 3)
        olga, people = await checked_in(one, 2)
        for person in people:
            person.url = three.url
            await person.connect()
        silence(database, "n1", but="moved")
        await olga.steer("start")
        for person in people:
            assert (await person.told("table_at"))["node"] == "n2"


async def test_a_game_is_found_at_a_node_where_its_player_never_was(database: PostgresqlDatabase) -> None:
    async with node(database, "n2") as two, node(database, "n3") as three:
        async with node(database, "n1") as one:
            await eventually(lambda: len(one.lobby.house.nodes) == 3)
            olga, people = await checked_in(one, 4)
        for person in people:
            person.url = three.url
            await person.connect()
        olga.url = two.url  # which has the tournament now
        await olga.connect()
        await olga.steer("start")
        found = []
        for person in people:
            while (told := await person.event())["type"] not in ("table_at", "snapshot"):
                pass
            if told["type"] == "table_at":
                assert told["node"] == "n2"
                there = await person.follow(told)
                assert there.welcome["tables"] == [told["table"]]
                assert (await there.finds(told["table"]))["snapshot"]
                found.append(told["table"])
        assert len(found) == 2


async def test_a_node_that_looks_before_it_knows_that_its_tournament_is_stored_takes_nothing_over(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks: SimpleQueue[set[str]] = SimpleQueue()
    insert_rows, looked = rows.insert_rows, NodeHouse.looked

    def insert_and_be_seen(connection: Any, *given: Any) -> None:
        stored: Sequence[Row] = given[-1]
        insert_rows(connection, *given)
        database.spoil(f"NOTIFY {BELL}")
        new = {row[1] for row in stored if row[0] == LEASE}
        while new and not new <= looks.get(timeout=PATIENCE):
            pass

    def look(house: NodeHouse, look: Look) -> None:
        looked(house, look)
        looks.put({lease.id for lease in look.mine})

    caplog.set_level("DEBUG", "parlour.house")
    monkeypatch.setattr(rows, "insert_rows", insert_and_be_seen)
    monkeypatch.setattr(NodeHouse, "looked", look)
    async with node(database, "n1") as one, node(database, "n2"):
        olga, people = await checked_in(one, 2)
        # What such a look has asked for is answered before this.
        assert (await people[0].refused("watch", table="NOBODY"))["code"] == "no_such_table"
        assert "has taken over" not in caplog.text
        await olga.steer("start")


async def test_all_nodes_know_who_has_a_tournament_that_was_handed_over_while_it_changed(
    database: PostgresqlDatabase,
) -> None:
    async with node(database, "n2") as two, node(database, "n3") as three:
        async with node(database, "n1") as one:
            olga, people = await checked_in(one, 2)
        await eventually(lambda: olga.tournament in two.lobby.tournaments.listing.open)
        # What n1 told last has been heard after all else that it told.
        await eventually(lambda: set(three.lobby.house.nodes) == {"n2", "n3"})
        person = people[0]
        person.url = three.url
        await person.connect()
        assert (await person.moved("check_in", tournament=olga.tournament))["node"] == "n2"


async def test_a_game_whose_deal_could_not_be_stored_at_another_node_is_dealt_there_later(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[Table] = []
    call_off = Table.call_off

    def note_and_call_off(table: Table, *given: Any) -> None:
        refused.append(table)
        call_off(table, *given)

    monkeypatch.setattr(guests, "AGAIN_AFTER", 0.05)
    monkeypatch.setattr(Table, "call_off", note_and_call_off)
    async with node(database, "n1") as one, node(database, "n2") as two:
        await eventually(lambda: len(one.lobby.house.nodes) == 2)
        olga, _ = await checked_in(one, 4, clocks={"grace": 0.0})
        database.spoil("ALTER TABLE games ADD CONSTRAINT no_room CHECK (id = '') NOT VALID")
        await olga.steer("start")
        await eventually(lambda: any(table.id in two.lobby.tables.by_id for table in refused))
        (dealt,) = {table.id for table in refused if table.id in two.lobby.tables.by_id}
        database.spoil("ALTER TABLE games DROP CONSTRAINT no_room")
        await eventually(lambda: database.select(f"SELECT 1 FROM games WHERE table_id = '{dealt}'"))


async def resigned(person: Traveller) -> None:
    """Until somebody is told that the game is over, for a player has left it."""
    while (told := await person.event())["type"] not in ("snapshot", "update") or told["result"] is None:
        pass
    assert told["result"]["reason"] == "forfeit"


async def test_whoever_withdraws_right_after_the_deal_has_lost_the_game(database: PostgresqlDatabase) -> None:
    async with node(database, "n1") as one:
        olga, people = await checked_in(one)
        await olga.steer("start")
        table = f"{olga.tournament}-1-1-1"
        await eventually(lambda: table in one.lobby.tables.by_id and one.lobby.tables.by_id[table].live_game)
        await people[0].do("withdraw", tournament=olga.tournament)
        await resigned(people[1])


async def test_whoever_withdraws_before_all_have_come_to_the_game_has_lost_it_once_it_is_dealt(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "AGAIN_AFTER", 0.05)
    async with node(database, "n1") as one, node(database, "n2") as two:
        await eventually(lambda: len(one.lobby.house.nodes) == 2)
        olga, people = await checked_in(one)
        cara = await arrive(two, "Cara")
        for _ in range(3):  # so that the game stays where less is going on
            await cara.do("create_table", **BALLOON)
        for person in people:
            person.url = two.url
            await person.connect()
        await eventually(lambda: one.lobby.house.gifts.load("n2") == 3)  # type: ignore[attr-defined]
        await olga.steer("start")
        first, last = people
        leaving = await first.follow(await first.told("table_at"))
        await leaving.do("withdraw", tournament=olga.tournament)
        there = await last.follow(await last.told("table_at"))
        await there.send("resume", table=f"{olga.tournament}-1-1-1")
        await resigned(there)


async def test_whoever_withdraws_before_a_game_is_dealt_at_another_node_has_lost_it_once_it_is(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "AGAIN_AFTER", 0.05)
    async with node(database, "n1") as one, node(database, "n2") as two:
        await eventually(lambda: len(one.lobby.house.nodes) == 2)
        handlers: Any = two.lobby.house.handlers  # type: ignore[attr-defined]
        hear, heard = handlers[GONE], list[Any]()

        def note_and_hear(event: Mapping[str, Any]) -> None:
            hear(event)
            heard.append(event)

        handlers[GONE] = note_and_hear
        olga, people = await checked_in(one)
        cara = await arrive(one, "Cara")
        await cara.do("create_table", **BALLOON)  # the other one has less
        await olga.steer("start")
        first, last = people
        await (await first.follow(await first.told("table_at"))).finds(f"{olga.tournament}-1-1-1")
        await first.do("withdraw", tournament=olga.tournament)
        await eventually(lambda: heard)
        there = await last.follow(await last.told("table_at"))
        await there.send("resume", table=f"{olga.tournament}-1-1-1")
        await resigned(there)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """No node learns who has a table, which it may have just given away, until this is set."""
    settled, answers = HouseRows.settled, threading.Event()

    def lose_or_ask(asked: HouseRows, id: str) -> LeaseHolder | None:
        if not answers.is_set():
            raise psycopg.OperationalError("the connection is gone")
        return settled(asked, id)

    monkeypatch.setattr(HouseRows, "settled", lose_or_ask)
    return answers


async def game_is_given(server: ListeningServer) -> str:
    """A tournament gives its game to the other of two nodes; its table."""
    await eventually(lambda: len(server.lobby.house.nodes) == 2)
    olga, _ = await checked_in(server)
    cara = await arrive(server, "Cara")
    await cara.do("create_table", **BALLOON)  # the other one has less
    await olga.steer("start")
    return f"{olga.tournament}-1-1-1"


async def test_a_game_goes_on_that_was_given_back_before_its_node_knew_that_it_was_given(
    database: PostgresqlDatabase, answers: threading.Event
) -> None:
    async with node(database, "n1") as one, node(database, "n2") as two:
        dealt = await game_is_given(one)
        await eventually(lambda: dealt in two.lobby.tables.by_id)
        two.lobby.tables.let_go(two.lobby.tables.by_id[dealt])
        database.spoil(f"UPDATE leases SET node = 'n1', epoch = epoch + 1 WHERE id = '{dealt}'")
        answers.set()
        await eventually(lambda: database.select(f"SELECT 1 FROM games WHERE table_id = '{dealt}'"))


async def test_a_game_is_dealt_again_that_was_closed_before_its_node_knew_that_it_was_given(
    database: PostgresqlDatabase, answers: threading.Event
) -> None:
    async with node(database, "n1") as one, node(database, "n2") as two:
        dealt = await game_is_given(one)
        await eventually(lambda: dealt in two.lobby.tables.by_id)
        two.lobby.tables.close(two.lobby.tables.by_id[dealt])
        await eventually(lambda: not database.select(f"SELECT 1 FROM leases WHERE id = '{dealt}'"))
        answers.set()
        await eventually(lambda: database.select(f"SELECT 1 FROM leases WHERE id = '{dealt}-2'"))


async def test_a_gift_of_which_nobody_knows_what_became_is_one_line_of_the_log(
    database: PostgresqlDatabase, answers: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    async with node(database, "n1") as one, node(database, "n2") as two:
        dealt = await game_is_given(one)
        await eventually(lambda: caplog.text.count("house: the connection is gone") == 3)
        answers.set()
        await eventually(lambda: dealt not in one.lobby.tables.by_id and dealt in two.lobby.tables.by_id)
        assert caplog.text.count("could not be given") == 1


async def test_a_game_that_is_just_being_stored_is_not_taken_for_one_of_another_node(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert_rows, taken_over = rows.insert_rows, threading.Event()

    def insert_and_take_over(connection: Any, *given: Any) -> None:
        stored: Sequence[Row] = given[-1]
        insert_rows(connection, *given)
        if any(row[0] == LEASE and row[1].endswith("-1-1-1") for row in stored):
            expire(database, "n2")
            assert taken_over.wait(PATIENCE)

    monkeypatch.setattr(rows, "insert_rows", insert_and_take_over)
    async with node(database, "n1") as one, node(database, "n2", lease=LONG) as two:
        house: Any = one.lobby.house
        await eventually(lambda: len(house.nodes) == 2)
        oleg = Organiser(two.url, "Oleg")
        await oleg.connect()
        await oleg.announce()
        go_on = house.takeover.on_tournament

        def note_and_go_on(id: str) -> None:
            go_on(id)
            taken_over.set()

        house.takeover.on_tournament = note_and_go_on
        olga, people = await checked_in(one)
        await olga.steer("start")
        for person in people:
            await person.told("update")
        assert not house.directory.entries


async def test_a_gift_is_given_whose_commit_takes_longer_than_the_connection_lasts(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(database.place) as late:

        def give_late(_asked: HouseRows, _event: str, id: str, to: str, _table: Any) -> None:
            late.execute("UPDATE parlour.leases SET node = %s, epoch = epoch + 1 WHERE id = %s", [to, id])
            raise psycopg.OperationalError("the connection is gone")

        monkeypatch.setattr(HouseRows, "give", give_late)
        async with node(database, "n1") as one, node(database, "n2") as two:
            dealt = await game_is_given(one)
            waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%leases%'"
            await eventually(lambda: database.select(waits))
            late.commit()
            await eventually(lambda: dealt not in one.lobby.tables.by_id and dealt in two.lobby.tables.by_id)
