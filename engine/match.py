"""One play of one game: its state, its journal, who has left, and how to replay it.

Work is done in two steps, so that a step can be stored before it counts: `propose` works out what would
happen and changes nothing, `adopt` makes it so. A proposal that is never adopted has used up no chance.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

import attrs

from parlour.engine.chance import Chance, Luck, Recorded, Recording, Seeded, WrongLuck
from parlour.engine.errors import IllegalAction
from parlour.engine.game import Deadline, Game, Outcome
from parlour.engine.lean import lean
from parlour.engine.secret import NOBODY, Seat

S = TypeVar("S")
A = TypeVar("A")
V = TypeVar("V")
Cause = Literal["setup", "act", "time_up", "leave", "stand_in"]


@lean
class Entry(Generic[A]):
    """One line of the journal: what happened, to whom, and the luck in it."""

    number: int
    cause: Cause
    seat: Seat | None
    action: A | None
    luck: tuple[Luck, ...]


@lean
class Beat(Generic[S, A]):
    """One entry, the state after it, and the news on the way."""

    entry: Entry[A]
    state: S = attrs.field(repr=False)
    news: tuple[Any, ...] = attrs.field(repr=False)


@lean
class Proposal(Generic[S, A]):
    """What would happen: one beat, and more where seats that have left are played for."""

    beats: tuple[Beat[S, A], ...]
    left: tuple[Seat, ...]
    used: Mapping[str, int]


class BrokenJournal(Exception):
    """A journal that the rules do not lead along: `number` is the entry at fault."""

    def __init__(self, number: int, problem: str) -> None:
        super().__init__(number, problem)
        self.number = number
        self.problem = problem

    def __str__(self) -> str:
        return f"entry {self.number}: {self.problem}"


@attrs.define(repr=False)
class Match(Generic[S, A, V]):
    """A game in play. Make one with `Match.start` or `replay`."""

    game: Game[S, A, V]
    seats: int
    options: Any
    _source: Chance
    journal: list[Entry[A]] = attrs.field(factory=list)
    left: tuple[Seat, ...] = ()
    """Seats that have left, in the order of leaving."""
    state: S = attrs.field(init=False, repr=False)
    """There is none before the deal is adopted, and none of what follows from it."""
    outcome: Outcome | None = attrs.field(init=False, repr=False, eq=False)
    awaited: frozenset[Seat] = attrs.field(init=False, repr=False, eq=False)
    deadline: Deadline | None = attrs.field(init=False, repr=False, eq=False)

    @classmethod
    def start(cls, game: Game[S, A, V], seats: int, options: Any, source: Chance) -> "Match[S, A, V]":
        """Makes a match and deals."""
        match = cls(game, seats, options, source)
        match.adopt(match.propose_setup())
        return match

    def propose_setup(self) -> Proposal[S, A]:
        chance = Recording(self._source)
        step = self.game.setup(self.seats, self.options, chance)
        beat: Beat[S, A] = Beat(Entry(0, "setup", None, None, tuple(chance.heard)), step.state, step.news)
        return Proposal((beat,), (), chance.used)

    def propose(self, seat: Seat, action: A) -> Proposal[S, A]:
        """What the action would lead to; raises IllegalAction."""
        return self._propose("act", seat, action)

    def propose_time_up(self, seat: Seat) -> Proposal[S, A]:
        """What the default action of this seat would lead to; raises IllegalAction."""
        return self._propose("time_up", seat, None)

    def propose_leave(self, seat: Seat) -> Proposal[S, A]:
        """What happens if this seat gives up, by itself or by order of the table."""
        if self.outcome is not None:
            raise IllegalAction("over")
        if seat in self.left or not 0 <= seat < self.seats:
            raise IllegalAction("not_asked")
        chance = Recording(self._source)
        beat: Beat[S, A] = Beat(Entry(len(self.journal), "leave", seat, None, ()), self.state, ())
        return self._play_for_absent([beat], (*self.left, seat), chance)

    def adopt(self, proposal: Proposal[S, A]) -> None:
        """Applies a proposal to the state and adds its entries to the journal."""
        beats, journal, game = proposal.beats, self.journal, self.game
        first = beats[0].entry.number
        if first != len(journal):
            raise RuntimeError(f"entry {first} cannot follow entry {len(journal) - 1}")
        for beat in beats:
            journal.append(beat.entry)
        self.state = state = beats[-1].state
        self.left = proposal.left
        self.outcome = outcome = self._outcome(state, proposal.left)
        if outcome is None:
            self.awaited, self.deadline = game.awaited(state), game.deadline(state)
        else:
            self.awaited, self.deadline = NOBODY, None
        if proposal.used and isinstance(self._source, Seeded):
            self._source.advance(proposal.used)

    def act(self, seat: Seat, action: A) -> Proposal[S, A]:
        """Proposes and adopts at once."""
        proposal = self.propose(seat, action)
        self.adopt(proposal)
        return proposal

    def time_up(self, seat: Seat) -> Proposal[S, A]:
        """Proposes and adopts the default action at once."""
        proposal = self.propose_time_up(seat)
        self.adopt(proposal)
        return proposal

    def leave(self, seat: Seat) -> Proposal[S, A]:
        """Proposes and adopts a seat's leaving at once."""
        proposal = self.propose_leave(seat)
        self.adopt(proposal)
        return proposal

    @property
    def view(self) -> V:
        """All that can be seen of the state, secrets still wrapped."""
        return self.game.view(self.state)

    def _propose(self, cause: Cause, seat: Seat, action: A | None) -> Proposal[S, A]:
        if self.outcome is not None:
            raise IllegalAction("over")
        chance = Recording(self._source)
        beat = self._beat(len(self.journal), cause, self.state, seat, action, chance)
        if self.left:
            return self._play_for_absent([beat], self.left, chance)
        return Proposal((beat,), (), chance.used)

    def _beat(
        self, number: int, cause: Cause, state: S, seat: Seat, action: A | None, chance: Recording
    ) -> Beat[S, A]:
        before = len(chance.heard)
        if action is not None:
            step = self.game.act(state, seat, action, chance)
        else:
            step = self.game.time_up(state, seat, chance)
        luck = tuple(chance.heard[before:])
        return Beat(Entry(number, cause, seat, action, luck), step.state, step.news)

    def _play_for_absent(
        self, beats: list[Beat[S, A]], left: tuple[Seat, ...], chance: Recording
    ) -> Proposal[S, A]:
        while left and self._outcome(beats[-1].state, left) is None:
            absent = sorted(self.game.awaited(beats[-1].state).intersection(left))
            if not absent:
                break
            last = beats[-1]
            beats.append(self._beat(last.entry.number + 1, "stand_in", last.state, absent[0], None, chance))
        return Proposal(tuple(beats), left, chance.used)

    def outcome_of(self, proposal: Proposal[S, A]) -> Outcome | None:
        """How the game would have ended by it."""
        return self._outcome(proposal.beats[-1].state, proposal.left)

    def _outcome(self, state: S, left: tuple[Seat, ...]) -> Outcome | None:
        if not left:
            return self.game.outcome(state)
        sides = self.game.sides(self.seats, self.options)
        if len(sides) == 2:
            gone = left[0]
            return Outcome.of(
                "forfeit", tuple(2 if gone in _side(sides, seat) else 1 for seat in range(self.seats))
            )
        stayed = [seat for seat in range(self.seats) if seat not in left]
        if len(stayed) <= 1:
            return Outcome.of("forfeit", _behind([1] * self.seats, left))
        outcome = self.game.outcome(state)
        return outcome and _placed_behind(outcome, left)


