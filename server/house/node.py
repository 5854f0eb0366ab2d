"""One node of a house: what it hears of the others, what it tells them, and what it takes over from them.

It decides. The thread that asks the database is in storage/postgresql; what it finds comes on the event loop.
"""

import contextlib
import functools
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import attrs

from parlour.protocol import messages as m
from parlour.protocol.codec import write_part
from parlour.protocol.errors import ProtocolError
from parlour.protocol.names import clean_name
from parlour.server.border import guard, nothing
from parlour.server.house.directions import Directions
from parlour.server.house.directory import Directory, Entry
from parlour.server.house.house import Proof
from parlour.server.house.people import refresh
from parlour.server.house.presence import Presence
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.postgresql.house_values import (
    Found,
    HouseDatabase,
    HouseQuestions,
    Lease,
    Look,
    Person,
)
from parlour.server.tables.recovery import Plain, Source, restore_table
from parlour.server.tables.registry import Tables
from parlour.server.tables.stored_maps import table_from
from parlour.server.tables.substitutes import show
from parlour.server.tables.table import Table

LOOKS_UNTIL_FORGOTTEN = 3
MOST_UNTOLD = 10_000
"""Events that wait while the database is away: a node gives up when its lease is over."""
log = logging.getLogger("parlour.house")


@attrs.frozen
class _Restored:
    """What was read of leases that are this node's now."""

    leases: Sequence[Lease]
    tables: Mapping[str, Plain]
    people: Sequence[Person]
    elsewhere: Sequence[tuple[str, str, str]]
    """All leases of the house, if there is a tournament among these: its games are at any node."""


@attrs.frozen
class _Identified:
    """What was read of who says hello."""

    found: Found
    known: Sequence[Person]
    """Whose token it is as far as this node knows, as the database has them now."""
    seats: Sequence[tuple[str, Plain]]
    """Tables elsewhere, each with its node."""


