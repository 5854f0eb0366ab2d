"""A database that is away, restarts, is killed, may lose commits, or is another one than it was."""

import random
from collections.abc import Callable, Iterator

import pytest
from support.server.archive_child import GAMES, put, start
from support.server.databases import PostgresqlDatabase
from support.server.postgresql import cluster
from support.soak import count

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError, NotStored, Unsafe, Unwritable
from parlour.server.storage.postgresql import backend, rows
from parlour.server.storage.postgresql.backend import PostgresqlBackend
from parlour.server.storage.postgresql.house_values import Node
from tools.postgresql import Cluster


@pytest.fixture(scope="module")
def own_cluster() -> Iterator[Cluster]:
    """One that may be stopped and killed."""
    with cluster() as made:
        yield made


@pytest.fixture
def database(own_cluster: Cluster) -> PostgresqlDatabase:
    return PostgresqlDatabase(own_cluster)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (rows, backend):
        monkeypatch.setattr(module, "AGAIN_AFTER", 0.01)


def person(name: str) -> Change:
    return Change(save_people={name: {}})


async def stored_at_last(archive: Archive, change: Change) -> None:
    """Puts a change until it is stored, as players do who are told to try again."""
    while (await put(archive, change))[0] is not None:
        pass


@pytest.mark.parametrize("end", [Cluster.stop, Cluster.kill], ids=["stopped", "killed"])
async def test_what_comes_while_the_database_is_away_is_refused_and_it_goes_on_by_itself(
    database: PostgresqlDatabase, end: Callable[[Cluster], None], caplog: pytest.LogCaptureFixture
) -> None:
    archive = Archive.open(database.place)
    assert await put(archive, person("Ann")) == [None]
    end(database.cluster)
    try:
        for name in ("Bob", "Cyd"):
            (wrong,) = await put(archive, person(name))
            assert isinstance(wrong, NotStored) and wrong.reason == "away"
        with pytest.raises(ArchiveError):
            archive.people()
        assert isinstance(archive.problem(), NotStored)
    finally:
        database.cluster.start()
    await stored_at_last(archive, person("Dan"))
    assert set(archive.people()) == {"Ann", "Dan"}
    assert archive.problem() is None
    told = [record.getMessage() for record in caplog.records if record.name == "parlour.archive"]
    assert sum("is away" in each for each in told) == 1
    assert sum("kept again" in each for each in told) == 1
    assert await archive.close()


async def test_a_restart_between_two_moves_is_noticed_by_nobody(database: PostgresqlDatabase) -> None:
    archive = Archive.open(database.place)
    assert await put(archive, person("Ann")) == [None]
    for name in ("Bob", "Cyd"):
        database.cluster.stop()
        database.cluster.start()
        assert await put(archive, person(name)) == [None]
        assert name in archive.people()
    assert await archive.close()


def test_nothing_acknowledged_is_lost_however_often_the_database_ends_under_load(
    database: PostgresqlDatabase,
) -> None:
    ends = [Cluster.stop, Cluster.kill] * count(2, 30)
    luck, acknowledged, refused = random.Random(7), dict.fromkeys(GAMES, -1), 0

    def note(line: str) -> None:
        nonlocal refused
        game, *said = line.split()
        if said[0] == "refused":
            refused += 1
        else:
            assert int(said[0]) == acknowledged[game] + 1
            acknowledged[game] = int(said[0])

    with start("play_on", database.place) as child:
        assert child.stdin is not None and child.stdout is not None
        for end in ends:
            for _ in range(luck.randrange(50, 400)):
                note(child.stdout.readline())
            end(database.cluster)
            database.cluster.start()
        before = dict(acknowledged)
        while any(acknowledged[game] == before[game] for game in GAMES):
            note(child.stdout.readline())
        child.stdin.close()
        for line in child.stdout:
            note(line)
    assert child.returncode == 0
    assert refused
    with Archive.open(database.place) as archive:
        for game in GAMES:
            kept = [line["number"] for line in archive.lines(game)]
            assert kept == list(range(acknowledged[game] + 1))
            assert archive.tables()[game] == {"lines": len(kept)}


@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit"])
async def test_a_database_that_may_lose_commits_is_refused_unless_it_is_allowed(
    database: PostgresqlDatabase, setting: str
) -> None:
    archive = Archive.open(database.place)
    database.cluster.settings = {setting: "off"}
    database.cluster.stop()
    database.cluster.start()
    try:
        # A replica that took over may have other settings.
        (wrong,) = await put(archive, person("Ann"))
        assert isinstance(wrong, NotStored)
        await archive.close()
        with pytest.raises(Unsafe) as unsafe:
            Archive.open(database.place)
        assert unsafe.value.setting == setting
        with Archive.open(database.place, unsafe=True) as allowed:
            assert await put(allowed, person("Ann")) == [None]
    finally:
        database.cluster.settings = {}
        database.cluster.stop()
        database.cluster.start()


# Another database, or another server


async def test_a_database_that_has_lost_what_was_acknowledged_is_not_written_on(
    database: PostgresqlDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    """As after a replica took over that had not been told everything."""
    archive = Archive.open(database.place)
    assert await put(archive, person("Ann")) == [None]
    assert await put(archive, person("Bob")) == [None]
    database.spoil("DELETE FROM people WHERE name = 'Bob'")
    database.spoil("UPDATE owners SET stored = stored - 1")
    database.end_connections()
    for _ in range(2):
        (wrong,) = await put(archive, person("Cyd"))
        assert isinstance(wrong, NotStored) and wrong.reason == "astray"
    assert [record for record in caplog.records if "restarted" in record.getMessage()]
    await archive.close()
    with Archive.open(database.place) as again:
        assert set(again.people()) == {"Ann"}
        assert await put(again, person("Dan")) == [None]


async def test_a_server_whose_archive_was_taken_over_stores_nothing_more(
    database: PostgresqlDatabase,
) -> None:
    # It does not renew its row meanwhile, as one that was stopped for a while.
    first = Archive.of(PostgresqlBackend(database.place, node=Node(lease=60.0)))
    assert await put(first, person("Ann")) == [None]
    database.spoil("UPDATE nodes SET expires = clock_timestamp()")
    second = Archive.open(database.place)
    assert await put(second, person("Bob")) == [None]
    for name in ("Cyd", "Dan"):
        (wrong,) = await put(first, person(name))
        assert isinstance(wrong, NotStored) and wrong.reason == "taken"
    assert await second.close()
    database.end_connections()
    (wrong,) = await put(first, person("Dan"))
    assert isinstance(wrong, NotStored) and wrong.reason == "taken"
    await first.close()
    with Archive.open(database.place) as again:
        assert set(again.people()) == {"Ann", "Bob"}


def test_a_database_that_cannot_be_reached_or_written_is_told_in_one_line(
    database: PostgresqlDatabase,
) -> None:
    for address in (database.place.replace(database.name, "nothing"), "postgresql://127.0.0.1:1/parlour"):
        with pytest.raises(Unwritable) as wrong:
            Archive.open(address)
        assert wrong.value.path == address and "\n" not in wrong.value.reason
