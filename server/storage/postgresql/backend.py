"""Opens an archive in PostgreSQL: for one who writes, for any who read, for a copy."""

import asyncio
import contextlib
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg

from parlour.server.storage.backend import Compare, Progress, Rows
from parlour.server.storage.change import LINE
from parlour.server.storage.copying import copy_rows
from parlour.server.storage.errors import ArchiveError, Damaged, NotEmpty, Unreadable, Unsafe, Unwritable
from parlour.server.storage.postgresql.connection import (
    SCHEMA,
    Connection,
    connect,
    qualified,
    read_address,
    translate_errors,
    translated,
)
from parlour.server.storage.postgresql.house import HouseRows
from parlour.server.storage.postgresql.house_thread import HouseThread
from parlour.server.storage.postgresql.house_values import ALONE, Node
from parlour.server.storage.postgresql.membership import Membership
from parlour.server.storage.postgresql.people import index_everybody
from parlour.server.storage.postgresql.rows import PostgresqlRows
from parlour.server.storage.postgresql.schema import check_version, lease_everything, migrate
from parlour.server.storage.seal import unseal
from parlour.server.storage.sqlite.backend import SqliteBackend
from parlour.server.storage.tables import TABLES

AGAIN_AFTER = 5.0
"""Seconds after which to try again to connect."""
PAGE = 2000
"""Rows that are fetched at a time when there may be many."""
SAFE = ("fsync", "synchronous_commit")
"""Settings without which a commit that was told may be lost."""
NOT_THERE = ("42P01", "3F000")
"""PostgreSQL's codes: no such table, no such schema."""
_OPEN_GAMES = """SELECT games.id, number, lines.map FROM tables
    JOIN games ON table_id = tables.id AND finish IS NULL JOIN lines ON game_seq = games.seq"""


class PostgresqlReader:
    """A database that is open for reading (backend.Reader)."""

    def __init__(self, place: str, connection: Connection) -> None:
        self._place, self._connection = place, connection
        self._again_at = 0.0
        self._is_snapshot = False

    def select(self, query: str, *given: Any) -> list[Any]:
        try:
            return self._select(query, given)
        except psycopg.Error as wrong:
            if self._is_snapshot or not self._connection.closed:
                raise translated(self._place, wrong) from None
        self._connect_again()
        with translate_errors(self._place):
            return self._select(query, given)

    def _connect_again(self) -> None:
        """Connects after a restart of the database, and raises Unreadable while it is away.

        Then it is left alone for a while: whoever reads may be the one on whom everybody waits.
        """
        if time.monotonic() < self._again_at:
            raise Unreadable(self._place, "away")
        self.close()
        try:
            self._connection = open_reader(self._place)
        except Unreadable:
            self._again_at = time.monotonic() + AGAIN_AFTER
            raise

    def _select(self, query: str, given: tuple[Any, ...]) -> list[Any]:
        query = qualified(query).replace("?", "%s")
        return self._connection.execute(query, given, binary=True).fetchall()

    def walk(self, query: str) -> Iterator[Any]:
        with (
            translate_errors(self._place),
            self._connection.transaction(),
            self._connection.cursor("walk", binary=True) as cursor,
        ):
            cursor.itersize = PAGE
            yield from cursor.execute(qualified(query))

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        with translate_errors(self._place), self._connection.transaction():
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self._is_snapshot = True
            try:
                yield
            finally:
                self._is_snapshot = False

    def faults(self) -> Iterator[Damaged]:
        """Nothing: PostgreSQL finds a broken page when it is read, and the check reads all of them."""
        return iter(())

    def close(self) -> None:
        self._connection.close()


def open_reader(place: str) -> Connection:
    with translate_errors(place):
        connection = connect(place)
        try:
            check_version(connection, place)
        except (psycopg.Error, ArchiveError):
            connection.close()
            raise
        return connection