@attrs.define(eq=False, repr=False)
class NodeHouse:
    """A house of several nodes (house.House)."""

    tables: Tables
    source: Source
    database: HouseDatabase
    node: str
    url: str
    nodes: Mapping[str, str] = attrs.field(factory=dict)
    addresses: tuple[str, ...] = ()
    directory: Directory = attrs.field(factory=Directory)
    presence: Presence = attrs.field(factory=Presence)
    directions: Directions = attrs.field(init=False)
    loads: Counter[str] = attrs.field(factory=Counter)
    """How many tables and tournaments each node had at the last look."""
    _tournaments: int = 0
    """How many of those here were tournaments."""
    _given_to: dict[str, str] = attrs.field(factory=dict)
    _on_way: Counter[str] = attrs.field(factory=Counter)
    """Tables that are being given away, and how many to each node: no look has counted them there yet."""
    _on_lost: Callable[[], None] = nothing
    """Called once, when this node may have lost what it had."""
    on_nodes: Callable[[], None] = lambda: None
    """Called when nodes have come or gone."""
    on_tournament: Callable[[str], None] = lambda _id: None
    """Called with a tournament that is this node's now."""
    on_begun: Callable[[str], None] = lambda _node: None
    """Called with another node that has just begun."""
    on_line: Callable[[str], None] = lambda _name: None
    """Called with a name that has come to another node, or gone."""
    on_moved: Callable[[str], None] = lambda _id: None
    """Called with a table or a tournament that another node has now, or nobody any more."""
    handlers: dict[str, Callable[[Mapping[str, Any]], None]] = attrs.field(factory=dict)
    """What to do with what other nodes tell, by the word for it."""
    _known: dict[str, int] = attrs.field(factory=dict)
    """The epochs of all that is, or was, this node's."""
    _restoring: set[str] = attrs.field(factory=set)
    _to_begin: deque[Table] = attrs.field(factory=deque)
    """Tables that have come here and are still to be restored."""
    _closed: dict[str, int] = attrs.field(factory=dict)
    """Tables that were closed here, and how many looks ago the database had nothing of them any more."""
    _untold: list[Mapping[str, Any]] = attrs.field(factory=list)
    _telling: bool = False
    _lost: bool = False

    def __attrs_post_init__(self) -> None:
        self.directions = Directions(self.tables, self.directory, self.ticket)

    def begin(self, clock: Callable[[], float]) -> None:
        """Restores this node's tables, and learns of all others; then listens. Raises ArchiveErrors."""
        mark, questions = self.database.first()
        mine = self.database.epochs
        self._known.update(mine)
        plains = self.source.tables()
        leases = questions.leases()
        restored = {id: plain for id, plain in plains.items() if id in mine}
        refresh(self.tables, questions.people(_names(restored.values())))
        for place, plain in enumerate(restored.values()):
            restore_table(self.tables, self.source, plain, clock, place)
        now = clock()
        for id, kind, node in leases:
            if id in mine:
                continue
            if kind == "table" and id in plains:
                self.directory.note(_entry(table_from(plains[id], now), node))
            else:
                self.directory.note(Entry(id, node, kind))
        self.tables.on_listed = self._listed
        self.tables.on_closed = self._table_closed
        self.database.begin(mark, self._look)
        self.tell({"event": "who"})
        for id in restored:  # others may not have heard of them, or of who sits there, when this node died
            self.announce(id)

    @property
    def over(self) -> bool:
        if not self._lost and self.database.over:
            self._lose()
        return self._lost

    def _lose(self) -> None:
        self._lost = True
        log.error(
            "node=%s has lost its place, for the database has not heard of it in time: "
            "it says goodbye, and begins anew",
            self.node,
        )
        self._on_lost()

    def when_lost(self, work: Callable[[], None]) -> None:
        """Does work when the node loses its place; at once if it was lost while the server began."""
        self._on_lost = work
        if self._lost:
            work()

    # Hellos and tickets

    def identify(self, hello: m.Hello, then: Callable[[Callable[[], Proof]], None]) -> None:
        name = None
        if hello.token is None and hello.ticket is None and hello.name is not None:
            try:
                name = clean_name(hello.name)
            except ProtocolError:
                name = None  # the lobby says what is wrong with it
        owner = self.tables.register.owner(hello.token) if hello.token is not None else None

        def work(asked: HouseQuestions) -> _Identified:
            found = asked.find(hello.token, hello.ticket, name)
            known = asked.people([owner]) if owner is not None else ()
            seats = self._seats(asked, found.people) if name is None else ()
            return _Identified(found, known, seats)

        self.database.ask(work, functools.partial(self._identified, name, then))

    def _seats(self, asked: HouseQuestions, people: Sequence[Person]) -> list[tuple[str, Plain]]:
        """The tables of people that are not at this node yet, with their nodes.

        Those of a node that has just died may not have been told of.
        """
        seats = []
        for person in people:
            for id, node in asked.seats(person.name):
                plain = self.source.table(id) if id not in self.database.epochs else None
                if plain is not None:
                    seats.append((node, plain))
        return seats

    def _identified(
        self,
        name: str | None,
        then: Callable[[Callable[[], Proof]], None],
        result: Callable[[], _Identified],
    ) -> None:
        try:
            read = result()
        except ArchiveError as wrong:
            log.error("a hello could not be looked up: %s", wrong)
            then(functools.partial(_refuse, ProtocolError("not_kept", retry_after=1.0)))
            return
        found = read.found
        refresh(self.tables, [*found.people, *read.known])
        if name is not None:
            there = {person.name for person in found.people}
            self._forget_gone(name, there)
        for node, plain in read.seats:
            if plain["id"] not in self.tables.by_id and plain["id"] not in self._closed:
                self.directory.note(_entry(table_from(plain, self.tables.clock()), node))
        then(lambda: Proof(found.number, found.ticket))

    def _forget_gone(self, name: str, there: set[str]) -> None:
        """Frees names that were given up at another node."""
        for owner in self.tables.register.alike(name):
            session = self.tables.sessions.get(owner.name)
            if owner.name in there or not owner.version or session is None:
                continue
            if session.peer is None and not session.tables:
                self.tables.forget(session)

    def ticket(self, name: str, node: str, then: Callable[[Callable[[], str]], None]) -> None:
        self.database.ask(lambda rows: rows.make_ticket(name, node), then)

    def find(self, command: object) -> Entry | None:
        tournament = getattr(command, "tournament", None)
        if tournament is not None:  # whose `code` is an invitation, and no table's
            return self.directory.entries.get(tournament.upper())
        id = getattr(command, "table", None)
        code = getattr(command, "code", None)
        if id in self.tables.by_id or self.tables.table_of(command) is not None:
            return None
        return self.directory.find(id, code)

    def locate(
        self, id: str | None, code: str | None, then: Callable[[Callable[[], Entry | None]], None]
    ) -> None:
        # Not what is here, or was heard of: as of now, for a table may come while the question is asked.
        known = {entry.id for entry in self.directory.entries.values() if entry.public or entry.code}
        known |= self.tables.by_id.keys()

        def work(asked: HouseQuestions) -> Entry | None:
            if id is not None:
                node = asked.where(id)
                return None if node is None else Entry(id, node)
            for table, kind, node in asked.leases():
                if kind == "table" and table not in known:
                    plain = self.source.table(table)
                    if plain is not None and plain["code"] == (code or "").upper():
                        return Entry(table, node)
            return None

        self.database.ask(work, then)

    # Going down

    def hand_over(self) -> Callable[[], bool]:
        """Gives all tables to other nodes; returns what says whether that is done, or has failed."""
        done = False

        def note(result: Callable[[], int]) -> None:
            nonlocal done
            done = True
            try:
                log.info("node=%s has handed over tables=%s", self.node, result())
            except ArchiveError as wrong:
                log.error("tables are taken over later, for they could not be handed over: %s", wrong)

        self.database.takes_over = False
        for gate in self.tables.gates.values():
            gate.when_free(gate.hold)  # what still waits is not told here: another node has the table soon
        self.database.ask(lambda asked: asked.hand_over("moved"), note)
        return lambda: done

    # Telling

    def tell(self, event: Mapping[str, Any]) -> None:
        self._untold.append(event)
        if len(self._untold) == 1:
            self.database.soon(self._tell)

    def _tell(self) -> None:
        """Tells what is untold, one batch after the other: what is told again stays before what is newer."""
        if self._untold and not self._telling:
            events, self._untold, self._telling = self._untold, [], True
            self.database.ask(lambda asked: asked.tell(events), functools.partial(self._told, events))

    def _told(self, events: Sequence[Mapping[str, Any]], result: Callable[[], object]) -> None:
        """Tells again with the next look what could not be told, but for chat: nobody wants that twice."""
        self._telling = False
        try:
            result()
        except ArchiveError as wrong:
            log.error("not told to other nodes yet: %s", wrong)
            again = [event for event in events if event["event"] != "chat"]
            self._untold[:0] = again[-MOST_UNTOLD:]
        else:
            self._tell()

    def note_line(self, name: str, follows: bool | None) -> None:
        self.tell({"event": "line", "name": name, "follows": follows})

    def _tell_lines(self) -> None:
        """Tells who is connected here, to a node that has begun."""
        here = {
            session.name: session.nodes
            for session in self.tables.sessions.values()
            if session.peer is not None
        }
        self.tell({"event": "lines", "lines": here})

    def announce(self, id: str) -> None:
        """Tells all others of a table of this node, and who sits there."""
        self._listed(self.tables.by_id[id])

    def _listed(self, table: Table) -> None:
        entry = _entry(table, self.node)
        info = write_part(entry.info) if entry.info is not None else None
        self.tell({"event": "table", "table": entry.to_map(), "info": info})

    def _table_closed(self, table: Table) -> None:
        self._closed[table.id] = 0
        self.tell({"event": "gone", "id": table.id})

    # Hearing

    def _look(self, look: Look) -> None:
        guard(functools.partial(self.looked, look), self.tables.on_bug, "house")

    def looked(self, look: Look) -> None:
        """Takes what the database has to tell."""
        if self.over:
            return
        self.loads = Counter(look.loads)
        self._tournaments = sum(lease.kind == "tournament" for lease in look.mine)
        self.addresses = look.addresses
        if dict(self.nodes) != look.nodes:
            self.nodes = look.nodes
            self.presence.keep(look.nodes)
            self.on_nodes()
        for node, event in look.events:
            guard(functools.partial(self._hear, node, event), self.tables.on_bug, f"event of {node}")
        self._adopt(look.mine)
        self.directions.tell(self.nodes)
        self._tell()

    def _hear(self, node: str, event: Mapping[str, Any]) -> None:
        kind = event["event"]
        if kind == "moved":
            for id, owner in event["moved"].items():
                if owner != self.node:
                    if event.get("table") is not None:
                        self.directory.note_map(owner, event["table"], None)
                    self.directory.move(id, owner)
                    self.directions.note(id)
                self.on_moved(id)
        elif node == self.node:
            return
        elif kind == "who":
            self.presence.note_all(node, {})  # a node that has just begun
            self.on_begun(node)
            self._tell_lines()
        elif kind == "line":
            self.presence.note(node, event["name"], event["follows"])
            self.on_line(event["name"])
        elif kind == "lines":
            self.presence.note_all(node, event["lines"])
        elif kind == "table":
            before = self.directory.entries.get(event["table"]["id"])
            entry = self.directory.note_map(node, event["table"], event["info"])
            self._show(entry)
            # It may have moved before anybody knew who sits there. Whoever sits down by himself knows where.
            if entry.tournament and (before is None or not before.names or before.node != node):
                self.directions.note(entry.id)
        elif kind == "gone":
            gone = self.directory.forget(event["id"])
            self.on_moved(event["id"])
            if gone is not None and gone.public:
                self.tables.watchers.tell_lobby(m.LobbyGone(gone.id), only_nodes=True)
        elif kind == "replaced":
            self._replace(event["name"], event["number"])
        elif kind in self.handlers:
            self.handlers[kind](event)

    def _show(self, entry: Entry) -> None:
        url = self.nodes.get(entry.node)
        if entry.info is not None and url is not None:
            info = attrs.evolve(entry.info, node=url)
            self.tables.watchers.tell_lobby(m.LobbyTable(info), only_nodes=True)

    def _replace(self, name: str, number: int) -> None:
        """Closes an older line of somebody who has said hello elsewhere."""
        session = self.tables.sessions.get(name)
        if session is not None and session.peer is not None and session.line < number:
            session.send(m.Goodbye("replaced"))
            session.peer.hang_up(4001, "replaced")

    # Giving a table away

    def give(self, id: str, node: str, otherwise: Callable[[], None]) -> None:
        """Hands one table over when nothing of it is being stored; `otherwise` if it stays here."""
        gate = self.tables.gates.get(id)
        if gate is not None:
            gate.when_free(functools.partial(self._give, id, node, otherwise))

    def _give(self, id: str, node: str, otherwise: Callable[[], None]) -> None:
        table, gate = self.tables.by_id.get(id), self.tables.gates.get(id)
        if table is None or gate is None:
            return
        gate.hold()
        self._given_to[id] = node
        self._on_way[node] += 1
        seats = _entry(table, node).to_map()  # so that others know who sits there
        self.database.ask(
            lambda asked: asked.give("moved", id, node, seats),
            functools.partial(self._given, table, otherwise),
        )

    def load(self, node: str) -> int:
        """What a node has, with what is on its way there: looks are answered in the order of the gifts.

        Tables of this node count at once, for a round is dealt within one look.
        """
        if node == self.node:
            return len(self.tables.by_id) - len(self._given_to) + self._tournaments
        return self.loads[node] + self._on_way[node]

    def _arrived(self, id: str, owner: str | None) -> None:
        self._on_way[self._given_to.pop(id)] -= 1
        if owner is not None and owner != self.node:
            self.loads[owner] += 1

    def _given(self, table: Table, otherwise: Callable[[], None], result: Callable[[], str | None]) -> None:
        gate = self.tables.gates.get(table.id)
        if gate is None:
            self._arrived(table.id, None)
            return
        try:
            owner = result()
        except ArchiveError as wrong:
            # Nobody knows whether it was given: the next question tells.
            log.error("table=%s could not be given: %s", table.id, wrong)
            self.database.ask(
                lambda asked: asked.where(table.id), functools.partial(self._given, table, otherwise)
            )
            return
        self._arrived(table.id, owner)
        if owner is None or owner == self.node:
            gate.release(otherwise)
            return
        self.database.epochs.pop(table.id, None)
        self.directory.note(_entry(table, owner))
        self.tables.let_go(table)

    # Taking over

    def _adopt(self, mine: Sequence[Lease]) -> None:
        new, there = [], self.tables.by_id
        for lease in mine:
            if lease.id in there:
                self._known[lease.id] = lease.epoch
            elif lease.epoch > self._known.get(lease.id, 0) and not self._is_mine_already(lease.id):
                new.append(lease)
        self._forget_closed({lease.id for lease in mine})
        if not new:
            return
        self._restoring.update(lease.id for lease in new)
        self.database.ask(functools.partial(self._read, new), functools.partial(self._restore, new))

    def _forget_closed(self, mine: set[str]) -> None:
        """Forgets tables of which the database has nothing any more, however late a look may come."""
        for id in list(self._closed):
            self._closed[id] = 0 if id in mine else self._closed[id] + 1
            if self._closed[id] > LOOKS_UNTIL_FORGOTTEN:
                del self._closed[id]
                self._known.pop(id, None)

    def _is_mine_already(self, id: str) -> bool:
        return id in self._closed or id in self._restoring or id in self.database.epochs

    def _read(self, seen: Sequence[Lease], rows: HouseQuestions) -> _Restored:
        """Reads what is still this node's: a tournament may have ended since the look that saw it."""
        mine, found = rows.mine(), {}
        leases = [lease for lease in seen if lease in mine]
        for lease in leases:
            plain = self.source.table(lease.id) if lease.kind == "table" else None
            if plain is not None:
                found[lease.id] = plain
        elsewhere = rows.leases() if any(lease.kind == "tournament" for lease in leases) else ()
        return _Restored(leases, found, rows.people(_names(found.values())), elsewhere)

    def _restore(self, leases: Sequence[Lease], result: Callable[[], _Restored]) -> None:
        self._restoring.difference_update(lease.id for lease in leases)
        try:
            read = result()
        except ArchiveError as wrong:
            log.error("what was taken over cannot be read yet: %s", wrong)
            return  # the next look tries again
        if self.over:
            return
        refresh(self.tables, read.people)
        self._log_taken_over(read)
        # Tournaments first: what is noted as elsewhere is not dealt again before it comes back.
        for id, kind, node in read.elsewhere:
            if id not in self.directory.entries and id not in self.tables.by_id:
                self.directory.note(Entry(id, node, kind))
        leases = sorted(read.leases, key=lambda lease: lease.kind != "tournament")
        for place, lease in enumerate(leases):
            self._known[lease.id] = lease.epoch
            self.directory.forget(lease.id)
            if lease.kind == "tournament":
                self.database.epochs[lease.id] = lease.epoch
                self.on_tournament(lease.id)
            elif lease.id in read.tables:
                self.database.epochs[lease.id] = lease.epoch
                table = restore_table(
                    self.tables, self.source, read.tables[lease.id], self.tables.clock, place
                )
                self.tables.list_in_lobby(table)
                if table.settings.terms is not None or self._anybody_here(table):
                    self._begin_soon(table)
        self.tables.set_alarm()

    def _anybody_here(self, table: Table) -> bool:
        sessions = [self.tables.sessions.get(name) for name in table.names()]
        return any(session is not None and session.peer is not None for session in sessions)

    def _begin_soon(self, table: Table) -> None:
        """Restores one game in each round of the event loop: others are served in between."""
        self._to_begin.append(table)
        if len(self._to_begin) == 1:
            self.database.soon(self._begin_next)

    def _begin_next(self) -> None:
        """Goes on with a table that has come here, and shows it to its players: they may not know it."""
        table = self._to_begin.popleft()
        if self._to_begin:
            self.database.soon(self._begin_next)
        if self.tables.by_id.get(table.id) is table and not self.over:
            with contextlib.suppress(ProtocolError):
                self.tables.at(table, lambda table: show(table, self.tables.sessions, self.tables.clock()))

    def _log_taken_over(self, read: _Restored) -> None:
        """Says from whom: nodes give each other the tables of tournaments, and only some have died."""
        entries = self.directory.entries
        former = {entries[lease.id].node for lease in read.leases if lease.id in entries}
        log.info(
            "node=%s has taken over tables=%s tournaments=%s from=%s",
            *(self.node, len(read.tables), sum(lease.kind == "tournament" for lease in read.leases)),
            ",".join(sorted(f"{node}{'' if node in self.nodes else ' (gone)'}" for node in former)),
        )


def _entry(table: Table, node: str) -> Entry:
    public = table.settings.public
    names = tuple(name for name in table.names() if table.seat_played_by(name) is not None)
    info = table.info() if public else None
    tournament = table.settings.terms is not None
    return Entry(table.id, node, "table", table.code, public, names, info, tournament)


def _names(plains: Iterable[Plain]) -> list[str]:
    """Everybody who has to do with a seat."""
    found: dict[str, None] = {}
    for plain in plains:
        for player in plain["sitters"]:
            if player is not None:
                found[player["name"]] = None
                if player.get("substitute"):
                    found[player["substitute"]] = None
    return list(found)


def _refuse(wrong: ProtocolError) -> Proof:
    raise wrong
