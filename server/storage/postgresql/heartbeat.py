"""The thread that renews a node's row, on a connection of its own: storing may take long."""

import contextlib
import threading
from collections.abc import Callable

import psycopg

from parlour.machine.this_process import running_time
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.postgresql.connection import Connection
from parlour.server.storage.postgresql.membership import Membership

RENEWALS, TRIES = 3, 12
"""How often a row is renewed while a lease lasts, and how often it would be tried if all of that failed."""


class Heartbeat:
    """Runs from the joining of a node until `stop`."""

    def __init__(
        self,
        membership: Membership,
        connect: Callable[[], Connection],
        clock: Callable[[], float] = running_time,
    ) -> None:
        """`membership` has joined, by the same clock."""
        self._membership, self._connect, self._clock = membership, connect, clock
        self._connection: Connection | None = None
        self._stopping = threading.Event()
        self._lease = membership.node.lease
        self.until = membership.joined + self._lease
        """Until when nobody else can have the row: counted from before it was last renewed."""
        self.lost = False
        """Somebody else has the row, or may have it."""
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    @property
    def over(self) -> bool:
        return self.lost or self._clock() >= self.until

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        pause = self._lease / RENEWALS
        while not self._stopping.wait(pause) and not self.lost:
            pause = self._lease / RENEWALS
            try:
                self._renew()
            except (psycopg.Error, ArchiveError):
                self._drop()
                pause = self._lease / TRIES
        self._drop()

    def _renew(self) -> None:
        if self._connection is None:
            self._connection = self._connect()
        before = self._clock()
        self._note(before, self._membership.renew(self._connection))

    def _note(self, before: float, renewed: bool) -> None:
        """Notes the answer to a renewal, and when that was sent."""
        if renewed:
            self.until = before + self._lease
        else:
            self.lost = True

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(psycopg.Error):
                connection.close()
