"""A store in memory: it stores, waits and refuses as it is told, and recovery can read it."""

from collections import deque
from collections.abc import Callable
from typing import Any

import msgpack

from parlour.server.storage.change import (
    END,
    GAME,
    KEPT,
    LINE,
    PERSON,
    PERSON_GONE,
    SESSION,
    TABLE,
    TABLE_GONE,
    Change,
    Row,
    rows_of,
)
from parlour.server.storage.errors import ArchiveError, NoSuchGame, NotStored
from parlour.server.storage.seal import LENGTH
from parlour.server.storage.store import Done

Plain = dict[str, Any]


def _map(packed: bytes | None) -> Plain:
    plain: Plain = msgpack.unpackb((packed or b"")[:-LENGTH], strict_map_key=False)
    return plain


class MemoryStore:
    """A store (store.Store) and a source of recovery. It answers in `settle`, never at once."""

    durable = True

    def __init__(self) -> None:
        self.waits = False
        """While it is True, nothing is answered."""
        self.refuses: Callable[[list[Row]], bool] = lambda _: False
        self.waiting: deque[tuple[list[Row], Done]] = deque()
        self.puts = 0
        self.refused = 0
        self.reads = 0
        """Games that were read."""
        self.time = 1_700_000_000_000
        self._rows: dict[int, dict[str, bytes]] = {PERSON: {}, SESSION: {}, TABLE: {}, GAME: {}, END: {}}
        self._kept: set[str] = set()
        self._lines: dict[str, list[bytes]] = {}

    # For tables

    def put(self, change: Change, done: Done) -> None:
        self.waiting.append((rows_of(change), done))

    def wall(self) -> int:
        return self.time

    def settle(self) -> None:
        while self.waiting and not self.waits:
            self.settle_one()

    def settle_one(self) -> None:
        rows, done = self.waiting.popleft()
        self.puts += 1
        wrong: ArchiveError | None = None
        if self.refuses(rows):
            self.refused += 1
            wrong = NotStored("memory", "SQLITE_FULL")
        else:
            self._store(rows)
        done(wrong)

    def _store(self, rows: list[Row]) -> None:
        for kind, key, number, _table, packed in rows:
            if kind == TABLE_GONE:
                self._rows[TABLE].pop(key, None)
            elif kind == PERSON_GONE:
                for rows_of_kind in (self._rows[PERSON], self._rows[SESSION]):
                    rows_of_kind.pop(key, None)
                self._kept.discard(key)
            elif kind == KEPT:
                self._kept.add(key)
            elif kind == LINE:
                lines = self._lines.setdefault(key, [])
                assert key in self._rows[GAME] and number == len(lines), (key, number)
                lines.append(packed or b"")
            else:
                assert kind not in (GAME, END) or key not in self._rows[kind], f"{key} again"
                # Tournaments have a row for each event, and ratings one for each player.
                place = key if number is None else f"{key}/{number}"
                self._rows.setdefault(kind, {})[place] = packed or b""

    # For recovery

    def people(self) -> dict[str, Plain]:
        return {name: _map(packed) for name, packed in self._rows[PERSON].items()}

    def kept(self) -> set[str]:
        return self._kept

    def sessions(self) -> dict[str, Plain]:
        return {name: _map(packed) for name, packed in self._rows[SESSION].items()}

    def tables(self) -> dict[str, Plain]:
        return {id: _map(packed) for id, packed in self._rows[TABLE].items()}

    def record(self, game: str) -> tuple[Plain, list[Plain], Plain | None]:
        self.reads += 1
        if game not in self._rows[GAME]:
            raise NoSuchGame("memory", game)
        end = self._rows[END].get(game)
        lines = [_map(packed) for packed in self._lines[game]]
        return _map(self._rows[GAME][game]), lines, _map(end) if end is not None else None

    def everything(self) -> Plain:
        """All that it has stored, to be compared."""
        rows = {kind: dict(rows) for kind, rows in self._rows.items()}
        return {"rows": rows, "lines": {**self._lines}, "kept": {*self._kept}}
