"""All tournaments of a server: they are made and restored, and each goes on when it is time."""

import contextlib
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from parlour.engine.catalogue import GAMES
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part, write_part
from parlour.protocol.errors import ProtocolError
from parlour.server.background import AtOnce, Background
from parlour.server.limits import Limits
from parlour.server.people.session import Session
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.low_priority import LowPriorityStore
from parlour.server.tables.registry import CODE_LENGTH, Tables
from parlour.server.tables.table import Table
from parlour.server.tournament import events, lifecycle
from parlour.server.tournament.events import Event
from parlour.server.tournament.live.course import look
from parlour.server.tournament.live.dealing import slow_down
from parlour.server.tournament.live.entering import draw_keys
from parlour.server.tournament.live.errands import Errands
from parlour.server.tournament.live.guests import Guests
from parlour.server.tournament.live.house import CHANGED, House, NoHouse
from parlour.server.tournament.live.listing import Listing
from parlour.server.tournament.live.running import RunningTournament
from parlour.server.tournament.live.stored import LogLine, StoredTournaments
from parlour.server.tournament.rules import Rules
from parlour.server.tournament.state import Tournament
from parlour.server.tournament.watching import snapshot
from parlour.server.tournament.watching.news import COURSE
from parlour.server.tournament.watching.scores import LastScores
from parlour.server.tournament.watching.standings import Standings
from parlour.server.tournament.watching.watchers import Watchers


