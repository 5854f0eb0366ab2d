"""The archive's file: what is refused is left as it was, what is old brought up to date, one writes."""

import os
import sqlite3
from pathlib import Path

import msgpack
import pytest
from support.server.archive_child import put, start

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Added, Begun, Change, Ended
from parlour.server.storage.errors import (
    ArchiveError,
    Damaged,
    Held,
    Missing,
    NotOurs,
    TooNew,
    Unreadable,
    Unwritable,
)
from parlour.server.storage.sqlite import schema as archive_schema
from parlour.server.storage.sqlite.schema import APPLICATION_ID, STEPS, create, migrate

VERSION_1 = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = 1;
CREATE TABLE people (name TEXT PRIMARY KEY, map BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE tables (id TEXT PRIMARY KEY, map BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, table_id TEXT NOT NULL, finish INTEGER,
    header BLOB NOT NULL, ending BLOB);
CREATE INDEX games_open ON games (table_id) WHERE finish IS NULL;
CREATE UNIQUE INDEX games_finished ON games (finish) WHERE finish IS NOT NULL;
CREATE TABLE lines (
    seq INTEGER PRIMARY KEY, game_seq INTEGER NOT NULL, number INTEGER NOT NULL, map BLOB NOT NULL);
CREATE UNIQUE INDEX lines_of_game ON lines (game_seq, number);
INSERT INTO people VALUES ('Ann', x'81a3626f74c2');
INSERT INTO tables VALUES ('t', x'81a169a174');
INSERT INTO games VALUES (1, 't-1', 't', 1, x'81a16801', x'81a16501');
INSERT INTO games VALUES (2, 't-2', 't', NULL, x'81a16802', NULL);
INSERT INTO lines VALUES (1, 1, 0, x'81a16e00'), (2, 2, 0, x'81a16e00'), (3, 1, 1, x'81a16e01');
"""
"""A file as the first build made it. Kept by hand: it stays as it is when the steps get more."""
NEXT: archive_schema.Step = (
    "ALTER TABLE people ADD COLUMN seen INTEGER",
    "UPDATE people SET seen = 7",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def made_by(path: Path, script: str) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()


def make_long(path: Path) -> None:
    """An archive of many pages, at rest."""
    with Archive.open(path) as archive:
        for number in range(40):
            archive.add_record(f"old{number}", "t", {"h": "x" * 500}, [{"n": "y" * 100}] * 20, {})


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def refused(path: Path) -> ArchiveError:
    """What is raised; the file and all beside it are as they were, byte for byte."""
    before = files(path.parent)
    with pytest.raises(ArchiveError) as wrong:
        Archive.open(path)
    assert files(path.parent) == before
    assert wrong.value.path == str(path)
    return wrong.value


# Versions


def test_a_file_of_the_first_version_is_read_and_written_on(path: Path) -> None:
    made_by(path, VERSION_1)
    with Archive.open(path) as archive:
        assert archive.people() == {"Ann": {"bot": False}}
        assert archive.tables() == {"t": {"i": "t"}}
        assert [game.id for game in archive.open_games()] == ["t-2"]
        assert archive.record("t-1") == ({"h": 1}, [{"n": 0}, {"n": 1}], {"e": 1})
        archive.add_record("u-1", "u", {}, [{}], {})
        assert [game.id for game in archive.finished()] == ["t-1", "u-1"]


def test_games_of_an_older_file_are_found_by_their_players(path: Path) -> None:
    names = msgpack.packb({"names": ["Ann", "Zoë"]}).hex()
    more = f"INSERT INTO games VALUES (3, 'u-1', 'u', 2, x'{names}', x'80');"
    made_by(path, VERSION_1 + more)
    with Archive.open(path) as archive:
        assert [game.id for game in archive.played_by("Zoë", 9)] == ["u-1"]
        archive.add_record("u-2", "u", {"names": ["Zoë"]}, [], {}, ["Zoë"])
        assert [game.id for game in archive.played_by("Zoë", 9)] == ["u-2", "u-1"]
        assert [game.id for game in archive.played_by("Ann", 9)] == ["u-1"]


def test_the_first_version_brought_up_to_date_is_the_same_as_a_new_file(path: Path, tmp_path: Path) -> None:
    made_by(path, VERSION_1)
    Archive.open(path).close_now()
    Archive.open(tmp_path / "new.db").close_now()
    shapes = []
    for file in (path, tmp_path / "new.db"):
        connection = sqlite3.connect(file)
        shape = connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name").fetchall()
        shapes.append([(type, name, " ".join((sql or "").split())) for type, name, sql in shape])
        shapes[-1].append(("version", str(connection.execute("PRAGMA user_version").fetchone()[0]), ""))
        connection.close()
    assert shapes[0] == shapes[1]


def test_an_older_file_walks_along_every_step_that_it_lacks(path: Path) -> None:
    made_by(path, VERSION_1)
    connection = sqlite3.connect(path, isolation_level=None)
    migrate(connection, path, (*STEPS[:1], NEXT, ("ALTER TABLE people RENAME COLUMN seen TO last_seen",)))
    assert connection.execute("PRAGMA user_version").fetchone() == (3,)
    assert connection.execute("SELECT name, last_seen FROM people").fetchall() == [("Ann", 7)]
    connection.close()


def test_a_file_of_a_later_build_is_refused(path: Path) -> None:
    create(path, (*STEPS, NEXT))
    wrong = refused(path)
    assert isinstance(wrong, TooNew) and (wrong.version, wrong.newest) == (len(STEPS) + 1, len(STEPS))
    with pytest.raises(TooNew):
        Archive.open(path, readonly=True)


# What is no archive, or no longer one


@pytest.mark.parametrize(
    "content",
    [
        b"x",
        b"hello\n" * 1000,
        bytes(5000),
        b"\x89PNG\r\n\x1a\n" + bytes(200),
        b"SQLite format 2\0" + bytes(99),
    ],
    ids=["a byte", "text", "zeros", "a picture", "another SQLite"],
)
def test_a_foreign_file_is_refused_and_left_as_it_was(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert isinstance(refused(path), NotOurs)
    with pytest.raises(NotOurs):
        Archive.open(path, readonly=True)
    assert files(path.parent) == {path.name: content}


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_the_database_of_another_program_is_refused_and_left_as_it_was(path: Path, mode: str) -> None:
    made_by(
        path, f"PRAGMA journal_mode = {mode}; CREATE TABLE people (name); INSERT INTO people VALUES ('Ann')"
    )
    assert isinstance(refused(path), NotOurs)
    with pytest.raises(NotOurs):
        Archive.open(path, readonly=True)


def test_an_archive_cut_off_anywhere_is_refused_and_left_as_it_was(path: Path) -> None:
    make_long(path)
    whole = path.read_bytes()
    pages = len(whole) // 4096
    assert pages > 20
    cuts = {0, 1, 15, 16, 50, 99, 100, 101, 4095, len(whole) - 1, len(whole) - 4096}
    for cut in sorted(cuts | {page * 4096 for page in range(1, pages, 5)}):
        path.write_bytes(whole[:cut])
        wrong = refused(path)
        assert isinstance(wrong, Damaged), cut
        assert wrong.problem == ("short" if cut else "empty"), cut


@pytest.mark.parametrize("mode", [1, 2], ids=["at rest", "copied while in use"])
def test_an_archive_with_a_page_overwritten_is_refused_and_left_as_it_was(path: Path, mode: int) -> None:
    make_long(path)
    whole = bytearray(path.read_bytes())
    whole[18:20] = mode, mode  # SQLite's word for whether a log belongs to it
    whole[8 * 4096 : 9 * 4096] = b"\xa5" * 4096
    path.write_bytes(whole)
    wrong = refused(path)
    assert isinstance(wrong, Damaged) and wrong.problem == "broken" and wrong.detail


def test_of_a_large_archive_only_what_recovery_needs_is_looked_through(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_schema, "LOOKED_THROUGH", 0)
    make_long(path)
    connection = sqlite3.connect(path)
    roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_schema"))
    connection.close()
    whole = path.read_bytes()

    def spoil(name: str) -> None:
        start = (roots[name] - 1) * 4096
        path.write_bytes(whole[:start] + b"\xa5" * 4096 + whole[start + 4096 :])

    for name in ("people", "tables"):
        spoil(name)
        assert isinstance(refused(path), Damaged)
    spoil("lines")
    with Archive.open(path) as archive, pytest.raises(Damaged):
        archive.lines("old0")


def test_an_archive_cut_off_beside_the_log_of_a_crash_is_refused(path: Path) -> None:
    make_long(path)
    with start("play", path) as child:
        assert child.stdout is not None
        for _ in range(20):
            assert child.stdout.readline()
        child.kill()
    assert path.with_name(path.name + "-wal").stat().st_size
    path.write_bytes(path.read_bytes()[: 6 * 4096])
    before = files(path.parent)
    with pytest.raises(Damaged):
        Archive.open(path)
    after = files(path.parent)
    for name in (path.name, path.name + "-wal"):
        assert after[name] == before[name]


def test_a_map_that_cannot_be_read_is_told_as_damage(path: Path) -> None:
    made_by(path, VERSION_1 + "UPDATE people SET map = x'c1'; UPDATE tables SET map = x'01';")
    with Archive.open(path) as archive:
        for read in (archive.people, archive.tables):
            with pytest.raises(Damaged):
                read()


def test_what_cannot_be_written_or_read_is_told_in_the_words_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(Unwritable) as wrong:
        Archive.open(tmp_path / "no such folder" / "games.db")
    assert wrong.value.reason == os.strerror(2)
    with pytest.raises(Missing):
        Archive.open(tmp_path / "games.db", readonly=True)
    with pytest.raises(NotOurs):
        Archive.open(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Unreadable):
        Archive.open(tmp_path / "file" / "games.db", readonly=True)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("name", ["spaß & 100%.db", "a?mode=memory#b.db", "two words"])
def test_an_archive_may_have_any_name(tmp_path: Path, name: str) -> None:
    Archive.open(tmp_path / name).close_now()
    assert os.listdir(tmp_path) == [name]


def test_only_its_owner_may_read_an_archive(path: Path) -> None:
    with Archive.open(path):
        for file in path.parent.iterdir():
            assert file.stat().st_mode & 0o077 == 0, file.name


# One server to an archive


def test_a_link_to_an_archive_is_the_same_archive(path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path)
    with Archive.open(path), pytest.raises(Held):
        Archive.open(link)


@pytest.mark.parametrize("word", [b"", b"nonsense", b"[1]", b'{"pid": "x", "host": 1}', b"\xff"])
def test_a_holder_who_left_no_word_is_held_all_the_same(path: Path, word: bytes) -> None:
    with Archive.open(path):
        path.with_name(path.name + ".lock").write_bytes(word)
        with pytest.raises(Held) as held:
            Archive.open(path)
    assert (held.value.pid, held.value.host, held.value.since) == (None, None, None)


async def test_a_second_one_that_is_refused_disturbs_nothing(path: Path) -> None:
    with Archive.open(path) as archive:
        await put(archive, Change(begin=[Begun("g", "t", {})], save_tables={"t": {}}))
        for number in range(5):
            with pytest.raises(Held):
                Archive.open(path)
            assert await put(archive, Change(lines=[Added("g", number, {})])) == [None]
        assert await put(archive, Change(end=[Ended("g", {})])) == [None]
        assert len(archive.lines("g")) == 5


def test_a_file_with_two_names_is_not_written_to(tmp_path: Path) -> None:
    Archive.open(tmp_path / "one.db").close_now()
    (tmp_path / "two.db").hardlink_to(tmp_path / "one.db")
    for name in ("one.db", "two.db"):
        with pytest.raises(Unwritable):
            Archive.open(tmp_path / name)