class PostgresqlBackend:
    """One database (backend.Backend)."""

    has_leases = True

    def __init__(
        self, address: str, unsafe: bool = False, node: Node = ALONE, direct: str | None = None
    ) -> None:
        """`unsafe` allows a database that may lose what it has acknowledged; raises BadAddress.

        `direct` is the same database, if `address` leads to a pooler: LISTEN needs a connection of its own.
        """
        read_address(address)
        read_address(direct or address)
        self._direct = direct or address
        self._rows: PostgresqlRows | None = None
        self.place = address
        self.node = node.name
        self._node = node
        self._unsafe = unsafe

    def open_to_read(self) -> PostgresqlReader:
        return PostgresqlReader(self.place, open_reader(self.place))

    def open_to_write(self) -> PostgresqlRows:
        with translate_errors(self.place, Unwritable):
            rows = PostgresqlRows(
                Membership(self.place, self._node),
                self._open,
                lambda connection: migrate(connection, self.place),
            )
        try:
            with contextlib.closing(self.open_to_read()) as reader:
                self._check_open_games(reader)
        except BaseException:
            rows.close()
            raise
        self._rows = rows
        return rows

    def is_direct(self) -> bool:
        """Whether the direct address leads to this database, after `open_to_write`; True if none answers."""
        assert self._rows is not None
        if self._direct == self.place:
            return True
        try:
            with contextlib.closing(connect(self._direct)) as connection:
                return self._rows.membership.is_at(connection)
        except psycopg.Error as wrong:
            return wrong.sqlstate not in NOT_THERE

    def open_house(self, loop: asyncio.AbstractEventLoop) -> HouseThread:
        """What tells a node of the others, after `open_to_write`."""
        rows = self._rows
        assert rows is not None

        def questions() -> HouseRows:
            return HouseRows(rows.membership, connect(self.place))

        return HouseThread(rows, questions, lambda: connect(self._direct), loop)

    def _open(self) -> Connection:
        connection = connect(self.place)
        try:
            self._check_safety(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_safety(self, connection: Connection) -> None:
        if connection.execute("SHOW server_encoding").fetchone() != ("UTF8",):
            raise Unwritable(self.place, "encoding")
        for setting in () if self._unsafe else SAFE:
            if connection.execute(f"SHOW {setting}").fetchone() == ("off",):
                raise Unsafe(self.place, setting)

    def _check_open_games(self, reader: PostgresqlReader) -> None:
        """Raises Damaged if a game that goes on is not as it was written: restored, it would be another."""
        for game, number, sealed in reader.walk(_OPEN_GAMES):
            if unseal(LINE, game, number, None, sealed) is None:
                raise Damaged(self.place, "changed", f"sum of {number}", "game", str(game))

    def back_up(self, target: Path, progress: Progress) -> None:
        copy_rows(self, SqliteBackend(target), progress)

    def fill(self, tables: Mapping[str, Rows], compare: Compare) -> None:
        with (
            translate_errors(self.place, Unwritable),
            contextlib.closing(self._open()) as connection,
            connection.transaction(),
        ):
            migrate(connection, self.place)
            Membership(self.place, ALONE).check_empty(connection)
            for table in TABLES:
                if connection.execute(f"SELECT 1 FROM {SCHEMA}.{table} LIMIT 1").fetchone():
                    raise NotEmpty(self.place)
            for table, rows in tables.items():
                _load(connection, table, rows)
            for table in ("games", "tournaments"):
                numbers = f"pg_get_serial_sequence('{SCHEMA}.{table}', 'seq')"
                connection.execute(f"SELECT setval({numbers}, max(seq)) FROM {SCHEMA}.{table}")
            finishes = f"'{SCHEMA}.finishes', coalesce(max(finish), 0) + 1, false"
            connection.execute(f"SELECT setval({finishes}) FROM {SCHEMA}.games")
            index_everybody(connection)
            lease_everything(connection)
            compare(PostgresqlReader(self.place, connection))


def _load(connection: Connection, table: str, rows: Rows) -> None:
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {SCHEMA}.{table} ({', '.join(TABLES[table])}) FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)
