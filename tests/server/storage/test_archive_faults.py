"""Disks that fail and processes that are killed: what was acknowledged is there, what was refused is not."""

import contextlib
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.server.archive_child import GAMES, put, start
from support.server.databases import files_no_longer_than
from support.server.scripted_changes import Answers, check, play
from support.soak import count

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError, NotStored
from parlour.server.storage.sqlite.backend import SqliteBackend
from parlour.server.storage.sqlite.rows import open_to_write

KILLS = {"sqlite": count(25, 250), "postgresql": count(5, 50)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


class Faults:
    """Opens connections whose statements fail, from the n-th on, so many of them."""

    def __init__(self, first: int, many: int) -> None:
        self.failing = range(first, first + many)
        self.done: list[str] = []

    def __call__(self, path: Path) -> sqlite3.Connection:
        faults = self

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
                faults.done.append(sql.split()[0])
                if len(faults.done) in faults.failing:
                    raise sqlite3.OperationalError("disk I/O error")
                return super().execute(sql, *given)

        return open_to_write(path, Connection)


async def played(path: Path, faults: Faults) -> Answers:
    """No answers if it could not even be opened."""
    try:
        archive = Archive.of(SqliteBackend(path, faults))
    except ArchiveError:
        return {}
    answers = await play(archive)
    check(archive, answers)
    await archive.close()
    return answers


@pytest.mark.parametrize("many", [1, 2, 3, 10_000], ids=["once", "twice", "thrice", "for ever"])
async def test_a_statement_that_fails_anywhere_refuses_whole_changes_and_no_others(
    tmp_path: Path, many: int
) -> None:
    healthy = Faults(0, 0)
    answers = await played(tmp_path / "healthy.db", healthy)
    assert [list(told.values()) for told in answers.values()] == [[None] * 6] * 3
    assert {"INSERT", "BEGIN", "COMMIT"} <= set(healthy.done)
    done = set()
    for number in range(1, len(healthy.done) + 1):
        path = tmp_path / f"{number}.db"
        faults = Faults(number, many)
        answers = await played(path, faults)
        with Archive.open(path) as archive:
            check(archive, answers)
        done |= set(faults.done)
        if many == 1:
            # One fault is got over: each change of the batch is tried alone.
            assert [list(told.values()) for told in answers.values()] in ([], [[None] * 6] * 3)
    assert "ROLLBACK" in done


async def test_a_write_that_fails_anywhere_refuses_whole_changes_and_no_others(tmp_path: Path) -> None:
    archive = Archive.open(tmp_path / "healthy.db")
    await play(archive)
    longest = (tmp_path / "healthy.db-wal").stat().st_size
    await archive.close()
    # SQLite's index of its log takes 32 KiB in a file of its own. A frame of the log has 24 bytes and a page:
    # the limits cut each of them in three places.
    limits = range(32 * 1024, longest, (24 + 4096) // 3)
    stored = set()
    for limit in limits:
        path = tmp_path / f"{limit}.db"
        archive = Archive.open(path)
        with files_no_longer_than(limit):
            answers = await play(archive)
            check(archive, answers)
        # As a crash would leave it: nothing is put right by closing.
        copy = tmp_path / f"copy of {limit}.db"
        for end in ("", "-wal"):
            copy.with_name(copy.name + end).write_bytes(path.with_name(path.name + end).read_bytes())
        with Archive.open(copy) as crashed:
            check(crashed, answers)
        assert await put(archive, Change(save_people={"after": {}})) == [None]
        assert await put(archive, Change(drop_people=["after"])) == [None]
        await archive.close()
        with Archive.open(path) as again:
            check(again, answers)
        stored.add(sum(wrong is None for told in answers.values() for wrong in told.values()))
    assert len(stored) > 5


def test_every_commit_is_flushed(path: Path) -> None:
    # A process that is killed loses nothing either way, so that no other test here would notice.
    with Archive.open(path), contextlib.closing(open_to_write(path)) as connection:
        full = 2
        assert connection.execute("PRAGMA synchronous").fetchone() == (full,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


if sys.platform == "linux":  # where a process can have its own flushes fail

    def test_a_change_refused_because_it_could_not_be_flushed_is_not_there_after_a_crash(path: Path) -> None:
        child = start("lose_the_flush", path)
        said, _ = child.communicate()
        assert said.split() == ["SQLITE_IOERR_FSYNC", "SQLITE_IOERR_FSYNC"]
        with Archive.open(path) as archive:
            assert archive.people() == {}
            assert [game.id for game in archive.finished()] == ["before"]


def test_nothing_acknowledged_is_lost_or_doubled_however_often_the_server_is_killed(
    place: str, request: pytest.FixtureRequest
) -> None:
    random = Random(6)
    acknowledged = dict.fromkeys(GAMES, -1)
    with start("play_in_turn", place) as forker:
        assert forker.stdin is not None and forker.stdout is not None
        for _ in range(KILLS[request.node.callspec.params["database"]]):
            print(file=forker.stdin, flush=True)
            pid = int(forker.stdout.readline())
            heard = [forker.stdout.readline() for _ in range(random.randrange(1, 300))]
            os.kill(pid, signal.SIGKILL)
            heard += iter(forker.stdout.readline, ".\n")
            for line in heard:
                game, number = line.split()
                assert int(number) == acknowledged[game] + 1
                acknowledged[game] = int(number)
            check_what_is_kept(place, acknowledged)
        forker.stdin.close()


def check_what_is_kept(place: str, acknowledged: dict[str, int]) -> None:
    """All that was acknowledged, and at most the one change that was on its way, as a whole."""
    with Archive.open(place) as archive:
        for game in GAMES:
            kept = [line["number"] for line in archive.lines(game)]
            assert kept == list(range(len(kept)))
            assert acknowledged[game] + 1 <= len(kept) <= acknowledged[game] + 2
            assert archive.tables()[game] == {"lines": len(kept)}
            acknowledged[game] = len(kept) - 1


def test_the_log_of_a_server_that_was_killed_is_folded_in_when_the_next_one_starts(path: Path) -> None:
    with start("play", path) as child:
        assert child.stdout is not None
        told = [child.stdout.readline().split() for _ in range(60)]
        child.kill()
    log = path.with_name(path.name + "-wal")
    assert log.stat().st_size
    with Archive.open(path) as archive:
        assert log.stat().st_size == 0
        for game, number in told:
            assert len(archive.lines(game)) > int(number)


# A file that is no longer where it was opened


def delete(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def replace(path: Path) -> None:
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


def move_the_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def delete_the_log(path: Path) -> None:
    path.with_name(path.name + "-wal").unlink()


@pytest.mark.parametrize(
    "lose", [delete, move, replace, move_the_folder, delete_the_log], ids=lambda lose: lose.__name__
)
async def test_nothing_is_acknowledged_that_went_to_a_file_without_a_place(
    tmp_path: Path, lose: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "folder" / "games.db"
    path.parent.mkdir()
    archive = Archive.open(path)
    assert await put(archive, Change(save_people={"Ann": {}})) == [None]
    assert archive.problem() is None
    lose(path)
    for name in ("Bob", "Cyd"):
        (wrong,) = await put(archive, Change(save_people={name: {}}))
        assert isinstance(wrong, NotStored) and wrong.reason == "moved"
    with pytest.raises(NotStored):
        archive.add_record("g", "t", {}, [{}], {})
    assert isinstance(archive.problem(), NotStored)
    (told,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert str(path) in told.getMessage() and "backup" in told.getMessage()
    await archive.close()


async def test_a_file_that_is_put_back_is_written_on(path: Path) -> None:
    archive = Archive.open(path)
    await put(archive, Change(save_people={"Ann": {}}))
    move(path)
    (wrong,) = await put(archive, Change(save_people={"Bob": {}}))
    assert wrong is not None
    path.with_name("elsewhere.db").rename(path)
    assert await put(archive, Change(save_people={"Cyd": {}})) == [None]
    assert archive.problem() is None
    await archive.close()
    with Archive.open(path) as again:
        assert set(again.people()) == {"Ann", "Cyd"}


async def test_a_file_that_is_lost_during_a_transaction_is_not_written_on(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It has what was refused: only a restart knows what is in it."""

    class Moving(sqlite3.Connection):
        armed = False

        def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
            done = super().execute(sql, *given)
            if Moving.armed and sql.startswith("INSERT"):
                Moving.armed = False
                move(path)
            return done

    archive = Archive.of(SqliteBackend(path, lambda path: open_to_write(path, Moving)))
    await put(archive, Change(save_people={"Ann": {}}))
    Moving.armed = True
    for name, reason in (("Bob", "moved"), ("Cyd", "astray")):
        (wrong,) = await put(archive, Change(save_people={name: {}}))
        assert isinstance(wrong, NotStored) and wrong.reason == reason
        if not path.exists():
            path.with_name("elsewhere.db").rename(path)
    assert [record.getMessage() for record in caplog.records if "restarted" in record.getMessage()]
    await archive.close()
