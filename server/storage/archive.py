"""The archive: who owns which name, every table as it stands, and every game that was played.

It moves bytes and decides nothing. A change is stored as a whole or not at all, and is on the disk when its
`done` is called. Maps are opaque to it.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgpack

from parlour.server.storage.backend import Backend, Reader
from parlour.server.storage.backends import backend_at
from parlour.server.storage.change import (
    END,
    GAME,
    HAPPENED,
    LINE,
    PARTS,
    PERSON,
    RATED,
    SESSION,
    TABLE,
    TOURNAMENT,
    Added,
    Begun,
    Change,
    Done,
    Ended,
    Map,
    OpenGame,
    Row,
    StoredGame,
    leases_of,
    rows_of,
)
from parlour.server.storage.errors import ArchiveError, Damaged, KnownGame, NoSuchGame
from parlour.server.storage.seal import unseal
from parlour.server.storage.writer import Writer

CLOSE_WITHIN = 5.0
StoredRecord = tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any] | None]
"""A game's header, its lines, and its end unless it has none."""
log = logging.getLogger("parlour.archive")


def _ignore(_names: Iterable[str]) -> None:
    """Default when nothing is held back."""


def log_damage(wrong: Damaged) -> None:
    log.error("not told: %s", wrong)


class Archive:
    """Everything at one place. Call `put` and `close` on the event loop; reading is allowed in any thread."""

    def __init__(self, backend: Backend, writer: Writer | None) -> None:
        self.place = backend.place
        self._backend = backend
        self._writer = writer
        self._reader: Reader | None = None
        self._reading = threading.Lock()
        self.node = backend.node
        self.before_sessions: Callable[[Iterable[str]], None] = _ignore
        """Called before sessions are stored, with their names: for a store that holds changes back."""

    @classmethod
    def open(cls, place: Path | str, *, readonly: bool = False, unsafe: bool = False) -> "Archive":
        """Makes an archive if there is none, and locks it against other writers; raises ArchiveErrors.

        A read-only one may be opened while a server writes to it. `unsafe` allows a database that may lose
        what it has acknowledged.
        """
        return cls.of(backend_at(place, unsafe=unsafe), readonly=readonly)

    @classmethod
    def of(cls, backend: Backend, *, readonly: bool = False) -> "Archive":
        """Does the same in a database of any kind."""
        archive = cls(backend, None if readonly else Writer(backend.open_to_write()))
        try:
            # Now and not when something is read: a file may have been moved by then.
            archive._reader = backend.open_to_read()
        except BaseException:
            archive.close_now()
            raise
        return archive

    # Writing

    def put(self, change: Change, done: Done) -> None:
        """Returns at once; `done` is called later, in the order of the puts.

        Changes that wait together are stored together, so none may build on another that still waits.
        """
        if change.save_sessions:
            self.before_sessions(change.save_sessions)
        self._require_writer().put(self._rows(change), done, answered=change.answered)

    def put_low_priority(self, change: Change, done: Done) -> None:
        """Puts a change that is not urgent: urgent ones do not gather to be stored together with it."""
        self._require_writer().put(self._rows(change), done, urgent=False, answered=change.answered)

    def _rows(self, change: Change) -> list[Row]:
        rows = rows_of(change, self.node)
        return rows + leases_of(change) if self._backend.has_leases else rows

    def has_urgent(self) -> bool:
        """Whether an urgent change is being stored."""
        return self._require_writer().urgent_left > 0

    def problem(self) -> ArchiveError | None:
        """What keeps changes from being stored now, as far as that can be seen without one."""
        return self._require_writer().problem()

    def add_record(
        self,
        game: str,
        table: str,
        header: Map,
        lines: Sequence[Map],
        end: Map | None,
        names: Sequence[str] = (),
    ) -> None:
        """Stores a whole game at once, for these players; raises KnownGame if it is there, or NotStored."""
        if self._select("SELECT 1 FROM games WHERE id = ?", game):
            raise KnownGame(self.place, game)
        change = Change(
            begin=[Begun(game, table, header)],
            lines=[Added(game, number, line) for number, line in enumerate(lines)],
            end=[Ended(game, end, names)] if end is not None else [],
        )
        self._require_writer().store(self._rows(change))

    def _require_writer(self) -> Writer:
        if self._writer is None:
            raise RuntimeError("the archive was opened read-only")
        return self._writer

    # Reading: every map is held against its sum, and what is not as it was written raises Damaged

    def people(self) -> dict[str, dict[str, Any]]:
        found = self._select("SELECT name, map FROM people")
        return {name: self._map(PERSON, name, sealed) for name, sealed in found}

    def kept(self) -> set[str]:
        """The names that are their owners' for good."""
        return {name for (name,) in self._select("SELECT name FROM people WHERE kept <> 0")}

    def sessions(self) -> dict[str, dict[str, Any]]:
        """What this node has answered, by name."""
        found = self._select("SELECT name, map FROM sessions WHERE node = ?", self.node)
        return {name: self._map(SESSION, name, sealed, table=self.node) for name, sealed in found}

    def tables(self) -> dict[str, dict[str, Any]]:
        return {id: self._map(TABLE, id, sealed) for id, sealed in self._select("SELECT id, map FROM tables")}

    def table(self, id: str) -> dict[str, Any] | None:
        """One table, if it is still there."""
        found = self._select("SELECT map FROM tables WHERE id = ?", id)
        return self._map(TABLE, id, found[0][0]) if found else None

    def open_games(self) -> list[OpenGame]:
        """Games without an end at tables that are still there, in the order of their beginnings."""
        found = self._select(
            "SELECT games.id, table_id, header FROM games JOIN tables ON tables.id = table_id "
            "WHERE finish IS NULL ORDER BY seq"
        )
        return [OpenGame(id, table, self._map(GAME, id, header, table=table)) for id, table, header in found]

    def lines(self, game: str) -> list[dict[str, Any]]:
        found = self._select(
            "SELECT number, map FROM lines JOIN games ON game_seq = games.seq WHERE id = ? ORDER BY number",
            game,
        )
        return [self._map(LINE, game, sealed, number) for number, sealed in found]

    def finished(self, damaged: Callable[[Damaged], None] = log_damage) -> list[StoredGame]:
        """Lists all in the order of their ends.

        A game that is damaged is left out and told to `damaged`: the others can be listed all the same.
        """
        query = "SELECT id, table_id, header, ending FROM games WHERE finish IS NOT NULL ORDER BY finish"
        return self._games(self._select(query), damaged)

    def played_by(self, name: str, most: int) -> list[StoredGame]:
        """Lists so many finished games of a player, the newest first, without those that are damaged."""
        found = self._select(
            "SELECT id, table_id, header, ending FROM played JOIN games ON seq = game_seq "
            "WHERE name = ? ORDER BY played.finish DESC LIMIT ?",
            name,
            most,
        )
        listed = []
        for game in self._games(found, log_damage):
            if name in game.header.get("names", ()):
                listed.append(game)
            else:
                log_damage(self._damage(GAME, game.id, f"listed for {name!r}"))
        return listed

    def _games(self, found: list[Any], damaged: Callable[[Damaged], None]) -> list[StoredGame]:
        listed = []
        for id, table, header, end in found:
            try:
                listed.append(
                    StoredGame(id, self._map(GAME, id, header, table=table), self._map(END, id, end))
                )
            except Damaged as wrong:
                damaged(wrong)
        return listed

    def tournaments(self) -> dict[str, dict[str, Any]]:
        """Reads what is listed of each, in the order in which they were made."""
        found = self._select("SELECT id, map FROM tournaments ORDER BY seq")
        return {id: self._map(TOURNAMENT, id, sealed) for id, sealed in found}

    def tournament(self, id: str) -> dict[str, Any] | None:
        """What is listed of one, if there is one."""
        found = self._select("SELECT map FROM tournaments WHERE id = ?", id)
        return self._map(TOURNAMENT, id, found[0][0]) if found else None

    def happenings(self, tournament: str, after: int = 0, most: int | None = None) -> list[dict[str, Any]]:
        """The events of a tournament, or so many of them after one with that number.

        `line` is as events.py writes it, `at` is in milliseconds since 1970.
        """
        query = "SELECT number, map FROM happenings WHERE tournament = ? AND number > ? ORDER BY number"
        if most is None:
            found = self._select(query, tournament, after)
        else:
            found = self._select(f"{query} LIMIT ?", tournament, after, most)
        return [self._map(HAPPENED, tournament, sealed, number) for number, sealed in found]

    def ratings(self, game: str) -> dict[str, dict[str, Any]]:
        """By name, as ratings.py writes them."""
        found = self._select("SELECT name, map FROM ratings WHERE game = ?", game)
        return {name: self._map(RATED, name, sealed, table=game) for name, sealed in found}

    def record(self, game: str) -> StoredRecord:
        """Raises NoSuchGame."""
        found = self._select("SELECT table_id, header, ending, lines FROM games WHERE id = ?", game)
        if not found:
            raise NoSuchGame(self.place, game)
        table, header, end, count = found[0]
        # A game that had ended has all its lines; one that had not may get some more meanwhile.
        lines = self.lines(game)
        if end is not None and count != len(lines):
            raise self._damage(GAME, game, f"lines: {len(lines)}, not {count}")
        return (
            self._map(GAME, game, header, table=table),
            lines,
            self._map(END, game, end) if end is not None else None,
        )

    def _select(self, query: str, *given: Any) -> list[Any]:
        with self._reading:
            if self._reader is None:
                self._reader = self._backend.open_to_read()
            return self._reader.select(query, *given)

    def _map(
        self, kind: int, key: str, sealed: bytes, number: int | None = None, table: str | None = None
    ) -> dict[str, Any]:
        packed = unseal(kind, key, number, table, sealed)
        if packed is None:
            raise self._damage(kind, key, "sum" if number is None else f"sum of {number}")
        try:
            plain = msgpack.unpackb(packed, strict_map_key=False)
        except (ValueError, msgpack.UnpackException) as wrong:
            raise self._damage(kind, key, str(wrong)) from None
        if type(plain) is not dict:
            raise self._damage(kind, key, "no map")
        return plain

    def _damage(self, kind: int, key: str, detail: str) -> Damaged:
        return Damaged(self.place, "changed", detail, PARTS[kind], str(key))

    # Closing

    async def close(self) -> bool:
        """Stores what waits and closes; False if the disk was too slow for that."""
        self._stop_reading()
        try:
            async with asyncio.timeout(CLOSE_WITHIN):
                if self._writer is not None:
                    await self._writer.finish()
        except TimeoutError:
            return False
        return True

    def close_now(self) -> None:
        """Closes without an event loop, and waits until all is stored."""
        self._stop_reading()
        if self._writer is not None:
            self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close_now()

    def _stop_reading(self) -> None:
        with self._reading:
            if self._reader is not None:
                self._reader.close()
            self._reader = None
