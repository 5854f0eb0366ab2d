"""What became of a commit whose answer was lost.

A connection may be lost while its last commit is still under way in the database. So each connection of a
node has a row of its own in `owners`, and every transaction writes the number of its group there, as long as
the row is open. The next connection of that node closes all rows of it first. That waits for a transaction
that is under way, and has any later one fail; from then on the row says for good which group was the last. It
is a commit of its own, so that what it has read is as safe as it is, on a replica too.
"""

import os
import socket
from datetime import UTC, datetime

import attrs

from parlour.server.storage.postgresql.connection import Connection, transaction
from parlour.server.storage.postgresql.insert import Owner
from parlour.server.storage.postgresql.membership import Membership


@attrs.frozen
class Former:
    """What a server finds of its own last connection."""

    stored: int | None
    """The last group that it stored; None if the database does not know the connection."""
    taken: bool
    """Whether another server has taken its place."""


@attrs.define
class Ownership:
    """A server's hold on an archive, over all its connections."""

    membership: Membership
    owner: Owner | None = None
    """Its last connection."""

    def take(self, connection: Connection, stored: int) -> Former | None:
        """Closes the node's rows and opens a new one; returns what is found of our last connection."""
        former, node = None, self.membership.node.name
        with transaction(connection):
            taken = not self.membership.is_ours(connection)
            if not taken:
                connection.execute("UPDATE owners SET open = false WHERE open AND node = %s", [node])
            if self.owner is not None:
                former = Former(self._stored(connection, self.owner.epoch), taken)
            made = connection.execute(
                "INSERT INTO owners (server, host, pid, since, stored, open, node) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING epoch",
                [
                    *(str(self.membership.life), socket.gethostname(), os.getpid()),
                    *(datetime.now(UTC).isoformat(timespec="seconds"), stored, not taken, node),
                ],
            ).fetchone()
        assert made is not None
        if former is None or (not former.taken and former.stored is not None):
            self.owner = Owner(made[0], node, self.membership.life)
        return former

    def _stored(self, connection: Connection, epoch: int) -> int | None:
        # Closed already if another server has taken our place; a commit under way is waited for.
        row = connection.execute(
            "UPDATE owners SET open = false WHERE epoch = %s RETURNING stored", [epoch]
        ).fetchone()
        return None if row is None else int(row[0])

    def release(self, connection: Connection) -> None:
        if self.owner is not None:
            connection.execute("UPDATE parlour.owners SET open = false WHERE epoch = %s", [self.owner.epoch])
