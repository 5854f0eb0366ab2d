"""The database that the nodes of a house share: what it stores, and what is under way.

Statements run one at a time, so that nobody waits for a lock. What may be under way is a commit whose
connection was lost, and a transaction that has begun and is committed some time later: both are older than
what is committed meanwhile, as the order of events has to know.
"""

import contextlib
import functools
import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
import psycopg

from parlour.server.storage.change import (
    LEASE,
    LEASE_GONE,
    PERSON,
    PERSON_GONE,
    RATED_BEFORE,
    TABLE_GONE,
    Row,
)
from parlour.server.storage.postgresql.insert import NOT_OWNER, OVERTAKEN, TAKEN
from parlour.server.storage.postgresql.people import LOOKS, SEPARATOR, TOKENS
from parlour.server.storage.sqlite import bulk_insert
from tools.simulation.disk import Disk
from tools.simulation.house.sql import FUNCTIONS, open_connection
from tools.simulation.loop import Agenda

LOSES = (0.0, 0.0, 0.02, 0.1)
"""How likely it is that the answer to a commit is lost."""
LASTS = (0.0, 0.05, 0.5)
"""Seconds after which a commit is done whose connection was lost, if nobody waits for it."""
SEEN_FIRST = 0.5
"""How likely it is that a commit is seen before the thread that has made it goes on."""
TICKS = 1000
"""Events of one transaction at most."""


class Refused(psycopg.DatabaseError):
    """What the function that stores rows raises (insert.py)."""

    def __init__(self, code: str, what: str) -> None:
        super().__init__(what)
        self.sqlstate = code


class Lost(psycopg.OperationalError):
    """The connection is gone."""


@attrs.define(eq=False)
class Link:
    """The way of one server to the database."""

    node: str
    cut: bool = False
    bell: Callable[[], None] = lambda: None
    """Called when NOTIFY reaches it."""
    look: Callable[[], None] = lambda: None
    """Called when its house's thread looks just now."""


@attrs.define(eq=False)
class _UnderWay:
    """A commit whose connection was lost."""

    xid: int
    given: Sequence[Any]


