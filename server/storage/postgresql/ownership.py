"""One server to an archive, and what became of a commit whose answer was lost.

Whoever writes holds a lock that ends with its connection: that keeps a second server out. But a connection
may be lost while its last commit is still under way in the database. So each connection has a row of its own
in `owners`, and every transaction writes the number of its group there, as long as the row is open. Who
comes next closes all rows first. That waits for a transaction that is under way, and has any later one fail;
from then on the row says for good which group was the last. It is a commit of its own, so that what it has
read is as safe as it is, on a replica too.
"""

import os
import socket
import uuid
from datetime import UTC, datetime

import attrs
import psycopg

from parlour.server.storage.errors import Held
from parlour.server.storage.postgresql.connection import Connection

KEY = 0x50524C52
"""`PRLR`: the lock's number among those of the database."""
LOCK_WITHIN = "1s"
"""How long to wait for the lock of a server that has just ended."""
FENCE_WITHIN = "5s"
"""How long to wait for a transaction of a connection that was lost."""


@attrs.frozen
class Former:
    """What a server finds of its own last connection."""

    stored: int | None
    """The last group that it stored; None if the database does not know the connection."""
    taken: bool
    """Whether another server has written since."""


@attrs.define
class Ownership:
    """A server's hold on an archive, over all its connections."""

    place: str
    epoch: int | None = None
    """The row of its last connection."""
    _server: str = attrs.field(factory=lambda: uuid.uuid4().hex)
    _backend: int | None = None
    """The process in the database that served its last connection."""

    def lock(self, connection: Connection) -> None:
        """Keeps others out as long as the connection lasts; raises Held."""
        connection.execute(f"SET lock_timeout TO '{LOCK_WITHIN}'")
        try:
            connection.execute("SELECT pg_advisory_lock(%s)", [KEY])
        except psycopg.errors.LockNotAvailable:
            # The database may not know yet that our own connection was lost.
            if self._backend is None or _holder_of_lock(connection) != self._backend:
                raise self._held(connection) from None
            connection.execute("SELECT pg_terminate_backend(%s)", [self._backend])
            connection.execute("SELECT pg_advisory_lock(%s)", [KEY])
        connection.execute(f"SET lock_timeout TO '{FENCE_WITHIN}'")

    def take(self, connection: Connection, stored: int) -> Former | None:
        """Closes all rows and opens a new one; returns what is found of our last connection, if any."""
        former = None
        with connection.transaction():
            connection.execute("UPDATE owners SET open = false WHERE open")
            if self.epoch is not None:
                former = self._former(connection, self.epoch)
            host, pid = socket.gethostname(), os.getpid()
            since = datetime.now(UTC).isoformat(timespec="seconds")
            made = connection.execute(
                "INSERT INTO owners (server, host, pid, since, stored, open) "
                "VALUES (%s, %s, %s, %s, %s, true) RETURNING epoch, pg_backend_pid()",
                [self._server, host, pid, since, stored],
            ).fetchone()
        assert made is not None
        if former is None or (not former.taken and former.stored is not None):
            self.epoch, self._backend = made
        return former

    def _former(self, connection: Connection, epoch: int) -> Former:
        row = connection.execute("SELECT stored FROM owners WHERE epoch = %s", [epoch]).fetchone()
        others = "SELECT 1 FROM owners WHERE epoch > %s AND server <> %s LIMIT 1"
        taken = connection.execute(others, [epoch, self._server]).fetchone() is not None
        return Former(None if row is None else int(row[0]), taken)

    def release(self, connection: Connection) -> None:
        connection.execute("UPDATE owners SET open = false WHERE epoch = %s", [self.epoch])

    def _held(self, connection: Connection) -> Held:
        try:
            row = connection.execute(
                "SELECT pid, host, since FROM owners WHERE open ORDER BY epoch DESC LIMIT 1"
            ).fetchone()
        except psycopg.Error:
            row = None
        return Held(self.place, *(row or (None, None, None)))


def _holder_of_lock(connection: Connection) -> int | None:
    row = connection.execute(
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 "
        "AND classid = 0 AND objid = %s "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        [KEY],
    ).fetchone()
    return None if row is None else int(row[0])
