"""One tournament that runs on this server: what happens is stored, then it counts, then watchers are told.

Events that happen together are one batch, which is stored as one change, tables included. Other requests wait
until that batch is stored or refused. `course` decides what is due when.
"""

import functools
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

import attrs

from parlour.protocol.codec import write_part
from parlour.protocol.errors import ProtocolError
from parlour.server.background import Background
from parlour.server.limits import Limits
from parlour.server.people.session import Session
from parlour.server.storage.change import Change, Happened, Rated
from parlour.server.storage.gate import AGAIN_AFTER, Reply, WriteGate
from parlour.server.tables.registry import Tables
from parlour.server.tables.stored_maps import session_map, table_map
from parlour.server.tables.table import Table
from parlour.server.tournament import events, lifecycle
from parlour.server.tournament.events import Event
from parlour.server.tournament.history import Name
from parlour.server.tournament.live.dealing import Dealer, deal_soon
from parlour.server.tournament.live.games import Spot
from parlour.server.tournament.live.guests import Guests
from parlour.server.tournament.live.house import CANCELLED, House
from parlour.server.tournament.live.stored import LogLine, StoredTournaments
from parlour.server.tournament.ratings import Rating, to_maps
from parlour.server.tournament.state import Tournament
from parlour.server.tournament.watching import snapshot

LINGER = 2.0
LINGER_FOR_PEOPLE = 60.0
"""How long a table stands after its game, so that one can look at how it ended."""
log = logging.getLogger("parlour.tournament")


@attrs.define(repr=False)
class EventBatch:
    """What is to happen together: events one after the other, with the tables that they tell of."""

    now: Tournament
    events: list[Event] = attrs.field(factory=list)
    tables: list[Table] = attrs.field(factory=list)
    rated: dict[Name, Rating] = attrs.field(factory=dict)
    unrated: dict[Name, Rating] = attrs.field(factory=dict)
    """The ratings before, which come back if the new ones are not stored."""

    def add(self, event: Event) -> None:
        if not isinstance(event, events.Announced):
            self.now = lifecycle.after(self.now, event)
        self.events.append(event)


class Registry(Dealer, Protocol):
    """What a tournament needs of `registry.RunningTournaments`."""

    house: House
    guests: Guests
    """Games that wait for players who come from other nodes."""
    limits: Limits
    working: Background
    """A thread for long work."""
    in_house: bool
    """Other nodes have tournaments, too."""
    stored: StoredTournaments

    def tell(self, tournament: "RunningTournament", happened: Sequence[Event], before: Tournament) -> None:
        """Tells all who watch what has happened."""

    def free_tables(self) -> int:
        """Counts how many more tables the server has for tournaments."""

    def advance(self, tournament: "RunningTournament") -> None:
        """Does what is due in a tournament."""


