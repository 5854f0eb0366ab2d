"""Answers come in their order and in slices, and each slice looks whether the archive is still there."""

from support.server.hand_loop import HandLoop

from parlour.server.storage.answers import SLICE, Answer, Answers
from parlour.server.storage.errors import ArchiveError, NotStored

LOST = NotStored("games.db", "moved")


class Place:
    """The place of an archive (backend.RowStore), which may be lost."""

    lost: NotStored | None = None

    def misplaced(self) -> NotStored | None:
        return self.lost


class Given:
    """What was answered, with the time that each answer takes."""

    def __init__(self) -> None:
        self.place, self.loop = Place(), HandLoop()
        self.answers = Answers(self.place)  # type: ignore[arg-type]
        self.given: list[tuple[str, ArchiveError | None]] = []

    def named(self, name: str) -> Answer:
        def answer() -> None:
            self.loop.now += 0.6 * SLICE
            self.given.append((name, self.answers.lost))

        return answer

    def give(self, names: str) -> None:
        self.answers.give([self.named(name) for name in names], self.loop)

    @property
    def names(self) -> str:
        return "".join(name for name, _ in self.given)


def test_answers_are_given_for_a_short_time_and_the_rest_in_the_next_rounds() -> None:
    given = Given()
    given.give("abcde")
    assert given.names == "ab"
    given.loop.run_round()
    assert given.names == "abcd"
    given.loop.run_round()
    assert given.names == "abcde"
    assert given.loop.waiting == []


def test_those_of_a_later_batch_come_after_all_of_an_earlier_one() -> None:
    given = Given()
    given.give("abc")
    given.give("d")
    assert given.names == "ab", "one slice in a round"
    given.loop.run_round()
    assert given.names == "abcd"


def test_answers_that_an_answer_brings_about_come_last() -> None:
    given = Given()
    given.answers.give([lambda: given.give("c"), given.named("a"), given.named("b")], given.loop)
    given.loop.run_round()
    assert given.names == "abc"


def test_each_slice_looks_whether_the_archive_has_lost_its_place() -> None:
    given = Given()
    given.give("abc")
    given.place.lost = LOST
    given.loop.run_round()
    assert given.given == [("a", None), ("b", None), ("c", LOST)]


def test_a_bug_in_an_answer_stops_no_other() -> None:
    given, bug = Given(), ZeroDivisionError()

    def fail() -> None:
        raise bug

    given.answers.give([fail, given.named("a")], given.loop)
    assert given.names == "a"
    assert given.loop.bugs == [bug]
