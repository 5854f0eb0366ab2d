"""Which tables and tournaments the other nodes of a house have, as far as this one has heard."""

from typing import Any

import attrs

from parlour.protocol.codec import read_part
from parlour.protocol.messages import TableInfo
from parlour.server.tables.table import Table

Plain = dict[str, Any]


@attrs.frozen
class Entry:
    """A table or a tournament of another node."""

    id: str
    node: str
    epoch: int
    """Of its lease: what is told of it from an older one is old news."""
    kind: str = "table"
    code: str | None = None
    public: bool = False
    names: tuple[str, ...] = ()
    """Who has to do with a seat there."""
    info: TableInfo | None = None
    """What the lobby shows, if it does."""
    tournament: bool = False
    """A tournament has dealt it."""

    def shown_to(self, name: str) -> bool:
        """Whether somebody may know of a table without its code."""
        return self.public or name in self.names


def map_of(table: Table) -> Plain:
    """What a node tells the others of a table, beside what the lobby shows."""
    return {
        "id": table.id,
        "code": table.code,
        "public": table.settings.public,
        "names": [name for name in table.names() if table.seat_played_by(name) is not None],
        "tournament": table.settings.terms is not None,
    }


def entry_of(table: Table, node: str, epoch: int) -> Entry:
    return _entry(map_of(table), node, epoch, table.info() if table.settings.public else None)


def _entry(plain: Plain, node: str, epoch: int, info: TableInfo | None) -> Entry:
    return Entry(
        plain["id"],
        node,
        epoch,
        code=plain["code"],
        public=plain["public"],
        names=tuple(plain["names"]),
        info=info,
        tournament=plain["tournament"],
    )


@attrs.define(repr=False)
class Directory:
    """Entries by id, and the ids of private tables by their codes."""

    entries: dict[str, Entry] = attrs.field(factory=dict)
    _codes: dict[str, str] = attrs.field(factory=dict)

    def note(self, entry: Entry) -> None:
        self.entries[entry.id] = entry
        if entry.code is not None:
            self._codes[entry.code] = entry.id

    def note_map(self, node: str, epoch: int, plain: Plain, info: Plain | None) -> Entry:
        """Notes what another node has told of a table."""
        entry = _entry(plain, node, epoch, read_part(info, TableInfo) if info is not None else None)
        self.note(entry)
        return entry

    def move(self, id: str, node: str, epoch: int) -> None:
        """Notes that another node has it now, whatever it is."""
        known = self.entries.get(id)
        if known is None:
            self.note(Entry(id, node, epoch))
            return
        # What is listed has another address now: lists know it by another object.
        info = attrs.evolve(known.info) if known.info is not None else None
        self.note(attrs.evolve(known, node=node, epoch=epoch, info=info))

    def forget(self, id: str) -> Entry | None:
        entry = self.entries.pop(id, None)
        if entry is not None and entry.code is not None:
            self._codes.pop(entry.code, None)
        return entry

    def find(self, id: str | None, code: str | None, name: str) -> Entry | None:
        """Finds a table by its code, or by its id if it may be known to this name."""
        found = self.entries.get(id or "")
        if found is not None and found.shown_to(name):
            return found
        return self.entries.get(self._codes.get((code or "").upper(), ""))

    def of(self, name: str) -> list[Entry]:
        """The tables at which somebody has a seat."""
        return [entry for entry in self.entries.values() if name in entry.names]
