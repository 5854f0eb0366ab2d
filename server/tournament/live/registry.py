"""All tournaments of a server: which there are, who watches them, and when each wants to be looked after."""

import functools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import attrs

from parlour.engine.errors import Malformed
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part, write_part
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.numbers import number_in
from parlour.server.border import guard
from parlour.server.limits import Limits
from parlour.server.people.session import Session
from parlour.server.storage.low_priority import Lane
from parlour.server.tables.registry import CODE_LENGTH, Tables
from parlour.server.tables.table import Table
from parlour.server.tournament import events, lifecycle
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name
from parlour.server.tournament.live import snapshot as picture
from parlour.server.tournament.live.course import look
from parlour.server.tournament.live.news import COURSE, SCORED, message
from parlour.server.tournament.live.running import Contest, Noted
from parlour.server.tournament.live.scores import Scores, work_out
from parlour.server.tournament.ratings import Rating, from_maps
from parlour.server.tournament.state import NotAllowed, Tournament

LISTED = 50
"""Of the newest tournaments; all that are not over are always listed."""
REMEMBERED = 8
"""Tournaments that are over and that somebody looked at: others are read from the archive again."""
STANDINGS_REST = 200.0
"""Standings are worked out anew at most so rarely that they take one part in so many of all the time."""
LONGEST_REST = 30.0
Plain = dict[str, Any]
log = logging.getLogger("parlour.tournament")


class Kept(Protocol):
    """An archive as tournaments are read from it."""

    def tournaments(self) -> Mapping[str, Plain]: ...

    def happenings(self, tournament: str) -> Sequence[Plain]: ...

    def ratings(self, game: str) -> Mapping[str, Plain]: ...


class NothingKept:
    """For a server that keeps nothing: what is over is remembered as long as the server lives."""

    def tournaments(self) -> Mapping[str, Plain]:
        return {}

    def happenings(self, tournament: str) -> Sequence[Plain]:  # noqa: ARG002
        return []

    def ratings(self, game: str) -> Mapping[str, Plain]:  # noqa: ARG002
        return {}


def _summary(contest: Contest, state: Tournament) -> Plain:
    return {"info": write_part(picture.info(contest.id, state))}


