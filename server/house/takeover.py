"""What a node gets from others that have died, end, or give it a table: read, restored, and shown."""

import functools
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import attrs

from parlour.server.house.directory import Directory, Entry
from parlour.server.house.epochs import Epochs
from parlour.server.house.people import refresh
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.postgresql.house_values import (
    HouseDatabase,
    HouseQuestions,
    Lease,
    LeaseHolder,
    Person,
)
from parlour.server.tables.recovery import Plain, Source, restore_table
from parlour.server.tables.registry import Tables
from parlour.server.tables.substitutes import show
from parlour.server.tables.table import Table

LOOKS_UNTIL_FORGOTTEN = 3
log = logging.getLogger("parlour.house")


@attrs.frozen
class _Restored:
    """What was read of leases that are this node's now."""

    leases: Sequence[Lease]
    tables: Mapping[str, Plain]
    people: Sequence[Person]
    elsewhere: Sequence[tuple[str, str, LeaseHolder]]
    """All leases of the house, if there is a tournament among these: its games are at any node."""


@attrs.define(eq=False, repr=False)
class Takeover:
    """Takes what the database says is this node's, and was not at the last look."""

    tables: Tables
    source: Source
    database: HouseDatabase
    directory: Directory
    node: str
    nodes: Callable[[], Collection[str]]
    """Those that live."""
    over: Callable[[], bool]
    """Whether this node may have lost what it had."""
    on_tournament: Callable[[str], None] = lambda _id: None
    """Called with a tournament that is this node's now."""
    closed: dict[str, int] = attrs.field(factory=dict)
    """Tables that were closed here, tournaments that have ended here, and how many looks ago the database had
    nothing of them any more."""
    epochs: Epochs = attrs.field(factory=Epochs)
    _restoring: set[str] = attrs.field(factory=set)
    _to_begin: deque[Table] = attrs.field(factory=deque)
    """Tables that have come here and are still to be restored."""

    def look(self, mine: Sequence[Lease]) -> None:
        """Has what this node has by now, and did not have, read and restored."""
        new, there = [], self.tables.by_id
        for lease in mine:
            is_new = self.epochs.is_new(lease.id, lease.epoch)
            if lease.id not in there and is_new and not self._is_mine_already(lease.id):
                new.append(lease)
        self._forget_closed({lease.id for lease in mine})
        if not new:
            return
        self._restoring.update(lease.id for lease in new)
        self.database.ask(functools.partial(self._read, new), functools.partial(self._restore, new))

    def _forget_closed(self, mine: set[str]) -> None:
        """Forgets that of which the database has nothing any more, however late a look may come."""
        for id in list(self.closed):
            self.closed[id] = 0 if id in mine else self.closed[id] + 1
            if self.closed[id] > LOOKS_UNTIL_FORGOTTEN:
                del self.closed[id]
                self.epochs.forget(id)

    def _is_mine_already(self, id: str) -> bool:
        return id in self.closed or id in self._restoring or id in self.database.epochs

    def _read(self, seen: Sequence[Lease], rows: HouseQuestions) -> _Restored:
        """Reads what is still this node's: a tournament may have ended since the look that saw it."""
        mine, found = rows.mine(), {}
        leases = [lease for lease in seen if lease in mine]
        for lease in leases:
            plain = self.source.table(lease.id) if lease.kind == "table" else None
            if plain is not None:
                found[lease.id] = plain
        elsewhere = rows.leases() if any(lease.kind == "tournament" for lease in leases) else ()
        return _Restored(leases, found, rows.people(names_at(found.values())), elsewhere)

    def _restore(self, leases: Sequence[Lease], result: Callable[[], _Restored]) -> None:
        self._restoring.difference_update(lease.id for lease in leases)
        try:
            read = result()
        except ArchiveError as wrong:
            log.error("what was taken over cannot be read yet: %s", wrong)
            return  # the next look tries again
        if self.over():
            return
        refresh(self.tables, read.people)
        self._log(read)
        # Tournaments first: what is noted as elsewhere is not dealt again before it comes back. That may be
        # this node, which has yet to restore it; what is being stored here is among its epochs.
        for id, kind, owner in read.elsewhere:
            known = id in self.directory.entries or id in self.database.epochs or id in self.closed
            if not known:
                self.directory.note(Entry(id, owner.node, owner.epoch, kind))
        leases = sorted(read.leases, key=lambda lease: lease.kind != "tournament")
        for place, lease in enumerate(leases):
            self.epochs.note(lease.id, lease.epoch)
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
        if self.tables.by_id.get(table.id) is table and not self.over():
            self.tables.begin_again(table)
            # What has not begun yet begins now, and there is nothing to show until that is stored.
            self.tables.when_free(table, lambda table: show(table, self.tables.sessions, self.tables.clock()))

    def _log(self, read: _Restored) -> None:
        """Says from whom. Games that a tournament deals to this node are many: no news for an operator."""
        found = [self.directory.entries.get(lease.id) for lease in read.leases]
        known, nodes = [entry for entry in found if entry is not None], self.nodes()
        dealt = len(known) == len(found) and all(each.tournament and each.node in nodes for each in known)
        log.log(
            logging.DEBUG if dealt else logging.INFO,
            "node=%s has taken over tables=%s tournaments=%s from=%s",
            *(self.node, len(read.tables), sum(lease.kind == "tournament" for lease in read.leases)),
            ",".join(sorted({f"{each.node}{'' if each.node in nodes else ' (gone)'}" for each in known})),
        )


def names_at(plains: Iterable[Plain]) -> list[str]:
    """Everybody who has to do with a seat."""
    found: dict[str, None] = {}
    for plain in plains:
        for player in plain["sitters"]:
            if player is not None:
                found[player["name"]] = None
                if player.get("substitute"):
                    found[player["substitute"]] = None
    return list(found)
