"""A whole archive moved from one database to another: the same in every row, or not at all."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from support.server.archive_child import put
from support.server.databases import Database, PostgresqlDatabase, SqliteFile

from parlour.server.storage import backup, copying
from parlour.server.storage.archive import Archive
from parlour.server.storage.backend import Reader
from parlour.server.storage.change import Added, Begun, Change, Ended, Happened, Rated
from parlour.server.storage.library import Refused
from tools.postgresql import Cluster


def nothing(_copied: int, _all: int) -> None:
    pass


@pytest.fixture(params=["sqlite", "postgresql"])
def other(request: pytest.FixtureRequest, tmp_path: Path, postgresql_cluster: Cluster) -> Database:
    """An empty database, or a file that is not there yet."""
    if request.param == "postgresql":
        return PostgresqlDatabase(postgresql_cluster)
    (tmp_path / "other").mkdir()
    return SqliteFile(tmp_path / "other")


async def fill(archive: Archive) -> None:
    for name in ("Ann", "Zoë", "阿明"):
        change = Change(
            begin=[Begun(f"{name}-{game}", name, {"names": [name], "game": game}) for game in (1, 2)],
            lines=[Added(f"{name}-{game}", number, {"n": number}) for number in range(5) for game in (1, 2)],
            end=[Ended(f"{name}-1", {"e": 1}, [name])],
            save_people={name: {"proven": b"\0\xff\\", "bot": False}},
            save_tables={name: {"t": name}},
            save_tournaments={name: {"listed": 1}},
            happened=[Happened(name, number, {"line": "x"}) for number in range(3)],
            rated=[Rated("balloon-cup", name, {"mu": 1.5})],
        )
        assert await put(archive, change) == [None]


READ: tuple[Callable[[Archive], Any], ...] = (
    Archive.people,
    Archive.tables,
    Archive.open_games,
    Archive.finished,
    Archive.tournaments,
    lambda archive: archive.happenings("Zoë"),
    lambda archive: archive.ratings("balloon-cup"),
    lambda archive: archive.played_by("阿明", 9),
    lambda archive: [archive.record(f"Ann-{game}") for game in (1, 2)],
)


async def test_a_copy_has_everything_and_can_be_written_on(place: str, other: Database) -> None:
    archive = Archive.open(place)
    await fill(archive)
    made = backup.copy(place, other.place, nothing)  # while it is open
    assert made["faults"] == [] and made["games"] == 3
    with Archive.open(other.place) as copy:
        for read in READ:
            assert read(copy) == read(archive)
        played = Change(begin=[Begun("new", "t", {"names": ["Ann"]})], end=[Ended("new", {}, ["Ann"])])
        assert await put(copy, played) == [None]
        assert [game.id for game in copy.played_by("Ann", 1)] == ["new"]
        assert await put(copy, Change(save_tournaments={"last": {}})) == [None]
        assert list(copy.tournaments())[-1] == "last"
    await archive.close()


async def test_what_is_copied_there_and_back_is_the_same(place: str, other: Database, tmp_path: Path) -> None:
    with Archive.open(place) as archive:
        await fill(archive)
    backup.copy(place, other.place, nothing)
    backup.copy(other.place, str(tmp_path / "back.db"), nothing)
    with Archive.open(place) as archive, Archive.open(tmp_path / "back.db") as back:
        for read in READ:
            assert read(back) == read(archive)


async def test_what_is_there_already_is_left_as_it_is(place: str, other: Database) -> None:
    with Archive.open(place) as archive:
        await fill(archive)
    with Archive.open(other.place) as archive:
        await put(archive, Change(save_people={"Eve": {}}))
    with pytest.raises(Refused) as refused:
        backup.copy(place, other.place, nothing)
    assert refused.value.kind in ("FileThere", "NotEmpty")
    with Archive.open(other.place) as archive:
        assert set(archive.people()) == {"Eve"}


async def test_nothing_stays_of_a_copy_that_is_not_the_same(
    postgresql_cluster: Cluster, other: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = PostgresqlDatabase(postgresql_cluster).place
    with Archive.open(place) as archive:
        await fill(archive)
    opened: list[Reader] = []
    rows_of = copying._rows

    def spoilt(reader: Reader, table: str) -> Iterator[Any]:
        """The rows as they are; of the copy, which is read second, one is missing."""
        if reader not in opened:
            opened.append(reader)
        rows = rows_of(reader, table)
        return islice(rows, 2) if reader is not opened[0] and table == "people" else rows

    monkeypatch.setattr(copying, "_rows", spoilt)
    with pytest.raises(Refused) as refused:
        backup.copy(place, other.place, nothing)
    assert refused.value.kind == "Damaged" and len(opened) == 2
    with pytest.raises(Refused) as refused:
        backup.check(other.place)
    assert refused.value.kind == "Missing"
    monkeypatch.setattr(copying, "_rows", rows_of)
    assert backup.copy(place, other.place, nothing)["games"] == 3


def test_an_archive_that_is_not_there_is_copied_nowhere(other: Database, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        backup.copy(str(tmp_path / "none.db"), other.place, nothing)
    assert refused.value.kind == "Missing"
    with pytest.raises(Refused):
        backup.check(other.place)
