"""Changes that are to be stored, as values, and what is read back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from parlour.engine.lean import lean
from parlour.protocol.parts import part
from parlour.server.storage.errors import ArchiveError, Part
from parlour.server.storage.seal import seal

Map = Mapping[str, Any]
"""Anything that msgpack takes, bytes as well; lists and tuples come back as lists."""
Done = Callable[[ArchiveError | None], None]
"""Called once, on the event loop, when a change is stored or refused: with what was wrong, or None."""
Row = tuple[int, str, int | None, str | None, bytes | None]
"""A row of the view that `bulk_insert` makes: kind, key, number, table, map with its sum (seal.py)."""
PERSON, PERSON_GONE, TABLE, TABLE_GONE, GAME, LINE, END, TOURNAMENT, HAPPENED, RATED, PLAYED = range(1, 12)
SESSION, KEPT, LEASE, LEASE_GONE, RATED_BEFORE = range(12, 17)
"""Kinds of rows. The numbers are part of every sum in the file: never change one."""
PARTS: dict[int, Part] = {
    PERSON: "person",
    SESSION: "person",
    TABLE: "table",
    GAME: "game",
    LINE: "game",
    END: "game",
    TOURNAMENT: "tournament",
    HAPPENED: "tournament",
    RATED: "rating",
}
"""What each kind of row belongs to."""


@lean
class Begun:
    """A game that begins at a table."""

    game: str
    table: str
    header: Map


@lean
class Added:
    """A line of a game's journal."""

    game: str
    number: int
    line: Map


@lean
class Ended:
    """How a game ended. One without an end is open if its table is still there, and else was broken off."""

    game: str
    end: Map
    names: Sequence[str] = ()
    """Who played it: it is listed for them."""


@lean
class Happened:
    """An event of a tournament, and the number of its line."""

    tournament: str
    number: int
    event: Map


@lean
class Rated:
    """How somebody is rated at a game from now on."""

    game: str
    name: str
    rating: Map
    before: Map | None = None
    """What this was worked out from: in a house of several nodes it must still be so."""


@lean(kw_only=True)
class Change:
    """What is stored together, all of it or nothing, in the order of the fields."""

    begin: Sequence[Begun] = ()
    lines: Sequence[Added] = ()
    end: Sequence[Ended] = ()
    save_people: Mapping[str, Map] = {}
    """Who owns a name."""
    versions: Mapping[str, int] = {}
    """What of these was read, in a house of several nodes (0: nothing); refused if that is not the last."""
    keep_people: Sequence[str] = ()
    """Who owns a name for good from now on."""
    save_sessions: Mapping[str, Map] = {}
    """What this node has answered them."""
    drop_people: Sequence[str] = ()
    save_tables: Mapping[str, Map] = {}
    drop_tables: Sequence[str] = ()
    save_tournaments: Mapping[str, Map] = {}
    happened: Sequence[Happened] = ()
    rated: Sequence[Rated] = ()
    answered: Sequence[str] = ()
    """Whose command this is: what is stored of them from now on has the answer already."""
    at: Sequence[str] = ()
    """Tables that this belongs to, beside those that it saves or drops: they must be this node's."""
    release: Sequence[str] = ()
    """Tournaments that are over, and belong to no node any more."""


def rows_of(change: Change, node: str = "") -> list[Row]:
    """Packs a change of a node into rows; its maps may be changed afterwards."""
    rows = [_row(LINE, line.game, line.number, None, line.line) for line in change.lines]
    if change.begin:
        rows[:0] = [_row(GAME, begun.game, None, begun.table, begun.header) for begun in change.begin]
    if change.end:
        rows += [_row(END, ended.game, None, None, ended.end) for ended in change.end]
        rows += [(PLAYED, name, None, ended.game, None) for ended in change.end for name in ended.names]
    if change.save_people:
        versions = change.versions
        rows += [
            (PERSON, name, versions.get(name), None, seal(PERSON, name, None, None, part(plain)))
            for name, plain in change.save_people.items()
        ]
    if change.keep_people:
        rows += [(KEPT, name, None, None, None) for name in change.keep_people]
    if change.save_sessions:
        rows += [_row(SESSION, name, None, node, plain) for name, plain in change.save_sessions.items()]
    if change.drop_people:
        rows += [(PERSON_GONE, name, change.versions.get(name), None, None) for name in change.drop_people]
    if change.save_tables:
        rows += [_row(TABLE, id, None, None, plain) for id, plain in change.save_tables.items()]
    if change.drop_tables:
        rows += [(TABLE_GONE, id, None, None, None) for id in change.drop_tables]
    if change.save_tournaments:
        rows += [_row(TOURNAMENT, id, None, None, plain) for id, plain in change.save_tournaments.items()]
    if change.happened:
        rows += [_row(HAPPENED, one.tournament, one.number, None, one.event) for one in change.happened]
    if change.rated and node:
        rows += [_rated_before(one) for one in sorted(change.rated, key=lambda one: one.name)]
    if change.rated:
        rows += [_row(RATED, one.name, None, one.game, one.rating) for one in change.rated]
    return rows


def leases_of(change: Change) -> list[Row]:
    """The tables and tournaments that must be this node's for a change, or are so from then on."""
    rows: list[Row] = [(LEASE, id, None, "tournament", None) for id in change.save_tournaments]
    rows += [
        (LEASE, id, None, "table", None)
        for id in dict.fromkeys((*change.at, *change.save_tables, *change.drop_tables))
    ]
    rows += [(LEASE_GONE, id, None, None, None) for id in change.release]
    return rows


def _rated_before(one: Rated) -> Row:
    row = None if one.before is None else _row(RATED, one.name, None, one.game, one.before)
    return RATED_BEFORE, one.name, None, one.game, row and row[4]


def _row(kind: int, key: str, number: int | None, table: str | None, plain: Map) -> Row:
    return kind, key, number, table, seal(kind, key, number, table, part(plain))


@attrs.frozen
class OpenGame:
    """A game without an end at a table that is still there."""

    id: str
    table: str
    header: dict[str, Any]


@attrs.frozen
class StoredGame:
    """A game with an end. Its properties are fields of the maps that server/records/record.py makes."""

    id: str
    header: dict[str, Any]
    end: dict[str, Any]

    @property
    def game(self) -> str:
        return str(self.header["game"])

    @property
    def seats(self) -> int:
        return int(self.header["seats"])

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.header["names"])

    @property
    def bots(self) -> tuple[bool, ...]:
        return tuple(self.header["bots"])

    @property
    def started(self) -> int:
        return int(self.header["started"])

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(self.end["winners"])

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(self.end["places"])

    @property
    def reason(self) -> str:
        return str(self.end["reason"])

    @property
    def ended(self) -> int:
        return int(self.end["ended"])
