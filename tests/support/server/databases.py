"""The databases that an archive can be kept in, as tests look into them and hold them up."""

import asyncio
import contextlib
import re
import resource
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, Protocol

import psycopg

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.postgresql import schema as postgresql_schema
from parlour.server.storage.postgresql.connection import connect
from parlour.server.storage.sqlite import schema as sqlite_schema
from parlour.server.storage.sqlite.backend import SqliteBackend
from parlour.server.storage.sqlite.rows import open_to_write
from tools.postgresql import Cluster

Answer = asyncio.Future[ArchiveError | None]
Step = tuple[str, ...]
Fault = Literal["full", "readonly", "ioerr", "away"]


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

    reasons: Mapping[Fault, tuple[str, ...]]
    """What changes are refused with that come during a fault."""

    def open_faulty(self) -> Archive:
        """Opens an archive that can be `failing`."""

    def failing(self, fault: Fault) -> AbstractContextManager[None]:
        """Has it fail so: if it is full, whatever needs room is refused."""

    version: int
    """The newest that this build knows."""

    def upgrade(self, *steps: Step) -> None:
        """Brings it up to date as a later build with these steps would; raises the database's own error."""

    def read_as_later_build(self) -> None:
        """Reads it with a build that knows one version more; raises ArchiveErrors."""

    def select(self, query: str) -> list[Any]: ...


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
        self._opened: sqlite3.Connection | None = None
        self._fault: Fault | None = None

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

    reasons: Mapping[Fault, tuple[str, ...]] = {
        "full": ("SQLITE_FULL",),
        "readonly": ("SQLITE_READONLY",),
        "ioerr": ("SQLITE_IOERR_WRITE",),
        "away": ("ProgrammingError", "SQLITE_CANTOPEN"),  # the connection is closed, and then no other opens
    }

    def open_faulty(self) -> Archive:
        return Archive.of(SqliteBackend(self.path, self._open))

    def _open(self, path: Path) -> sqlite3.Connection:
        if self._fault == "away":
            path = path / "nowhere"
        self._opened = open_to_write(path)
        self._limit()
        return self._opened

    def _limit(self) -> None:
        assert self._opened is not None
        ((pages,),) = self._opened.execute("PRAGMA page_count").fetchall()
        most = pages if self._fault == "full" else pages + 1000
        self._opened.execute(f"PRAGMA max_page_count = {most}").fetchall()
        self._opened.execute(f"PRAGMA query_only = {self._fault == 'readonly'}")

    @contextlib.contextmanager
    def failing(self, fault: Fault) -> Iterator[None]:
        self._fault = fault
        assert self._opened is not None
        with contextlib.ExitStack() as stack:
            if fault == "away":
                self._opened.close()
            elif fault == "ioerr":
                log = self.path.with_name(self.path.name + "-wal").stat().st_size
                stack.enter_context(files_no_longer_than(log))
            else:
                self._limit()
            try:
                yield
            finally:
                self._fault = None
        if fault != "away":
            self._limit()

    version = len(sqlite_schema.STEPS)

    def upgrade(self, *steps: Step) -> None:
        with contextlib.closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            sqlite_schema.migrate(connection, self.path, (*sqlite_schema.STEPS, *steps))

    def read_as_later_build(self) -> None:
        sqlite_schema.open_to_read(self.path, self.version + 1).close()

    def select(self, query: str) -> list[Any]:
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            return connection.execute(query).fetchall()


@contextlib.contextmanager
def files_no_longer_than(length: int) -> Iterator[None]:
    """Writes behind `length` fail: real ones, in the middle of whatever SQLite is at."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (length, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


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
        """Ends all that others have, and waits until these have ended."""
        others = f"FROM pg_stat_activity WHERE datname = '{self.name}'"
        with psycopg.connect(self.cluster.address(), autocommit=True) as connection:
            ended = connection.execute(f"SELECT pid, pg_terminate_backend(pid) {others}").fetchall()
            left = "SELECT 1 FROM pg_stat_activity WHERE pid = ANY(%s) LIMIT 1"
            while connection.execute(left, [[pid for pid, _ in ended]]).fetchone():
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
            for (pid,) in self._holding.execute(waits).fetchall():
                if pid != other_than:
                    return int(pid)
            await asyncio.sleep(0)

    def let_go(self) -> None:
        assert self._holding is not None
        self._holding.close()

    reasons: Mapping[Fault, tuple[str, ...]] = {
        "full": ("full",),
        "readonly": ("readonly",),
        "ioerr": ("ioerr",),
        "away": ("away",),
    }

    def open_faulty(self) -> Archive:
        return Archive.open(self.place)

    @contextlib.contextmanager
    def failing(self, fault: Fault) -> Iterator[None]:
        begin, end = _FAULTS[fault]
        self._alter(fault, begin)
        try:
            yield
        finally:
            self._alter(fault, end)

    def _alter(self, fault: Fault, statements: Step) -> None:
        for statement in statements:
            if statement.startswith("ALTER DATABASE"):
                self.cluster.execute(statement.format(self.name))
            else:
                self.spoil(statement)
        if fault in ("readonly", "away"):
            self.end_connections()

    version = len(postgresql_schema.STEPS)

    def upgrade(self, *steps: Step) -> None:
        with connect(self.place) as connection:
            postgresql_schema.migrate(connection, self.place, (*postgresql_schema.STEPS, *steps))

    def read_as_later_build(self) -> None:
        with connect(self.place) as connection:
            postgresql_schema.check_version(connection, self.place, self.version + 1)

    def select(self, query: str) -> list[Any]:
        with self.connect() as connection:
            return connection.execute(query).fetchall()


def _raising(error: str) -> tuple[Step, Step]:
    """What has long rows refused with this error, as a client sees it, and what ends that."""
    return (
        (
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE 'told by a test' USING ERRCODE = '{error}'; END $$",
            "CREATE TRIGGER fail BEFORE INSERT ON tables FOR EACH ROW "
            "WHEN (length(NEW.map) > 1000) EXECUTE FUNCTION fail()",
        ),
        ("DROP FUNCTION fail CASCADE",),
    )


_READ_ONLY = "ALTER DATABASE {} SET default_transaction_read_only = "
_CONNECTIONS = "ALTER DATABASE {} ALLOW_CONNECTIONS "
_FAULTS: dict[Fault, tuple[Step, Step]] = {
    "full": _raising("disk_full"),
    "ioerr": _raising("io_error"),
    "readonly": ((f"{_READ_ONLY} on",), (f"{_READ_ONLY} off",)),
    "away": ((f"{_CONNECTIONS} false",), (f"{_CONNECTIONS} true",)),
}
"""What makes it fail so, and what ends that."""
