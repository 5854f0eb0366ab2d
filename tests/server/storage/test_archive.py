"""The archive keeps what it is given: whole, in order, with one flush for whatever waits together."""

import asyncio
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.server.archive_child import put
from support.server.databases import Database

from parlour.server.storage import archive as archive_module
from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Added, Begun, Change, Ended, OpenGame
from parlour.server.storage.errors import ArchiveError, KnownGame, NoSuchGame, NotStored
from parlour.server.storage.played_games import NoPlayedGames
from parlour.server.storage.sqlite.bulk_insert import MOST
from parlour.server.storage.store import NoStore


@pytest.fixture
def archive(place: str) -> Iterator[Archive]:
    with Archive.open(place) as archive:
        yield archive


def deal(table: str, number: int = 1) -> Change:
    game = f"{table}-{number}"
    return Change(
        begin=[Begun(game, table, {"game": "balloon-cup", "number": number})],
        lines=[Added(game, 0, {"cause": "setup"})],
        save_tables={table: {"id": table}},
    )


def move(game: str, number: int) -> Change:
    return Change(lines=[Added(game, number, {"cause": "act", "number": number})])


async def test_what_was_put_is_there_after_opening_again(place: str) -> None:
    archive = Archive.open(place)
    assert await put(
        archive, deal("t"), Change(save_people={"Ann": {"proven": b"\x00\xff", "bot": False}})
    ) == [
        None,
        None,
    ]
    assert await put(archive, move("t-1", 1)) == [None]
    assert await archive.close()
    with Archive.open(place) as archive:
        assert archive.people() == {"Ann": {"proven": b"\x00\xff", "bot": False}}
        assert archive.tables() == {"t": {"id": "t"}}
        assert archive.open_games() == [OpenGame("t-1", "t", {"game": "balloon-cup", "number": 1})]
        assert archive.lines("t-1") == [{"cause": "setup"}, {"cause": "act", "number": 1}]


async def test_what_is_saved_again_takes_the_place_of_what_was(archive: Archive) -> None:
    await put(archive, Change(save_people={"Ann": {"v": 1}, "Bob": {}}, save_tables={"t": {"v": 1}, "u": {}}))
    await put(
        archive,
        Change(save_people={"Ann": {"v": 2}}, drop_people=["Bob", "Nobody"]),
        Change(save_tables={"t": {"v": 2}}, drop_tables=["u", "none"]),
    )
    assert archive.people() == {"Ann": {"v": 2}}
    assert archive.tables() == {"t": {"v": 2}}


async def test_changes_in_one_round_are_done_in_their_order(archive: Archive) -> None:
    changes = [
        Change(save_tables={"t": {"v": 1}}),
        Change(drop_tables=["t"]),
        Change(save_tables={"t": {"v": 2}}),
        Change(save_people={"Ann": {}}),
        Change(drop_people=["Ann"]),
    ]
    assert await put(archive, *changes) == [None] * 5
    assert archive.tables() == {"t": {"v": 2}}
    assert archive.people() == {}


async def test_a_map_may_change_after_it_was_put(archive: Archive) -> None:
    table = {"v": [1]}
    answer: asyncio.Future[ArchiveError | None] = asyncio.get_running_loop().create_future()
    archive.put(Change(save_tables={"t": table}), answer.set_result)
    table["v"].append(2)
    assert await answer is None
    assert archive.tables() == {"t": {"v": [1]}}


# One flush


async def test_a_burst_of_moves_over_many_tables_is_one_transaction(
    archive: Archive, database: Database
) -> None:
    tables = [f"t{number}" for number in range(200)]
    assert await put(archive, *[deal(table) for table in tables]) == [None] * 200
    before = database.transactions()
    assert await put(archive, *[move(f"{table}-1", 1) for table in tables]) == [None] * 200
    assert database.transactions() == before + 1
    assert await put(archive, move("t0-1", 2)) == [None]
    assert database.transactions() == before + 2


async def test_a_burst_of_more_rows_than_a_statement_takes_is_one_transaction(
    archive: Archive, database: Database
) -> None:
    await put(archive, deal("t"))
    before = database.transactions()
    assert await put(archive, *[deal(f"t{number}") for number in range(MOST)]) == [None] * MOST
    assert database.transactions() == before + 1


