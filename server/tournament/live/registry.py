"""All tournaments of a server: which there are, who watches them, and when each has something to do."""

import functools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import attrs

from parlour.engine.errors import Malformed
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.numbers import number_in
from parlour.server.border import guard
from parlour.server.limits import Limits
from parlour.server.people.session import Session
from parlour.server.storage.low_priority import LowPriorityStore
from parlour.server.tables.registry import CODE_LENGTH, Tables
from parlour.server.tables.table import Table
from parlour.server.tournament import events, lifecycle
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name
from parlour.server.tournament.live import snapshot
from parlour.server.tournament.live.course import look
from parlour.server.tournament.live.news import COURSE, SCORED, message
from parlour.server.tournament.live.running import LogLine, RunningTournament
from parlour.server.tournament.live.scores import Scores, work_out
from parlour.server.tournament.ratings import Rating, from_maps
from parlour.server.tournament.state import NotAllowed, Tournament

LISTED = 50
"""How many tournaments that are over are listed; all others always are."""
REMEMBERED = 8
"""How many tournaments that are over stay in memory: others are read from the archive again."""
STANDINGS_REST = 200.0
"""After working standings out, the server rests so many times as long as that took."""
LONGEST_REST = 30.0
Plain = dict[str, Any]
log = logging.getLogger("parlour.tournament")


class Source(Protocol):
    """An archive as tournaments are read from it."""

    def tournaments(self) -> Mapping[str, Plain]: ...

    def happenings(self, tournament: str) -> Sequence[Plain]: ...

    def ratings(self, game: str) -> Mapping[str, Plain]: ...


class NoSource:
    """For a server without an archive: tournaments that are over stay in memory."""

    def tournaments(self) -> Mapping[str, Plain]:
        return {}

    def happenings(self, tournament: str) -> Sequence[Plain]:  # noqa: ARG002
        return []

    def ratings(self, game: str) -> Mapping[str, Plain]:  # noqa: ARG002
        return {}


