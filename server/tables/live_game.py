"""A game in progress at a table: the match, its clock, its scrambles, and who is played for.

It decides, and is told what time it is. A move that it proposes is `pending` until it has been stored; then
`commit` applies it. Answers to players' commands are collected in `answers`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs

from parlour.engine.chance import Seeded
from parlour.engine.errors import IllegalAction, Malformed
from parlour.engine.lean import lean
from parlour.engine.maps import to_map
from parlour.engine.match import Match, Proposal
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import Seat
from parlour.protocol.errors import ProtocolError
from parlour.protocol.messages import Question, Result
from parlour.server.records.fairness import seed
from parlour.server.tables.clock import LATE_IN_A_ROW, GameClock
from parlour.server.tables.scramble import Scramble
from parlour.server.tables.seats import SeatedPlayer, Settings
from parlour.server.tables.update_frames import Asked
from parlour.server.tables.view_writer import Written
from parlour.server.tournament.history import FailureKind

REST = 1.0
"""Seconds after which to try again a move that time made and that could not be stored."""
Command = tuple[str, int]
"""Whose command it is, and its id."""


Answer = tuple[Command, ProtocolError | None]
"""The answer to a command: done, or what was wrong."""
Then = Literal["vacate", "announce"]
"""What the table does once a move is committed: free the seat, or tell that the player has resigned."""


@lean(eq=False)
class Submission:
    """An action that a scramble holds."""

    action: Any
    command: Command


@lean(eq=False)
class PendingMove:
    """A move, or the deal, that counts once it has been stored."""

    proposal: Proposal[Any, Any]
    at: float
    reaction: float | None = None
    by: Command | None = None
    chosen: bool = False
    """An action that a player has sent: its command is answered when it has been stored."""
    then: Then | None = None
    failure: FailureKind | None = None
    """In a tournament: what its player failed in."""


@attrs.define(repr=False)
class LiveGame:
    """The game at a table. Make one with `LiveGame.deal`."""

    settings: Settings
    players: Sequence[SeatedPlayer]
    secret: bytes
    nonces: tuple[str | None, ...]
    match: Match[Any, Any, Any]
    clock: GameClock
    scramble: Scramble[Submission] | None = None
    head: str | None = None
    """The last hash of the record, once the game is over and if it is recorded."""
    last_written: Written | None = None
    """The view of the last update, as it was written: what has not changed is not packed again."""
    sent: float | None = None
    """When the last update went out: later than it was decided, by as long as storing it took."""
    pending: PendingMove | None = None
    """The move that is to be stored, or is being stored, before anything else happens."""
    answers: list[Answer] = attrs.field(factory=list)
    """Answers that are to be sent."""
    _rest_until: float | None = None
    """When to try again a move that time made and that could not be stored."""
    _owed: set[Command] = attrs.field(factory=set)
    """Commands of submissions that are still without an answer."""

    @classmethod
    def deal(
        cls,
        settings: Settings,
        players: Sequence[SeatedPlayer],
        secret: bytes,
        now: float,
    ) -> "LiveGame":
        """Sets a game up with the server's secret and all players' nonces."""
        nonces = tuple(player.nonce for player in players)
        source = Seeded(seed(secret, nonces))
        match: Match[Any, Any, Any] = Match(settings.game, settings.seats, settings.options, source)
        clock = GameClock.start(settings.clocks, settings.seats)
        for seat, player in enumerate(players):
            if not player.here:
                clock.away(seat, now)
        return cls(settings, players, secret, nonces, match, clock)

    def begin(self, now: float, by: Command | None = None) -> None:
        self.pending = PendingMove(self.match.propose_setup(), now, by=by)

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    # What players do

    def act(self, seat: Seat, turn: int, plain: Mapping[str, Any], now: float, command: Command) -> None:
        """Takes a player's answer to a question; a scramble may hold it for a moment."""
        player = self.players[seat]
        match = self.match
        if match.outcome is not None:
            raise ProtocolError("over")
        if turn != player.turn:
            raise ProtocolError("stale" if turn < player.turn else "not_asked", turn=player.turn)
        if seat not in match.awaited:
            raise ProtocolError("not_asked", turn=player.turn)
        try:
            action = match.game.read_action(plain)
        except Malformed as wrong:
            self._penalise(seat, "illegal", now)
            raise ProtocolError("bad_action", where=wrong.where, problem=wrong.problem) from None
        if self.scramble is not None and self.scramble.has(seat):
            raise ProtocolError("not_now", problem="held")
        if self.scramble is not None and player.bot and self._waits_for_learner():
            raise ProtocolError("not_now", problem="practice")
        self._owed.add(command)
        if self.scramble is None:
            self._propose(seat, action, command, now, None)
        else:
            submission = Submission(action, command)
            self.scramble.offer(seat, submission, now, player.round_trip, player.played_by_bot)
            self._release(now)

    def _waits_for_learner(self) -> bool:
        """Whether bots wait in a scramble, at a table for practice: a person is still to act."""
        seats = self.match.awaited if self.settings.practice else ()
        return any(not (self.players[seat].bot or self.players[seat].stand_in) for seat in seats)

    def _answer(self, command: Command, wrong: ProtocolError | None) -> None:
        """Answers a submission, once."""
        if command in self._owed:
            self._owed.remove(command)
            self.answers.append((command, wrong))

    def _penalise(self, seat: Seat, kind: FailureKind, now: float) -> bool:
        """In a tournament, does what its rules say about a failure: the default action, or a forfeit."""
        terms = self.settings.terms
        if terms is None or self.pending is not None:
            return False
        if getattr(terms.failures, kind) == "default":
            self.pending = PendingMove(self.match.propose_time_up(seat), now, failure=kind)
        else:
            self.pending = PendingMove(self.match.propose_leave(seat), now, failure=kind)
        return True

    def resign(
        self,
        seat: Seat,
        now: float,
        by: Command | None = None,
        then: Then | None = None,
    ) -> None:
        try:
            proposal = self.match.propose_leave(seat)
        except IllegalAction as wrong:
            raise _refusal(wrong) from None
        self.pending = PendingMove(proposal, now, by=by, then=then)

    def give_seat_back(self, seat: Seat, now: float) -> None:
        """Gives a seat back to its player, who was played for, with a whole new clock."""
        player = self.players[seat]
        if player.stand_in and not player.left:
            player.stand_in = False
            self.clock.restart(seat)
            self._ask(now)

    def forget_choice(self, name: str) -> None:
        """Drops what a substitute has chosen, if a scramble still holds it: its seat is no longer its own."""
        held = self.scramble.held if self.scramble is not None else []
        for one in [one for one in held if one.what.command[0] == name]:
            held.remove(one)
            self._owed.discard(one.what.command)

    def gone_for_long(self, seat: Seat, now: float) -> bool:
        """Whether a player was away for longer than the grace: the host may then clear the seat."""
        away = self.players[seat].away_since
        return away is not None and now - away > self.settings.clocks.grace

    # What time does

    def tick(self, now: float) -> None:
        """Plays what a scramble held for long enough, and plays for seats whose time is up."""
        if self._rest_until is not None and now < self._rest_until:
            return
        self._rest_until = None
        self._release(now)
        for seat in self.clock.timed_out(now):
            if self._is_asked(seat):
                self._release(now, at_once=True)
            if self._is_asked(seat) and seat in self.clock.timed_out(now):
                self._time_out(Seat(seat), now)

    def _is_asked(self, seat: int) -> bool:
        return self.pending is None and not self.over and seat in self.match.awaited

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

    def _time_out(self, seat: Seat, now: float) -> None:
        seat_clock = self.clock.seats[seat]
        if seat_clock.late + 1 >= LATE_IN_A_ROW and self.settings.clocks.late == "forfeit":
            self.resign(seat, now)
        elif not self._penalise(seat, "late" if seat_clock.away_since is None else "crashed", now):
            self.pending = PendingMove(self.match.propose_time_up(seat), now)

    def _count_late(self, seat: Seat) -> None:
        player = self.players[seat]
        if not player.stand_in and self.clock.count_late(seat) >= LATE_IN_A_ROW:
            player.stand_in = True

    def _trips(self) -> dict[int, float]:
        return {seat: player.round_trip for seat, player in enumerate(self.players)}

    def _release(self, now: float, at_once: bool = False) -> None:
        while self.scramble is not None and self.pending is None:
            held = self.scramble.take(now, self.match.awaited, self._trips(), at_once)
            if held is None:
                return
            if held.seat in self.match.awaited:
                self._propose(Seat(held.seat), held.what.action, held.what.command, now, held.reaction)
            else:
                self._answer(held.what.command, ProtocolError("taken"))

    # Proposing and committing

    def _propose(self, seat: Seat, action: Any, command: Command, now: float, reaction: float | None) -> None:
        try:
            proposal = self.match.propose(seat, action)
        except IllegalAction as wrong:
            refusal = _refusal(wrong)
            self._answer(command, refusal)
            if refusal.code.name == "illegal":
                self._penalise(seat, "illegal", now)
            return
        self.pending = PendingMove(proposal, now, reaction, command, chosen=True)

    def commit(self, pending: PendingMove, sent: float) -> None:
        """Applies a stored move and answers its player; another move may be pending then.

        `sent` is when players are told: storing it took as long, and nobody has thought meanwhile.
        """
        self.pending, scramble = None, self.scramble
        if pending.by is not None and pending.chosen:
            self._answer(pending.by, None)
        self.apply(pending.proposal, pending.at, pending.reaction, pending.failure)
        self.sent = sent
        if self.scramble is not None:
            if self.scramble is not scramble:
                self.scramble.revealed = sent
            self._release(pending.at)

    def apply(
        self,
        proposal: Proposal[Any, Any],
        at: float,
        reaction: float | None,
        failure: FailureKind | None = None,
    ) -> None:
        """Applies a proposal to match, clock and players: now, or again after a restart."""
        entry = proposal.beats[0].entry
        if entry.seat is not None:
            if failure is not None:
                self.players[entry.seat].count_failure(failure)
            if entry.cause == "act":
                self._note_thought(entry.seat, at, reaction)
                self.clock.charge(entry.seat, at)
            elif entry.cause == "time_up" and failure != "illegal":
                self._count_late(entry.seat)
            elif entry.cause == "leave":
                self.players[entry.seat].left = True
        self.match.adopt(proposal)
        self._ask(at)

    def _note_thought(self, seat: Seat, at: float, reaction: float | None) -> None:
        """Counts the time from when the question went out to when the answer came in, less the round trip."""
        player, seat_clock = self.players[seat], self.clock.seats[seat]
        if reaction is None:
            since = at if seat_clock.asked_at is None else seat_clock.asked_at
            if self.sent is not None and self.sent > since:
                since = self.sent
            reaction = at - since - player.round_trip
            if seat_clock.away_since is not None:
                reaction -= seat_clock.waited(at)
        player.moves += 1
        if reaction > 0:
            player.thought += reaction

    def resume(self, shift: float, now: float) -> None:
        """Lets the clocks go on from now after a restart, with all players away."""
        self.clock.move(shift)
        for seat in range(len(self.players)):
            self.clock.away(seat, now)
        self.scramble = None
        self._open_scramble(now)

    def call_off(self, pending: PendingMove, wrong: ProtocolError) -> None:
        """Drops a move that could not be stored: nothing has happened, and no luck was used up."""
        self.pending = None
        if pending.by is not None and pending.chosen:
            self._answer(pending.by, wrong)
        else:
            self._rest_until = pending.at + REST

    def _ask(self, now: float) -> None:
        """Numbers the questions, starts the clocks, and opens or closes a scramble."""
        deadline, awaited = self.match.deadline, self.match.awaited
        if deadline is None:
            self.clock.stop(now)
            self._drop_scramble()
            return
        key, stand_ins = deadline.key, []
        for seat in awaited:
            player = self.players[seat]
            if player.asked != key:
                player.asked = key
                player.turn += 1
            if player.stand_in:
                stand_ins.append(seat)
        new = key != self.clock.key
        # At a table for practice a scramble has as much time as any decision: no limit.
        hurried = deadline.scramble and not self.settings.practice
        self.clock.ask(key, awaited, hurried, stand_ins, now)
        if new:
            if self.scramble is not None:
                self._drop_scramble()
            if deadline.scramble:
                self._open_scramble(now)

    def _open_scramble(self, now: float) -> None:
        deadline = self.match.deadline
        if deadline is not None and deadline.scramble and len(self.match.awaited) > 1:
            people = any(not (player.played_by_bot or player.left) for player in self.players)
            self.scramble = Scramble(now, self.settings.reaction if people else 0.0)

    def _drop_scramble(self) -> None:
        """Closes a scramble; submissions that it still holds came too late."""
        scramble, self.scramble = self.scramble, None
        for held in scramble.held if scramble else ():
            self._answer(held.what.command, ProtocolError("taken"))

    def break_off(self, wrong: ProtocolError) -> None:
        """Answers everything that still waits: the table is closed."""
        self.pending = None
        for command in list(self._owed):
            self._answer(command, wrong)

    # Question and result

    def question(self, seat: Seat) -> Question | None:
        asked = self.asked(seat)
        if asked is None:
            return None
        turn, deadline, legal = asked
        return Question(turn, deadline.phase, deadline.scramble, tuple(choices_to_map(legal)))

    def asked(self, seat: Seat) -> Asked | None:
        """What a question to this seat is made of."""
        match = self.match
        deadline = match.deadline
        if deadline is None or seat not in match.awaited:
            return None
        return self.players[seat].turn, deadline, match.game.legal(match.state, seat)

    def result(self, everything: bool) -> Result | None:
        """How it ended; `everything` adds the secret, with which players check the luck."""
        outcome = self.match.outcome
        if outcome is None:
            return None
        secret = self.secret.hex() if everything else None
        return Result(outcome.winners, outcome.places, outcome.reason, secret, self.nonces, self.head)


def _refusal(wrong: IllegalAction) -> ProtocolError:
    """Turns a refusal of the rules into one of the protocol."""
    code = wrong.code if wrong.code in ("taken", "over", "not_asked") else "illegal"
    facts = {key: value for key, value in to_map(dict(wrong.facts)).items() if key != "why"}
    return ProtocolError(code, why=wrong.code, **facts)