async def test_what_comes_while_the_disk_is_busy_is_one_transaction(database: Database) -> None:
    archive = database.open_held_up()
    await put(archive, deal("t"))
    before = database.transactions()
    first = await database.hold(archive, deal("t0"))
    answers = []
    for number in range(1, 30):
        answers.append(asyncio.ensure_future(put(archive, deal(f"t{number}"))))
        await asyncio.sleep(0)  # a round of the loop of its own
    while archive._require_writer()._gathered:
        await asyncio.sleep(0)  # the last one goes over to the writer in the round after its own
    database.let_go()
    assert await first is None
    assert await asyncio.gather(*answers) == [[None]] * 29
    assert database.transactions() == before + 2
    assert len(archive.tables()) == 31
    await archive.close()


@pytest.mark.parametrize("rows", [1, 31, 32, 33, 48, MOST - 1, MOST, MOST + 1, 3 * MOST + 5])
async def test_a_change_may_be_of_any_length(archive: Archive, rows: int) -> None:
    lines = [Added("t-1", number, {"n": number}) for number in range(1, rows + 1)]
    assert await put(archive, deal("t")) == [None]
    assert await put(archive, Change(lines=lines)) == [None]
    assert [line.get("n") for line in archive.lines("t-1")] == [None, *range(1, rows + 1)]


async def test_a_change_of_nothing_is_stored(archive: Archive) -> None:
    assert await put(archive, Change()) == [None]


# Answers


async def test_answers_come_in_the_order_of_the_puts_on_the_loop_and_never_within_put(
    archive: Archive,
) -> None:
    heard: list[tuple[int, int]] = []
    last = asyncio.Event()
    for number in range(50):
        archive.put(
            deal(f"t{number}"), lambda _, number=number: heard.append((number, threading.get_ident()))
        )
    archive.put(Change(), lambda _: last.set())
    assert heard == []
    await last.wait()
    assert heard == [(number, threading.get_ident()) for number in range(50)]


async def test_a_bug_in_one_answer_stops_no_other(archive: Archive) -> None:
    bugs: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: bugs.append(context["exception"]))
    bug = ZeroDivisionError()

    def fail(_: ArchiveError | None) -> None:
        raise bug

    archive.put(deal("t"), fail)
    assert await put(archive, deal("u")) == [None]
    assert bugs == [bug]


async def test_a_bad_change_is_refused_whole_and_its_neighbours_are_not(archive: Archive) -> None:
    await put(archive, deal("t"))
    bad = Change(
        begin=[Begun("new", "u", {})],
        lines=[Added("new", 0, {}), Added("t-1", 0, {"again": True})],
        save_people={"Ann": {}},
        save_tables={"t": {"spoilt": True}, "u": {}},
    )
    answers = await put(archive, move("t-1", 1), bad, deal("v"))
    assert [type(answer) for answer in answers] == [type(None), NotStored, type(None)]
    assert archive.people() == {}
    assert archive.tables() == {"t": {"id": "t"}, "v": {"id": "v"}}
    assert [game.id for game in archive.open_games()] == ["t-1", "v-1"]
    assert archive.lines("t-1") == [{"cause": "setup"}, {"cause": "act", "number": 1}]


REFUSED = Change(lines=[Added("t-1", 0, {"again": True})], answered=["Ann"])
BUILDS_ON_IT = Change(save_sessions={"Ann": {"answer": "ok"}})


async def test_what_may_build_on_a_refused_change_is_refused_as_well(archive: Archive) -> None:
    await put(archive, deal("t"))
    answers = await put(archive, REFUSED, BUILDS_ON_IT, Change(save_sessions={"Bob": {}}))
    assert [type(answer) for answer in answers] == [NotStored, NotStored, type(None)]
    assert archive.sessions() == {"Bob": {}}
    after = Change(save_sessions={"Ann": {"answer": "not_kept"}})
    assert await put(archive, after) == [None]
    assert archive.sessions()["Ann"] == {"answer": "not_kept"}


