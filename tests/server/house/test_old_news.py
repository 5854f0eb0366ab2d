"""What a node tells too late, or did not live to tell: the others go by what is stored."""

import threading
from collections.abc import Mapping
from typing import Any

import msgpack
import pytest
from support.server.databases import PostgresqlDatabase
from support.server.nodes import arrive, checked_in, expire, leave_to_others, node, silence, three_nodes
from support.server.running_tournaments import Organiser, eventually
from support.server.sockets import BALLOON, PATIENCE, Caller, Plain, generous_limits

from parlour.protocol.errors import ProtocolError
from parlour.server.app import ListeningServer
from parlour.server.storage.archive import Archive
from parlour.server.storage.postgresql.house import HouseRows
from parlour.server.storage.postgresql.house_values import LeaseHolder
from parlour.server.tables.table import Table
from parlour.server.tournament.live.house import CANCELLED, CHANGED
from tools.postgresql import Cluster


@pytest.fixture
def database(postgresql_cluster: Cluster) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgresql_cluster)


def write_event(database: PostgresqlDatabase, node: str, event: Mapping[str, Any]) -> None:
    """As the last statement of a transaction whose place among all others is where it began."""
    packed = msgpack.packb(event).hex()
    database.spoil(f"INSERT INTO house_events (node, map) VALUES ('{node}', '\\x{packed}')")


async def all_is_heard(teller: ListeningServer, hearer: ListeningServer) -> None:
    """What one node has told so far has been heard by another."""
    heard: list[Mapping[str, Any]] = []
    hearer.lobby.house.handlers["heard"] = heard.append  # type: ignore[attr-defined]
    teller.lobby.house.tell({"event": "heard"})
    await eventually(lambda: heard)


async def test_a_node_that_was_frozen_tells_nothing_of_a_table_that_another_has(
    database: PostgresqlDatabase,
) -> None:
    async with three_nodes(database) as (one, two, three):
        ann, cara = await arrive(one, "Ann"), await arrive(three, "Cara")
        table = (await ann.do("create_table", **BALLOON))["table"]
        await leave_to_others(three)
        expire(database, "n1")
        await eventually(lambda: table in two.lobby.tables.by_id)
        old = one.lobby.tables.by_id[table]
        one.lobby.tables.on_listed(old)
        await all_is_heard(one, three)
        assert (await cara.moved("join", table=table))["node"] == "n2"
        one.lobby.tables.on_closed(old)(None)
        await all_is_heard(one, three)
        assert (await cara.moved("join", table=table))["node"] == "n2"
        # The one that has it has ended it: then it is not brought back.
        two.lobby.tables.close(two.lobby.tables.by_id[table])
        await eventually(lambda: table not in three.lobby.house.directory.entries)
        one.lobby.tables.on_listed(old)
        await all_is_heard(one, three)
        assert table not in three.lobby.house.directory.entries


@pytest.mark.parametrize("kind", ["table", "gone", "moved"])
async def test_news_that_were_written_before_a_takeover_and_are_read_after_it_change_nothing(
    database: PostgresqlDatabase, kind: str
) -> None:
    async with three_nodes(database) as (one, two, three):
        ann, cara = await arrive(one, "Ann"), await arrive(three, "Cara")
        table = (await ann.do("create_table", **BALLOON))["table"]
        await all_is_heard(one, three)
        (told,) = [event for event in events(database) if event["event"] == "table"]
        await leave_to_others(three)
        expire(database, "n1")
        await eventually(lambda: table in two.lobby.tables.by_id)
        late = {
            "table": told,
            "gone": {**told, "event": "gone", "ends": True},
            "moved": {"event": "moved", "moved": {table: ("n1", 1)}, "table": None},
        }
        write_event(database, "n1", late[kind])
        for other in (two, three):
            await all_is_heard(one, other)
        assert table not in two.lobby.house.directory.entries
        assert three.lobby.house.directory.entries[table].node == "n2"
        assert (await cara.moved("join", table=table))["node"] == "n2"


def events(database: PostgresqlDatabase) -> list[dict[str, Any]]:
    return [msgpack.unpackb(packed) for (packed,) in database.select("SELECT map FROM house_events")]


async def test_a_table_is_gone_that_its_node_closed_and_did_not_live_to_tell(
    database: PostgresqlDatabase,
) -> None:
    async with three_nodes(database) as (one, _, three):
        ann, cara = await arrive(one, "Ann"), await arrive(three, "Cara")
        assert (await cara.do("watch_lobby", on=True))["tables"] == []
        table = (await ann.do("create_table", **BALLOON))["table"]
        assert (await cara.told("lobby_table"))["info"]["table"] == table
        silence(database, "n1", ["gone"])
        await ann.do("leave", table=table)
        await eventually(lambda: not database.select("SELECT 1 FROM leases"))
        expire(database, "n1")
        assert (await cara.told("lobby_gone"))["table"] == table
        assert (await cara.do("list_tables"))["tables"] == []


