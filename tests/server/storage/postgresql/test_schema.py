"""The archive's tables in PostgreSQL: what is not ours is left alone; and its addresses."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.server.databases import PostgresqlDatabase

from parlour.server.storage.archive import Archive
from parlour.server.storage.backends import backend_at
from parlour.server.storage.errors import BadAddress, Damaged, NoDriver, NotOurs
from parlour.server.storage.postgresql.backend import PostgresqlBackend
from parlour.server.storage.postgresql.house_values import Node
from tools.postgresql import Cluster


@pytest.fixture
def database(postgresql_cluster: Cluster) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgresql_cluster)


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


def test_servers_that_start_together_over_an_empty_database_make_one_archive(
    database: PostgresqlDatabase,
) -> None:
    def join(name: str) -> None:
        Archive.of(PostgresqlBackend(database.place, node=Node(name, f"ws://{name}"))).close_now()

    with ThreadPoolExecutor() as threads:
        list(threads.map(join, ["n1", "n2", "n3", "n4"]))
    assert database.select("SELECT name FROM nodes WHERE name <> '' ORDER BY name") == [
        (f"n{number}",) for number in range(1, 5)
    ]
