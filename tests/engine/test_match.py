"""A match: proposing and adopting, leaving, the journal and its replay."""

import attrs
import pytest

from parlour.engine.balloon_cup import public as p
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Luck, Seeded
from parlour.engine.errors import IllegalAction
from parlour.engine.match import BrokenJournal, Entry, Match, replay
from parlour.engine.secret import Seat

GAME = GAMES["balloon-cup"]
OPTIONS = GAME.read_options({"first": 0}, 2)


@pytest.fixture
def match() -> Match:
    return Match.start(GAME, 2, OPTIONS, Seeded(bytes(32)))


def first_action(match: Match) -> tuple[Seat, p.Action]:
    seat = min(match.awaited)
    return seat, match.game.legal(match.state, seat)[0]


def some_moves(match: Match, count: int) -> None:
    for _ in range(count):
        match.act(*first_action(match))


def test_a_proposal_that_is_not_adopted_changes_nothing_and_uses_up_no_chance(match: Match) -> None:
    some_moves(match, 9)
    state, journal = match.state, list(match.journal)
    once = match.propose(*first_action(match))
    again = match.propose(*first_action(match))
    assert once == again
    assert (match.state, match.journal) == (state, journal)
    match.adopt(once)
    assert match.journal == [*journal, once.beats[0].entry]


def test_a_proposal_of_yesterday_cannot_be_adopted(match: Match) -> None:
    old = match.propose(*first_action(match))
    some_moves(match, 1)
    with pytest.raises(RuntimeError):
        match.adopt(old)


def test_a_refused_action_leaves_no_trace(match: Match) -> None:
    state, journal = match.state, list(match.journal)
    with pytest.raises(IllegalAction) as refused:
        match.act(Seat(1), p.Decline())
    assert refused.value.code == "not_asked"
    with pytest.raises(IllegalAction):
        match.act(Seat(0), p.Decline())
    with pytest.raises(IllegalAction):
        match.time_up(Seat(1))
    assert (match.state, match.journal) == (state, journal)


def test_of_two_players_the_one_who_stays_wins(match: Match) -> None:
    some_moves(match, 4)
    match.leave(Seat(0))
    assert match.outcome is not None
    assert (match.outcome.winners, match.outcome.reason) == ((Seat(1),), "forfeit")
    assert match.outcome.places == (2, 1)
    assert match.awaited == frozenset()
    assert match.deadline is None
    for late in (lambda: match.leave(Seat(1)), lambda: match.time_up(Seat(1))):
        with pytest.raises(IllegalAction) as refused:
            late()
        assert refused.value.code == "over"


def test_a_seat_that_is_not_there_cannot_leave(match: Match) -> None:
    with pytest.raises(IllegalAction):
        match.leave(Seat(2))


def test_a_journal_with_its_luck_needs_no_generator(match: Match) -> None:
    some_moves(match, 30)
    again = replay(GAME, 2, OPTIONS, match.journal)
    assert again.state == match.state
    assert again.journal == match.journal


def changed(match: Match, place: int, what: dict[str, object]) -> list[Entry]:
    journal = list(match.journal)
    journal[place] = attrs.evolve(journal[place], **what)
    return journal


@pytest.mark.parametrize(
    "what",
    [
        {"action": p.Decline()},
        {"action": None},
        {"seat": Seat(1)},
        {"number": 7},
        {"luck": (Luck("bag", "draw", "red"),)},
        {"cause": "setup"},
        {"cause": "stand_in"},
        {"cause": "leave"},
    ],
)
def test_a_journal_that_was_changed_is_refused_with_the_entry_at_fault(match: Match, what: dict) -> None:
    some_moves(match, 8)
    with pytest.raises(BrokenJournal) as broken:
        replay(GAME, 2, OPTIONS, changed(match, 1, what))
    assert broken.value.number <= 2


def test_an_empty_journal_tells_nothing() -> None:
    with pytest.raises(BrokenJournal):
        replay(GAME, 2, OPTIONS, [])


def test_a_journal_that_does_not_begin_with_the_deal_is_refused(match: Match) -> None:
    some_moves(match, 3)
    with pytest.raises(BrokenJournal) as broken:
        replay(GAME, 2, OPTIONS, [attrs.evolve(match.journal[1], number=0)])
    assert broken.value.number == 0
