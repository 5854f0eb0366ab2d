"""A connection that is lost at any moment: what is acknowledged is stored, what is refused is not."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from support.server.archive_child import put
from support.server.cutting_relay import CuttingRelay, cutting_relay
from support.server.databases import PostgresqlDatabase
from support.server.scripted_changes import check, play
from support.soak import count

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError, NotStored
from parlour.server.storage.postgresql import rows
from tools.postgresql import Cluster


@pytest.fixture
def database(postgresql_cluster: Cluster) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgresql_cluster)


@pytest.fixture
def relay(tmp_path: Path, database: PostgresqlDatabase) -> Iterator[CuttingRelay]:
    with cutting_relay(tmp_path, database.cluster.folder) as relay:
        yield relay


@pytest.fixture
def through(database: PostgresqlDatabase, tmp_path: Path) -> str:
    """The address of the database, by way of the relay."""
    return database.place.replace(str(database.cluster.folder), str(tmp_path))


class Cuts:
    """Breaks the connection at some of the pieces that go through."""

    def __init__(self, *moments: tuple[bool, int]) -> None:
        self._moments = set(moments)
        self.passed: Counter[bool] = Counter()
        self.made = 0

    def __call__(self, to_database: bool, data: bytes) -> bool:  # noqa: ARG002
        self.passed[to_database] += 1
        cut = (to_database, self.passed[to_database]) in self._moments
        self.made += cut
        return cut


@pytest.mark.parametrize("seed", range(count(12, 400)))
async def test_a_connection_lost_anywhere_refuses_whole_changes_and_no_others(
    relay: CuttingRelay,
    through: str,
    database: PostgresqlDatabase,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rows, "AGAIN_AFTER", 0.0)
    random = Random(seed)
    archive = Archive.open(through)
    # The first while changes are stored, and more of them while the connection comes back.
    later = [(random.random() < 0.5, random.randrange(1, 60)) for _ in range(random.choice([0, 0, 2, 6]))]
    cuts = relay.lose = Cuts((random.random() < 0.5, random.randrange(1, 6)), *later)
    answers = await play(archive)
    relay.lose = lambda _to_database, _data: False
    check(archive, answers)
    assert await archive.close()
    assert cuts.made
    with Archive.open(database.place) as again:
        check(again, answers)


@pytest.mark.parametrize("stored", [True, False], ids=["the answer is lost", "the question is lost"])
async def test_a_change_in_doubt_is_answered_when_the_database_is_back_and_others_at_once(
    relay: CuttingRelay,
    through: str,
    stored: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rows, "AGAIN_AFTER", 0.01)
    archive = Archive.open(through)
    assert await put(archive, Change(save_people={"Ann": {}})) == [None]
    lost = asyncio.Event()
    loop = asyncio.get_running_loop()

    def lose(to_database: bool, data: bytes) -> bool:  # noqa: ARG001
        if to_database and stored and not lost.is_set():
            return False
        loop.call_soon_threadsafe(lost.set)
        return True

    relay.lose = lose
    doubtful = asyncio.ensure_future(put(archive, Change(save_people={"Bob": {}})))
    await lost.wait()
    for name in ("Cyd", "Dan"):
        (wrong,) = await put(archive, Change(save_people={name: {}}))
        assert isinstance(wrong, NotStored) and wrong.reason == "away"
    assert not doubtful.done()
    assert isinstance(archive.problem(), NotStored)
    relay.lose = lambda _to_database, _data: False
    (answer,) = await doubtful
    assert (answer is None) == stored
    assert await put(archive, Change(save_people={"Eve": {}})) == [None]
    assert set(archive.people()) == ({"Ann", "Bob", "Eve"} if stored else {"Ann", "Eve"})
    assert archive.problem() is None
    assert await archive.close()


async def test_what_a_lost_connection_has_still_under_way_is_waited_for(
    relay: CuttingRelay, through: str, database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database goes on with a transaction although nobody is left to hear of it."""
    monkeypatch.setattr(rows, "AGAIN_AFTER", 0.01)
    archive = Archive.open(through)
    await put(archive, Change(save_people={"Ann": {}}))
    answer = await database.hold(archive, Change(save_people={"Bob": {}}))
    first = await database.is_held_up()
    relay.cut()
    # The next connection waits for the same lock, and so for the first one.
    await database.is_held_up(other_than=first)
    assert not answer.done()
    database.let_go()
    told: ArchiveError | None = await answer
    assert await put(archive, Change(save_people={"Cyd": {}})) == [None]
    assert ("Bob" in archive.people()) == (told is None)
    await archive.close()


async def test_a_commit_that_is_told_with_a_warning_is_asked_for_again(database: PostgresqlDatabase) -> None:
    """So PostgreSQL tells that a commit may not be on its replica: the next one waits for the replica too."""
    archive = Archive.open(database.place)
    database.spoil(
        "CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE WARNING 'may not have been replicated'; RETURN NEW; END $$"
    )
    database.spoil("CREATE TRIGGER warn BEFORE INSERT ON people FOR EACH ROW EXECUTE FUNCTION warn()")
    assert await put(archive, Change(save_people={"Ann": {}})) == [None]
    with database.connect() as connection:
        assert connection.execute("SELECT open FROM owners ORDER BY epoch").fetchall() == [(False,), (True,)]
    assert set(archive.people()) == {"Ann"}
    assert await archive.close()
