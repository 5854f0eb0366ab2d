"""All tournaments of a server: which there are, who watches them, and when each has something to do."""

import contextlib
import functools
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import attrs

from parlour.engine.catalogue import GAMES
from parlour.engine.errors import Malformed
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part, write_part
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.numbers import number_in
from parlour.server.background import AtOnce, Background, gently
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
from parlour.server.tournament.live.dealing import slow_down
from parlour.server.tournament.live.entering import draw_keys
from parlour.server.tournament.live.errands import Errands
from parlour.server.tournament.live.guests import Guests
from parlour.server.tournament.live.house import CHANGED, House, NoHouse
from parlour.server.tournament.live.news import COURSE, SCORED, message
from parlour.server.tournament.live.pictures import Answer, Drawing, OldPictures, Picture, Wish, draw
from parlour.server.tournament.live.running import LogLine, RunningTournament
from parlour.server.tournament.live.scores import Scores, work_out
from parlour.server.tournament.ratings import Rating, from_maps
from parlour.server.tournament.rules import Rules
from parlour.server.tournament.state import NotAllowed, Tournament

LISTED = 50
"""How many tournaments that are over are listed; all others always are."""
REMEMBERED = 8
"""How many tournaments that are over stay in memory: others are read from the archive again."""
STANDINGS_REST = 200.0
"""After working standings out, the server rests so many times as long as that took."""
LONGEST_REST = 30.0
LINES = 50
"""Lines of a log that are read at a time: half a millisecond."""
MOST_DRAWINGS = 4
"""Pictures from the archive that may wait to be drawn."""
DRAWN_AFTER = 2.0
"""Seconds after which to ask again when there are more."""
Plain = dict[str, Any]
log = logging.getLogger("parlour.tournament")


class Source(Protocol):
    """An archive as tournaments are read from it."""

    def tournaments(self) -> Mapping[str, Plain]: ...

    def happenings(self, tournament: str, after: int = 0, most: int | None = None) -> Sequence[Plain]: ...

    def ratings(self, game: str) -> Mapping[str, Plain]: ...


class NoSource:
    """For a server without an archive: tournaments that are over stay in memory."""

    def tournaments(self) -> Mapping[str, Plain]:
        return {}

    def happenings(
        self,
        tournament: str,  # noqa: ARG002
        after: int = 0,  # noqa: ARG002
        most: int | None = None,  # noqa: ARG002
    ) -> Sequence[Plain]:
        return []

    def ratings(self, game: str) -> Mapping[str, Plain]:  # noqa: ARG002
        return {}