@pytest.mark.parametrize(
    "bad",
    [
        Change(lines=[Added("t-1", 0, {"again": True})]),
        Change(lines=[Added("unknown", 0, {})]),
        Change(begin=[Begun("t-1", "t", {})]),
        Change(end=[Ended("unknown", {})]),
        Change(end=[Ended("t-1", {}), Ended("t-1", {})]),
        Change(lines=[Added("t-1", 2**70, {})]),
        Change(save_people={"\ud800": {}}),
        Change(lines=[Added("t-1", number, {}) for number in range(1, 2 * MOST)] + [Added("t-1", 1, {})]),
    ],
    ids=["line twice", "line of none", "begun twice", "end of none", "ended twice", "huge", "half", "long"],
)
async def test_a_change_that_cannot_be_is_refused_and_the_next_one_is_stored(
    archive: Archive, bad: Change
) -> None:
    await put(archive, deal("t"))
    (answer,) = await put(archive, bad)
    assert isinstance(answer, NotStored)
    assert await put(archive, move("t-1", 1)) == [None]
    assert archive.lines("t-1") == [{"cause": "setup"}, {"cause": "act", "number": 1}]
    assert archive.people() == {} and archive.finished() == []


# Games


async def test_games_are_finished_in_the_order_of_their_ends_whatever_the_clocks_said(
    archive: Archive,
) -> None:
    await put(archive, deal("a"), deal("b"), deal("c"))
    for game, ended in (("b-1", 3000), ("c-1", 1000), ("a-1", 2000)):
        assert await put(archive, Change(end=[Ended(game, {"ended": ended})])) == [None]
    assert [(game.id, game.ended) for game in archive.finished()] == [
        ("b-1", 3000),
        ("c-1", 1000),
        ("a-1", 2000),
    ]


async def test_a_game_is_open_until_it_ends_or_its_table_goes(archive: Archive) -> None:
    await put(archive, deal("a"), deal("b"), deal("c"))
    await put(archive, Change(end=[Ended("a-1", {})]), Change(drop_tables=["b"]))
    await put(archive, deal("a", 2))
    assert [game.id for game in archive.open_games()] == ["c-1", "a-2"]
    assert [game.id for game in archive.finished()] == ["a-1"]
    assert archive.record("b-1") == ({"game": "balloon-cup", "number": 1}, [{"cause": "setup"}], None)


async def test_a_players_newest_games_are_found_among_all(archive: Archive) -> None:
    for number, names in enumerate((["Ann", "Bob"], ["Bob", "Cleo"], ["Cleo", "Ann"], ["Ann", "Bob"])):
        archive.add_record(f"t{number}-1", f"t{number}", {"names": names}, [{}], {}, names)
    await put(archive, deal("open"))
    assert [game.id for game in archive.played_by("Ann", 2)] == ["t3-1", "t2-1"]
    assert [game.id for game in archive.played_by("Cleo", 9)] == ["t2-1", "t1-1"]
    assert archive.played_by("Dan", 9) == []


async def test_a_finished_game_says_who_played_and_how_it_ended(archive: Archive) -> None:
    header = {"game": "hurry-cup", "seats": 3, "names": ["A", "B", "C"], "bots": [False, True, False]}
    end = {"winners": [1], "places": [2, 1, 3], "reason": "finished", "ended": 20}
    archive.add_record("g", "t", header | {"started": 10}, [], end)
    (game,) = archive.finished()
    assert (game.game, game.seats, game.names, game.bots) == (
        "hurry-cup",
        3,
        ("A", "B", "C"),
        (False, True, False),
    )
    assert (game.winners, game.places, game.reason) == ((1,), (2, 1, 3), "finished")
    assert (game.started, game.ended) == (10, 20)


async def test_a_record_is_added_whole_and_only_once(archive: Archive) -> None:
    archive.add_record("g", "elsewhere", {"h": 1}, [{"n": 0}, {"n": 1}], {"e": 1})
    with pytest.raises(KnownGame) as known:
        archive.add_record("g", "elsewhere", {"h": 2}, [{"n": 9}], {"e": 2})
    assert known.value.game == "g"
    assert archive.record("g") == ({"h": 1}, [{"n": 0}, {"n": 1}], {"e": 1})
    assert archive.open_games() == []


