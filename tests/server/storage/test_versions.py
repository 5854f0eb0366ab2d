"""Versions of an archive in a database of any kind: brought up to date as a whole, newer ones refused."""

import pytest
from support.server.archive_child import put
from support.server.databases import Database, Step

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Change
from parlour.server.storage.errors import Damaged, Missing, TooNew, TooOld

NEXT: Step = ("ALTER TABLE people ADD COLUMN seen integer", "UPDATE people SET seen = 7")
FAILS: Step = ("ALTER TABLE nothing RENAME TO something",)


async def make(database: Database) -> None:
    with Archive.open(database.place) as archive:
        await put(archive, Change(save_people={"Ann": {}}))


async def test_an_older_archive_walks_along_every_step_that_it_lacks(database: Database) -> None:
    await make(database)
    database.upgrade(NEXT, ("ALTER TABLE people RENAME COLUMN seen TO last_seen",))
    assert database.select("SELECT name, last_seen FROM people") == [("Ann", 7)]


async def test_a_step_that_fails_leaves_the_archive_as_it_was(database: Database) -> None:
    await make(database)
    with pytest.raises(Exception, match="nothing"):
        database.upgrade(NEXT, FAILS)
    with Archive.open(database.place) as archive:
        assert archive.people() == {"Ann": {}}
        assert await put(archive, Change(save_people={"Bob": {}})) == [None]


async def test_an_archive_of_a_later_build_is_refused_and_left_as_it_was(database: Database) -> None:
    await make(database)
    database.upgrade(NEXT)
    for readonly in (True, False):
        with pytest.raises(TooNew) as new:
            Archive.open(database.place, readonly=readonly)
        assert (new.value.version, new.value.newest) == (database.version + 1, database.version)
    assert database.select("SELECT name, seen FROM people") == [("Ann", 7)]


async def test_an_older_archive_is_not_read_before_it_was_brought_up_to_date(database: Database) -> None:
    await make(database)
    with pytest.raises(TooOld) as old:
        database.read_as_later_build()
    assert (old.value.version, old.value.newest) == (database.version, database.version + 1)


@pytest.mark.parametrize("statement", ["DROP TABLE ratings", "ALTER TABLE games DROP COLUMN ending"])
async def test_an_archive_that_lacks_something_is_refused(database: Database, statement: str) -> None:
    await make(database)
    database.spoil(statement)
    for readonly in (True, False):
        with pytest.raises(Damaged):
            Archive.open(database.place, readonly=readonly)


def test_where_there_is_no_archive_there_is_none_to_be_read(database: Database) -> None:
    with pytest.raises(Missing):
        Archive.open(database.place, readonly=True)
