"""The archive's tables in PostgreSQL: what is not ours is left alone, what is old is brought up to date."""

import sys

import psycopg
import pytest
from support.server.archive_child import put
from support.server.databases import PostgresqlDatabase

from parlour.server.storage.archive import Archive
from parlour.server.storage.backends import backend_at
from parlour.server.storage.change import Change
from parlour.server.storage.errors import BadAddress, Damaged, Missing, NoDriver, NotOurs, TooNew, TooOld
from parlour.server.storage.postgresql.connection import connect
from parlour.server.storage.postgresql.schema import STEPS, Step, check_version, migrate
from tools.postgresql import Cluster

NEXT: Step = ("ALTER TABLE people ADD COLUMN seen integer", "UPDATE people SET seen = 7")


@pytest.fixture
def database(postgresql_cluster: Cluster) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgresql_cluster)


def test_an_empty_database_has_no_archive_to_be_read(database: PostgresqlDatabase) -> None:
    with pytest.raises(Missing):
        Archive.open(database.place, readonly=True)


def test_tables_of_others_are_not_touched(database: PostgresqlDatabase) -> None:
    database.spoil("CREATE TABLE public.people (name text)")
    with Archive.open(database.place) as archive:
        assert archive.people() == {}
    with database.connect() as connection:
        assert connection.execute("SELECT count(*) FROM public.people").fetchone() == (0,)


def test_a_schema_of_our_name_that_is_not_ours_is_refused(database: PostgresqlDatabase) -> None:
    database.spoil("CREATE SCHEMA parlour")
    database.spoil("CREATE TABLE parlour.furniture (name text)")
    for readonly in (True, False):
        with pytest.raises(NotOurs):
            Archive.open(database.place, readonly=readonly)


async def test_an_older_archive_is_brought_up_to_date_as_a_whole_or_not_at_all(
    database: PostgresqlDatabase,
) -> None:
    with Archive.open(database.place) as archive:
        await put(archive, Change(save_people={"Ann": {}}))
    with connect(database.place) as connection:
        with pytest.raises(psycopg.Error):
            migrate(connection, database.place, (*STEPS, NEXT, ("ALTER TABLE nothing RENAME TO something",)))
        check_version(connection, database.place)
        with pytest.raises(TooOld):
            check_version(connection, database.place, len(STEPS) + 1)
        migrate(connection, database.place, (*STEPS, NEXT))
        assert connection.execute("SELECT name, seen FROM people").fetchall() == [("Ann", 7)]


def test_an_archive_of_a_later_build_is_refused(database: PostgresqlDatabase) -> None:
    Archive.open(database.place).close_now()
    database.spoil("UPDATE version SET number = number + 1")
    for readonly in (True, False):
        with pytest.raises(TooNew) as new:
            Archive.open(database.place, readonly=readonly)
        assert (new.value.version, new.value.newest) == (len(STEPS) + 1, len(STEPS))


@pytest.mark.parametrize("statement", ["DROP TABLE ratings", "ALTER TABLE games DROP COLUMN ending"])
def test_an_archive_that_lacks_something_is_refused(database: PostgresqlDatabase, statement: str) -> None:
    Archive.open(database.place).close_now()
    database.spoil(statement)
    for readonly in (True, False):
        with pytest.raises(Damaged):
            Archive.open(database.place, readonly=readonly)


def test_a_game_that_goes_on_and_is_damaged_is_refused(database: PostgresqlDatabase) -> None:
    with Archive.open(database.place) as archive:
        archive.add_record("t-1", "t", {}, [{"n": 0}, {"n": 1}], None)
    database.spoil("INSERT INTO tables VALUES ('t', '')")
    database.spoil("UPDATE lines SET map = FLIPPED(map) WHERE number = 1")
    with pytest.raises(Damaged) as damaged:
        Archive.open(database.place)
    assert (damaged.value.part, damaged.value.key) == ("game", "t-1")


# Addresses


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:hunter2@localhost/parlour",
        "postgresql://localhost/parlour?password=hunter2",
        "postgresql://localhost/parlour?sslpassword=hunter2",
        "postgresql://ann:hunter2@local host:x/%zz",
        "postgres://localhost/parlour?no_such_setting=hunter2",
    ],
)
def test_an_address_that_is_none_or_has_a_password_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(BadAddress) as wrong:
        Archive.open(address)
    assert "hunter2" not in str(wrong.value)


def test_without_a_driver_an_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "parlour.server.storage.postgresql.backend", None)
    with pytest.raises(NoDriver):
        backend_at("postgresql://localhost/parlour")
