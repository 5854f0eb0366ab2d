"""The connection that writes to an archive in PostgreSQL, how it comes back, and what became of a commit.

A connection that is lost while a group of rows is being stored leaves them in doubt: nobody is answered
before the next connection has read what became of them (ownership.py).
"""

import contextlib
import logging
import select
from collections.abc import Callable, Sequence

import attrs
import psycopg

from parlour.machine.this_process import running_time
from parlour.server.storage.backend import InDoubt
from parlour.server.storage.change import LEASE, LEASE_GONE, TABLE_GONE, Row
from parlour.server.storage.errors import ArchiveError, NotStored
from parlour.server.storage.postgresql.connection import Connection, is_idle, not_stored
from parlour.server.storage.postgresql.heartbeat import Heartbeat
from parlour.server.storage.postgresql.insert import NOT_OWNER, create_function, insert_rows
from parlour.server.storage.postgresql.membership import Membership
from parlour.server.storage.postgresql.ownership import Ownership

AGAIN_AFTER = 1.0
"""Seconds after which to try again to connect."""
MOST = 4096
"""Rows to a call of the database's function: more of them are a transaction of several calls."""
Open = Callable[[], Connection]
"""Connects to a database that may be written to; raises ArchiveErrors and psycopg.Error."""
Prepare = Callable[[Connection], None]
"""Brings the archive up to date; raises the same."""
log = logging.getLogger("parlour.archive")


@attrs.define
class _Leases:
    """What a group of rows says of tables and tournaments."""

    held: dict[str, int] = attrs.field(factory=dict)
    """Those that must be this node's, and their epochs."""
    new: list[str] = attrs.field(factory=list)
    gone: list[str] = attrs.field(factory=list)

    def begin(self, epochs: dict[str, int]) -> None:
        """Notes what is about to be ours: a look may see it before the thread that stores it goes on."""
        epochs.update(dict.fromkeys(self.new, 1))

    def end(self, epochs: dict[str, int], stored: bool) -> None:
        """Forgets what is ours no longer, or has not become so."""
        for id in self.gone if stored else self.new:
            epochs.pop(id, None)


def _after_new_leases(row: Row) -> bool:
    return row[0] != LEASE