def _side(sides: Sequence[Sequence[Seat]], seat: int) -> Sequence[Seat]:
    return next(side for side in sides if seat in side)


def _behind(places: Sequence[int], left: Sequence[Seat]) -> tuple[int, ...]:
    """Whoever stayed keeps the order among them; behind them whoever left, the latest first."""
    stayed = sorted(place for seat, place in enumerate(places) if seat not in left)
    latest = list(reversed(left))
    return tuple(
        len(stayed) + latest.index(Seat(seat)) + 1 if seat in left else stayed.index(place) + 1
        for seat, place in enumerate(places)
    )


def _placed_behind(outcome: Outcome, left: Sequence[Seat]) -> Outcome:
    return Outcome.of(outcome.reason, _behind(outcome.places, left), drawn=not outcome.winners)


def replay(game: Game[S, A, V], seats: int, options: Any, journal: Iterable[Entry[A]]) -> "Match[S, A, V]":
    """The match that a journal tells, worked out again with the luck that it holds; raises BrokenJournal."""
    match: Match[S, A, V] | None = None
    todo = list(journal)
    while todo:
        entry = todo[0]
        number = len(match.journal) if match else 0
        if entry.number != number:
            raise BrokenJournal(number, f"is numbered {entry.number}")
        batch = [entry]
        while len(todo) > len(batch) and todo[len(batch)].cause == "stand_in":
            batch.append(todo[len(batch)])
        luck = Recorded([luck for line in batch for luck in line.luck])
        try:
            if match is None:
                match = Match(game, seats, options, luck)
            match._source = luck
            match.adopt(propose_again(match, entry))
            luck.finish()
        except (IllegalAction, WrongLuck) as wrong:
            raise BrokenJournal(number, str(wrong)) from None
        if match.journal[number:] != batch:
            raise BrokenJournal(number, "does not lead to what follows it")
        del todo[: len(batch)]
    if match is None:
        raise BrokenJournal(0, "the journal is empty")
    return match


def propose_again(match: Match[S, A, V], entry: Entry[A]) -> Proposal[S, A]:
    """What an entry of some journal leads to in this match; raises IllegalAction."""
    if (entry.cause == "setup") == bool(match.journal):
        raise IllegalAction("out_of_place", cause=entry.cause)
    match entry:
        case Entry(cause="setup"):
            return match.propose_setup()
        case Entry(cause="act", seat=int(seat), action=action) if action is not None:
            return match.propose(Seat(seat), action)
        case Entry(cause="time_up", seat=int(seat)):
            return match.propose_time_up(Seat(seat))
        case Entry(cause="leave", seat=int(seat)):
            return match.propose_leave(Seat(seat))
        case _:
            raise IllegalAction("out_of_place", cause=entry.cause)
