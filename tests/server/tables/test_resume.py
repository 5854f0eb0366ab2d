"""Coming back: whatever number was seen last, what a client puts together is what the table is."""

import copy
import functools
from typing import Any

import pytest
from laws.playing import ALL_KINDS, Dice, TableKind
from support.server.memory_server import MemoryServer, Player, asked, dealt
from support.server.table_memory import Memory

from parlour.engine.secret import Seat
from parlour.protocol.codec import unpack
from parlour.server.limits import PLENTY, Limits
from parlour.server.tables.event_log import GAP, KEPT_EVENTS, EventLog


@functools.lru_cache(2 * KEPT_EVENTS)
def unpacked(frame: bytes) -> dict[str, Any]:
    """What is kept at a table comes again with every resume."""
    return unpack(frame)


def events_of(player: Player, table: str) -> list[dict[str, Any]]:
    return [plain for plain in player.seen if "seq" in plain and plain["table"] == table]


def caught_up(player: Player, table: str, memory: Memory, after: int | None) -> Memory:
    """What a client with this memory has after a resume."""
    place = len(player.peer.frames)
    player.send("resume", table=table, after=after)
    for frame in player.peer.frames[place:]:
        plain = unpacked(frame)
        if "seq" in plain:
            memory.take(plain)
    return memory


@pytest.mark.parametrize("kind", [kind for kind in ALL_KINDS if not kind.given], ids=str)
def test_after_any_number_a_resume_leads_to_the_same_as_having_been_there_all_the_time(
    kind: TableKind,
) -> None:
    server, dice = MemoryServer(), Dice(str(kind))
    table, people = dealt(server, kind.game.name, kind.seats)
    watcher = server.player("Wes")
    watcher.do("watch", table=table)
    while waiting := asked(people, table):
        dice.pick(waiting).act(table, dice.below(10**6))
        server.wait(0.2)
        for player in (people[-1], watcher) if dice.one_in(3) else ():
            fresh = caught_up(player, table, Memory(), None)
            assert fresh.comparable() == player.memory(table).comparable(), "a snapshot says something else"
    for player in (people[-1], watcher):
        whole, memory = player.memory(table), Memory()
        for event in events_of(player, table):
            memory.take(event)
            if memory.seq is None or event["type"] == "snapshot" or whole.seq is None:
                continue
            if whole.seq - memory.seq < KEPT_EVENTS + 5 or dice.one_in(10):
                later = caught_up(player, table, copy.copy(memory), memory.seq)
                assert (later.seq, later.comparable()) == (whole.seq, whole.comparable())


def test_what_is_no_longer_kept_comes_as_a_snapshot() -> None:
    server = MemoryServer(Limits(seats=PLENTY))
    ann = server.player("Ann")
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    for number in range(KEPT_EVENTS + 5):
        ann.do("ready", table=table, on=bool(number % 2))
    last = ann.memory(table).seq
    assert last is not None
    assert ann.resume(table, last) == {"snapshot": False}
    assert ann.resume(table, last - KEPT_EVENTS) == {"snapshot": False}
    assert ann.resume(table, last - KEPT_EVENTS - 1) == {"snapshot": True}


@pytest.mark.parametrize("after", [-1, 10**6, -(2**52), 2**52])
def test_a_number_that_was_never_given_brings_a_snapshot(after: int) -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    assert ann.resume(table, after) == {"snapshot": True}


def test_a_watcher_who_lost_the_connection_watches_anew() -> None:
    server = MemoryServer()
    table, _ = dealt(server)
    wes = server.player("Wes")
    wes.do("watch", table=table)
    wes.drop()
    assert wes.come_back()["tables"] == []
    assert wes.refused("resume", table=table).code == "not_seated"
    wes.do("watch", table=table)


def test_watchers_never_get_what_came_before_somebody_watched() -> None:
    server = MemoryServer()
    table, people = dealt(server)
    for _ in range(4):
        asked(people, table)[0].act(table)
    wes = server.player("Wes")
    wes.do("watch", table=table)
    first = wes.last("snapshot")["seq"]
    for after in range(first + 1):
        wes.resume(table, after)
    assert wes.memory(table).comparable()["view"] == wes.last("snapshot")["view"]


def test_after_a_restart_a_viewer_whose_first_events_were_not_stored_gets_new_numbers_as_well() -> None:
    log = EventLog()
    log.skip(Seat(0))
    log.restart([Seat(0), Seat(1), None])
    assert [log.seq(viewer) for viewer in (Seat(0), Seat(1), None)] == [GAP + 1, GAP, GAP]