class PostgresqlRows:
    """A database that is open for writing (backend.RowStore)."""

    def __init__(
        self,
        membership: Membership,
        open: Open,
        prepare: Prepare,
        beat: Callable[[Membership, Open], Heartbeat] = Heartbeat,
        clock: Callable[[], float] = running_time,
    ) -> None:
        """Joins the house as this node; raises ArchiveErrors and psycopg.Error."""
        self.place = membership.place
        self._open, self._prepare, self._clock = open, prepare, clock
        self.membership = membership
        self._ownership = Ownership(self.membership)
        self.epochs: dict[str, int] = {}
        """Of the tables and tournaments that are this node's, or are being stored as such."""
        self._leases_in_doubt: dict[int, _Leases] = {}
        """Of the groups in doubt."""
        self._connection: Connection | None = None
        self._group = self._acknowledged = 0
        """The numbers of the last group of rows that was sent, and of the last one known to be stored."""
        self._doubts: dict[int, bool | None] = {}
        """Groups in doubt, and whether they are stored once that is known."""
        self._lost: NotStored | None = None
        """Why nothing is stored until a restart."""
        self._trouble: NotStored | None = None
        self._again_at = 0.0
        self._warned = False
        self._join()
        self._heartbeat = beat(membership, open)
        self._heartbeat.start()

    def store(self, rows: Sequence[Row]) -> None:
        connection = self._require()
        if not rows:
            return
        self._group += 1
        self._warned = False
        leases, rows = self._leases(rows)
        leases.begin(self.epochs)
        try:
            self._insert(connection, leases, rows)
        except Exception as wrong:
            if not is_idle(connection):
                raise self._doubt(leases) from None
            leases.end(self.epochs, stored=False)
            if getattr(wrong, "sqlstate", None) == NOT_OWNER:
                self._lose("taken", "another server has taken it over")
                assert self._lost is not None
                raise self._lost from None
            raise not_stored(self.place, wrong) from None
        # A commit that is told with a warning may not be on the replica that it has to wait for.
        if self._warned or not is_idle(connection):
            raise self._doubt(leases)
        self._acknowledged = self._group
        leases.end(self.epochs, stored=True)

    def _leases(self, rows: Sequence[Row]) -> tuple["_Leases", Sequence[Row]]:
        """What must be ours for these rows, and the rows without what is ours already."""
        leases, left = _Leases(), []
        for row in rows:
            kind, id, *_ = row
            if kind == LEASE and (id in leases.held or id in leases.new):
                continue
            if kind == LEASE and id in self.epochs:
                leases.held[id] = self.epochs[id]
                continue
            if kind == LEASE:
                leases.new.append(id)
            elif kind in (TABLE_GONE, LEASE_GONE):
                leases.gone.append(id)
            left.append(row)
        return leases, sorted(left, key=_after_new_leases) if leases.new else left

    def _insert(self, connection: Connection, leases: "_Leases", rows: Sequence[Row]) -> None:
        owner = self._ownership.owner
        assert owner is not None
        if len(rows) <= MOST:
            insert_rows(connection, owner, self._group, leases.held, rows)
            return
        with connection.transaction():
            for start in range(0, len(rows), MOST):
                insert_rows(connection, owner, self._group, leases.held, rows[start : start + MOST])

    def settle(self, doubt: InDoubt) -> bool | None:
        if self._doubts[doubt.group] is None:
            with contextlib.suppress(NotStored):
                self._require()
        known = self._doubts[doubt.group]
        if known is not None:
            del self._doubts[doubt.group]
            self._leases_in_doubt.pop(doubt.group).end(self.epochs, known)
        return known

    def misplaced(self) -> NotStored | None:
        """Nothing: `store` refuses by itself what a server that is not the owner any more wants to write."""
        return None

    @property
    def over(self) -> bool:
        """Whether others may have what was this node's, now or in the past."""
        return self._lost is not None or self._heartbeat.over

    def distrust(self) -> None:
        self._lose("astray", "it has more than was acknowledged")

    def tidy(self) -> float | None:
        """Connects again if the connection was lost; the seconds after which to try that again."""
        try:
            self._require()
        except NotStored:
            return None if self._lost is not None else AGAIN_AFTER
        return None

    def close(self) -> None:
        self._heartbeat.stop()
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(psycopg.Error):
                self._ownership.release(connection)
                self.membership.leave(connection)
            connection.close()
        self.membership.end()

    # The connection

    def _require(self) -> Connection:
        """The connection, a new one if it was lost; raises NotStored."""
        if self._lost is not None:
            raise self._lost
        if self._connection is not None and not _has_ended(self._connection):
            return self._connection
        self._drop()
        if self._trouble is not None and self._clock() < self._again_at:
            raise self._trouble
        try:
            return self._connect()
        except (ArchiveError, psycopg.Error) as wrong:
            told = wrong if isinstance(wrong, NotStored) else not_stored(self.place, wrong)
            if self._trouble is None and self._lost is None:
                log.error("archive=%s is away: nothing is kept until it is back: %s", self.place, told.detail)
            self._trouble, self._again_at = told, self._clock() + AGAIN_AFTER
            raise told from None

    def _join(self) -> None:
        connection = self._open()
        try:
            self._prepare(connection)
            create_function(connection)
            self.epochs = self.membership.join(connection, self._clock)
            self._ownership.take(connection, 0)
        except BaseException:
            connection.close()
            raise
        self._use(connection)

    def _connect(self) -> Connection:
        connection = self._open()
        try:
            self._prepare(connection)
            former = self._ownership.take(connection, self._acknowledged)
            assert former is not None
            self._compare(former.stored, former.taken)
        except BaseException:
            connection.close()
            raise
        self._use(connection)
        return connection

    def _use(self, connection: Connection) -> None:
        connection.add_notice_handler(self._notice)
        if self._trouble is not None:
            log.warning("archive=%s is back: everything is kept again", self.place)
        self._connection, self._trouble = connection, None

    def _compare(self, stored: int | None, taken: bool) -> None:
        """Holds what the database says of the last connection against what was acknowledged there."""
        waiting = [group for group, known in self._doubts.items() if known is None]
        if stored is None or stored not in (self._acknowledged, *waiting):
            self._lose("astray", f"it lacks what was acknowledged: has {stored}, not {self._acknowledged}")
        else:
            for group in waiting:
                self._doubts[group] = group <= stored
            self._acknowledged = stored
            if taken:
                self._lose("taken", "another server has taken it over")
        if self._lost is not None:
            raise self._lost

    def _lose(self, reason: str, detail: str) -> None:
        if self._lost is None:
            log.error(
                "archive=%s: %s. Nothing is kept until this server is restarted, and reads it anew.",
                self.place,
                detail,
            )
            self._lost = NotStored(self.place, reason, detail)
        self._drop()

    def _doubt(self, leases: "_Leases") -> InDoubt:
        self._drop()
        self._doubts[self._group] = None
        self._leases_in_doubt[self._group] = leases
        return InDoubt(self.place, self._group)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _notice(self, notice: psycopg.errors.Diagnostic) -> None:
        self._warned = self._warned or notice.severity_nonlocalized == "WARNING"


def _has_ended(connection: Connection) -> bool:
    """Whether the database has closed it, seen without a question to it unless there is something to read."""
    if connection.closed:
        return True
    readable, _, _ = select.select([connection.fileno()], [], [], 0)
    if not readable:
        return False
    try:
        connection.execute("SELECT")
    except psycopg.Error:
        return True
    return not is_idle(connection)