def fail(_table: Table) -> None:
    raise RuntimeError("a bug")


async def test_a_game_of_a_tournament_that_a_bug_has_ended_untold_is_dealt_again(
    database: PostgresqlDatabase,
) -> None:
    async with three_nodes(database) as (one, *others):
        (olga, _), cara = await checked_in(one), await arrive(one, "Cara")
        await cara.do("create_table", **BALLOON)  # so that the game goes to a node that has less
        await olga.steer("start")
        dealt = f"{olga.tournament}-1-1-1"
        await eventually(lambda: any(dealt in other.lobby.tables.by_id for other in others))
        (there,) = [other for other in others if dealt in other.lobby.tables.by_id]
        name = there.lobby.house.node
        await all_is_heard(there, one)
        silence(database, name, ["gone"])
        with pytest.raises(ProtocolError, match="failed"):
            there.lobby.tables.at(there.lobby.tables.by_id[dealt], fail)
        await eventually(lambda: not database.select(f"SELECT 1 FROM leases WHERE id = '{dealt}'"))
        expire(database, name)
        await eventually(lambda: database.select(f"SELECT 1 FROM leases WHERE id = '{dealt}-2'"))


async def test_whoever_watches_is_told_of_an_end_that_a_tournaments_node_did_not_live_to_tell(
    database: PostgresqlDatabase,
) -> None:
    async with three_nodes(database) as (one, two, _):
        (olga, _), cara = await checked_in(one), await Caller(two.url, "Cara").connect()
        await cara.do("watch_tournament", tournament=olga.tournament)
        silence(database, "n1", [CHANGED, CANCELLED])
        await olga.steer("cancel")
        expire(database, "n1")
        while (await cara.event()).get("info", {}).get("phase") != "cancelled":
            pass  # of its check-in she may hear as well
        (listed,) = (await cara.do("tournaments"))["tournaments"]
        assert listed["phase"] == "cancelled"


async def test_all_are_answered_who_ask_for_a_tournament_whose_end_nobody_has_told(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, all_have_asked = HouseRows.where, threading.Event()

    def ask_later(asked: HouseRows, id: str) -> LeaseHolder | None:
        assert all_have_asked.wait(PATIENCE)
        return where(asked, id)

    rules = generous_limits(rest=0.1)  # between such commands of one network
    async with node(database, "n1") as one, node(database, "n2", rules=rules) as two:
        people = [await arrive(two, name) for name in ("Ann", "Bob", "Cara")]
        silence(database)
        olga = Organiser(one.url)
        await olga.connect()
        await olga.announce()
        await olga.steer("cancel")
        monkeypatch.setattr(HouseRows, "where", ask_later)
        asked = [await person.send("withdraw", tournament=olga.tournament) for person in people]
        for person in people:
            await person.do("ping")
        all_have_asked.set()
        for person, id in zip(people, asked, strict=True):
            answer = await person.answer(id)
            assert (answer["code"], answer["facts"]["phase"]) == ("against_rules", "cancelled")


async def test_others_are_served_while_a_tournament_is_looked_up_and_nothing_is_for_a_table(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, looked_up, go_on = Archive.tournament, list[str](), threading.Event()

    def read_slowly(archive: Archive, id: str) -> Plain | None:
        looked_up.append(id)
        assert go_on.wait(PATIENCE)
        return read(archive, id)

    async with node(database, "n1") as one:
        ann, bob = await arrive(one, "Ann"), await arrive(one, "Bob")
        monkeypatch.setattr(Archive, "tournament", read_slowly)
        assert (await ann.refused("join", table="NOWHERE"))["code"] == "no_such_table"
        asked = await ann.send("enter", tournament="nowhere")
        await eventually(lambda: looked_up)
        await bob.do("ping")
        go_on.set()
        assert (await ann.answer(asked))["code"] == "no_such_tournament"
        assert looked_up == ["NOWHERE"]


async def test_a_node_that_was_frozen_tells_nothing_of_its_tournament(database: PostgresqlDatabase) -> None:
    async with three_nodes(database) as (one, two, three):
        (olga, _), cara = await checked_in(one), await arrive(three, "Cara")
        await leave_to_others(three)
        expire(database, "n1")
        await eventually(lambda: olga.tournament in two.lobby.tournaments.listing.open)
        old = one.lobby.tournaments
        old.tell(old.listing.open[olga.tournament], [], old.listing.open[olga.tournament].state)
        await all_is_heard(one, three)
        assert (await cara.moved("check_in", tournament=olga.tournament))["node"] == "n2"
