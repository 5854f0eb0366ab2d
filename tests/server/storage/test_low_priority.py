"""The low-priority store puts changes together with rests between, and does what follows one at a time."""

from collections.abc import Callable

from support.server import archive_child

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Added, Change
from parlour.server.storage.errors import ArchiveError, NotStored
from parlour.server.storage.low_priority import PATIENCE, REST, LowPriorityStore
from parlour.server.storage.store import ArchiveStore, Done


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

    def run(self, until: float) -> None:
        while due := [call for call in self.calls if call[0] <= until]:
            call = min(due, key=lambda call: call[:2])
            self.calls.remove(call)
            self.now = call[0]
            call[2]()
        self.now = until


class ManualStore:
    """A store that answers when `answer` is called."""

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


def put(store: LowPriorityStore, answers: list[tuple[str, object]], *names: str) -> None:
    for name in names:
        store.put(Change(), lambda wrong, name=name: answers.append((name, wrong)))  # type: ignore[misc]


def test_what_comes_while_the_disk_is_at_work_waits_for_the_rest_and_is_stored_together() -> None:
    clock, below, answers = Clock(), ManualStore(), list[tuple[str, object]]()
    store = LowPriorityStore(below, clock, below.put)
    put(store, answers, "a", "b")
    clock.run(0.0)
    assert len(below.waiting) == 2
    put(store, answers, "c", "d")
    clock.run(0.1)
    assert len(below.waiting) == 2
    below.answer()
    clock.run(clock.now + REST / 2)
    assert below.waiting == []
    clock.run(clock.now + 1.0)
    assert len(below.waiting) == 2
    below.answer()
    clock.run(clock.now + 1.0)
    assert [name for name, _ in answers] == ["a", "b", "c", "d"]


def test_what_follows_is_done_one_at_a_time_with_room_for_others_between() -> None:
    clock, below, answers = Clock(), ManualStore(), list[tuple[str, object]]()
    store = LowPriorityStore(below, clock, below.put)
    put(store, answers, "a", "b", "c")
    clock.run(0.0)
    below.answer()
    for count in (1, 2, 3):
        clock.run(clock.now)
        assert len(answers) == count
        clock.run(clock.now + REST)


def test_what_could_not_be_stored_is_told_to_each() -> None:
    clock, below, answers = Clock(), ManualStore(), list[tuple[str, object]]()
    store = LowPriorityStore(below, clock, below.put)
    put(store, answers, "a", "b")
    clock.run(0.0)
    full = NotStored("x.db", "SQLITE_FULL")
    below.answer(full)
    clock.run(1.0)
    assert answers == [("a", full), ("b", full)]
    put(store, answers, "c")
    clock.run(2.0)
    below.answer()
    clock.run(3.0)
    assert answers[-1] == ("c", None)


def test_while_others_are_in_a_hurry_the_lane_stands_still_but_not_for_ever() -> None:
    clock, below, answers = Clock(), ManualStore(), list[tuple[str, object]]()
    others = [True]
    store = LowPriorityStore(below, clock, below.put, lambda: others[0])
    put(store, answers, "a", "b")
    clock.run(REST)
    assert below.waiting == []
    others[0] = False
    clock.run(clock.now + REST)
    assert len(below.waiting) == 2
    others[0] = True
    below.answer()
    clock.run(clock.now + REST)
    assert answers == []
    clock.run(clock.now + REST * (PATIENCE + 1))
    assert [name for name, _ in answers] == ["a"]
    clock.run(clock.now + REST * (PATIENCE + 1))
    assert [name for name, _ in answers] == ["a", "b"]


def test_a_refusal_is_told_at_once() -> None:
    """Until its player knows, whatever else is stored of them has the answer that it was done."""
    clock, below, answers = Clock(), ManualStore(), list[tuple[str, object]]()
    store = LowPriorityStore(below, clock, below.put)
    put(store, answers, "a", "b")
    clock.run(0.0)
    below.answer(NotStored("x.db", "SQLITE_FULL"))
    assert [name for name, _ in answers] == ["a", "b"]


async def test_a_command_is_stored_before_its_player_is_stored_with_the_answer(place: str) -> None:
    archive, clock = Archive.open(place), Clock()
    store = LowPriorityStore(ArchiveStore(archive), clock, archive.put_low_priority)
    archive.before_sessions = store.let_go
    told: list[ArchiveError | None] = []
    store.put(Change(lines=[Added("no such game", 0, {})], answered=["Ann"]), told.append)
    answers = await archive_child.put(
        archive, Change(save_sessions={"Bob": {}}), Change(save_sessions={"Ann": {"answer": "ok"}})
    )
    assert [answer is None for answer in (*answers, *told)] == [True, False, False]
    assert set(archive.sessions()) == {"Bob"}
    assert await archive.close()
