"""A tournament as it lives on a server: what happens is kept, then it counts, then it is told.

It decides and is told what time it is. All that is due is worked out in one go (`look`) and kept as one
change, tables included; whatever else is asked for waits until that is known.
"""

import asyncio
import functools
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence

import attrs

from parlour.engine.secret import Seat
from parlour.protocol.errors import ProtocolError
from parlour.server import contest_games as games
from parlour.server.archive_change import Change, Happened, Rated
from parlour.server.archive_errors import ArchiveError
from parlour.server.contest_games import Spot
from parlour.server.contest_scores import Scores
from parlour.server.hall import Hall
from parlour.server.keeping import Plain, table_map
from parlour.server.lane import Lane
from parlour.server.play import Answer
from parlour.server.table import AGAIN_AFTER, Table
from parlour.server.tournament import deals, events, lifecycle
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name, Pairing
from parlour.server.tournament.ratings import Rating, after, to_maps
from parlour.server.tournament.state import Tournament

CHECK_IN_FOR = 60
"""Seconds for everybody to be there, when a tournament starts by itself."""
LINGER = 2.0
LINGER_FOR_PEOPLE = 60.0
"""How long a table stands after its game, so that one can look at how it ended."""
AT_ONCE = 2
"""Games that are dealt in one go: nobody else should have to wait for many."""
LONGEST_LOOK = 3600.0
"""The wall clock may be set meanwhile: nobody sleeps for longer."""
log = logging.getLogger("parlour.tournament")


@attrs.frozen
class Noted:
    """A line of the log of a tournament, and when it was written, in milliseconds since 1970."""

    at: int
    line: str
    told: bool


@attrs.define
class Step:
    """What is to happen together: events one after the other, with the tables that they tell of."""

    now: Tournament
    events: list[Event] = attrs.field(factory=list)
    tables: list[Table] = attrs.field(factory=list)
    rated: dict[Name, Rating] = attrs.field(factory=dict)
    unrated: dict[Name, Rating] = attrs.field(factory=dict)
    """What ratings were before, in case they cannot be kept."""

    def add(self, event: Event) -> None:
        if not isinstance(event, events.Announced):
            self.now = lifecycle.after(self.now, event)
        self.events.append(event)


Told = Callable[["Contest", Sequence[Event], Tournament], None]
Summary = Callable[["Contest", Tournament], Plain]


