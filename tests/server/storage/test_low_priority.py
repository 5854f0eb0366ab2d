"""The slow lane: changes are stored together with rests between, and what follows is done one at a time."""

from collections.abc import Callable
from typing import Any

from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError, NotStored
from parlour.server.storage.low_priority import PATIENCE, REST, LowPriorityStore
from parlour.server.storage.store import Done


class Clock:
    """An event loop whose time is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[tuple[float, int, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now

    def call_soon(self, work: Callable[[], None]) -> None:
        self.call_later(0.0, work)

    def call_later(self, seconds: float, work: Callable[[], None]) -> None:
        self.calls.append((self.now + seconds, len(self.calls), work))

    def run_in_executor(self, _executor: None, work: Callable[[], Any]) -> Any:
        raise NotImplementedError(work)

    def run(self, until: float) -> None:
        while due := [call for call in self.calls if call[0] <= until]:
            call = min(due, key=lambda call: call[:2])
            self.calls.remove(call)
            self.now = call[0]
            call[2]()
        self.now = until


class Disk:
    """A store that answers when told to."""

    durable = True

    def __init__(self) -> None:
        self.waiting: list[Done] = []

    def put(self, _change: Change, done: Done) -> None:
        self.waiting.append(done)

    def wall(self) -> int:
        return 0

    def answer(self, wrong: ArchiveError | None = None) -> None:
        waiting, self.waiting = self.waiting, []
        for done in waiting:
            done(wrong)


def put(store: LowPriorityStore, told: list[tuple[str, object]], *names: str) -> None:
    for name in names:
        store.put(Change(), lambda wrong, name=name: told.append((name, wrong)))  # type: ignore[misc]


def test_what_comes_while_the_disk_is_at_work_waits_for_the_rest_and_is_stored_together() -> None:
    clock, disk, told = Clock(), Disk(), list[tuple[str, object]]()
    store = LowPriorityStore(disk, clock, disk.put)
    put(store, told, "a", "b")
    clock.run(0.0)
    assert len(disk.waiting) == 2
    put(store, told, "c", "d")
    clock.run(0.1)
    assert len(disk.waiting) == 2
    disk.answer()
    clock.run(clock.now + REST / 2)
    assert disk.waiting == []
    clock.run(clock.now + 1.0)
    assert len(disk.waiting) == 2
    disk.answer()
    clock.run(clock.now + 1.0)
    assert [name for name, _ in told] == ["a", "b", "c", "d"]


def test_what_follows_is_done_one_at_a_time_with_room_for_others_between() -> None:
    clock, disk, told = Clock(), Disk(), list[tuple[str, object]]()
    store = LowPriorityStore(disk, clock, disk.put)
    put(store, told, "a", "b", "c")
    clock.run(0.0)
    disk.answer()
    for count in (1, 2, 3):
        clock.run(clock.now)
        assert len(told) == count
        clock.run(clock.now + REST)


def test_what_could_not_be_stored_is_told_to_each() -> None:
    clock, disk, told = Clock(), Disk(), list[tuple[str, object]]()
    store = LowPriorityStore(disk, clock, disk.put)
    put(store, told, "a", "b")
    clock.run(0.0)
    full = NotStored("x.db", "SQLITE_FULL")
    disk.answer(full)
    clock.run(1.0)
    assert told == [("a", full), ("b", full)]
    put(store, told, "c")
    clock.run(2.0)
    disk.answer()
    clock.run(3.0)
    assert told[-1] == ("c", None)


def test_while_others_are_in_a_hurry_the_lane_stands_still_but_not_for_ever() -> None:
    clock, disk, told = Clock(), Disk(), list[tuple[str, object]]()
    others = [True]
    store = LowPriorityStore(disk, clock, disk.put, lambda: others[0])
    put(store, told, "a", "b")
    clock.run(REST)
    assert disk.waiting == []
    others[0] = False
    clock.run(clock.now + REST)
    assert len(disk.waiting) == 2
    others[0] = True
    disk.answer()
    clock.run(clock.now + REST)
    assert told == []
    clock.run(clock.now + REST * (PATIENCE + 1))
    assert [name for name, _ in told] == ["a"]
    clock.run(clock.now + REST * (PATIENCE + 1))
    assert [name for name, _ in told] == ["a", "b"]
