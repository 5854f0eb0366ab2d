"""A damaged archive: what is read is what was written, or an error that names it."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.server.archive_child import start
from support.server.databases import Database, SqliteFile
from support.soak import count

from parlour.server.storage.archive import Archive
from parlour.server.storage.backends import backend_at
from parlour.server.storage.change import (
    Added,
    Begun,
    Change,
    Ended,
    Happened,
    Rated,
    rows_of,
)
from parlour.server.storage.check import faults
from parlour.server.storage.errors import ArchiveError, Damaged
from parlour.server.storage.sqlite import schema as archive_schema

PAGE = 4096


@pytest.fixture
def filled(database: Database) -> Database:
    """An archive with two of everything, at rest."""
    with Archive.open(database.place) as archive:
        for name in ("one", "two"):
            change = Change(
                begin=[
                    Begun(f"{name}-1", name, {"h": 1, "names": [name]}),
                    Begun(f"{name}-2", name, {"h": 2}),
                ],
                lines=[
                    Added(f"{name}-{game}", number, {"n": number}) for game in (1, 2) for number in range(3)
                ],
                end=[Ended(f"{name}-1", {"e": 1}, [name])],
                save_people={name: {"bot": False}},
                save_tables={name: {"t": 1}},
                save_tournaments={name: {"listed": 1}},
                happened=[Happened(name, 0, {"line": "x"}), Happened(name, 1, {"line": "y"})],
                rated=[Rated("balloon-cup", name, {"mu": 1})],
            )
            archive._require_writer().store(rows_of(change))
    return database


Read = Callable[[Archive], Any]
SPOILED: list[tuple[str, str, Read]] = [
    ("UPDATE people SET map = FLIPPED(map) WHERE name = 'one'", "person", Archive.people),
    ("UPDATE people SET name = 'onf' WHERE name = 'one'", "person", Archive.people),
    ("UPDATE people SET map = (SELECT map FROM tables LIMIT 1)", "person", Archive.people),
    ("UPDATE tables SET map = FLIPPED(map) WHERE id = 'one'", "table", Archive.tables),
    ("UPDATE tables SET id = 'onf' WHERE id = 'one'", "table", Archive.tables),
    ("UPDATE games SET header = FLIPPED(header)", "game", Archive.open_games),
    ("UPDATE games SET id = 'onf' WHERE id = 'one-2'", "game", Archive.open_games),
    ("UPDATE games SET header = FLIPPED(header)", "game", lambda a: a.record("one-1")),
    ("UPDATE games SET table_id = 'onf'", "game", lambda a: a.record("one-1")),
    ("UPDATE games SET ending = FLIPPED(ending)", "game", lambda a: a.record("one-1")),
    ("UPDATE lines SET map = FLIPPED(map)", "game", lambda a: a.record("one-1")),
    ("UPDATE lines SET number = 9 WHERE number = 2", "game", lambda a: a.record("one-1")),
    ("DELETE FROM lines WHERE number = 2", "game", lambda a: a.record("one-1")),
    ("UPDATE lines SET game_seq = 7 WHERE game_seq = 1", "game", lambda a: a.record("one-1")),
    ("UPDATE tournaments SET id = 'onf' WHERE id = 'one'", "tournament", Archive.tournaments),
    ("UPDATE happenings SET number = 2 WHERE number = 1", "tournament", lambda a: a.happenings("one")),
    ("UPDATE ratings SET name = 'onf' WHERE name = 'one'", "rating", lambda a: a.ratings("balloon-cup")),
    ("UPDATE ratings SET map = FLIPPED(map)", "rating", lambda a: a.ratings("balloon-cup")),
]
LISTS = [
    "UPDATE played SET name = 'onf' WHERE name = 'one'",
    "UPDATE played SET game_seq = 3 - game_seq + 1 WHERE name = 'one'",
    "UPDATE played SET finish = 9 WHERE name = 'one'",
    "DELETE FROM played WHERE name = 'one'",
]


@pytest.mark.parametrize(("statement", "part", "read"), SPOILED, ids=[each[0][:60] for each in SPOILED])
def test_what_is_not_as_it_was_written_is_told_and_not_given(
    filled: Database, statement: str, part: str, read: Read
) -> None:
    with Archive.open(filled.place, readonly=True) as archive:
        assert read(archive)
    filled.spoil(statement)
    with Archive.open(filled.place, readonly=True) as archive, pytest.raises(Damaged) as wrong:
        read(archive)
    assert (wrong.value.problem, wrong.value.part) == ("changed", part)
    assert wrong.value.path == filled.place and wrong.value.key


def test_a_value_that_is_no_map_at_all_is_told_and_not_given(tmp_path: Path) -> None:
    """Columns of SQLite take values of any kind."""
    file = SqliteFile(tmp_path)
    with Archive.open(file.place) as archive:
        archive._require_writer().store(rows_of(Change(save_people={"one": {}})))
    file.spoil("UPDATE people SET map = 7")
    with Archive.open(file.place, readonly=True) as archive, pytest.raises(Damaged):
        archive.people()


@pytest.mark.parametrize("statement", [*[each[0] for each in SPOILED], *LISTS])
def test_the_check_of_a_whole_archive_finds_it(filled: Database, statement: str) -> None:
    assert list(faults(backend_at(filled.place))) == []
    filled.spoil(statement)
    assert list(faults(backend_at(filled.place)))


@pytest.mark.parametrize("statement", LISTS)
def test_a_list_that_is_damaged_names_no_game_of_others(filled: Database, statement: str) -> None:
    filled.spoil(statement)
    with Archive.open(filled.place, readonly=True) as archive:
        for name in ("one", "two"):
            assert {game.id for game in archive.played_by(name, 50)} <= {f"{name}-1"}


def test_a_damaged_game_is_left_out_of_the_list_and_told(filled: Database) -> None:
    filled.spoil("UPDATE games SET ending = FLIPPED(ending) WHERE id = 'one-1'")
    told: list[Damaged] = []
    with Archive.open(filled.place, readonly=True) as archive:
        assert [game.id for game in archive.finished(damaged=told.append)] == ["two-1"]
        assert archive.record("two-1")[2] == {"e": 1}
    assert [(each.part, each.key) for each in told] == [("game", "one-1")]


# Pages that a disk has spoiled


def everything(archive: Archive) -> dict[str, Any]:
    """All that can be read, or the error instead of it."""

    def tried(read: Callable[[], Any]) -> Any:
        try:
            return read()
        except ArchiveError as wrong:
            return wrong

    told: list[Damaged] = []
    found: dict[str, Any] = {
        "people": tried(archive.people),
        "tables": tried(archive.tables),
        "open": tried(archive.open_games),
        "tournaments": tried(archive.tournaments),
        "ratings": tried(lambda: archive.ratings("balloon-cup")),
        **{f"events of {name}": tried(lambda name=name: archive.happenings(name)) for name in NAMES},
        **{f"game {game}": tried(lambda game=game: archive.record(game)) for game in GAMES},
    }
    finished = tried(lambda: archive.finished(damaged=told.append))
    return {**found, "finished": told[0] if told else finished}


NAMES = tuple(f"name {number}" for number in range(40))
GAMES = tuple(f"{name}-{game}" for name in NAMES for game in (1, 2))


def fill(archive: Archive) -> None:
    for name in NAMES:
        change = Change(
            begin=[
                Begun(f"{name}-{game}", name, {"game": game, "names": [name], "h": "x" * 200})
                for game in (1, 2)
            ],
            lines=[
                Added(f"{name}-{game}", number, {"n": number, "x": "y" * (7 * number)})
                for game in (1, 2)
                for number in range(20)
            ],
            end=[Ended(f"{name}-1", {"e": name}, [name])],
            save_people={name: {"proven": name * 5}},
            save_tables={name: {"t": name * 20}},
            save_tournaments={name: {"listed": name}},
            happened=[Happened(name, number, {"line": f"{name} {number}"}) for number in range(5)],
            rated=[Rated("balloon-cup", name, {"mu": name})],
        )
        archive._require_writer().store(rows_of(change))


def flip_a_bit(page: bytearray, random: Random) -> None:
    page[random.randrange(PAGE)] ^= 1 << random.randrange(8)


def flip_a_few_bytes(page: bytearray, random: Random) -> None:
    start = random.randrange(PAGE - 16)
    page[start : start + 16] = random.randbytes(16)


def garble(page: bytearray, random: Random) -> None:
    page[:] = random.randbytes(PAGE)


def erase(page: bytearray, random: Random) -> None:  # noqa: ARG001
    page[:] = bytes(PAGE)


@pytest.mark.parametrize(
    "damage", [flip_a_bit, flip_a_few_bytes, garble, erase], ids=lambda each: each.__name__
)
@pytest.mark.parametrize("large", [False, True], ids=["looked through", "too large to be looked through"])
def test_a_damaged_page_is_refused_or_told_or_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[bytearray, Random], None], large: bool
) -> None:
    path = tmp_path / "games.db"
    with Archive.open(path) as archive:
        fill(archive)
        right = everything(archive)
        played = {name: archive.played_by(name, 50) for name in NAMES}
    if large:
        monkeypatch.setattr(archive_schema, "LOOKED_THROUGH", 0)
    whole, random = path.read_bytes(), Random(damage.__name__)
    assert not any(isinstance(each, ArchiveError) for each in right.values())
    for _ in range(count(60, 2000)):
        spoiled, start = bytearray(whole), PAGE * random.randrange(len(whole) // PAGE)
        page = spoiled[start : start + PAGE]
        damage(page, random)
        spoiled[start : start + PAGE] = page
        path.write_bytes(spoiled)
        try:
            archive = Archive.open(path)
        except ArchiveError:
            continue
        with archive:
            for what, found in everything(archive).items():
                assert isinstance(found, ArchiveError) or found == right[what], (what, start)
            for name in NAMES:
                # A list may lack a game, which the check of the whole archive finds.
                with contextlib.suppress(Damaged):
                    assert all(game in played[name] for game in archive.played_by(name, 50))


def test_a_log_that_is_damaged_in_its_middle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    Archive.open(path).close_now()
    with start("play", path) as child:
        assert child.stdout is not None
        for _ in range(60):
            assert child.stdout.readline()
        child.kill()
    files = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    log = files["games.db-wal"]
    random = Random(3)

    def spoil(places: list[int]) -> None:
        spoiled = bytearray(log)
        for place in places:
            spoiled[place] ^= 1 << random.randrange(8)
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
        (tmp_path / "games.db-wal").write_bytes(spoiled)

    for place in [*range(32), *[random.randrange(len(log) // 2) for _ in range(count(20, 400))]]:
        spoil([place])
        with pytest.raises(Damaged):
            Archive.open(path)
        assert (tmp_path / "games.db-wal").stat().st_size == len(log)
    # A last transaction that is not whole was broken off: nobody was told of it.
    spoil([len(log) - 1])
    Archive.open(path).close_now()