async def test_a_record_can_be_added_while_changes_are_put(archive: Archive) -> None:
    answers = asyncio.ensure_future(put(archive, *[deal(f"t{number}") for number in range(20)]))
    await asyncio.sleep(0)
    await asyncio.to_thread(archive.add_record, "g", "t", {}, [{}] * 1000, {})
    assert await answers == [None] * 20
    assert len(archive.lines("g")) == 1000


def test_a_game_that_is_not_there_has_no_record(archive: Archive) -> None:
    with pytest.raises(NoSuchGame):
        archive.record("none")
    assert archive.lines("none") == []


async def test_two_hundred_long_games_come_back_each_with_its_own_lines(place: str) -> None:
    archive = Archive.open(place)
    tables = [f"t{number}" for number in range(200)]
    await put(archive, *[deal(table) for table in tables])
    for number in range(1, 40):
        await put(archive, *[move(f"{table}-1", number) for table in tables])
    await archive.close()
    with Archive.open(place) as archive:
        assert set(archive.tables()) == set(tables)
        assert {game.table for game in archive.open_games()} == set(tables)
        for table in tables:
            assert [line.get("number", 0) for line in archive.lines(f"{table}-1")] == list(range(40))


# Reading beside a writer


async def test_a_reader_sees_what_is_stored_while_a_server_writes(archive: Archive, place: str) -> None:
    await put(archive, deal("t"))
    with Archive.open(place, readonly=True) as reader:
        assert len(reader.lines("t-1")) == 1
        await put(archive, move("t-1", 1), Change(end=[Ended("t-1", {})]))
        assert len(reader.lines("t-1")) == 2
        assert [game.id for game in reader.finished()] == ["t-1"]


def test_a_reader_cannot_write(place: str) -> None:
    Archive.open(place).close_now()
    with Archive.open(place, readonly=True) as reader, pytest.raises(RuntimeError):
        reader.put(Change(), lambda _: None)


def test_reading_an_archive_at_rest_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    Archive.open(path).close_now()
    before = path.read_bytes()
    with Archive.open(path, readonly=True) as reader:
        assert reader.finished() == []
    assert os.listdir(path.parent) == [path.name]
    assert path.read_bytes() == before


# Closing


async def test_closing_stores_what_waits_and_answers_it(place: str) -> None:
    archive = Archive.open(place)
    heard: list[ArchiveError | None] = []
    for number in range(100):
        archive.put(deal(f"t{number}"), heard.append)
    assert await archive.close()
    assert heard == [None] * 100
    with Archive.open(place, readonly=True) as reader:
        assert len(reader.tables()) == 100


async def test_closing_leaves_one_file(tmp_path: Path) -> None:
    archive = Archive.open(tmp_path / "games.db")
    await put(archive, deal("t"))
    assert await archive.close()
    assert os.listdir(tmp_path) == ["games.db"]


async def test_what_is_put_after_closing_is_refused(place: str) -> None:
    archive = Archive.open(place)
    await put(archive, deal("t"))
    await archive.close()
    (answer,) = await put(archive, deal("u"))
    assert isinstance(answer, NotStored) and answer.reason == "closed"


async def test_closing_while_somebody_reads_keeps_everything(place: str) -> None:
    archive = Archive.open(place)
    await put(archive, deal("t"))
    with Archive.open(place, readonly=True) as reader:
        assert len(reader.tables()) == 1
        assert await archive.close()
        assert len(reader.tables()) == 1
    with Archive.open(place) as again:
        assert again.tables() == {"t": {"id": "t"}}


async def test_closing_does_not_wait_for_ever_for_a_disk_that_hangs(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_module, "CLOSE_WITHIN", 0.01)
    archive = database.open_held_up()
    answer = await database.hold(archive, deal("t"))
    assert not await archive.close()
    database.let_go()
    assert await answer is None


# Nothing kept


def test_without_an_archive_everything_is_done_at_once_and_nothing_is_there() -> None:
    heard: list[ArchiveError | None] = []
    NoStore().put(deal("t"), heard.append)
    assert heard == [None]
    assert NoPlayedGames().played_by("Ann") == []
    assert NoPlayedGames().replay("t-1", "Ann") is None
