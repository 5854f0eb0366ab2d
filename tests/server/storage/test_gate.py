"""One change at a time goes through a gate; whoever waits is answered once, whatever goes wrong."""

from collections.abc import Callable
from typing import Any

import pytest

from parlour.protocol.errors import ProtocolError
from parlour.server.storage.change import Change
from parlour.server.storage.errors import NotStored
from parlour.server.storage.gate import WriteGate
from parlour.server.storage.store import Done, NoStore


class SlowStore(NoStore):
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[Done] = []
        self.broken = False

    def put(self, change: Change, done: Done) -> None:  # noqa: ARG002
        if self.broken:
            raise OSError("planted")
        self.waiting.append(done)

    def answer(self, stored: bool = True) -> None:
        self.waiting.pop(0)(None if stored else NotStored("memory", "SQLITE_FULL"))


class Kept:
    """What stands behind a gate, and all that has happened to it."""

    def __init__(self, store: NoStore | None = None) -> None:
        self.log: list[Any] = []
        self.store = store or SlowStore()
        self.gate = WriteGate("thing", self.store, self.report, self.fail, lambda: self.log.append("free"))

    def report(self, where: str, _number: int, bug: BaseException) -> None:
        self.log.append((where, type(bug).__name__))

    def fail(self, bug: BaseException) -> None:
        self.log.append(("failed", type(bug).__name__))

    def note(self, what: str) -> Callable[[], None]:
        return lambda: self.log.append(what)

    def reply(self, wrong: ProtocolError | None) -> None:
        self.log.append(("reply", wrong and wrong.code.name))

    def put(self, name: str, commit: Callable[[], None] | None = None) -> None:
        def refuse(wrong: ProtocolError) -> ProtocolError:
            self.log.append(f"{name} undone")
            return wrong

        self.gate.reply(self.reply)
        self.gate.put(Change(), commit or self.note(name), refuse)


@pytest.fixture
def kept() -> Kept:
    return Kept()


def answer(kept: Kept, stored: bool = True) -> None:
    assert isinstance(kept.store, SlowStore)
    kept.store.answer(stored)


def test_a_change_is_committed_then_answered_and_then_what_has_waited_goes_on(kept: Kept) -> None:
    kept.put("change")
    kept.gate.when_free(kept.note("waited"))
    assert kept.gate.busy and kept.log == []
    answer(kept)
    assert kept.log == ["change", ("reply", None), "waited", "free"]


def test_a_store_that_answers_at_once_goes_the_same_way() -> None:
    kept = Kept(NoStore())
    kept.put("change")
    assert kept.log == ["change", ("reply", None), "free"] and not kept.gate.busy


def test_what_could_not_be_stored_is_undone_and_answered_with_not_kept(kept: Kept) -> None:
    kept.put("change")
    kept.gate.when_free(kept.note("waited"))
    answer(kept, stored=False)
    assert kept.log == ["change undone", ("reply", "not_kept"), "waited", "free"]


def test_what_is_to_be_stored_later_is_answered_as_done(kept: Kept) -> None:
    kept.gate.reply(kept.reply)
    kept.gate.put(Change(), kept.note("change"), lambda _: None)
    answer(kept, stored=False)
    assert kept.log == [("reply", None), "free"]


def test_a_change_that_follows_from_another_holds_its_answer_back_but_cannot_take_it_back(kept: Kept) -> None:
    kept.put("first", lambda: kept.gate.put(Change(), kept.note("second"), lambda wrong: wrong))
    answer(kept)
    assert kept.log == [] and kept.gate.busy
    answer(kept, stored=False)
    assert kept.log == [("reply", None), "free"]


def test_work_that_waits_is_done_one_by_one_each_after_the_change_of_the_one_before(kept: Kept) -> None:
    kept.put("first")
    kept.gate.when_free(lambda: kept.put("second"))
    kept.gate.when_free(kept.note("third"))
    answer(kept)
    assert kept.log == ["first", ("reply", None)]
    answer(kept)
    assert kept.log[2:] == ["second", ("reply", None), "third", "free"]


def test_a_bug_in_a_commit_fails_what_is_stored_and_leaves_nobody_waiting(kept: Kept) -> None:
    kept.put("change", lambda: 1 // 0)  # type: ignore[arg-type, return-value]
    kept.gate.when_free(kept.note("waited"))
    answer(kept)
    assert kept.log == [("failed", "ZeroDivisionError"), ("reply", "failed"), "waited", "free"]


def test_a_store_with_a_bug_leaves_nobody_waiting(kept: Kept) -> None:
    assert isinstance(kept.store, SlowStore)
    kept.store.broken = True
    kept.put("change")
    assert kept.log == [("failed", "OSError"), ("reply", "failed"), "free"] and not kept.gate.busy


def test_a_bug_in_one_piece_of_waiting_work_or_one_answer_ends_that_alone(kept: Kept) -> None:
    kept.gate.reply(lambda _: 1 // 0)  # type: ignore[arg-type, return-value]
    kept.put("change")
    kept.gate.when_free(lambda: 1 // 0, kept.note("told"))  # type: ignore[arg-type, return-value]
    kept.gate.when_free(kept.note("waited"))
    answer(kept)
    bug = ("thing", "ZeroDivisionError")
    assert kept.log == ["change", bug, ("reply", None), bug, "told", "waited", "free"]


def test_a_gate_that_is_closed_answers_everybody_and_ignores_the_store(kept: Kept) -> None:
    kept.put("change")
    kept.gate.when_free(kept.note("waited"))
    kept.gate.close(None)
    assert kept.log == [("reply", "failed"), "waited", "free"]
    answer(kept)
    assert kept.log == [("reply", "failed"), "waited", "free"]


def test_work_in_another_thread_holds_the_gate_until_it_is_released(kept: Kept) -> None:
    kept.gate.hold()
    kept.gate.when_free(kept.note("waited"))
    kept.gate.release(kept.note("done"))
    assert kept.log == ["done", "waited", "free"]
