"""One node of a house: what it hears of the others, and what it tells them.

It decides. The thread that asks the database is in storage/postgresql; what it finds comes on the event loop.
"""

import functools
import logging
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from parlour.protocol import messages as m
from parlour.protocol.codec import write_part
from parlour.server.border import guard, nothing
from parlour.server.house.directions import Directions
from parlour.server.house.directory import Directory, Entry, entry_of, map_of
from parlour.server.house.elsewhere import Elsewhere
from parlour.server.house.gifts import Gifts
from parlour.server.house.hellos import Hellos
from parlour.server.house.house import Proof
from parlour.server.house.news import News
from parlour.server.house.people import refresh
from parlour.server.house.presence import Presence
from parlour.server.house.takeover import Takeover, names_at
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.postgresql.house_values import (
    HouseDatabase,
    HouseQuestions,
    Look,
)
from parlour.server.storage.store import Done
from parlour.server.tables.recovery import Source, restore_table
from parlour.server.tables.registry import Tables
from parlour.server.tables.stored_maps import table_from
from parlour.server.tables.table import Table

log = logging.getLogger("parlour.house")


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
    takeover: Takeover = attrs.field(init=False)
    gifts: Gifts = attrs.field(init=False)
    elsewhere: Elsewhere = attrs.field(init=False)
    _hellos: Hellos = attrs.field(init=False)
    _news: News = attrs.field(init=False)
    _on_lost: Callable[[], None] = nothing
    """Called once, when this node may have lost what it had."""
    on_nodes: Callable[[], None] = lambda: None
    """Called when nodes have come or gone."""
    on_begun: Callable[[str], None] = lambda _node: None
    """Called with another node that has just begun."""
    on_line: Callable[[str], None] = lambda _name: None
    """Called with a name that has come to another node, or gone."""
    on_moved: Callable[[str], None] = lambda _id: None
    """Called with a table or a tournament that another node has now, or nobody any more."""
    handlers: dict[str, Callable[[Mapping[str, Any]], None]] = attrs.field(factory=dict)
    """What to do with what other nodes tell, by the word for it; with the `node` that has told it."""
    _lost: bool = False

    def __attrs_post_init__(self) -> None:
        tables, source, database, directory = self.tables, self.source, self.database, self.directory
        self.directions = Directions(tables, directory, self.ticket)
        self.takeover = Takeover(
            tables, source, database, directory, self.node, lambda: self.nodes, lambda: self.over
        )
        self.gifts = Gifts(tables, database, directory, self.node)
        self.elsewhere = Elsewhere(
            self.node,
            database,
            directory,
            self.directions,
            tables.watchers,
            lambda: self.nodes,
            self.takeover.epochs,
            lambda id: self.on_moved(id),
        )
        self._hellos = Hellos(tables, source, database, directory, self.takeover.closed)
        self._news = News(database)

    def begin(self, clock: Callable[[], float]) -> None:
        """Restores this node's tables, and learns of all others; then listens. Raises ArchiveErrors."""
        mark, questions = self.database.first()
        mine = self.database.epochs
        for id, epoch in mine.items():
            self.takeover.epochs.note(id, epoch)
        plains = self.source.tables()
        leases = questions.leases()
        restored = {id: plain for id, plain in plains.items() if id in mine}
        refresh(self.tables, questions.people(names_at(restored.values())))
        for place, plain in enumerate(restored.values()):
            restore_table(self.tables, self.source, plain, clock, place)
        now = clock()
        for id, kind, owner in leases:
            if id in mine:
                continue
            if kind == "table" and id in plains:
                self.directory.note(entry_of(table_from(plains[id], now), owner.node, owner.epoch))
            else:
                self.directory.note(Entry(id, owner.node, owner.epoch, kind))
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
        self._hellos.identify(hello, then)

    def ticket(self, name: str, line: int, node: str, then: Callable[[Callable[[], str]], None]) -> None:
        self.database.ask(lambda rows: rows.make_ticket(name, line, node), then)

    def find(self, command: object, name: str) -> Entry | None:
        tournament = getattr(command, "tournament", None)
        if tournament is not None:  # whose `code` is an invitation, and no table's
            entry = self.directory.entries.get(tournament.upper())
            return entry if entry is not None and entry.kind == "tournament" else None
        id = getattr(command, "table", None)
        code = getattr(command, "code", None)
        if id in self.tables.by_id or self.tables.table_of(command) is not None:
            return None
        return self.directory.find(id, code, name)

    def locate(self, command: object, name: str, then: Callable[[Callable[[], Entry | None]], None]) -> None:
        tournament = getattr(command, "tournament", None)
        if tournament is not None:
            self.database.ask(functools.partial(self._tournament, tournament.upper()), then)
            return
        found = self.find(command, name)  # perhaps at a node that is over
        id = found.id if found is not None else getattr(command, "table", None)
        code = (getattr(command, "code", None) or "").upper()
        # Not what is here, or was heard of: as of now, for a table may come while the question is asked.
        known = {
            entry.id
            for entry in self.directory.entries.values()
            if entry.public or entry.code or entry.tournament
        }
        known |= self.tables.by_id.keys()

        def work(asked: HouseQuestions) -> Entry | None:
            if id is not None:
                entry = self._table(asked, id)
                if entry is not None and (entry.shown_to(name) or (code and entry.code == code)):
                    return entry
            for table, kind, owner in asked.leases() if code else ():
                if kind == "table" and table not in known:
                    plain = self.source.table(table)
                    if plain is not None and plain["code"] == code:
                        return Entry(table, owner.node, owner.epoch)
            return None

        self.database.ask(work, then)

    def _table(self, asked: HouseQuestions, id: str) -> Entry | None:
        """A table as it is stored; as quickly answered for those that are not there."""
        plain, owner = self.source.table(id), asked.where(id)
        if plain is None or owner is None:
            return None
        return entry_of(table_from(plain, 0.0), owner.node, owner.epoch)

    def _tournament(self, id: str, asked: HouseQuestions) -> Entry | None:
        plain, owner = self.source.table(id), asked.where(id)
        return None if plain is not None or owner is None else Entry(id, owner.node, owner.epoch)

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
        untold = self._news.end()

        def work(asked: HouseQuestions) -> int:
            if untold:
                asked.tell(untold)
            return asked.hand_over("moved")

        self.database.ask(work, note)
        return lambda: done

    # Telling

    def tell(self, event: Mapping[str, Any]) -> None:
        self._news.tell(event)

    def tell_of(self, id: str, event: Mapping[str, Any], ends: bool = False) -> None:
        if ends:
            self.takeover.closed[id] = 0
        self.tell(self._of(id, event, ends))

    def _of(self, id: str, event: Mapping[str, Any], ends: bool) -> Mapping[str, Any]:
        """Adds of what an event tells, and its epoch there.

        A node that was frozen may tell it when another has that long since: old news, which is not written,
        or heard by nobody who knows of a newer epoch. What `ends` has no lease any more.
        """
        return {**event, "of": id, "epoch": self.takeover.epochs.of(id), "ends": ends}

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
        info = write_part(table.info()) if table.settings.public else None
        self.tell_of(table.id, {"event": "table", "table": map_of(table), "info": info})

    def _table_closed(self, table: Table) -> Done:
        self.takeover.closed[table.id] = 0
        gone = self._of(table.id, {"event": "gone"}, ends=True)
        return lambda _wrong: self.tell(gone)

    # Hearing

    def _look(self, look: Look) -> None:
        guard(functools.partial(self.looked, look), self.tables.on_bug, "house")

    def looked(self, look: Look) -> None:
        """Takes what the database has to tell."""
        if self.over:
            return
        self.gifts.look(look)
        self.addresses = look.addresses
        if dict(self.nodes) != look.nodes:
            self.nodes, self.elsewhere.agrees = look.nodes, False
            self.presence.keep(look.nodes)
            self.on_nodes()
        for node, event in look.events:
            guard(functools.partial(self._hear, node, event), self.tables.on_bug, f"event of {node}")
        self.takeover.look(look.mine)
        self.elsewhere.look()
        self.directions.tell(self.nodes)
        self._news.go_on()

    def _hear(self, node: str, event: Mapping[str, Any]) -> None:
        kind = event["event"]
        if kind == "moved":
            self.elsewhere.note_moves(event)
        elif node == self.node or self.elsewhere.is_old(event):
            return
        elif kind == "who":
            self.elsewhere.agrees = False  # it may not have told all that it closed in its life before
            self.presence.note_all(node, {})
            self.on_begun(node)
            self._tell_lines()
        elif kind == "line" and node in self.nodes:
            self.presence.note(node, event["name"], event["follows"])
            self.on_line(event["name"])
        elif kind == "lines" and node in self.nodes:
            self.presence.note_all(node, event["lines"])
        elif kind == "table":
            self.elsewhere.note_table(node, event)
        elif kind == "gone":
            self.elsewhere.forget(event["of"])
        elif kind == "replaced":
            self._replace(event["name"], event["number"])
        elif kind in self.handlers:
            self.handlers[kind]({**event, "node": node})

    def _replace(self, name: str, number: int) -> None:
        """Closes an older line of somebody who has said hello elsewhere."""
        session = self.tables.sessions.get(name)
        if session is not None and session.peer is not None and session.line < number:
            session.send(m.Goodbye("replaced"))
            session.peer.hang_up(4001, "replaced")
