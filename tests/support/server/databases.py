"""The databases that an archive can be kept in, as tests look into them and hold them up."""

import asyncio
import contextlib
import re
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any, Protocol

import psycopg

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.sqlite.backend import SqliteBackend
from parlour.server.storage.sqlite.rows import open_to_write
from tools.postgresql import Cluster

Answer = asyncio.Future[ArchiveError | None]


class Database(Protocol):
    """A place for one archive."""

    place: str

    def transactions(self) -> int:
        """How many were stored since the archive was opened."""

    def spoil(self, statement: str) -> None:
        """Changes something in a way of which the database itself does not know that it is wrong.

        `FLIPPED(column)` stands for its bytes with one of them changed.
        """

    def open_held_up(self) -> Archive:
        """Opens an archive that `hold` can hold up."""

    async def hold(self, archive: Archive, change: Change) -> Answer:
        """Holds the writer up with this change, until `let_go`."""

    def let_go(self) -> None: ...


def _put(archive: Archive, change: Change) -> Answer:
    answer: Answer = asyncio.get_running_loop().create_future()
    archive.put(change, answer.set_result)
    return answer


class SqliteFile:
    """One file (Database)."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "games.db"
        self.place = str(self.path)
        self._reached, self._go = threading.Event(), threading.Event()
        self._go.set()

    def transactions(self) -> int:
        """Counts them in SQLite's log, whose frames say in bytes 4 to 8 whether they end one."""
        log = self.path.with_name(self.path.name + "-wal").read_bytes()
        return sum(log[start + 4 : start + 8] != bytes(4) for start in range(32, len(log), 24 + 4096))

    def spoil(self, statement: str) -> None:
        flipped = r"cast(substr(\1, 1, 1) || x'7f' || substr(\1, 3) AS BLOB)"
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            connection.execute(re.sub(r"FLIPPED\((\w+)\)", flipped, statement))
            connection.commit()
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]

    def open_held_up(self) -> Archive:
        file = self

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
                if sql.startswith("INSERT INTO bulk"):
                    file._reached.set()
                    file._go.wait()
                return super().execute(sql, *given)

        return Archive.of(SqliteBackend(self.path, lambda path: open_to_write(path, Connection)))

    async def hold(self, archive: Archive, change: Change) -> Answer:
        self._reached.clear()
        self._go.clear()
        answer = _put(archive, change)
        await asyncio.to_thread(self._reached.wait)
        return answer

    def let_go(self) -> None:
        self._go.set()


class PostgresqlDatabase:
    """A database of the tests' PostgreSQL (Database)."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.name = cluster.create_database()
        self.place = cluster.address(self.name)
        self._holding: psycopg.Connection[Any] | None = None

    def connect(self) -> "psycopg.Connection[Any]":
        connection: psycopg.Connection[Any] = psycopg.connect(self.place, autocommit=True)
        connection.execute("SET search_path TO parlour")
        return connection

    def transactions(self) -> int:
        """The writer counts them itself."""
        with self.connect() as connection:
            found = connection.execute("SELECT stored FROM owners ORDER BY epoch DESC LIMIT 1").fetchone()
        return 0 if found is None else int(found[0])

    def spoil(self, statement: str) -> None:
        with self.connect() as connection:
            connection.execute(re.sub(r"FLIPPED\((\w+)\)", r"set_byte(\1, 1, 127)", statement))

    def end_connections(self) -> None:
        """Ends all that others have, and waits until they have ended."""
        others = f"FROM pg_stat_activity WHERE datname = '{self.name}'"
        with psycopg.connect(self.cluster.address(), autocommit=True) as connection:
            connection.execute(f"SELECT pg_terminate_backend(pid) {others}")
            while connection.execute(f"SELECT 1 {others} LIMIT 1").fetchone():
                time.sleep(0.001)

    def open_held_up(self) -> Archive:
        return Archive.open(self.place)

    async def hold(self, archive: Archive, change: Change) -> Answer:
        """Locks what every transaction writes to, until `let_go`."""
        self._holding = self.connect()
        self._holding.execute("BEGIN")
        self._holding.execute("LOCK TABLE owners IN EXCLUSIVE MODE")
        answer = _put(archive, change)
        await self.is_held_up()
        return answer

    async def is_held_up(self, *, other_than: int | None = None) -> int:
        """Waits until a process of the database waits for the lock; its id."""
        assert self._holding is not None
        waits = "SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'owners'::regclass"
        while True:
            found = self._holding.execute(waits).fetchone()
            if found is not None and found[0] != other_than:
                return int(found[0])
            await asyncio.sleep(0)

    def let_go(self) -> None:
        assert self._holding is not None
        self._holding.close()