@attrs.define(repr=False)
class Contests:
    """See the module."""

    tables: Tables
    limits: Limits
    kept: Kept = attrs.field(factory=NothingKept)
    open: dict[str, Contest] = attrs.field(factory=dict)
    """Those in memory."""
    listed: dict[str, m.TournamentInfo] = attrs.field(factory=dict)
    """All of them, in the order in which they were made."""
    games_played: int = 0
    lane: Lane | None = None
    _ratings: dict[str, dict[Name, Rating]] = attrs.field(factory=dict)
    _standings_at: dict[str, float] = attrs.field(factory=dict)
    """When the watchers of a tournament are told how it stands."""
    _rests_until: dict[str, float] = attrs.field(factory=dict)
    _scoring: dict[str, list[Callable[[Scores | None], None]]] = attrs.field(factory=dict)
    """Who waits for the scores of a tournament that are being worked out."""

    def __attrs_post_init__(self) -> None:
        self.tables.noticed = self.noticed

    # Finding

    def find(self, id: str) -> Contest:
        """Raises `no_such_tournament`."""
        id = id.upper()
        if id not in self.listed:
            raise ProtocolError("no_such_tournament")
        contest = self.open.pop(id, None) or self._read(id)
        self.open[id] = contest
        self._forget_old()
        return contest

    def _forget_old(self) -> None:
        over = [id for id, contest in self.open.items() if contest.over]
        keeps = self.tables.ledger.keeps
        for old in over[: -REMEMBERED if keeps else -LISTED]:
            del self.open[old]
            if not keeps:
                del self.listed[old]

    def _read(self, id: str) -> Contest:
        """From the archive; raises `no_such_tournament` for one that this build does not understand."""
        noted = []
        stirred = 0
        try:
            for plain in self.kept.happenings(id):
                event = events.read_line(plain["line"])
                noted.append(Noted(plain["at"], plain["line"], not isinstance(event, events.UNTOLD)))
                stirred = plain["at"] if events.stirs(event) else stirred
            state = lifecycle.recovered(note.line for note in noted)
        except (Malformed, NotAllowed) as wrong:
            log.error("tournament=%s cannot be read, and is left as it is: %s", id, wrong)
            raise ProtocolError("no_such_tournament") from wrong
        return self._contest(id, state, noted, stirred)

    def _contest(self, id: str, state: Tournament, noted: list[Noted], stirred: int = 0) -> Contest:
        ratings = self.ratings(state.rules.game)
        return Contest(
            id,
            self.tables,
            state,
            ratings,
            self.tell,
            _summary,
            self._room,
            lambda: self.lane,
            self.limits,
            noted,
            stirred=stirred,
            woke=self.tables.ledger.wall(),
        )

    def ratings(self, game: str) -> dict[Name, Rating]:
        if game not in self._ratings:
            self._ratings[game] = from_maps(self.kept.ratings(game))
        return self._ratings[game]

    def _room(self) -> int:
        """How many more tables tournaments may have."""
        playing = [table for table in self.tables.by_id.values() if table.settings.terms is not None]
        ours = self.limits.tournament_tables - sum(table.stage != "finished" for table in playing)
        return min(ours, self.limits.tables - len(self.tables.by_id))

    def shows(self, game: str) -> bool | None:
        """Whether everybody may see a game, as when its round is over; None: it is of no tournament."""
        id, _, rest = game.partition("-")
        if id not in self.listed or not rest:
            return None
        state = self.find(id).tournament
        round_ = number_in(rest.partition("-")[0])
        return state.phase == "cancelled" or (round_ is not None and round_ <= len(state.told))

    def running(self) -> list[Contest]:
        return [contest for contest in self.open.values() if not contest.over]

    def new(self, rules: Plain, organiser: str) -> tuple[Contest, Event]:
        """A tournament that there is once its first event is kept; raises `too_many_tournaments`."""
        running = self.running()
        if len(running) >= self.limits.tournaments:
            raise ProtocolError("too_many_tournaments", most=self.limits.tournaments)
        own = [contest for contest in running if contest.tournament.organiser == organiser]
        if len(own) >= self.limits.tournaments_each:
            raise ProtocolError("too_many_tournaments", most=self.limits.tournaments_each)
        id = self.tables.new_word(CODE_LENGTH)
        while id in self.listed:
            id = self.tables.new_word(CODE_LENGTH)
        event = events.Announced(rules, organiser)
        return self._contest(id, lifecycle.announced(event), []), event

    def newest(self) -> list[m.TournamentInfo]:
        """All that are not over, then the last that are; of both the newest first."""
        newest = list(reversed(self.listed.values()))
        over = [info for info in newest if info.phase in lifecycle.OVER]
        return [*(info for info in newest if info.phase not in lifecycle.OVER), *over[:LISTED]]

    def recover(self) -> None:
        """After a restart: all that are not over go on, and one that cannot be read spoils no other."""
        for id, plain in self.kept.tournaments().items():
            info = read_part(plain["info"], m.TournamentInfo)
            if info.phase not in lifecycle.OVER:
                try:
                    contest = self.open[id] = self._read(id)
                except ProtocolError:
                    continue
                self._bind(contest)
            self.listed[id] = info

    def _bind(self, contest: Contest) -> None:
        """Whoever takes part keeps the name until it is over."""
        state = contest.tournament
        there = {name for name, entrant in state.entrants.items() if not entrant.gone}
        for name in {*state.entrants, state.organiser}:
            session = self.tables.sessions.get(name)
            if session is not None and not contest.over and name in {*there, state.organiser}:
                session.takes_part.add(contest.id)
            elif session is not None:
                session.takes_part.discard(contest.id)

    # Time

    def noticed(self, table: Table) -> None:
        """A table of a tournament has come back, ended or gone."""
        terms = table.settings.terms
        contest = self.open.get(terms.tournament) if terms is not None else None
        if contest is not None and table.stage == "playing":
            contest.slow_down(table)
        if table.stage != "closed" and (contest is None or table not in contest.open_tables().values()):
            table.closes_at = self.tables.clock()
            self.tables.alarms.set(table)
        for each in self.running():
            each.looks_at = 0.0  # there may be room for others
        self.tables.on_alarm()

    def came(self, session: Session) -> None:
        """Somebody is connected for whom a game may wait."""
        for id in session.takes_part:
            contest = self.open.get(id)
            if contest is not None:
                contest.looks_at = 0.0

    def wake_at(self) -> float | None:
        if not self.open and not self._standings_at:
            return None  # asked for after every move
        times = [
            contest.looks_at
            for contest in self.open.values()
            if contest.looks_at is not None and not contest.busy and not contest.halted and not contest.over
        ]
        return min([*times, *self._standings_at.values()], default=None)

    def tick(self, now: float) -> None:
        for contest in self.running():
            if contest.looks_at is not None and contest.looks_at <= now and not contest.busy:
                try:
                    look(contest, now)
                except Exception as bug:
                    contest.halt(bug)
        for id in [id for id, at in self._standings_at.items() if at <= now]:
            del self._standings_at[id]
            watched = self.open.get(id)
            if watched is not None and self._watchers(watched):
                self.score(watched, functools.partial(self._tell_standings, watched))

    @property
    def busy(self) -> bool:
        return any(contest.busy for contest in self.open.values())

    # Telling

    def watch(self, session: Session, contest: Contest, then: Callable[[m.Picture | None], None]) -> None:
        """Tells a session of everything from now on, and `then` how everything stands; None after a bug."""
        session.attends.add(contest.id)

        def show(scores: Scores | None) -> None:
            if scores is None:
                then(None)
            else:
                then(picture.picture(contest.id, contest.seq, contest.tournament, scores))

        self.score(contest, show)

    def score(self, contest: Contest, then: Callable[[Scores | None], None]) -> None:
        """Works out how a tournament stands, unless that is known, and hands it on; None after a bug."""
        state, before = contest.tournament, dict(contest.ratings)
        if contest.scores is not None and contest.scored is state:
            then(contest.scores)
            return
        waiting = self._scoring.setdefault(contest.id, [])
        waiting.append(then)
        if len(waiting) > 1:
            return
        work = functools.partial(work_out, state, before)
        started = time.perf_counter()
        scored = functools.partial(self._scored, contest, state, started)
        if self.lane is None:
            scored(work)
        else:
            self.lane.think(work, lambda found: scored(found.result))

    def _scored(
        self, contest: Contest, state: Tournament, started: float, scores: Callable[[], Scores]
    ) -> None:
        """Takes the scores over, which raises if working them out has failed; all who wait are told."""
        found: Scores | None = None
        try:
            found = contest.scores = scores()
            contest.scored = state
        except Exception as bug:
            self.tables.on_bug(contest.id, len(contest.log), bug)
        took = time.perf_counter() - started
        self._rests_until[contest.id] = self.tables.clock() + min(LONGEST_REST, took * STANDINGS_REST)
        for then in self._scoring.pop(contest.id, []):
            guard(functools.partial(then, found), self.tables.on_bug, contest.id, len(contest.log))

    def _watchers(self, contest: Contest) -> list[Session]:
        return [session for session in self.tables.sessions.values() if contest.id in session.attends]

    def tell(self, contest: Contest, happened: Sequence[Event], before: Tournament) -> None:
        """What has happened, to all who watch; and to those who take part how the tournament goes on."""
        self.open.setdefault(contest.id, contest)
        info = self.listed[contest.id] = picture.info(contest.id, contest.tournament)
        self._bind(contest)
        watchers = self._watchers(contest)
        for event in happened:
            self.games_played += isinstance(event, events.GameFinished)
            made = message(contest.id, event, contest.tournament, before)
            if made is not None:
                contest.seq += 1
                frame = Frame.of(made(contest.seq))
                for session in watchers:
                    session.send(frame)
        if any(isinstance(event, COURSE) for event in happened):
            contest.seq += 1
            frame = Frame.of(m.TournamentChanged(contest.id, contest.seq, info))
            concerned = {*contest.tournament.entrants, *(session.name for session in watchers)}
            for name in concerned:
                if name in self.tables.sessions:
                    self.tables.sessions[name].send(frame)
        if any(isinstance(event, SCORED) for event in happened):
            at_once = any(isinstance(event, events.RoundFinished | events.Finished) for event in happened)
            rest = 0.0 if at_once else self._rests_until.get(contest.id, 0.0)
            self._standings_at[contest.id] = min(rest, self._standings_at.get(contest.id, rest))

    def _tell_standings(self, contest: Contest, scores: Scores | None) -> None:
        if scores is None:
            return
        contest.seq += 1
        parts = scores.standings, scores.crosstable, scores.ratings
        frame = Frame.of(m.TournamentStandings(contest.id, contest.seq, *parts))
        for session in self._watchers(contest):
            session.send(frame)