@attrs.define(eq=False, repr=False)
class RunningTournament:
    """A tournament, its log, and the changes that are on their way to the store."""

    id: str
    tables: Tables
    state: Tournament
    ratings: dict[Name, Rating]
    """By name, for its game; all tournaments of that game on this server share the map."""
    registry: Registry
    log: list[LogLine] = attrs.field(factory=list)
    looks_at: float | None = 0.0
    """When time gives `course.look` something to do; None: not before something happens."""
    waits_for_table: bool = False
    """Games are due, and the server has no table for them."""
    advancing: bool = False
    again: bool = False
    """While it advances: there is more to do."""
    _settling: bool = False
    """A batch is being committed: what follows from it is done at the end."""
    _committed: bool = False
    """A batch was committed, and what follows from it is still to be done."""
    gate: WriteGate = attrs.field(init=False)
    halted: bool = False
    """A fault of ours has stopped it."""
    active_at: int = 0
    """When a player last did something in it, or was connected, in milliseconds since 1970."""
    read_at: int = 0
    """When this server read it, in milliseconds since 1970: it knows who is connected only since then."""
    missing: dict[Name, float] = attrs.field(factory=dict)
    """Players that a game waits for, and since when."""
    told_gone: set[tuple[Name, str, str]] = attrs.field(factory=set)
    """Players who have left during a game at another node, the table, and the node that was told so."""

    def __attrs_post_init__(self) -> None:
        tables = self.tables
        self.gate = WriteGate(self.id, tables.store, tables.on_bug, self.halt, self._after_commit)

    def _after_commit(self) -> None:
        if self._committed:
            self._committed = False
            # What is due at this moment waits for the alarm, so that others are served in between.
            if self.looks_at is None or self.looks_at > self.tables.clock():
                self.registry.advance(self)
        self.tables.set_alarm()

    @property
    def can_advance(self) -> bool:
        return not (self.gate.busy or self._settling or self.halted or self.over)

    @property
    def busy(self) -> bool:
        """Whether a batch is being stored or worked out."""
        return self.gate.busy

    @property
    def over(self) -> bool:
        return self.state.phase in ("finished", "cancelled")

    def open_tables(self) -> dict[Spot, Table]:
        """Those of the round whose games are not recorded yet."""
        found = {}
        for spot in self.state.open_games():
            dealt = self.state.begun.get(spot)
            table = self.tables.by_id.get(dealt[-1].at) if dealt else None
            if table is not None:
                found[spot] = table
        return found

    def games_elsewhere(self) -> dict[Spot, str]:
        """Those of the round that other nodes have, by their nodes."""
        found = {}
        for spot in self.state.open_games():
            dealt = self.state.begun.get(spot)
            node = self.registry.house.node_of(dealt[-1].at) if dealt else None
            if node is not None:
                found[spot] = node
        return found

    # Storing

    def ask(self, wanted: Sequence[Event], reply: Reply, whose: Callable[[], Session | None]) -> None:
        """Stores events that somebody asks for, with the answer, and then answers; raises NotAllowed."""
        batch = EventBatch(self.state)
        for event in wanted:
            batch.add(event)
        self.store(batch, reply, whose())

    def store(self, batch: EventBatch, reply: Reply | None = None, whose: Session | None = None) -> None:
        """Stores a batch, and then commits or undoes it; `reply` answers `whose` command it is."""
        wall = self.tables.store.wall()
        lines = [
            LogLine(wall, events.line(event), not isinstance(event, events.PRIVATE)) for event in batch.events
        ]
        first = len(self.log) + 1
        unrated = to_maps(batch.unrated)
        change = Change(
            keep_people=_kept(batch, whose),
            save_sessions={whose.name: session_map(whose)} if whose is not None else {},
            answered=(whose.name,) if whose is not None else (),
            release=[self.id] if batch.now.phase in lifecycle.OVER else (),
            save_tables={table.id: table_map(table) for table in batch.tables},
            save_tournaments={self.id: {"info": write_part(snapshot.info(self.id, batch.now))}},
            happened=[
                Happened(self.id, number, {"at": line.at, "line": line.line})
                for number, line in enumerate(lines, first)
            ],
            rated=[
                Rated(self.state.rules.game, name, rating, unrated.get(name))
                for name, rating in to_maps(batch.rated).items()
            ],
        )
        if reply is not None:
            self.gate.reply(reply)
        self.gate.put(
            change, functools.partial(self._commit, batch, lines), functools.partial(self._undo, batch)
        )

    def _undo(self, batch: EventBatch, wrong: ProtocolError) -> ProtocolError:
        """Undoes a batch that was not stored; what is due by itself is tried again soon."""
        self.looks_at = self.tables.clock() + AGAIN_AFTER
        for name, rating in batch.rated.items():
            # Another tournament may have stored newer ones since.
            if self.ratings.get(name) is rating:
                del self.ratings[name]
                if name in batch.unrated:
                    self.ratings[name] = batch.unrated[name]
        return wrong

    def _commit(self, batch: EventBatch, lines: list[LogLine]) -> None:
        """Applies a batch that was stored, and tells all who watch; after that the tournament advances."""
        self._settling = True
        try:
            self._apply(batch, lines)
        finally:
            self._settling = False
        self._committed = True

    def _apply(self, batch: EventBatch, lines: list[LogLine]) -> None:
        before, self.state = self.state, batch.now
        self.log += lines
        for event, line in zip(batch.events, lines, strict=True):
            if events.is_activity(event):
                self.active_at = line.at
            if line.public:
                log.info("tournament=%s event=%s", self.id, line.line)
            self._update_tables(event)
        self._seat(batch.tables)
        self.registry.tell(self, batch.events, before)

    def _update_tables(self, event: Event) -> None:
        """Clears the tables away whose games have counted, or count no more."""
        if isinstance(event, events.GameFinished):
            replay = self.state.begun.get((event.result.table, event.result.game))
            table = self.tables.by_id.get(replay[-1].at) if replay else None
            if table is not None:
                self.close_soon(table)
        elif isinstance(event, events.Cancelled):
            for table in list(self.tables.by_id.values()):
                if table.settings.terms is not None and table.settings.terms.tournament == self.id:
                    self.tables.close(table)
            self.registry.house.tell({"event": CANCELLED, "tournament": self.id})

    def close_soon(self, table: Table) -> None:
        """Leaves a table for a moment after its game, so that its players see how it ended."""
        people = any(player and not player.bot and player.here for player in table.players)
        table.closes_at = self.tables.clock() + (LINGER_FOR_PEOPLE if people else LINGER)
        self.tables.alarms.set(table)

    def _seat(self, tables: list[Table]) -> None:
        """Opens tables to their players, and deals, here or at other nodes."""
        house = self.registry.house
        for table in tables:
            self.tables.add(table)
            for player in filter(None, table.players):
                session = self.tables.sessions.get(player.name)
                player.here = session is not None and session.peer is not None
                if session is not None:
                    session.tables.add(table.id)
            node = house.node_for([player.name for player in filter(None, table.players)])
            if node is None:
                self._deal_here(table)
            else:
                house.give(table.id, node, functools.partial(self._deal_here, table))

    def _deal_here(self, table: Table) -> None:
        if self.registry.in_house:
            self.registry.house.announce(table.id)
            self.registry.guests.deal(table)
        else:
            deal_soon(self.registry, table)

    def halt(self, bug: BaseException) -> None:
        """The border for tournaments: a bug halts this one and no other."""
        self.halted = True
        self.tables.on_bug(self.id, len(self.log), bug)


def _kept(batch: EventBatch, whose: Session | None) -> Sequence[str]:
    """The names that are their owners' for good from now on; one who asks at another node has no session."""
    if whose is not None:
        return [whose.name] if whose.identity.played else ()
    return [event.name for event in batch.events if isinstance(event, events.Entered)]