@attrs.define(eq=False)
class Contest:
    """See the module."""

    id: str
    hall: Hall
    tournament: Tournament
    ratings: dict[Name, Rating]
    """Of its game on this server; the same map for all its tournaments."""
    tell: Told
    summary: Summary
    room: Callable[[], int]
    """How many more tables the house has for tournaments."""
    lane: Callable[[], Lane | None]
    """Where its games are kept, so that others need not wait for them."""
    log: list[Noted] = attrs.field(factory=list)
    looks_at: float | None = 0.0
    """When something is to be done; None: not before something happens."""
    busy: bool = False
    """Something is on its way to the ledger."""
    halted: bool = False
    """A fault of ours has stopped it."""
    seq: int = 0
    scores: Scores | None = None
    scored: Tournament | None = None
    """Of which moment the scores are."""
    waiting: deque[Callable[[], None]] = attrs.field(factory=deque)
    _missing: dict[Name, float] = attrs.field(factory=dict)
    """For whom a game waits, and since when."""

    @property
    def over(self) -> bool:
        return self.tournament.phase in ("finished", "cancelled")

    def tables(self) -> dict[Spot, Table]:
        """Those of the round whose games are not recorded yet."""
        found = {}
        for spot in self.tournament.open_games():
            dealt = self.tournament.begun.get(spot)
            table = self.hall.tables.get(dealt[-1].at) if dealt else None
            if table is not None:
                found[spot] = table
        return found

    # Keeping

    def when_free(self, work: Callable[[], None]) -> None:
        """Now, or when what is on its way has been kept."""
        if self.busy:
            self.waiting.append(work)
        else:
            work()

    def ask(self, wanted: Sequence[Event], answer: Answer, people: Callable[[], Mapping[str, Plain]]) -> None:
        """Somebody wants this to happen; raises NotAllowed. It is answered when it is kept, with `people`."""
        step = Step(self.tournament)
        for event in wanted:
            step.add(event)
        self.keep(step, answer, people())

    def keep(self, step: Step, answer: Answer, people: Mapping[str, Plain] | None = None) -> None:
        wall = self.hall.ledger.wall()
        noted = [
            Noted(wall, events.line(event), not isinstance(event, events.UNTOLD)) for event in step.events
        ]
        first = len(self.log) + 1
        change = Change(
            save_people=people or {},
            save_tables={table.id: table_map(table) for table in step.tables},
            save_tournaments={self.id: self.summary(self, step.now)},
            happened=[
                Happened(self.id, number, {"at": note.at, "line": note.line})
                for number, note in enumerate(noted, first)
            ],
            rated=[
                Rated(self.tournament.rules.game, name, rating)
                for name, rating in to_maps(step.rated).items()
            ],
        )
        self.busy = True
        self.hall.ledger.put(change, functools.partial(self._kept, step, noted, answer))

    def _kept(self, step: Step, noted: list[Noted], answer: Answer, wrong: ArchiveError | None) -> None:
        self.busy = False
        if wrong is not None:
            log.error("tournament=%s not kept: %s", self.id, wrong)
            self.looks_at = self.hall.clock() + AGAIN_AFTER
            for name in step.rated:
                self.ratings.pop(name, None)
            self.ratings.update(step.unrated)
            answer(ProtocolError("not_kept", retry_after=AGAIN_AFTER))
        else:
            before, self.tournament = self.tournament, step.now
            self.log += noted
            for event, note in zip(step.events, noted, strict=True):
                if note.told:
                    log.info("tournament=%s event=%s", self.id, note.line)
                self._follow(event)
            self._seat(step.tables)
            answer(None)
            self.tell(self, step.events, before)
            self.looks_at = 0.0
        while self.waiting and not self.busy:
            self.waiting.popleft()()
        self.hall.on_alarm()

    def _follow(self, event: Event) -> None:
        """What a table must know of it."""
        if isinstance(event, events.GameFinished):
            replay = self.tournament.begun.get((event.result.table, event.result.game))
            table = self.hall.tables.get(replay[-1].at) if replay else None
            if table is not None:
                self.let_go(table)
        elif isinstance(event, events.Cancelled):
            for table in list(self.hall.tables.values()):
                if table.settings.terms is not None and table.settings.terms.tournament == self.id:
                    self.hall.close(table)

    def let_go(self, table: Table) -> None:
        """Its game has been recorded, or counts no more."""
        people = any(sitter and not sitter.bot and sitter.here for sitter in table.sitters)
        table.closes_at = self.hall.clock() + (LINGER_FOR_PEOPLE if people else LINGER)
        self.hall.alarms.set(table)

    def _seat(self, tables: list[Table]) -> None:
        for table in tables:
            table.ledger = table.book.ledger = self.hall.ledger
            self.hall.add(table)
            for sitter in table.sitters:
                session = self.hall.sessions.get(sitter.name) if sitter is not None else None
                if session is not None:
                    session.tables.add(table.id)
                    if session.line is not None:
                        session.following.add(table.id)
            lane = self.lane()
            if lane is None:
                self._deal(table)
            else:
                lane.soon(functools.partial(self._deal, table))

    def _deal(self, table: Table) -> None:
        now = self.hall.clock()

        def deal(table: Table) -> None:
            if table.stage != "gathering":
                return  # it was asked for twice
            table.changed(now)
            for viewer in table.viewers():
                if viewer is not None:
                    table.bulletin.show(viewer, table.snapshot(viewer, now))
            table.start(now)

        self.slow_down(table)
        self.hall.when_free(table, deal)

    def slow_down(self, table: Table) -> None:
        """Its game is kept in the slow lane; thinking begins when the question has gone out."""
        table.clock = self.hall.clock
        table.ledger = table.book.ledger = self.lane() or self.hall.ledger

    # What is due

    def look(self, now: float) -> None:
        """Does all that is to be done now."""
        if self.busy or self.halted:
            return
        self.looks_at = None
        step = Step(self.tournament)
        match self.tournament.phase:
            case "announced" | "registration":
                self._open_by_itself(step, now)
            case "check_in":
                self._start_by_itself(step, now)
            case "running" | "paused":
                self._go_on(step, now)
        if step.events:
            self.keep(step, _nobody)

    def _later(self, at: float) -> None:
        self.looks_at = at if self.looks_at is None else min(at, self.looks_at)

    def _wait_for(self, wall: int, now: float) -> bool:
        """Whether a time of the wall clock has come; looks again then."""
        left = wall - self.hall.ledger.wall() / 1000
        if left > 0:
            self._later(now + min(left, LONGEST_LOOK))
        return left <= 0

    def _open_by_itself(self, step: Step, now: float) -> None:
        starts = self.tournament.rules.starts
        if starts is not None and self._wait_for(starts, now):
            for event in self.opening(CHECK_IN_FOR):
                step.add(event)

    def opening(self, seconds: int | None) -> list[Event]:
        """All up to check-in, which takes so many seconds, or until somebody says so."""
        found: list[Event] = []
        if self.tournament.phase == "announced":
            found.append(events.RegistrationOpened())
        secret = self.hall.random(32)
        until = None if seconds is None else self.hall.ledger.wall() // 1000 + seconds
        found.append(events.SecretDrawn(secret.hex()))
        found.append(events.CheckInOpened(deals.round_secret(secret, 0).hex(), until))
        return found

    def _start_by_itself(self, step: Step, now: float) -> None:
        state = self.tournament
        if state.until is None:
            return
        enough = len(state.nonces) >= max(state.rules.entry.least, state.rules.seats)
        everybody = len(state.nonces) == len(state.entrants)
        if enough and (everybody or self._wait_for(state.until, now)):
            step.add(events.Started())
        elif not enough:
            self._wait_for(state.until, now)

    def _go_on(self, step: Step, now: float) -> None:
        for spot, table in self.tables().items():
            self._look_after(step, spot, table, now)
        if step.now.phase != "running":
            return
        if step.now.round is None:
            self._next_round(step)
        elif not step.now.open_games():
            self._end_round(step)
        else:
            self._begin_games(step, now)
            if not step.now.open_games():
                self._end_round(step)

    def _look_after(self, step: Step, spot: Spot, table: Table, now: float) -> None:
        if table.asleep is not None:
            return
        if table.stage == "finished":
            dealt = self.tournament.begun[spot][-1]
            step.add(events.GameFinished(games.played(dealt, table, self.hall.ledger.keeps)))
        elif table.stage == "gathering" and not table.busy:
            # Before a restart, or the disk was full.
            self._later(now + AGAIN_AFTER)
            self._deal(table)
        elif table.stage == "playing":
            for seat, sitter in enumerate(table.sitters):
                gone = sitter is not None and self.tournament.entrants[Name(sitter.name)].gone
                if sitter is not None and gone and not sitter.left:
                    self.hall.when_free(table, functools.partial(Table.resign, seat=Seat(seat), now=now))

    def _next_round(self, step: Step) -> None:
        """Pairing takes a while in a large field: others go on meanwhile."""
        lane = self.lane()
        if step.events or lane is None:
            self._pair(step, step.now.next_round())
            return
        self.busy = True
        lane.think(step.now.next_round, self._paired)

    def _paired(self, found: "asyncio.Future[Pairing | None]") -> None:
        self.busy = False
        step = Step(self.tournament)
        try:
            self._pair(step, found.result())
        except Exception as bug:
            self.halt(bug)
        else:
            self.keep(step, _nobody)

    def halt(self, bug: BaseException) -> None:
        """The border for tournaments: a bug halts this one and no other."""
        self.halted = True
        self.hall.on_bug(self.id, len(self.log), bug)

    def _pair(self, step: Step, pairing: Pairing | None) -> None:
        if pairing is not None:
            step.add(events.RoundPaired(pairing))
            return
        field = step.now.entrants
        before = {name: rating for name, rating in self.ratings.items() if name in field}
        step.rated, step.unrated = after(before, step.now.history.results), before
        # At once: another tournament of this game may end before this is kept.
        self.ratings.update(step.rated)
        step.add(events.Finished(to_maps(before)))

    def _end_round(self, step: Step) -> None:
        if step.now.secret is None:
            raise RuntimeError("no secret was drawn")
        number = games.round_of(step.now).round
        step.add(events.RoundFinished(number, deals.round_secret(step.now.secret, number).hex()))
        for name in step.now.struck_out():
            step.add(events.Left(name, "strikes"))

    def _begin_games(self, step: Step, now: float) -> None:
        playing = sum(table.stage != "finished" for table in self.tables().values())
        free = min(step.now.rules.tables - playing, self.room(), AT_ONCE)
        for spot in games.next_games(step.now):
            dealt = step.now.begun.get(spot, ())
            if dealt and dealt[-1].at in self.hall.tables:
                continue
            if len(dealt) > games.SPARES:
                step.add(events.GameFinished(games.void(step.now, spot)))
            elif free > 0 and self._all_here(step, spot, now):
                free -= 1
                self._later(now)  # there may be more
                begun = games.begun(step.now, self.id, spot)
                step.add(begun)
                step.tables.append(games.open_table(step.now, self.id, begun, self.hall.sessions))

    def _all_here(self, step: Step, spot: Spot, now: float) -> bool:
        """Whether a game can be dealt: whoever is gone, or does not come in time, loses it."""
        rules, field = step.now.rules, step.now.entrants
        players = games.paired(step.now, spot[0]).seating(spot[1])
        gone = {name for name in players if field[name].gone}
        if gone:
            step.add(events.GameFinished(games.not_played(step.now, spot, gone)))
            return False
        absent = {name for name in players if not self._is_here(name)}
        for name in players:
            if name not in absent:
                self._missing.pop(name, None)
        if not absent:
            return True
        over = max(self._missing.setdefault(name, now) for name in absent) + rules.clocks.grace
        if now < over:
            self._later(over)
            return False
        if rules.failures.absent == "default":
            return True
        step.add(events.GameFinished(games.not_played(step.now, spot, absent, absent)))
        return False

    def _is_here(self, name: Name) -> bool:
        session = self.hall.sessions.get(name)
        return session is not None and session.line is not None


def _nobody(_wrong: ProtocolError | None) -> None:
    """Nobody waits for it."""