@attrs.define(repr=False)
class RunningTournaments:
    """Every tournament by its id: those in memory, and what is listed of all."""

    tables: Tables
    limits: Limits
    source: Source = attrs.field(factory=NoSource)
    house: House = attrs.field(factory=NoHouse)
    open: dict[str, RunningTournament] = attrs.field(factory=dict)
    """Those in memory."""
    listed: dict[str, m.TournamentInfo] = attrs.field(factory=dict)
    """All of them, in the order in which they were made."""
    in_house: bool = False
    """Other nodes have tournaments, too."""
    games_played: int = 0
    low_priority: LowPriorityStore | None = None
    working: Background = attrs.field(factory=AtOnce)
    """The thread in which rounds are paired, scores worked out, and pictures drawn."""
    drawing: Background = attrs.field(factory=AtOnce)
    """The one in which pictures of tournaments are drawn that lie in the archive: slowly."""
    _creating: dict[str, RunningTournament] = attrs.field(factory=dict)
    """Those whose first event is being stored: they count, too."""
    _ratings: dict[str, dict[Name, Rating]] = attrs.field(factory=dict)
    guests: Guests = attrs.field(init=False)
    """Games of tournaments that other nodes have."""
    errands: Errands = attrs.field(init=False)
    """What other nodes do in their tournaments for clients of this one, that cannot go there."""
    _heard: dict[str, int] = attrs.field(factory=dict)
    """How much such clients were told of tournaments that other nodes have."""
    _standings_due: dict[str, bool] = attrs.field(factory=dict)
    """Tournaments whose standings have changed, and whether watchers get them without a rest before."""
    _rests_until: dict[str, float] = attrs.field(factory=dict)
    _scoring: set[str] = attrs.field(factory=set)
    """Tournaments whose scores are being worked out: their next standings wait for that."""
    _drawings: dict[str, Drawing] = attrs.field(factory=dict)
    _old: OldPictures = attrs.field(factory=OldPictures)
    _watching: dict[str, dict[str, Session]] = attrs.field(factory=dict)
    """By tournament: who watches it, by name, and some who no longer do."""

    def __attrs_post_init__(self) -> None:
        self.tables.on_table = self.table_changed
        self.guests = Guests(self, self.table_changed)
        self.errands = Errands(self)

    # Finding

    def find(self, id: str) -> RunningTournament:
        """Finds one for a command that changes it; raises `no_such_tournament` or `against_rules`."""
        info = self.info(id)
        tournament = self.open.get(info.tournament)
        if tournament is None and info.phase in lifecycle.OVER:
            raise ProtocolError("against_rules", why="not_now", phase=info.phase)
        if tournament is None:
            raise ProtocolError("no_such_tournament")
        return tournament

    def info(self, id: str) -> m.TournamentInfo:
        """What is listed of one; raises `no_such_tournament`."""
        info = self.listed.get(id.upper())
        if info is None:
            raise ProtocolError("no_such_tournament")
        return info

    def _forget_old(self) -> None:
        """Forgets tournaments that are over, but for the last ones."""
        over = [id for id, tournament in self.open.items() if tournament.over]
        durable = self.tables.store.durable
        for old in over[: -REMEMBERED if durable else -LISTED]:
            del self.open[old]
            self._watching.pop(old, None)
            if not durable:
                del self.listed[old]

    def _read(self, id: str) -> tuple[Tournament, list[LogLine], int]:
        """Reads one from the archive: its state, its log, and when somebody was last active.

        Raises `no_such_tournament` if this build does not understand it.
        """
        lines = []
        active_at = 0
        with _understanding(id):
            for plain in self.source.happenings(id):
                event = events.read_line(plain["line"])
                lines.append(LogLine(plain["at"], plain["line"], not isinstance(event, events.PRIVATE)))
                active_at = plain["at"] if events.is_activity(event) else active_at
            state = lifecycle.recovered(line.line for line in lines)
        return state, lines, active_at

    def _read_slowly(self, id: str) -> Tournament:
        """Reads the state of one in a thread, a little at a time; raises `no_such_tournament` as well."""

        def lines(after: int = 0) -> Iterator[str]:
            while page := self.source.happenings(id, after, LINES):
                yield from (plain["line"] for plain in page)
                after += LINES

        with _understanding(id):
            return lifecycle.recovered(gently(lines()))

    def read_log(self, id: str, after: int, most: int) -> list[LogLine]:
        """Reads some lines of a tournament that lies in the archive, in any thread, a little at a time."""
        found: list[LogLine] = []
        for start in gently(range(after, after + most, LINES)):
            for plain in self.source.happenings(id, start, min(LINES, after + most - start)):
                public = not events.is_private(plain["line"])
                found.append(LogLine(plain["at"], plain["line"], public))
        return found

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

    def read_ratings(self, game: str) -> dict[Name, Rating] | None:
        """Reads ratings that other nodes may have changed, in any thread; None: nobody else changes them."""
        return from_maps(self.source.ratings(game)) if self.in_house else None

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
        info, tournament = self.listed[id], self.open.get(id)
        round_ = number_in(rest.partition("-")[0])
        if tournament is not None:
            over = len(tournament.state.revealed)
        else:  # all rounds of one that has finished are over; another node's may be in the middle of the last
            over = info.round - (info.phase not in lifecycle.OVER)
        return info.phase == "cancelled" or (round_ is not None and round_ <= over)

    def running(self) -> list[RunningTournament]:
        return [tournament for tournament in self.open.values() if not tournament.over]

    def new(self, rules: Rules, organiser: str) -> tuple[RunningTournament, list[Event], str | None]:
        """Makes a tournament, which exists once these events are stored, with its invitation.

        Raises `too_many_tournaments`.
        """
        running = [*self.running(), *self._creating.values()]
        if len(running) >= self.limits.tournaments:
            raise ProtocolError("too_many_tournaments", most=self.limits.tournaments)
        own = [tournament for tournament in running if tournament.state.organiser == organiser]
        if len(own) >= self.limits.tournaments_each:
            raise ProtocolError("too_many_tournaments", most=self.limits.tournaments_each)
        id = self.tables.new_word(CODE_LENGTH)
        while id in self.listed:
            id = self.tables.new_word(CODE_LENGTH)
        event, keys = (
            events.Announced(rules.plain(), organiser),
            draw_keys(self.tables, rules.entry.invitation),
        )
        tournament = self._creating[id] = self._make(id, lifecycle.announced(event), [])
        tournament.gate.reply(functools.partial(self._created, id))
        return tournament, [event, keys], keys.invitation

    def _created(self, id: str, _wrong: ProtocolError | None) -> None:
        del self._creating[id]

    def newest(self, with_nodes: bool = False) -> list[m.TournamentInfo]:
        """Lists all that are not over, then the last that are; of both the newest first.

        `with_nodes` has the addresses of those that other nodes have.
        """
        newest = list(reversed(self.listed.values()))
        over = [info for info in newest if info.phase in lifecycle.OVER]
        running = [info for info in newest if info.phase not in lifecycle.OVER]
        return [*(map(self._with_node, running) if with_nodes else running), *over[:LISTED]]

    def _with_node(self, info: m.TournamentInfo) -> m.TournamentInfo:
        url = self.house.url_of(info.tournament)
        return info if url is None else attrs.evolve(info, node=url)

    def recover(self) -> None:
        """Reads all that are not over after a restart; one that cannot be read spoils no other.

        What another node has is only listed.
        """
        for game in GAMES:
            self.ratings(game)
        for id, plain in self.source.tournaments().items():
            info = read_part(plain["info"], m.TournamentInfo)
            if info.phase not in lifecycle.OVER and self.house.node_of(id) is None:
                try:
                    self._recover(id)
                except ProtocolError:
                    continue
            self.listed[id] = info

    def _recover(self, id: str) -> RunningTournament:
        tournament = self.open[id] = self._make(id, *self._read(id))
        self._bind(tournament)
        tournament.seq = self._heard.pop(id, 0)
        return tournament

    def take_over(self, id: str) -> None:
        """Goes on with a tournament that was another node's."""
        try:
            tournament = self._recover(id)
        except ProtocolError:
            return
        self.listed[id] = snapshot.info(id, tournament.state)
        self._tell_house(tournament, True)
        self.advance(tournament)
        self.tables.set_alarm()

    def _tell_house(self, tournament: RunningTournament, course: bool) -> None:
        """Tells other nodes what to list; after a change of its course, also who is to be told of it."""
        players = list(tournament.state.entrants) if course else None
        self.house.tell(
            {"event": CHANGED, "info": write_part(self.listed[tournament.id]), "players": players}
        )

    def hear(self, event: Mapping[str, Any]) -> None:
        """Takes note of a tournament of another node."""
        info = read_part(event["info"], m.TournamentInfo)
        if info.tournament not in self.open:
            self.listed[info.tournament] = info
            self.house.note(info.tournament, None if info.phase in lifecycle.OVER else event["node"])
            if event["players"] is not None:
                self._pass_on(info, event["players"])

    def note_end(self, id: str) -> bool:
        """Notes the end of a tournament whose node has died before it told of it; whether that is so."""
        plain = self.source.tournaments().get(id.upper())
        info = read_part(plain["info"], m.TournamentInfo) if plain is not None else None
        if info is None or info.phase not in lifecycle.OVER:
            return False
        self.listed[info.tournament] = info
        self.house.note(info.tournament, None)
        return True

    def _pass_on(self, info: m.TournamentInfo, players: Sequence[str]) -> None:
        """Tells those of a change who watch or play at another node, and cannot go there."""
        id = info.tournament
        seq = self._heard[id] = self._heard.get(id, 0) + 1
        self._send(id, Frame.of(m.TournamentChanged(id, seq, info)), players)

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
            slow_down(self, table)
        if terms is not None and tournament is None and self.house.node_of(terms.tournament) is not None:
            self.guests.look_after(table)
        elif table.stage != "closed" and (
            tournament is None or table not in tournament.open_tables().values()
        ):
            table.closes_at = self.tables.clock()
            self.tables.alarms.set(table)
        if tournament is not None:
            self.advance(tournament)
        for other in self.running():
            if other.waits_for_table and other is not tournament:
                self.advance(other)
        self.tables.set_alarm()

    def arrived(self, name: str) -> None:
        """Looks after the tournaments of somebody who has come to any node, or gone."""
        for tournament in self.running():
            if name in tournament.state.entrants:
                self.advance(tournament)

    def moved(self, id: str) -> None:
        """Takes note of a game that another node has got, or lost: a tournament of ours may go on."""
        tournament = self.open.get(id.partition("-")[0])
        if tournament is not None:
            self.advance(tournament)
        self.errands.give_up(lambda tournament, _node: tournament == id)

    def node_began(self, node: str) -> None:
        """Takes note of a node that has been started anew: what it was asked to do it may not have heard."""
        self.errands.give_up(lambda _tournament, owner: owner == node)

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
        if self.in_house:
            self.arrived(session.name)
        for id in session.takes_part:
            tournament = self.open.get(id)
            if tournament is not None:
                self.advance(tournament)
        self.guests.look(session.tables)

    def wake_at(self) -> float | None:
        if not self.open and not self._standings_due and not self.guests.waiting:
            return None  # the quick way, for this is called after every move
        times = [
            tournament.looks_at
            for tournament in self.open.values()
            if tournament.looks_at is not None
            and not tournament.busy
            and not tournament.halted
            and not tournament.over
        ]
        return min([*times, *self._standings_at().values(), *self.guests.waiting.values()], default=None)

    def _standings_at(self) -> dict[str, float]:
        """When to tell which standings, but for those that are being worked out."""
        return {
            id: 0.0 if at_once else self._rests_until.get(id, 0.0)
            for id, at_once in self._standings_due.items()
            if id not in self._scoring
        }

    def tick(self, now: float) -> None:
        self.guests.look([id for id, at in self.guests.waiting.items() if at <= now])
        for tournament in self.running():
            if tournament.looks_at is not None and tournament.looks_at <= now:
                self.advance(tournament)
        for id in [id for id, at in self._standings_at().items() if at <= now]:
            del self._standings_due[id]
            watched = self.open.get(id)
            if watched is not None and self._watchers(id):
                self._score(watched)

    @property
    def busy(self) -> bool:
        return any(tournament.busy for tournament in self.open.values())

    # Watchers

    def watch(self, session: Session, id: str, json: bool, then: Callable[[Answer], bool]) -> None:
        """Hands `then` a picture of a tournament, and sends a session every event after it.

        Raises `no_such_tournament`, or `busy` if too many wait for one from the archive.
        """
        id = self.info(id).tournament
        wish, drawing = Wish(session, json, then), self._drawings.get(id)
        if drawing is None and id not in self.open and self.drawing.waiting >= MOST_DRAWINGS:
            raise ProtocolError("busy", retry_after=DRAWN_AFTER)
        session.watched_tournaments.add(id)
        if id in self.open or self.listed[id].phase not in lifecycle.OVER:  # nothing more happens in others
            self._watching.setdefault(id, {})[session.name] = session
        if drawing is None:
            self._draw(id, [wish])
            return
        wish.since = len(drawing.held)
        tournament = self.open.get(id)
        # Standings are an event, too, and change no state: whoever watched before has had them.
        is_same = not drawing.held and (tournament is None or tournament.state is drawing.state)
        # Another kind of text takes another drawing.
        (drawing.waiting if is_same and not json else drawing.later).append(wish)

    def unwatch(self, session: Session, id: str) -> None:
        """Sends a session no more events; raises `no_such_tournament`."""
        id = self.info(id).tournament
        session.watched_tournaments.discard(id)
        drawing, tournament = self._drawings.get(id), self.open.get(id)
        for wish in drawing.wishes() if drawing is not None else ():
            if wish.session is session and tournament and session.name in tournament.state.entrants:
                for frame, for_players in drawing.held[wish.since :] if drawing is not None else ():
                    if for_players:
                        session.send(frame)
                return

    def _draw(self, id: str, wishes: list[Wish]) -> None:
        """Draws a picture, unless there is one."""
        tournament, json = self.open.get(id), any(wish.json for wish in wishes)
        picture = self._old.get(id, json) if tournament is None else tournament.picture
        state = None if tournament is None else tournament.state
        seq = self._heard.get(id, 0) if tournament is None else tournament.seq
        fits = picture is not None and (state is None or picture.state is state)
        if picture is not None and fits and (picture.text is not None or not json):
            self._show(id, Drawing(state, seq, wishes), picture.answer(seq))
            return
        drawing = self._drawings[id] = Drawing(state, seq, wishes)
        take = functools.partial(self._take_picture, id, drawing, tournament)
        if tournament is None:
            self.drawing.run(functools.partial(self._draw_old, id, json), take)
        else:
            scores = tournament.scores if tournament.scored is tournament.state else None
            before = self._ratings_before(tournament.state)
            self.working.run(functools.partial(draw, id, tournament.state, before, scores, json), take)

    def _draw_old(self, id: str, json: bool) -> tuple[Scores, Picture]:
        """Reads a tournament that is over, and draws its picture: in the thread for that."""
        state = self._read_slowly(id)
        return draw(id, state, self._ratings_before(state), None, json, gently)

    def _ratings_before(self, state: Tournament) -> dict[Name, Rating]:
        """The ratings of all who take part."""
        ratings = self.ratings(state.rules.game)
        return {name: ratings[name] for name in state.entrants if name in ratings}

    def _take_picture(
        self,
        id: str,
        drawing: Drawing,
        tournament: RunningTournament | None,
        found: Callable[[], tuple[Scores, Picture]],
    ) -> None:
        """Shows a picture to all who wait for it, with what has happened since; then draws the next one."""
        del self._drawings[id]
        answer: Answer
        try:
            scores, picture = found()
        except Exception as wrong:
            answer = functools.partial(_fail, wrong)
        else:
            answer = picture.answer(drawing.seq)
            if tournament is None and picture.state.phase in lifecycle.OVER:
                self._old.keep(id, picture)
            elif tournament is not None:
                tournament.picture = picture
                tournament.scores, tournament.scored = scores, picture.state
        self._show(id, drawing, answer)
        if drawing.later:
            self._draw(id, drawing.later)

    def _show(self, id: str, drawing: Drawing, answer: Answer) -> None:
        shown = {}
        for wish in drawing.waiting:
            if wish.then(answer) and id in wish.session.watched_tournaments:
                shown[wish.session.name] = wish.session
        for session in shown.values():  # once, also to one who has asked twice
            for frame, _ in drawing.held:
                session.send(frame, urgent=False)

    def _score(self, tournament: RunningTournament) -> None:
        """Tells the standings, which are worked out first unless they are known."""
        state = tournament.state
        if tournament.scores is not None and tournament.scored is state:
            self._tell_standings(tournament, tournament.scores)
            return
        self._scoring.add(tournament.id)
        work = functools.partial(work_out, state, self._ratings_before(state))
        started = self.tables.clock()
        self.working.run(work, functools.partial(self._take_scores, tournament, state, started))

    def _take_scores(
        self, tournament: RunningTournament, state: Tournament, started: float, scores: Callable[[], Scores]
    ) -> None:
        """Calls `scores`, which raises if working them out has failed, and tells them to all who watch."""

        def take() -> None:
            found = tournament.scores = scores()
            tournament.scored = state
            self._tell_standings(tournament, found)

        self._scoring.discard(tournament.id)
        took = self.tables.clock() - started
        self._rests_until[tournament.id] = self.tables.clock() + min(LONGEST_REST, took * STANDINGS_REST)
        guard(take, self.tables.on_bug, tournament.id, len(tournament.log))
        self.tables.set_alarm()

    def _watchers(self, id: str) -> list[Session]:
        """Those who watch, but for those who wait for a picture: what comes now is held back for them."""
        drawing = self._drawings.get(id)
        waiting = {wish.session.name for wish in drawing.wishes()} if drawing is not None else set()
        known = self._watching.get(id, {})
        for session in [session for session in known.values() if id not in session.watched_tournaments]:
            del known[session.name]
        return [session for session in known.values() if session.name not in waiting]

    def _send(self, id: str, frame: Frame, players: Iterable[str] = ()) -> None:
        """Sends a frame to all who watch, packed once, and to players.

        Of a tournament that another node has, only to clients that cannot hear of it there.
        """
        drawing, here = self._drawings.get(id), id in self.open
        if drawing is not None:
            drawing.held.append((frame, bool(players)))
        for session in self._watchers(id):
            if here or not session.nodes:
                session.send(frame, urgent=False)
        for name in players:
            player = self.tables.sessions.get(name)
            if player is not None and id not in player.watched_tournaments and (here or not player.nodes):
                player.send(frame, urgent=False)

    def tell(self, tournament: RunningTournament, happened: Sequence[Event], before: Tournament) -> None:
        """Sends what has happened to all who watch, and every change of phase or round to those who play."""
        self.open.setdefault(tournament.id, tournament)
        info = self.listed[tournament.id] = snapshot.info(tournament.id, tournament.state)
        course = any(isinstance(event, COURSE) for event in happened)
        self._tell_house(tournament, course)
        self._bind(tournament)
        for event in happened:
            self.games_played += isinstance(event, events.GameFinished)
            made = message(tournament.id, event, tournament.state, before)
            if made is not None:
                tournament.seq += 1
                self._send(tournament.id, Frame.of(made(tournament.seq)))
        if course:
            tournament.seq += 1
            changed = m.TournamentChanged(tournament.id, tournament.seq, info)
            self._send(tournament.id, Frame.of(changed), tournament.state.entrants)
        if any(isinstance(event, SCORED) for event in happened):
            at_once = any(isinstance(event, events.RoundFinished | events.Finished) for event in happened)
            self._standings_due[tournament.id] = at_once or self._standings_due.get(tournament.id, False)
        if tournament.over:
            self._forget_old()

    def _tell_standings(self, tournament: RunningTournament, scores: Scores) -> None:
        tournament.seq += 1
        self._send(tournament.id, scores.frame(tournament.id, tournament.seq))


@contextlib.contextmanager
def _understanding(id: str) -> Iterator[None]:
    try:
        yield
    except (Malformed, NotAllowed) as wrong:
        log.error("tournament=%s cannot be read, and is left as it is: %s", id, wrong)
        raise ProtocolError("no_such_tournament") from wrong


def _fail(wrong: Exception, _id: int) -> Frame:
    raise wrong
