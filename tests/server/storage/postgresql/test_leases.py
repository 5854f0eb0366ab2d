"""Which node has which table: everything that is stored at a table is held against it."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise

import psycopg
import pytest
from support.server.archive_child import put
from support.server.databases import PostgresqlDatabase
from support.server.older_archives import make_first_version

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Added, Begun, Change, Happened, Rated
from parlour.server.storage.errors import Held, NodeTaken, NotStored
from parlour.server.storage.postgresql.backend import PostgresqlBackend
from parlour.server.storage.postgresql.house_values import Node
from tools.postgresql import Cluster


@pytest.fixture
def database(postgresql_cluster: Cluster) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgresql_cluster)


@pytest.fixture
def archive(database: PostgresqlDatabase) -> Iterator[Archive]:
    with Archive.open(database.place) as archive:
        yield archive


LONG = 60.0
"""A lease that is not renewed while a test lasts."""


def join(database: PostgresqlDatabase, name: str, lease: float = 6.0) -> Archive:
    return Archive.of(PostgresqlBackend(database.place, node=Node(name, f"ws://{name}", lease)))


def deal(table: str) -> Change:
    return Change(
        begin=[Begun(f"{table}-1", table, {})],
        lines=[Added(f"{table}-1", 0, {})],
        save_tables={table: {}},
    )


def move(table: str, number: int) -> Change:
    return Change(lines=[Added(f"{table}-1", number, {})], at=[table])


def leases(database: PostgresqlDatabase) -> list[tuple[str, str, str, int]]:
    return database.select("SELECT id, kind, node, epoch FROM leases ORDER BY id")


async def test_a_table_is_its_nodes_from_its_first_change_to_its_last(
    archive: Archive, database: PostgresqlDatabase
) -> None:
    assert await put(archive, deal("t")) == [None]
    assert leases(database) == [("t", "table", "", 1)]
    assert await put(archive, move("t", 1)) == [None]
    assert await put(archive, Change(drop_tables=["t"])) == [None]
    assert leases(database) == []
    # As a game of a tournament that is dealt again at a table of the same name.
    assert await put(archive, Change(save_tables={"t": {}})) == [None]


async def test_a_tournament_is_its_nodes_until_it_is_over(
    archive: Archive, database: PostgresqlDatabase
) -> None:
    first = Change(save_tournaments={"CUP": {}}, happened=[Happened("CUP", 1, {})], save_tables={"CUP-1": {}})
    assert await put(archive, first) == [None]
    assert leases(database) == [("CUP", "tournament", "", 1), ("CUP-1", "table", "", 1)]
    last = Change(save_tournaments={"CUP": {}}, happened=[Happened("CUP", 2, {})], release=["CUP"])
    assert await put(archive, last) == [None]
    assert leases(database) == [("CUP-1", "table", "", 1)]


async def test_of_changes_that_come_together_only_that_of_a_table_taken_over_is_refused(
    archive: Archive, database: PostgresqlDatabase
) -> None:
    assert await put(archive, deal("t"), deal("u"), deal("v")) == [None] * 3
    database.spoil("UPDATE leases SET epoch = epoch + 1, node = 'other' WHERE id = 'u'")
    answers = await put(archive, move("t", 1), move("u", 1), move("v", 1))
    assert [getattr(answer, "reason", None) for answer in answers] == [None, "taken", None]
    assert [len(archive.lines(f"{table}-1")) for table in "tuv"] == [2, 1, 2]
    for change in (Change(save_tables={"u": {"later": 1}}), Change(drop_tables=["u"])):
        (wrong,) = await put(archive, change)
        assert isinstance(wrong, NotStored) and wrong.reason == "taken"
    assert archive.tables()["u"] == {}


async def test_a_table_that_came_back_is_refused_as_well(
    archive: Archive, database: PostgresqlDatabase
) -> None:
    """Who has missed that it was away must not go on with what it remembers of it."""
    await put(archive, deal("t"))
    database.spoil("UPDATE leases SET epoch = epoch + 2 WHERE id = 't'")
    (wrong,) = await put(archive, move("t", 1))
    assert isinstance(wrong, NotStored) and wrong.reason == "taken"


async def test_a_takeover_waits_for_a_move_that_is_under_way_and_no_longer(
    archive: Archive, database: PostgresqlDatabase
) -> None:
    await put(archive, deal("t"))
    answer = await database.hold(archive, move("t", 1))
    with closing(database.connect()) as other:
        # It has not come to the row of the table yet: the takeover is first, and the move is refused.
        other.execute("UPDATE leases SET epoch = epoch + 1, node = 'other' WHERE id = 't'")
    database.let_go()
    wrong = await answer
    assert isinstance(wrong, NotStored) and wrong.reason == "taken"
    assert len(archive.lines("t-1")) == 1


# Nodes of a house


def test_nodes_of_different_names_live_beside_each_other_and_nobody_beside_one_alone(
    database: PostgresqlDatabase,
) -> None:
    with join(database, "n1"), join(database, "n2"):
        for name in ("n1", "n2", ""):
            with pytest.raises(Held):
                join(database, name)
    with join(database, ""), pytest.raises(Held):
        join(database, "n1")
    with join(database, "n1"):
        pass


def test_a_node_with_the_name_or_the_address_of_another_is_told_which_setting_to_change(
    database: PostgresqlDatabase,
) -> None:
    def taken(name: str, url: str) -> tuple[str, str]:
        with pytest.raises(NodeTaken) as told:
            Archive.of(PostgresqlBackend(database.place, node=Node(name, url)))
        return told.value.setting, told.value.value

    with join(database, "n1"):
        assert taken("n1", "ws://n2") == ("node", "n1")
        assert taken("n2", "ws://n1") == ("advertise", "ws://n1")
    with Archive.of(PostgresqlBackend(database.place, node=Node("n2", "ws://n1"))):
        pass


async def test_a_node_finds_again_what_it_had_and_nothing_else(database: PostgresqlDatabase) -> None:
    with join(database, "n1") as one, join(database, "n2") as two:
        assert await put(one, deal("t")) == [None]
        assert await put(two, deal("u")) == [None]
        (wrong,) = await put(two, move("t", 1))
        assert isinstance(wrong, NotStored)
    with join(database, "n1") as again:
        assert leases(database) == [("t", "table", "n1", 2), ("u", "table", "n2", 1)]
        assert await put(again, move("t", 1)) == [None]
    with join(database, "") as alone:
        assert await put(alone, move("t", 2), move("u", 1)) == [None, None]


def test_a_server_that_was_killed_elsewhere_is_waited_for_until_its_time_is_up(
    database: PostgresqlDatabase,
) -> None:
    with join(database, "n1", LONG):
        database.spoil(
            "UPDATE nodes SET machine = 'another', expires = clock_timestamp() + interval '0.5 seconds'"
        )
        with join(database, "n1"):
            assert database.select("SELECT count(*) FROM nodes WHERE name = 'n1'") == [(1,)]


def test_a_server_elsewhere_that_renews_its_row_keeps_it(database: PostgresqlDatabase) -> None:
    with join(database, "n1"):
        database.spoil("UPDATE nodes SET machine = 'another'")
        with pytest.raises(Held):
            join(database, "n1")


def test_an_outage_takes_nothing_from_a_server_that_is_alone(database: PostgresqlDatabase) -> None:
    with join(database, "", lease=0.5):
        database.spoil("UPDATE nodes SET expires = to_timestamp(0)")
        while not database.select("SELECT 1 FROM nodes WHERE expires > clock_timestamp()"):
            pass


async def test_a_lease_counts_from_before_its_row_was_taken(database: PostgresqlDatabase) -> None:
    with join(database, "n2"):  # everything that is there at first is there
        pass
    with database.connect() as holding:
        holding.execute("BEGIN")
        holding.execute("LOCK TABLE owners IN EXCLUSIVE MODE")
        backend = PostgresqlBackend(database.place, node=Node("n1", "ws://n1", lease=0.1))
        joining = asyncio.create_task(asyncio.to_thread(Archive.of, backend))
        waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'owners'::regclass"
        while not holding.execute(waits).fetchone():
            await asyncio.sleep(0)
        # Longer than the lease: what was taken is over before the database has said that it was taken.
        holding.execute("SELECT pg_sleep(0.2)")
        holding.execute("COMMIT")
    with await joining:
        assert backend.open_house(asyncio.get_running_loop()).over


# People


def person(name: str, version: int, **fields: object) -> Change:
    return Change(save_people={name: {"name": name, **fields}}, versions={name: version})


def version(database: PostgresqlDatabase, name: str) -> int:
    ((found,),) = database.select(f"SELECT version FROM people WHERE name = '{name}'")
    return int(found)


async def test_of_two_nodes_that_store_one_person_the_second_has_to_read_it_again(
    database: PostgresqlDatabase,
) -> None:
    with join(database, "n1") as one, join(database, "n2") as two:
        assert await put(one, person("Ann", 0)) == [None]
        # Its own, whatever it knows of the version.
        assert await put(one, person("Ann", 0, seen=1)) == [None]
        read = version(database, "Ann")
        assert await put(two, person("Ann", read, seen=2)) == [None]
        for known in (0, read):
            (wrong,) = await put(one, person("Ann", known, seen=3))
            assert isinstance(wrong, NotStored) and wrong.reason == "overtaken"
        assert one.people()["Ann"]["seen"] == 2
        assert await put(one, person("Ann", version(database, "Ann"), seen=4)) == [None]


async def test_a_name_is_given_away_once_and_so_is_one_that_looks_like_it(
    database: PostgresqlDatabase,
) -> None:
    with join(database, "n1") as one, join(database, "n2") as two:
        assert await put(one, person("Mike", 0)) == [None]
        for name in ("Mike", "M1ke"):
            (wrong,) = await put(two, person(name, 0))
            assert isinstance(wrong, NotStored) and wrong.reason == "overtaken"
        # Not by one that has never read it.
        assert await put(two, Change(drop_people=["Mike"], versions={"Mike": 0})) == [None]
        assert set(two.people()) == {"Mike"}
        assert await put(one, Change(drop_people=["Mike"], versions={"Mike": 0})) == [None]
        assert await put(two, person("M1ke", 0)) == [None]


async def test_a_token_is_found_until_another_takes_its_place(database: PostgresqlDatabase) -> None:
    hashes = [bytes([number]) * 32 for number in range(3)]
    with join(database, "n1") as one:
        for used, offered in pairwise(hashes):
            assert await put(one, person("Ann", 0, proven=used, offered=offered, also=[])) == [None]
        found = database.select("SELECT hash, name FROM tokens ORDER BY hash")
        assert found == [(known, "Ann") for known in hashes[1:]]


# Older archives


def test_an_archive_of_the_first_version_is_read_and_its_tables_are_nobodys(
    database: PostgresqlDatabase,
) -> None:
    make_first_version(database)
    with Archive.open(database.place) as archive:
        assert archive.people() == {"Ann": {"name": "Ann", "offered": bytes(32)}}
        assert archive.kept() == {"Ann"}
        assert archive.sessions() == {"Ann": {"last_id": 3, "answers": [], "owed": [4]}}
        assert archive.tables() == {"t": {}}
    assert leases(database) == [("RUN", "tournament", "", 2), ("t", "table", "", 2)]
    assert database.select("SELECT name FROM tokens") == [("Ann",)]
    assert database.select("SELECT DISTINCT name FROM looks") == [("Ann",)]


def test_a_server_of_an_older_build_that_still_runs_keeps_its_archive(database: PostgresqlDatabase) -> None:
    make_first_version(database)
    with psycopg.connect(database.place) as old:
        old.execute("SELECT pg_advisory_lock(%s)", [0x50524C52])
        with pytest.raises(Held):
            Archive.open(database.place)
    Archive.open(database.place).close_now()


async def test_a_rating_that_another_node_has_changed_meanwhile_is_not_overwritten(
    database: PostgresqlDatabase,
) -> None:
    def rate(old: int | None, new: int, name: str = "Ann") -> Change:
        return Change(rated=[Rated("chess", name, {"mean": new}, None if old is None else {"mean": old})])

    with join(database, "oak") as oak, join(database, "elm") as elm:
        assert await put(oak, rate(None, 1)) == [None]
        (refused,) = await put(elm, rate(None, 2))
        assert isinstance(refused, NotStored) and refused.reason == "overtaken"
        assert await put(elm, rate(1, 3)) == [None]
        (refused, fine) = await put(oak, rate(1, 4), rate(None, 5, "Ben"))
        assert isinstance(refused, NotStored) and refused.reason == "overtaken"
        assert fine is None
        assert elm.ratings("chess") == {"Ann": {"mean": 3}, "Ben": {"mean": 5}}