class SharedDatabase(Disk):
    """What outlives all nodes of one world."""

    def __init__(self, agenda: Agenda, luck: random.Random) -> None:
        super().__init__(agenda, luck)
        self.connection = open_connection()
        for (table,) in self.select("SELECT name FROM sqlite_master WHERE type = 'table'"):
            self.connection.execute(f"DELETE FROM {table}")
        self.loses = luck.choice(LOSES)
        self.misses = luck.choice((0.0, 0.3, 1.0))
        """How likely it is that a bell is not heard."""
        self.links: list[Link] = []
        self.moves: dict[str, list[tuple[float, str, int]]] = {}
        """By table or tournament: when it got which node, and by which epoch."""
        self.gone: dict[str, float] = {}
        """Those that no node has any more, and since when."""
        self._sequences: dict[str, int] = {}
        self._next_xid = 100
        self._xid: int | None = None
        """Of the transaction that runs now."""
        self._ticks = 0
        self._begun: set[int] = set()
        self._under_way: list[_UnderWay] = []
        FUNCTIONS.answers = {
            "clock_timestamp": lambda: self.agenda.now,
            "to_timestamp": float,
            "nextval": self._nextval,
            "next_seq": self._next_seq,
            "pg_current_xact_id": self._current,
            "pg_current_snapshot": lambda: None,
            "pg_snapshot_xmin": lambda _snapshot: min(self._begun, default=self._next_xid),
            "pg_advisory_xact_lock": lambda _key: None,
            "to_regproc": lambda _name: 1,
        }

    def __str__(self) -> str:
        return (
            f"{super().__str__()}, in a database for three nodes that loses {self.loses:.0%} of all answers "
            f"and {self.misses:.0%} of all bells"
        )

    def calm_down(self) -> None:
        super().calm_down()
        self.loses = self.misses = 0.0

    def lives(self, node: str) -> bool:
        """Whether a node's row has not expired."""
        return bool(self.select("SELECT 1 FROM nodes WHERE name = ? AND expires > ?", node, self.agenda.now))

    def expire(self, node: str) -> None:
        """Others can see that the process of a node has ended (`is_left` in membership.py)."""
        self.connection.execute("UPDATE nodes SET expires = 0 WHERE name = ?", [node])

    # Transactions

    def _nextval(self, name: str) -> int:
        # versions begin with 2: 1 stands for what this node has stored itself (schema.py).
        number = self._sequences[name] = self._sequences.get(name, 1) + 1
        return number

    def _current(self) -> int:
        return self._xid if self._xid is not None else self.begin()

    def _next_seq(self) -> int:
        # Numbers are given out when they are written, and not when they are committed.
        self._ticks += 1
        return self._current() * TICKS + self._ticks

    def begin(self) -> int:
        """Begins a transaction that is committed, or given up, later."""
        self._next_xid += 1
        return self._next_xid - 1

    def hold(self, xid: int) -> None:
        self._begun.add(xid)

    def give_up(self, xid: int) -> None:
        self._begun.discard(xid)

    @contextlib.contextmanager
    def transaction(self, xid: int | None = None) -> Iterator[None]:
        """All of it or nothing; of one that has begun earlier, if its number is given.

        Within another one: what that has to wait for is done first.
        """
        outer = self._xid, self._ticks
        self._xid, self._ticks = xid if xid is not None else self.begin(), 0
        self.connection.execute("SAVEPOINT begun")
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK TO begun")
            raise
        finally:
            self.connection.execute("RELEASE begun")
            self._begun.discard(self._xid)
            self._xid, self._ticks = outer

    # Storing rows: what the function of insert.py does

    def store(self, link: Link, given: Sequence[Any]) -> None:
        """Stores a group of rows, or refuses it; the answer may be lost."""
        rows = list(zip(*given[6:], strict=True))
        if self.luck.random() < self.refuses:
            self._tell_rows(f"refuses {link.node}:", rows)
            raise psycopg.errors.DiskFull("no room")
        if self.luck.random() >= self.loses:
            with self.transaction():
                self._store(given)
            if self.luck.random() < SEEN_FIRST:
                link.look()
            return
        fate = self.luck.choice(("dropped", "done", "under way"))
        self._tell_rows(f"loses a connection of {link.node}, its commit is {fate}:", rows)
        if fate != "dropped":
            pending = _UnderWay(self.begin(), given)
            self.hold(pending.xid)
            self._under_way.append(pending)
            if fate == "done":
                self._finish(pending)
            else:
                self.agenda.later(self.luck.choice(LASTS), functools.partial(self._finish, pending))
        raise Lost("the connection was lost")

    def finish_all(self) -> None:
        """Whoever locks what a commit under way has locked waits for it."""
        for pending in list(self._under_way):
            self._finish(pending)

    def _finish(self, pending: _UnderWay) -> None:
        if pending in self._under_way:
            self._under_way.remove(pending)
            with contextlib.suppress(Refused), self.transaction(pending.xid):
                self._store(pending.given)
            self.give_up(pending.xid)

    def _store(self, given: Sequence[Any]) -> None:
        owner, node, life, group, held, epochs, *columns = given
        execute = self.connection.execute
        if not execute("UPDATE owners SET stored = ? WHERE epoch = ? AND open", [group, owner]).rowcount:
            raise Refused(NOT_OWNER, "another server writes here")
        for id, epoch in zip(held, epochs, strict=True):
            mine = "SELECT 1 FROM leases WHERE id = ? AND node = ? AND epoch = ?"
            if not execute(mine, [id, node, epoch]).fetchone():
                raise Refused(TAKEN, f"another node has {id}")
        rows: list[Row] = list(zip(*columns, strict=True))
        self._tell_rows(f"stores for {node}:", rows)
        kept: list[Row] = []
        for row in rows:
            if row[0] in _SPECIAL:
                self._insert(kept)
                kept = []
                _SPECIAL[row[0]](self, row, node, life)
            else:
                kept.append(row)
        self._insert(kept)

    def _tell_rows(self, what: str, rows: Sequence[Row]) -> None:
        self.tell(what, [row for row in rows if row[0] not in (LOOKS, TOKENS)])

    def _insert(self, rows: Sequence[Row]) -> None:
        try:
            if rows:
                bulk_insert.insert_rows(self.connection, rows)
        except sqlite3.Error as wrong:
            broken = AssertionError(f"the archive took a change for wrong: {wrong}")
            # The writer takes it for a refusal: so it is told once more where nobody does.
            self.agenda.later(0.0, functools.partial(_raise, broken))
            raise broken from wrong

    def _person(self, row: Row, _node: str, life: int) -> None:
        _, name, version, _, sealed = row
        found = self.connection.execute(
            "SELECT version, writer FROM people WHERE name = ?", [name]
        ).fetchone()
        free = found is None or version is None or found[0] == version or found[1] == life
        if not free or (found is None and version):
            raise Refused(OVERTAKEN, f"another node has stored {name}")
        self.connection.execute(
            "INSERT INTO people (name, map, version, writer) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (name) DO UPDATE SET "
            "map = excluded.map, version = excluded.version, writer = excluded.writer",
            [name, sealed, self._nextval("versions"), life],
        )

    def _person_gone(self, row: Row, _node: str, life: int) -> None:
        gone = self.connection.execute(
            "DELETE FROM people WHERE name = ?1 AND (?2 IS NULL OR version = ?2 OR writer = ?3)",
            [row[1], row[2], life],
        )
        for table in ("sessions", "looks", "tokens") if gone.rowcount else ():
            self.connection.execute(f"DELETE FROM {table} WHERE name = ?", [row[1]])

    def _looks(self, row: Row, _node: str, _life: int) -> None:
        _, name, version, looks, _ = row
        for look in (looks or "").split(SEPARATOR):
            self.connection.execute("INSERT INTO looks VALUES (?, ?) ON CONFLICT DO NOTHING", [look, name])
            of = self.connection.execute("SELECT name FROM looks WHERE look = ?", [look]).fetchone()
            if version == 0 and of != (name,):
                raise Refused(OVERTAKEN, f"another node has stored {name}")

    def _tokens(self, row: Row, _node: str, _life: int) -> None:
        hashes = row[4] or b""
        self.connection.execute("DELETE FROM tokens WHERE name = ?", [row[1]])
        for place in range(0, len(hashes), 32):
            known = hashes[place : place + 32]
            self.connection.execute(
                "INSERT INTO tokens VALUES (?, ?) ON CONFLICT DO NOTHING", [known, row[1]]
            )

    def _lease(self, row: Row, node: str, _life: int) -> None:
        made = self.connection.execute(
            "INSERT INTO leases VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING", [row[1], row[3], node]
        )
        if not made.rowcount:
            raise Refused(TAKEN, f"another node has {row[1]}")
        self.moves[row[1]] = [(self.agenda.now, node, 1)]

    def _lease_gone(self, row: Row, _node: str, _life: int) -> None:
        self.connection.execute("DELETE FROM leases WHERE id = ?", [row[1]])
        self.gone[row[1]] = self.agenda.now

    def _table_gone(self, row: Row, node: str, life: int) -> None:
        self.connection.execute("DELETE FROM tables WHERE id = ?", [row[1]])
        self._lease_gone(row, node, life)

    def _rated_before(self, row: Row, _node: str, _life: int) -> None:
        _, name, _, game, sealed = row
        of = self.connection.execute("SELECT map FROM ratings WHERE game = ? AND name = ?", [game, name])
        found = of.fetchone()
        if (found and found[0]) != sealed:
            raise Refused(OVERTAKEN, f"another node has rated {name}")
        if found is None:
            self.connection.execute("INSERT INTO ratings VALUES (?, ?, x'')", [game, name])

    # Who has what

    def note_moves(self) -> None:
        """Notes which tables and tournaments have another node by now."""
        for id, node, epoch in self.select("SELECT id, node, epoch FROM leases"):
            known = self.moves.setdefault(id, [])
            if not known or known[-1][2] != epoch:
                known.append((self.agenda.now, node, epoch))
                if self.story is not None and epoch > 1:
                    self.story(f"gives table {id} to {node}, epoch {epoch}")

    def ring(self) -> None:
        for link in self.links:
            if not link.cut and self.luck.random() >= self.misses:
                self.agenda.later(self.luck.choice((0.0, 0.001, 0.02)), link.bell)


_SPECIAL: dict[int, Callable[[SharedDatabase, Row, str, int], None]] = {
    PERSON: SharedDatabase._person,
    PERSON_GONE: SharedDatabase._person_gone,
    LOOKS: SharedDatabase._looks,
    TOKENS: SharedDatabase._tokens,
    LEASE: SharedDatabase._lease,
    LEASE_GONE: SharedDatabase._lease_gone,
    TABLE_GONE: SharedDatabase._table_gone,
    RATED_BEFORE: SharedDatabase._rated_before,
}


def _raise(wrong: BaseException) -> None:
    raise wrong
