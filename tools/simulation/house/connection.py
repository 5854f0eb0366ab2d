"""A connection of a node to the database that all share, as much of psycopg's as the server uses."""

import contextlib
import functools
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import psycopg

from tools.simulation.house.shared import Link, Lost, SharedDatabase
from tools.simulation.house.sql import in_sqlite, plain

IDLE = 5.0
"""Seconds after which a transaction that does nothing is ended (`transaction` in connection.py)."""
_NEVER_READABLE, _ = os.pipe()
_WAITS = re.compile(r"UPDATE (parlour\.)?(owners|leases)|FOR UPDATE(?! SKIP)")
"""Statements that wait for a commit under way."""


@attrs.define(eq=False)
class _Info:
    """As much of psycopg's ConnectionInfo as is asked for."""

    status: psycopg.pq.ConnStatus = psycopg.pq.ConnStatus.OK
    transaction_status: psycopg.pq.TransactionStatus = psycopg.pq.TransactionStatus.IDLE


class _Found:
    """The rows that a statement has found."""

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def fetchone(self) -> Any:
        return self._rows[0] if self._rows else None

    def fetchall(self) -> list[Any]:
        return self._rows


class SharedConnection:
    """As much of a psycopg.Connection as the server uses."""

    def __init__(self, database: SharedDatabase, link: Link) -> None:
        if link.cut:
            raise Lost("the database is out of reach")
        self._database, self._link = database, link
        self.closed = False
        self.info = _Info()
        self.begun: int | None = None
        """A transaction that has begun already: the next one is that."""

    def begin_early(self) -> None:
        """Begins a transaction, whose first statement comes later; if it does not come, it is given up."""
        if self.begun is None and not self.closed and not self._link.cut:
            self.begun = self._database.begin()
            self._database.hold(self.begun)
            self._database.agenda.later(IDLE, functools.partial(self._give_up, self.begun))

    def _give_up(self, begun: int) -> None:
        if self.begun == begun:
            self.close()

    def close(self) -> None:
        self.closed = True
        if self.begun is not None:
            self._database.give_up(self.begun)
            self.begun = None

    def fileno(self) -> int:
        return _NEVER_READABLE

    def add_notice_handler(self, _handler: Any) -> None: ...

    def _check(self) -> None:
        if self.closed or self._link.cut:
            self.closed = True
            raise Lost("the connection is lost")

    def execute(self, query: str, given: Sequence[Any] = (), *, binary: bool = False) -> _Found:  # noqa: ARG002
        self._check()
        database = self._database
        if query.startswith("SET "):
            return _Found([])
        if query.startswith("NOTIFY"):
            database.ring()
            return _Found([])
        if query.startswith("SELECT parlour.store_rows"):
            try:
                database.store(self._link, given)
            except Lost:
                self.closed = True
                raise
            return _Found([])
        if _WAITS.search(query):
            database.finish_all()
        found = database.connection.execute(in_sqlite(query), plain(given)).fetchall()
        if "leases" in query:
            database.note_moves()
        return _Found(found)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        self._check()
        begun, self.begun = self.begun, None
        with self._database.transaction(begun):
            yield

    @contextlib.contextmanager
    def cursor(self) -> Iterator["SharedConnection"]:
        yield self

    def executemany(self, query: str, given: Sequence[Sequence[Any]]) -> None:
        for each in given:
            self.execute(query, each)
