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
    kind: str = "table"
    code: str | None = None
    public: bool = False
    names: tuple[str, ...] = ()
    """Who has to do with a seat there."""
    info: TableInfo | None = None
    """What the lobby shows, if it does."""
    tournament: bool = False
    """A tournament has dealt it."""

    def to_map(self) -> Plain:
        return {
            "id": self.id,
            "code": self.code,
            "public": self.public,
            "names": list(self.names),
            "tournament": self.tournament,
        }


def entry_of(table: Table, node: str) -> Entry:
    """What a node tells the others of a table."""
    public = table.settings.public
    names = tuple(name for name in table.names() if table.seat_played_by(name) is not None)
    info = table.info() if public else None
    tournament = table.settings.terms is not None
    return Entry(table.id, node, "table", table.code, public, names, info, tournament)


@attrs.define(repr=False)
class Directory:
    """Entries by id, and the ids of private tables by their codes."""

    entries: dict[str, Entry] = attrs.field(factory=dict)
    _codes: dict[str, str] = attrs.field(factory=dict)

    def note(self, entry: Entry) -> None:
        self.entries[entry.id] = entry
        if entry.code is not None:
            self._codes[entry.code] = entry.id

    def note_map(self, node: str, plain: Plain, info: Plain | None) -> Entry:
        """Notes what another node has told of a table."""
        entry = Entry(
            plain["id"],
            node,
            code=plain["code"],
            public=plain["public"],
            names=tuple(plain["names"]),
            info=read_part(info, TableInfo) if info is not None else None,
            tournament=plain["tournament"],
        )
        self.note(entry)
        return entry

    def move(self, id: str, node: str) -> None:
        """Notes that another node has it now, whatever it is."""
        known = self.entries.get(id)
        if known is None:
            self.note(Entry(id, node))
            return
        # What is listed has another address now: lists know it by another object.
        info = attrs.evolve(known.info) if known.info is not None else None
        self.note(attrs.evolve(known, node=node, info=info))

    def forget(self, id: str) -> Entry | None:
        entry = self.entries.pop(id, None)
        if entry is not None and entry.code is not None:
            self._codes.pop(entry.code, None)
        return entry

    def find(self, id: str | None, code: str | None) -> Entry | None:
        found = self.entries.get(id or "")
        return found if found is not None else self.entries.get(self._codes.get((code or "").upper(), ""))

    def of(self, name: str) -> list[Entry]:
        """The tables at which somebody has a seat."""
        return [entry for entry in self.entries.values() if name in entry.names]