@attrs.define(repr=False)
class RunningTournaments:
    """Every tournament by its id: those in memory, and what is listed of all."""

    tables: Tables
    limits: Limits
    source: Source = attrs.field(factory=NoSource)
    open: dict[str, RunningTournament] = attrs.field(factory=dict)
    """Those in memory."""
    listed: dict[str, m.TournamentInfo] = attrs.field(factory=dict)
    """All of them, in the order in which they were made."""
    games_played: int = 0
    low_priority: LowPriorityStore | None = None
    _creating: dict[str, RunningTournament] = attrs.field(factory=dict)
    """Those whose first event is being stored: they count, too."""
    _ratings: dict[str, dict[Name, Rating]] = attrs.field(factory=dict)
    _standings_at: dict[str, float] = attrs.field(factory=dict)
    """When to send a tournament's standings to its watchers."""
    _rests_until: dict[str, float] = attrs.field(factory=dict)
    _scoring: dict[str, list[Callable[[Scores | None], None]]] = attrs.field(factory=dict)
    """Who waits for the scores of a tournament that are being worked out."""

    def __attrs_post_init__(self) -> None:
        self.tables.on_table = self.table_changed

    # Finding

    def find(self, id: str) -> RunningTournament:
        """Raises `no_such_tournament`."""
        id = id.upper()
        if id not in self.listed:
            raise ProtocolError("no_such_tournament")
        tournament = self.open.pop(id, None) or self._read(id)
        self.open[id] = tournament
        self._forget_old()
        return tournament

    def _forget_old(self) -> None:
        over = [id for id, tournament in self.open.items() if tournament.over]
        durable = self.tables.store.durable
        for old in over[: -REMEMBERED if durable else -LISTED]:
            del self.open[old]
            if not durable:
                del self.listed[old]

    def _read(self, id: str) -> RunningTournament:
        """Reads one from the archive; raises `no_such_tournament` if this build does not understand it."""
        lines = []
        active_at = 0
        try:
            for plain in self.source.happenings(id):
                event = events.read_line(plain["line"])
                lines.append(LogLine(plain["at"], plain["line"], not isinstance(event, events.PRIVATE)))
                active_at = plain["at"] if events.is_activity(event) else active_at
            state = lifecycle.recovered(line.line for line in lines)
        except (Malformed, NotAllowed) as wrong:
            log.error("tournament=%s cannot be read, and is left as it is: %s", id, wrong)
            raise ProtocolError("no_such_tournament") from wrong
        return self._make(id, state, lines, active_at)

    def _make(
        self, id: str, state: Tournament, lines: list[LogLine], active_at: int = 0
    ) -> RunningTournament:
        ratings = self.ratings(state.rules.game)
        return RunningTournament(
            id,
            self.tables,
            state,
            ratings,
            self,
            lines,
            active_at=active_at,
            read_at=self.tables.store.wall(),
        )

    def ratings(self, game: str) -> dict[Name, Rating]:
        if game not in self._ratings:
            self._ratings[game] = from_maps(self.source.ratings(game))
        return self._ratings[game]

    def free_tables(self) -> int:
        """Counts how many more tables tournaments may have."""
        playing = [table for table in self.tables.by_id.values() if table.settings.terms is not None]
        ours = self.limits.tournament_tables - sum(table.stage != "finished" for table in playing)
        return min(ours, self.limits.tables - len(self.tables.by_id))

    def shows(self, game: str) -> bool | None:
        """Whether everybody may see a game, as when its round is over; None: no tournament's game."""
        id, _, rest = game.partition("-")
        if id not in self.listed or not rest:
            return None
        state = self.find(id).state
        round_ = number_in(rest.partition("-")[0])
        return state.phase == "cancelled" or (round_ is not None and round_ <= len(state.revealed))

    def running(self) -> list[RunningTournament]:
        return [tournament for tournament in self.open.values() if not tournament.over]

    def new(self, rules: Plain, organiser: str) -> tuple[RunningTournament, Event]:
        """Makes a tournament, which exists once its first event is stored; raises `too_many_tournaments`."""
        running = [*self.running(), *self._creating.values()]
        if len(running) >= self.limits.tournaments:
            raise ProtocolError("too_many_tournaments", most=self.limits.tournaments)
        own = [tournament for tournament in running if tournament.state.organiser == organiser]
        if len(own) >= self.limits.tournaments_each:
            raise ProtocolError("too_many_tournaments", most=self.limits.tournaments_each)
        id = self.tables.new_word(CODE_LENGTH)
        while id in self.listed:
            id = self.tables.new_word(CODE_LENGTH)
        event = events.Announced(rules, organiser)
        tournament = self._creating[id] = self._make(id, lifecycle.announced(event), [])
        tournament.gate.reply(functools.partial(self._created, id))
        return tournament, event

    def _created(self, id: str, _wrong: ProtocolError | None) -> None:
        del self._creating[id]

    def newest(self) -> list[m.TournamentInfo]:
        """Lists all that are not over, then the last that are; of both the newest first."""
        newest = list(reversed(self.listed.values()))
        over = [info for info in newest if info.phase in lifecycle.OVER]
        return [*(info for info in newest if info.phase not in lifecycle.OVER), *over[:LISTED]]

    def recover(self) -> None:
        """Reads all that are not over after a restart; one that cannot be read spoils no other."""
        for id, plain in self.source.tournaments().items():
            info = read_part(plain["info"], m.TournamentInfo)
            if info.phase not in lifecycle.OVER:
                try:
                    tournament = self.open[id] = self._read(id)
                except ProtocolError:
                    continue
                self._bind(tournament)
            self.listed[id] = info

    def _bind(self, tournament: RunningTournament) -> None:
        """Players and organiser keep their names until the tournament is over."""
        state = tournament.state
        there = {name for name, entrant in state.entrants.items() if not entrant.gone}
        for name in {*state.entrants, state.organiser}:
            session = self.tables.sessions.get(name)
            if session is not None and not tournament.over and name in {*there, state.organiser}:
                session.takes_part.add(tournament.id)
            elif session is not None:
                session.takes_part.discard(tournament.id)

    # Time

    def table_changed(self, table: Table) -> None:
        """Takes note of a tournament's table that has come back or finished, and of any that was closed."""
        terms = table.settings.terms
        tournament = self.open.get(terms.tournament) if terms is not None else None
        if tournament is not None and table.stage == "playing":
            tournament.slow_down(table)
        if table.stage != "closed" and (tournament is None or table not in tournament.open_tables().values()):
            table.closes_at = self.tables.clock()
            self.tables.alarms.set(table)
        if tournament is not None:
            self.advance(tournament)
        for other in self.running():
            if other.waits_for_table and other is not tournament:
                self.advance(other)
        self.tables.set_alarm()

    def advance(self, tournament: RunningTournament) -> None:
        """Does what is due in a tournament, and what follows from that, one batch after the other."""
        tournament.again = True
        if tournament.advancing:
            return
        tournament.advancing = True
        while tournament.again:
            tournament.again = False
            if tournament.can_advance:
                try:
                    look(tournament, self.tables.clock())
                except Exception as bug:
                    tournament.halt(bug)
        tournament.advancing = False

    def connected(self, session: Session) -> None:
        """Looks after the tournaments of a player who has connected: a game may wait for him."""
        for id in session.takes_part:
            tournament = self.open.get(id)
            if tournament is not None:
                self.advance(tournament)

    def wake_at(self) -> float | None:
        if not self.open and not self._standings_at:
            return None  # the quick way, for this is called after every move
        times = [
            tournament.looks_at
            for tournament in self.open.values()
            if tournament.looks_at is not None
            and not tournament.busy
            and not tournament.halted
            and not tournament.over
        ]
        return min([*times, *self._standings_at.values()], default=None)

    def tick(self, now: float) -> None:
        for tournament in self.running():
            if tournament.looks_at is not None and tournament.looks_at <= now:
                self.advance(tournament)
        for id in [id for id, at in self._standings_at.items() if at <= now]:
            del self._standings_at[id]
            watched = self.open.get(id)
            if watched is not None and self._watchers(watched):
                self.score(watched, functools.partial(self._tell_standings, watched))

    @property
    def busy(self) -> bool:
        return any(tournament.busy for tournament in self.open.values())

    # Watchers

    def watch(
        self, session: Session, tournament: RunningTournament, then: Callable[[m.Picture | None], None]
    ) -> None:
        """Sends a session every event from now on, and hands `then` a snapshot, or None after a bug."""
        session.watched_tournaments.add(tournament.id)

        def show(scores: Scores | None) -> None:
            if scores is None:
                then(None)
            else:
                then(snapshot.snapshot(tournament.id, tournament.seq, tournament.state, scores))

        self.score(tournament, show)

    def score(self, tournament: RunningTournament, then: Callable[[Scores | None], None]) -> None:
        """Works the scores out, unless they are known, and hands them to `then`; None after a bug."""
        state, before = tournament.state, dict(tournament.ratings)
        if tournament.scores is not None and tournament.scored is state:
            then(tournament.scores)
            return
        waiting = self._scoring.setdefault(tournament.id, [])
        waiting.append(then)
        if len(waiting) > 1:
            return
        work = functools.partial(work_out, state, before)
        started = time.perf_counter()
        take = functools.partial(self._take_scores, tournament, state, started)
        if self.low_priority is None:
            take(work)
        else:
            self.low_priority.run_in_thread(work, lambda found: take(found.result))

    def _take_scores(
        self, tournament: RunningTournament, state: Tournament, started: float, scores: Callable[[], Scores]
    ) -> None:
        """Calls `scores`, which raises if working them out has failed, and hands them to all who wait."""
        found: Scores | None = None
        try:
            found = tournament.scores = scores()
            tournament.scored = state
        except Exception as bug:
            self.tables.on_bug(tournament.id, len(tournament.log), bug)
        took = time.perf_counter() - started
        self._rests_until[tournament.id] = self.tables.clock() + min(LONGEST_REST, took * STANDINGS_REST)
        for then in self._scoring.pop(tournament.id, []):
            guard(functools.partial(then, found), self.tables.on_bug, tournament.id, len(tournament.log))

    def _watchers(self, tournament: RunningTournament) -> list[Session]:
        return [
            session
            for session in self.tables.sessions.values()
            if tournament.id in session.watched_tournaments
        ]

    def tell(self, tournament: RunningTournament, happened: Sequence[Event], before: Tournament) -> None:
        """Sends what has happened to all who watch, and every change of phase or round to those who play."""
        self.open.setdefault(tournament.id, tournament)
        info = self.listed[tournament.id] = snapshot.info(tournament.id, tournament.state)
        self._bind(tournament)
        watchers = self._watchers(tournament)
        for event in happened:
            self.games_played += isinstance(event, events.GameFinished)
            made = message(tournament.id, event, tournament.state, before)
            if made is not None:
                tournament.seq += 1
                frame = Frame.of(made(tournament.seq))
                for session in watchers:
                    session.send(frame)
        if any(isinstance(event, COURSE) for event in happened):
            tournament.seq += 1
            frame = Frame.of(m.TournamentChanged(tournament.id, tournament.seq, info))
            concerned = {*tournament.state.entrants, *(session.name for session in watchers)}
            for name in concerned:
                if name in self.tables.sessions:
                    self.tables.sessions[name].send(frame)
        if any(isinstance(event, SCORED) for event in happened):
            at_once = any(isinstance(event, events.RoundFinished | events.Finished) for event in happened)
            rest = 0.0 if at_once else self._rests_until.get(tournament.id, 0.0)
            self._standings_at[tournament.id] = min(rest, self._standings_at.get(tournament.id, rest))

    def _tell_standings(self, tournament: RunningTournament, scores: Scores | None) -> None:
        if scores is None:
            return
        tournament.seq += 1
        parts = scores.standings, scores.crosstable, scores.ratings
        frame = Frame.of(m.TournamentStandings(tournament.id, tournament.seq, *parts))
        for session in self._watchers(tournament):
            session.send(frame)
