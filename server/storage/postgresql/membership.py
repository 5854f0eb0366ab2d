"""A server's place among the nodes of a house: its row, for how long it holds it, and what it has.

A row lasts as long as its lease, by the database's clock, and is renewed all the time. Who finds it expired
may take it, and what belonged to it. A server without a name is alone: no other node may live beside it.
"""

import contextlib
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import attrs

from parlour.machine.this_process import ProcessMark, running_time
from parlour.server.storage.errors import Held, NodeTaken
from parlour.server.storage.postgresql.connection import KEY, Connection, transaction
from parlour.server.storage.postgresql.house_values import Node

LOOK_AGAIN = 0.1
"""Seconds after which to look again at a row that may be left from a server that was killed."""
MOST_ADDRESSES = 64
"""Of nodes that live, or did: their names may have changed with each start."""
_EXPIRES = "clock_timestamp() + make_interval(secs => %s)"
_HERE: set[str] = set()
"""The servers of this process that are open: a row of any other of it is left from before."""


@attrs.frozen
class _Row:
    name: str
    mark: ProcessMark
    server: str
    since: str
    expires: datetime
    lives: bool
    url: str

    def held(self, place: str, by: Node) -> Held:
        """Why `by` cannot join."""
        holder = (place, self.mark.pid, self.mark.host, self.since)
        if not by.name or not self.name:
            return Held(*holder)
        same_name = self.name == by.name
        return NodeTaken(*holder, "node" if same_name else "advertise", by.name if same_name else by.url)

    @property
    def is_left(self) -> bool:
        """Whether it is certainly of nobody who lives."""
        mine = self.mark == ProcessMark.own()
        return not self.lives or self.mark.has_ended() or (mine and self.server not in _HERE)

    @property
    def is_certain(self) -> bool:
        return self.mark.is_running()


@attrs.define
class Membership:
    """One server's row."""

    place: str
    node: Node
    mark: ProcessMark = attrs.field(factory=ProcessMark.own)
    life: int = 0
    """Another one with each joining."""
    joined: float = 0.0
    """A moment before the row was taken (by the clock of `join`)."""
    _server: str = attrs.field(factory=lambda: uuid.uuid4().hex)

    @property
    def alone(self) -> bool:
        return not self.node.name

    def join(self, connection: Connection, clock: Callable[[], float] = running_time) -> dict[str, int]:
        """Takes the row; returns the epochs of what is this node's from now on. Raises Held.

        Somebody who has the row is given the time to renew it, or to let it expire.
        """
        seen: dict[str, datetime] = {}
        while True:
            with transaction(connection):
                connection.execute("SELECT pg_advisory_xact_lock(%s)", [KEY])
                holder = self._holder(connection)
                if holder is None:
                    self.joined = clock()
                    return self._take(connection)
            if holder.is_certain or seen.get(holder.server, holder.expires) != holder.expires:
                raise holder.held(self.place, self.node)
            seen[holder.server] = holder.expires
            time.sleep(LOOK_AGAIN)

    def check_empty(self, connection: Connection) -> None:
        """Raises Held if somebody lives here; nobody joins until the transaction around this ends."""
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [KEY])
        holder = self._holder(connection)
        if holder is not None:
            raise holder.held(self.place, self.node)

    def _holder(self, connection: Connection) -> _Row | None:
        """Who keeps this server from joining."""
        rows = connection.execute(
            "SELECT name, host, machine, pid, started, since, expires, expires > clock_timestamp(), url "
            "FROM parlour.nodes"
        ).fetchall()
        for row in map(_read, rows):
            # One that is alone bears no other, and no other bears it. With the address of another node,
            # clients that are sent to one would find the other.
            same = self.node.name == row.name or self.node.url == row.url
            if (same or not row.name or self.alone) and not row.is_left:
                return row
        return None

    def _take(self, connection: Connection) -> dict[str, int]:
        mark, since = self.mark, datetime.now(UTC).isoformat(timespec="seconds")
        made = connection.execute(
            "INSERT INTO nodes (name, life, url, host, machine, pid, started, since, expires) "
            f"VALUES (%s, nextval('lives'), %s, %s, %s, %s, %s, %s, {_EXPIRES}) "
            "ON CONFLICT (name) DO UPDATE SET life = excluded.life, url = excluded.url, "
            "host = excluded.host, machine = excluded.machine, pid = excluded.pid, "
            "started = excluded.started, since = excluded.since, expires = excluded.expires "
            "RETURNING life",
            [
                *(self.node.name, self.node.url, mark.host, mark.machine, mark.pid),
                *(_pack(mark.started, self._server), since, self.node.lease),
            ],
        ).fetchone()
        assert made is not None
        self.life = made[0]
        # What is under way of others under this name, or of anybody if we are alone, fails from now on.
        connection.execute(
            "UPDATE owners SET open = false WHERE open AND (node = %s OR %s)", [self.node.name, self.alone]
        )
        taken = connection.execute(
            "UPDATE leases SET node = %s, epoch = epoch + 1 WHERE node = %s OR %s RETURNING id, epoch",
            [self.node.name, self.node.name, self.alone],
        ).fetchall()
        _HERE.add(self._server)
        return dict(taken)

    def renew(self, connection: Connection) -> bool:
        """Holds the row for another while; False if it is no longer ours."""
        # Alone, nobody else has looked: an outage of the database takes nothing away.
        found = connection.execute(
            f"UPDATE parlour.nodes SET expires = {_EXPIRES} WHERE name = %s AND life = %s "
            "AND (expires > clock_timestamp() OR %s) RETURNING 1",
            [self.node.lease, self.node.name, self.life, self.alone],
        ).fetchone()
        return found is not None

    def is_ours(self, connection: Connection) -> bool:
        found = connection.execute(
            "SELECT 1 FROM parlour.nodes WHERE name = %s AND life = %s", [self.node.name, self.life]
        ).fetchone()
        return found is not None

    def is_at(self, connection: Connection) -> bool:
        """Whether this server's row is in the database that a connection leads to."""
        found = connection.execute(
            "SELECT 1 FROM parlour.nodes WHERE name = %s AND started = %s",
            [self.node.name, _pack(self.mark.started, self._server)],
        ).fetchone()
        return found is not None

    def leave(self, connection: Connection) -> None:
        """Lets others have the row at once."""
        connection.execute(
            "UPDATE parlour.nodes SET expires = to_timestamp(0) WHERE name = %s AND life = %s",
            [self.node.name, self.life],
        )

    def end(self) -> None:
        """Notes that this server is over, whether or not the database could be told."""
        with contextlib.suppress(KeyError):
            _HERE.remove(self._server)


def _pack(started: str, server: str) -> str:
    return f"{started} {server}"


def _read(row: tuple[Any, ...]) -> _Row:
    name, host, machine, pid, started, since, expires, lives, url = row
    start, _, server = started.partition(" ")
    return _Row(name, ProcessMark(host, machine, pid, start), server, since, expires, lives, url)


def addresses(connection: Connection) -> tuple[dict[str, str], tuple[str, ...]]:
    """The addresses of all nodes that live, by name; and of those that lived last as well."""
    found = connection.execute(
        "SELECT name, url, expires > clock_timestamp() AS lives FROM parlour.nodes WHERE url <> '' "
        "ORDER BY lives DESC, since DESC, name LIMIT %s",
        [MOST_ADDRESSES],
    ).fetchall()
    return {name: url for name, url, lives in sorted(found) if lives}, tuple([url for _, url, _ in found])
