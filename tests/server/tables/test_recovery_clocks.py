"""Clocks after a restart: no time has passed on any of them."""

from typing import Any

import pytest
from support.server.memory_server import MemoryServer, Player, asked, dealt, seated
from support.server.memory_store import MemoryStore
from support.server.restarted_servers import back, play, restarted

from parlour.server.records.reading import read_record
from parlour.server.records.record import without_by
from parlour.server.records.verify import verify
from parlour.server.storage.change import TABLE

Plain = dict[str, Any]


@pytest.fixture
def server() -> MemoryServer:
    return MemoryServer(store=MemoryStore())


def clock_of(person: Player, table: str) -> Plain:
    clock: Plain = person.memory(table).known["clock"]
    return clock


def test_no_time_passes_while_the_server_is_down(server: MemoryServer) -> None:
    table, people = dealt(server, clocks={"decision": 30.0, "bank": 10.0, "grace": 60.0})
    (player,) = asked(people, table)
    (other,) = [person for person in people if person is not player]
    server.wait(35.0)
    player.act(table)
    server.wait(12.0)
    player.drop()
    player.come_back()
    player.resume(table)
    before = clock_of(player, table)
    seat, mine = people.index(other), people.index(player)
    assert before["ends"][seat] - before["now"] == pytest.approx(28.0)
    after = restarted(server, people)
    after.at = 5000.0
    other.come_back()
    other.resume(table)
    clock = clock_of(other, table)
    assert clock["ends"][seat] - clock["now"] == pytest.approx(28.0)
    assert clock["banks"][mine] == pytest.approx(5.0) and clock["banks"][seat] == 10.0
    assert clock["graces"] == pytest.approx([60.0, 60.0])


def test_grace_that_was_used_up_stays_used_up_and_the_clock_waits_for_who_is_not_back(
    server: MemoryServer,
) -> None:
    table, people = dealt(server, clocks={"decision": 30.0, "grace": 60.0})
    (player,) = asked(people, table)
    (other,) = [person for person in people if person is not player]
    seat = people.index(player)
    player.drop()
    server.wait(20.0)
    player.come_back()
    after = restarted(server, people)
    other.come_back()
    other.resume(table)
    assert clock_of(other, table)["ends"][seat] is None
    after.wait(39.0)
    player.come_back()
    player.resume(table)
    clock = clock_of(player, table)
    assert clock["ends"][seat] - clock["now"] == pytest.approx(30.0)
    assert clock["graces"][seat] == pytest.approx(1.0)


def test_a_game_whose_table_was_never_saved_has_lost_no_grace(server: MemoryServer) -> None:
    assert server.store is not None
    table, people = seated(server, "balloon-cup", 2, clocks={"decision": 30.0, "grace": 60.0})
    for person in people:
        person.do("ready", table=table)
    server.store.refuses = lambda rows: any(row[0] == TABLE for row in rows)
    people[0].do("start", table=table)
    server.wait(20.0)
    play(people, table, 1)
    server.store.refuses = lambda _: False
    after = restarted(server, people)
    for person in people:
        person.come_back()
        person.resume(table)
    clock = clock_of(people[0], table)
    assert clock["graces"] == [60.0, 60.0]
    assert [end and end - after.at for end in clock["ends"]].count(pytest.approx(30.0)) == 1


def test_a_wall_clock_that_goes_back_does_no_harm(server: MemoryServer) -> None:
    assert server.store is not None
    table, people = dealt(server)
    play(people, table, 3)
    server.store.time -= 86_400_000
    server = back(server, people)
    people[0].do("resign", table=table)
    header, lines, end = server.store.record(f"{table}-1")
    assert end is not None and end["ended"] < header["started"]
    record = read_record(header, list(map(without_by, lines)), end)
    assert verify(record, end["head"]).authenticated
    assert [line.at for line in record.lines] == sorted(line.at for line in record.lines)