@attrs.define(repr=False)
class RunningTournaments:
    """Makes them, restores them, hears of those of other nodes, and goes on with each when it is time."""

    tables: Tables
    limits: Limits
    stored: StoredTournaments = attrs.field(factory=StoredTournaments)
    house: House = attrs.field(factory=NoHouse)
    listing: Listing = attrs.field(factory=Listing)
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
    guests: Guests = attrs.field(init=False)
    """Games of tournaments that other nodes have."""
    errands: Errands = attrs.field(init=False)
    """What other nodes do in their tournaments for clients of this one, that cannot go there."""
    watchers: Watchers = attrs.field(init=False)
    """Who watches which of them, also of those that other nodes have."""
    standings: Standings = attrs.field(init=False)
    """Those that watchers are to get."""

    def __attrs_post_init__(self) -> None:
        self.tables.on_table = self.table_changed
        self.guests = Guests(self, self.table_changed)
        self.errands = Errands(self)
        scores = LastScores()
        self.watchers = Watchers(self, self.listing.open, scores)
        self.standings = Standings(self, self.listing.open, self.watchers, scores)

    def _make(
        self, id: str, state: Tournament, lines: list[LogLine], active_at: int = 0
    ) -> RunningTournament:
        ratings = self.stored.ratings(state.rules.game)
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

    def free_tables(self) -> int:
        """Counts how many more tables tournaments may have."""
        playing = [table for table in self.tables.by_id.values() if table.settings.terms is not None]
        ours = self.limits.tournament_tables - sum(table.stage != "finished" for table in playing)
        return min(ours, self.limits.tables - len(self.tables.by_id))

    def new(self, rules: Rules, organiser: str) -> tuple[RunningTournament, list[Event], str | None]:
        """Makes a tournament, which exists once these events are stored, with its invitation.

        Raises `too_many_tournaments`.
        """
        running = [*self.listing.running(), *self._creating.values()]
        if len(running) >= self.limits.tournaments:
            raise ProtocolError("too_many_tournaments", most=self.limits.tournaments)
        own = [tournament for tournament in running if tournament.state.organiser == organiser]
        if len(own) >= self.limits.tournaments_each:
            raise ProtocolError("too_many_tournaments", most=self.limits.tournaments_each)
        id = self.tables.new_word(CODE_LENGTH)
        while id in self.listing.infos:
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

    def address(self, info: m.TournamentInfo) -> m.TournamentInfo:
        """Adds the address of the node that has it, if that is another one."""
        url = None if info.phase in lifecycle.OVER else self.house.url_of(info.tournament)
        return info if url is None else attrs.evolve(info, node=url)

    def recover(self) -> None:
        """Reads all that are not over after a restart; one that cannot be read spoils no other.

        What another node has is only listed.
        """
        for game in GAMES:
            self.stored.ratings(game)
        for id, plain in self.stored.source.tournaments().items():
            info = read_part(plain["info"], m.TournamentInfo)
            if info.phase not in lifecycle.OVER and self.house.node_of(id) is None:
                try:
                    self._recover(id)
                except ProtocolError:
                    continue
            self.listing.infos[id] = info

    def _recover(self, id: str) -> RunningTournament:
        tournament = self.listing.open[id] = self._make(id, *self.stored.read(id))
        self._bind(tournament)
        return tournament

    def take_over(self, id: str) -> None:
        """Goes on with a tournament that was another node's."""
        try:
            tournament = self._recover(id)
        except ProtocolError:
            return
        self.listing.infos[id] = snapshot.info(id, tournament.state)
        self._tell_house(tournament, True)
        self.advance(tournament)
        self.tables.set_alarm()

    def _tell_house(self, tournament: RunningTournament, course: bool) -> None:
        """Tells other nodes what to list; after a change of its course, also who is to be told of it."""
        players = list(tournament.state.entrants) if course else None
        info = self.listing.infos[tournament.id]
        event = {"event": CHANGED, "info": write_part(info), "players": players}
        self.house.tell_of(tournament.id, event, ends=info.phase in lifecycle.OVER)

    def hear(self, event: Mapping[str, Any]) -> None:
        """Takes note of a tournament of another node."""
        info = read_part(event["info"], m.TournamentInfo)
        if info.tournament not in self.listing.open:
            self.listing.infos[info.tournament] = info
            if info.phase in lifecycle.OVER:
                self.house.forget(info.tournament)
            else:
                self.house.note(info.tournament, event["node"], event["epoch"])
            if event["players"] is not None:
                # To those who play in it or watch it, on clients that cannot go there.
                self.watchers.tell_course(info, event["players"])

    def find_end(self, id: str, then: Callable[[Callable[[], bool]], None]) -> None:
        """Finds out whether a tournament is over whose node has died before it told of that.

        `then` gets a function that says so, or raises an ArchiveError.
        """

        def take(found: Callable[[], Mapping[str, Any] | None]) -> None:
            then(lambda: self._note_end(found()))

        self.working.run(functools.partial(self.stored.source.tournament, id), take)

    def _note_end(self, plain: Mapping[str, Any] | None) -> bool:
        """Notes the end of a tournament if that is stored, and tells those who watch it."""
        info = read_part(plain["info"], m.TournamentInfo) if plain is not None else None
        if info is None or info.phase not in lifecycle.OVER:
            return False
        if not self.listing.has(info.tournament):
            self.listing.infos[info.tournament] = info
            self.house.forget(info.tournament)
            self.watchers.tell_course(info, ())
        return True

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
        tournament = self.listing.open.get(terms.tournament) if terms is not None else None
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
        for other in self.listing.running():
            if other.waits_for_table and other is not tournament:
                self.advance(other)
        self.tables.set_alarm()

    def arrived(self, name: str) -> None:
        """Looks after the tournaments of somebody who has come to any node, or gone."""
        for tournament in self.listing.running():
            if name in tournament.state.entrants:
                self.advance(tournament)

    def moved(self, id: str) -> None:
        """Takes note of a game that another node has got, or lost: a tournament of ours may go on."""
        tournament = self.listing.open.get(id.partition("-")[0])
        if tournament is not None:
            self.advance(tournament)
        elif id in self.listing.infos and not self.listing.has(id) and self.house.node_of(id) is None:
            self.find_end(id, _look_at_it)
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
            tournament = self.listing.open.get(id)
            if tournament is not None:
                self.advance(tournament)
        self.guests.look(session.tables)

    def wake_at(self) -> float | None:
        if not self.listing.open and not self.guests.waiting:
            return None  # the quick way, for this is called after every move
        times = [
            tournament.looks_at
            for tournament in self.listing.open.values()
            if tournament.looks_at is not None
            and not tournament.busy
            and not tournament.halted
            and not tournament.over
        ]
        return min([*times, *self.standings.times().values(), *self.guests.waiting.values()], default=None)

    def tick(self, now: float) -> None:
        self.guests.look([id for id, at in self.guests.waiting.items() if at <= now])
        for tournament in self.listing.running():
            if tournament.looks_at is not None and tournament.looks_at <= now:
                self.advance(tournament)
        self.standings.tick(now)

    @property
    def busy(self) -> bool:
        return any(tournament.busy for tournament in self.listing.open.values())

    def tell(self, tournament: RunningTournament, happened: Sequence[Event], before: Tournament) -> None:
        """Sends what has happened to all who watch, and every change of phase or round to those who play."""
        id, state = tournament.id, tournament.state
        self.listing.open.setdefault(id, tournament)
        info = self.listing.infos[id] = snapshot.info(id, state)
        course = any(isinstance(event, COURSE) for event in happened)
        self._tell_house(tournament, course)
        self._bind(tournament)
        self.games_played += sum(isinstance(event, events.GameFinished) for event in happened)
        self.watchers.tell(id, happened, state, before)
        if course:
            self.watchers.tell_course(info, state.entrants)
        self.standings.note(id, happened)
        if tournament.over:
            for old in self.listing.forget_old(self.tables.store.durable):
                self.watchers.forget(old)
                self.standings.forget(old)


def _look_at_it(ended: Callable[[], bool]) -> None:
    with contextlib.suppress(ArchiveError):  # whoever asks for the tournament has it looked up again
        ended()
