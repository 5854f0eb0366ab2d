"""A database that fails, of whatever kind: what it refuses has not happened, and it goes on by itself."""

import pytest
from support.server.archive_child import put, start
from support.server.databases import Database, Fault

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Added, Begun, Change
from parlour.server.storage.errors import Held, NotStored
from parlour.server.storage.postgresql import backend, rows

FAULTS: tuple[Fault, ...] = ("full", "readonly", "ioerr", "away")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (rows, backend):
        monkeypatch.setattr(module, "AGAIN_AFTER", 0.01)


def long_move(number: int) -> Change:
    """A move that needs room."""
    return Change(
        begin=[Begun("g", "t", {})] if number == 0 else [],
        lines=[Added("g", number, {})],
        save_people={f"P{number}": {}},
        save_tables={f"t{number}": {"filling": "x" * 9000}},
    )


async def stored_at_last(archive: Archive, change: Change) -> None:
    """Puts a change until it is stored, as players do who are told to try again."""
    while (await put(archive, change))[0] is not None:
        pass


def check(archive: Archive, moves: int) -> None:
    numbers = range(moves)
    assert len(archive.lines("g")) == moves
    assert set(archive.people()) == {f"P{number}" for number in numbers}
    assert set(archive.tables()) == {f"t{number}" for number in numbers}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_refuses_whole_changes_until_it_is_over(database: Database, fault: Fault) -> None:
    archive = database.open_faulty()
    assert await put(archive, long_move(0)) == [None]
    with database.failing(fault):
        for _ in range(2):
            (wrong,) = await put(archive, long_move(1))
            assert isinstance(wrong, NotStored) and wrong.reason in database.reasons[fault]
            assert isinstance(archive.problem(), NotStored)
            if fault != "away":
                check(archive, 1)
    await stored_at_last(archive, long_move(1))
    assert archive.problem() is None
    check(archive, 2)
    assert await archive.close()
    with Archive.open(database.place) as again:
        check(again, 2)


async def test_what_does_not_fit_refuses_nothing_else(database: Database) -> None:
    archive = database.open_faulty()
    assert await put(archive, long_move(0)) == [None]
    with database.failing("full"):
        answers = await put(archive, long_move(1), Change(save_people={"Ann": {}}))
    assert [answer is None for answer in answers] == [False, True]
    assert set(archive.people()) == {"P0", "Ann"}
    assert await archive.close()


# One server to an archive


def test_a_second_server_is_refused_and_told_who_holds_it(database: Database) -> None:
    child = start("hold", database.place)
    assert child.stdout is not None
    pid = int(child.stdout.readline())
    with pytest.raises(Held) as held:
        Archive.open(database.place)
    assert held.value.pid == pid == child.pid
    assert held.value.host and held.value.since
    with Archive.open(database.place, readonly=True) as reader:
        assert reader.tables() == {}
    child.communicate("")
    assert child.returncode == 0
    Archive.open(database.place).close_now()


def test_a_server_that_was_killed_holds_nothing(database: Database) -> None:
    with start("hold", database.place) as child:
        assert child.stdout is not None
        child.stdout.readline()
        child.kill()
    with Archive.open(database.place), pytest.raises(Held):
        Archive.open(database.place)
