"""A game in progress at a table: the match, its clock, its scrambles, and who is played for.

It decides and is told what time it is. What would happen next it hands to `keep` as a deed, one at a time;
when the deed has been kept it is carried out, and what happened goes to `tell`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from parlour.engine.chance import Seeded
from parlour.engine.errors import IllegalAction, Malformed
from parlour.engine.lean import lean
from parlour.engine.maps import to_map
from parlour.engine.match import Beat, Match, Proposal
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import Seat
from parlour.protocol.errors import ProtocolError
from parlour.protocol.messages import Question, Result
from parlour.server.records.fairness import seed
from parlour.server.tables.clock import LATE_IN_A_ROW, GameClock
from parlour.server.tables.scramble import Scramble
from parlour.server.tables.seats import Settings, Sitter
from parlour.server.tournament.history import Kind

Answer = Callable[[ProtocolError | None], None]
"""Called once, when it is known whether an action counts: with what was wrong, or None."""
Tell = Callable[[tuple[Beat[Any, Any], ...], float], None]
REST = 1.0
Command = tuple[str, int]
"""Whose command it is, and its id."""


@attrs.define(eq=False, repr=False)
class Wish:
    """An action that somebody handed in, and where its one answer goes."""

    action: Any
    command: Command
    _answer: Answer
    answered: bool = False

    def answer(self, wrong: ProtocolError | None) -> None:
        if not self.answered:
            self.answered = True
            self._answer(wrong)


@lean
class Timing:
    """When an entry of the journal was decided, and how long its reaction took in a scramble."""

    entry: int
    at: float
    reaction: float | None


@lean(eq=False)
class Deed:
    """What is about to happen, once it has been kept."""

    proposal: Proposal[Any, Any]
    at: float
    reaction: float | None = None
    wish: Wish | None = None
    by: Command | None = None
    done: Answer | None = None
    """Told when it has been carried out, or could not be kept."""
    fault: Kind | None = None
    """In a tournament: what its player failed in."""


Keep = Callable[[Deed], None]
"""Sees to it that a deed is kept, and then calls `carry_out` or `call_off`, perhaps at once."""


@attrs.define(repr=False)
class Play:
    """See the module. Make one with `Play.deal`."""

    settings: Settings
    sitters: Sequence[Sitter]
    secret: bytes
    nonces: tuple[str | None, ...]
    match: Match[Any, Any, Any]
    clock: GameClock
    keep: Keep
    tell: Tell
    timings: list[Timing] = attrs.field(factory=list)
    scramble: Scramble[Wish] | None = None
    head: str | None = None
    """The last hash of the record, once the game is over and if it is kept."""
    sent: float | None = None
    """When everybody was told what stands now: later than it was decided, by as long as keeping it took."""
    _pending: Deed | None = None
    _rest_until: float | None = None
    """When to try again what time should have done and could not be kept."""
    _owed: list[Wish] = attrs.field(factory=list)
    """Wishes that were held, some of which may still be without an answer."""

    @classmethod
    def deal(
        cls,
        settings: Settings,
        sitters: Sequence[Sitter],
        secret: bytes,
        keep: Keep,
        tell: Tell,
        now: float,
    ) -> "Play":
        """Sets a game up with the secret and everybody's nonces."""
        nonces = tuple(sitter.nonce for sitter in sitters)
        source = Seeded(seed(secret, nonces))
        match: Match[Any, Any, Any] = Match(settings.game, settings.seats, settings.options, source)
        clock = GameClock.start(settings.clocks, settings.seats)
        for seat, sitter in enumerate(sitters):
            if not sitter.here:
                clock.away(seat, now)
        return cls(settings, sitters, secret, nonces, match, clock, keep, tell)

    def begin(self, now: float, done: Answer, by: Command | None = None) -> None:
        self._do(Deed(self.match.propose_setup(), now, by=by, done=done))

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    # What players do

    def act(
        self, seat: Seat, turn: int, plain: Mapping[str, Any], now: float, command: Command, answer: Answer
    ) -> None:
        """Somebody answers a question; what becomes of it may be known later, if a scramble holds it."""
        sitter = self.sitters[seat]
        match = self.match
        if match.outcome is not None:
            raise ProtocolError("over")
        if turn != sitter.turn:
            raise ProtocolError("stale" if turn < sitter.turn else "not_asked", turn=sitter.turn)
        if seat not in match.awaited:
            raise ProtocolError("not_asked", turn=sitter.turn)
        try:
            action = match.game.read_action(plain)
        except Malformed as wrong:
            self._failed(seat, "illegal", now)
            raise ProtocolError("bad_action", where=wrong.where, problem=wrong.problem) from None
        wish = Wish(action, command, answer)
        if self.scramble is None:
            self._play(seat, wish, now, None)
        elif self.scramble.has(seat):
            raise ProtocolError("not_now", problem="held")
        else:
            self._owed = [owed for owed in self._owed if not owed.answered] + [wish]
            self.scramble.offer(seat, wish, now, sitter.round_trip, sitter.bot)
            self._release(now)

    def _failed(self, seat: Seat, kind: Kind, now: float) -> bool:
        """In a tournament its rules say what comes of it: the default action, or the loss of the game."""
        terms = self.settings.terms
        if terms is None or self._pending is not None:
            return False
        if getattr(terms.failures, kind) == "default":
            self._do(Deed(self.match.propose_time_up(seat), now, fault=kind))
        else:
            self._do(Deed(self.match.propose_leave(seat), now, fault=kind))
        return True

    def resign(self, seat: Seat, now: float, done: Answer | None = None, by: Command | None = None) -> None:
        try:
            proposal = self.match.propose_leave(seat)
        except IllegalAction as wrong:
            raise _refusal(wrong) from None
        self._do(Deed(proposal, now, by=by, done=done))

    def wake(self, seat: Seat, now: float) -> None:
        """The owner of a seat that was played for is back, with a whole new clock."""
        sitter = self.sitters[seat]
        if sitter.stand_in and not sitter.left:
            sitter.stand_in = False
            self.clock.afresh(seat)
            self._ask(now)

    def gone_for_long(self, seat: Seat, now: float) -> bool:
        """Away for longer than the table's grace: the host may clear such a seat even in a game."""
        away = self.clock.hands[seat].away_since
        return away is not None and now - away > self.settings.clocks.grace

    # What time does

    def tick(self, now: float) -> None:
        """Lets go what a scramble held, and plays for those whose time is up."""
        if self._rest_until is not None and now < self._rest_until:
            return
        self._rest_until = None
        self._release(now)
        for seat in self.clock.up(now):
            if self._is_asked(seat):
                self._release(now, at_once=True)
            if self._is_asked(seat) and seat in self.clock.up(now):
                self._overslept(Seat(seat), now)

    def _is_asked(self, seat: int) -> bool:
        return self._pending is None and not self.over and seat in self.match.awaited

    def wake_at(self) -> float | None:
        """When `tick` has something to do."""
        if self.match.outcome is not None:
            return None
        if self._rest_until is not None:
            return self._rest_until
        end = self.clock.next_end()
        if self.scramble is None:
            return end
        ready = self.scramble.wake_at(self.match.awaited, self._trips())
        return ready if end is None or (ready is not None and ready < end) else end

    def _overslept(self, seat: Seat, now: float) -> None:
        hand = self.clock.hands[seat]
        if hand.late + 1 >= LATE_IN_A_ROW and self.settings.clocks.late == "forfeit":
            self.resign(seat, now)
        elif not self._failed(seat, "late" if hand.away_since is None else "crashed", now):
            self._do(Deed(self.match.propose_time_up(seat), now))

    def _was_late(self, seat: Seat) -> None:
        sitter = self.sitters[seat]
        if not sitter.stand_in and self.clock.overslept(seat) >= LATE_IN_A_ROW:
            sitter.stand_in = True

    def _trips(self) -> dict[int, float]:
        return {seat: sitter.round_trip for seat, sitter in enumerate(self.sitters)}

    def _release(self, now: float, at_once: bool = False) -> None:
        while self.scramble is not None and self._pending is None:
            held = self.scramble.take(now, self.match.awaited, self._trips(), at_once)
            if held is None:
                return
            if held.seat in self.match.awaited:
                self._play(Seat(held.seat), held.what, now, held.reaction)
            else:
                held.what.answer(ProtocolError("taken"))

    # What follows

    def _play(self, seat: Seat, wish: Wish, now: float, reaction: float | None) -> None:
        try:
            proposal = self.match.propose(seat, wish.action)
        except IllegalAction as wrong:
            refusal = _refusal(wrong)
            wish.answer(refusal)
            if refusal.code.name == "illegal":
                self._failed(seat, "illegal", now)
            return
        self._do(Deed(proposal, now, reaction, wish, wish.command))

    def _do(self, deed: Deed) -> None:
        self._pending = deed
        self.keep(deed)

    def carry_out(self, deed: Deed) -> None:
        """It has been kept: it is so."""
        self._pending = None
        if deed.wish is not None:
            deed.wish.answer(None)
        self.go_through(deed.proposal, deed.at, deed.reaction, deed.fault)
        self.tell(deed.proposal.beats, deed.at)
        if deed.done is not None:
            deed.done(None)

    def go_through(
        self,
        proposal: Proposal[Any, Any],
        at: float,
        reaction: float | None,
        fault: Kind | None = None,
    ) -> None:
        """Makes it so: now, or again after a restart."""
        entry = proposal.beats[0].entry
        if entry.seat is not None:
            if fault is not None:
                self.sitters[entry.seat].failed(fault)
            if entry.cause == "act":
                self._note_thought(entry.seat, at, reaction)
                self.clock.answered(entry.seat, at)
            elif entry.cause == "time_up" and fault != "illegal":
                self._was_late(entry.seat)
            elif entry.cause == "leave":
                self.sitters[entry.seat].left = True
        self.match.adopt(proposal)
        for beat in proposal.beats:
            self.timings.append(Timing(beat.entry.number, at, reaction))
        self._ask(at)

    def _note_thought(self, seat: Seat, at: float, reaction: float | None) -> None:
        """Thinking lasts from when the question went out to when the answer came in, less the way."""
        sitter, hand = self.sitters[seat], self.clock.hands[seat]
        if reaction is None:
            asked = at if hand.asked_at is None else hand.asked_at
            since = asked if self.sent is None else max(asked, self.sent)
            reaction = at - since - hand.waited(at) - sitter.round_trip
        sitter.moves += 1
        sitter.thought += max(0.0, reaction)

    def come_back(self, shift: float, now: float) -> None:
        """After a restart: the clocks go on from now, and everybody is away, until they are back."""
        self.clock.move(shift)
        for seat in range(len(self.sitters)):
            self.clock.away(seat, now)
        self.scramble = None
        self._open_scramble(now)

    def call_off(self, deed: Deed, wrong: ProtocolError) -> None:
        """It could not be kept: nothing has happened, and no luck was used up."""
        self._pending = None
        if deed.wish is not None:
            deed.wish.answer(wrong)
        else:
            self._rest_until = deed.at + REST
        if deed.done is not None:
            deed.done(wrong)

    def _ask(self, now: float) -> None:
        """Numbers the questions, starts the clocks, and opens or closes a scramble."""
        deadline, awaited = self.match.deadline, self.match.awaited
        if deadline is None:
            self.clock.stop(now)
            self._drop_scramble()
            return
        for seat in awaited:
            sitter = self.sitters[seat]
            if sitter.asked != deadline.key:
                sitter.asked = deadline.key
                sitter.turn += 1
        new = deadline.key != self.clock.key
        stand_ins = [seat for seat, sitter in enumerate(self.sitters) if sitter.stand_in]
        self.clock.ask(deadline.key, awaited, deadline.scramble, stand_ins, now)
        if new:
            if self.scramble is not None:
                self._drop_scramble()
            self._open_scramble(now)

    def _open_scramble(self, now: float) -> None:
        deadline = self.match.deadline
        if deadline is not None and deadline.scramble and len(self.match.awaited) > 1:
            people = any(not (sitter.bot or sitter.left) for sitter in self.sitters)
            self.scramble = Scramble(now, self.settings.reaction if people else 0.0)

    def _drop_scramble(self) -> None:
        """Whoever was too late for the last pawn is told so."""
        scramble, self.scramble = self.scramble, None
        for held in scramble.held if scramble else ():
            held.what.answer(ProtocolError("taken"))

    def break_off(self, wrong: ProtocolError) -> None:
        """The table is no more: nobody waits for an answer that will not come."""
        for wish in self._owed:
            wish.answer(wrong)
        if self._pending is not None:
            self.call_off(self._pending, wrong)

    # What can be told of it

    def question(self, seat: Seat) -> Question | None:
        asked = self.asked(seat)
        return Question(**asked) if asked is not None else None

    def asked(self, seat: Seat) -> dict[str, Any] | None:
        """The question as it is written: to make one first would cost too much at every move."""
        deadline = self.match.deadline
        if deadline is None or seat not in self.match.awaited:
            return None
        return {
            "turn": self.sitters[seat].turn,
            "phase": deadline.phase,
            "scramble": deadline.scramble,
            "legal": choices_to_map(self.match.game.legal(self.match.state, seat)),
        }

    def result(self, everything: bool) -> Result | None:
        """How it ended; for whoever may know everything with the secret, by which the luck can be checked."""
        outcome = self.match.outcome
        if outcome is None:
            return None
        secret = self.secret.hex() if everything else None
        return Result(outcome.winners, outcome.places, outcome.reason, secret, self.nonces, self.head)


def _refusal(wrong: IllegalAction) -> ProtocolError:
    """What the rules refuse, in the protocol's words."""
    code = wrong.code if wrong.code in ("taken", "over", "not_asked") else "illegal"
    facts = {key: value for key, value in to_map(dict(wrong.facts)).items() if key != "why"}
    return ProtocolError(code, why=wrong.code, **facts)
