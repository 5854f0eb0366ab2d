"""The disk: the real archive over SQLite in memory, whose thread is replaced by steps on the agenda.

A step writes what waits in one go, some time after it was put, and the answers come some time after that. A
server that is killed between the two has stored what it never acknowledged; one that is killed before has
stored nothing of it.
"""

import functools
import random
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Done, Row
from parlour.server.storage.errors import ArchiveError, NotStored
from parlour.server.storage.sqlite import bulk_insert
from parlour.server.storage.sqlite.backend import SqliteBackend, SqliteReader
from parlour.server.storage.sqlite.schema import APPLICATION_ID, migrate
from parlour.server.storage.writer import Writer
from tools.simulation.loop import Agenda, SimulatedLoop

DELAYS: tuple[float, ...] = (0.0, 0.0, 0.001, 0.005, 0.03, 0.3)
"""Seconds that a step of the disk may take."""
SLOW = (0.05, 0.3, 1.0)
PLACE = "memory"
_KINDS = (
    *("", "person", "no person", "table", "no table", "game", "line", "end", "tournament", "event", "rating"),
    *("played", "session", "kept name", "lease", "no lease", "old rating"),
)


@functools.cache
def _connection() -> sqlite3.Connection:
    """One for all worlds of this process: setting one up takes as long as a short world."""
    connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=128)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    migrate(connection, Path(PLACE))
    bulk_insert.create_insert_view(connection)
    return connection


class Disk:
    """What outlives the servers of one world."""

    def __init__(self, agenda: Agenda, luck: random.Random) -> None:
        self.agenda, self.luck = agenda, luck
        self.refuses = 0.0
        """How likely it is that a change is refused."""
        self.delays = DELAYS
        self.story: Callable[[str], None] | None = None
        """Tells what happens, if somebody wants to know."""
        self.connection = _connection()
        for (table,) in self.select("SELECT name FROM sqlite_master WHERE type = 'table'"):
            self.connection.execute(f"DELETE FROM {table}")

    def __str__(self) -> str:
        speed = "slow" if self.delays is SLOW else "quick"
        return f"a {speed} disk that refuses {self.refuses:.0%} of all changes"

    def select(self, query: str, *given: Any) -> list[Any]:
        return self.connection.execute(query, given).fetchall()

    def open_writer(self, loop: SimulatedLoop) -> "Writer":
        """The writer of a new server."""
        return SimulatedWriter(self, loop)

    def open_reader(self) -> "MemoryReader":
        return MemoryReader(Path(PLACE), self.connection)

    def write(self, rows: Sequence[Row]) -> NotStored | None:
        """Stores rows, or refuses them."""
        if self.luck.random() < self.refuses:
            self.tell("refuses", rows)
            return NotStored(PLACE, "SQLITE_FULL")
        self.insert(rows)
        return None

    def insert(self, rows: Sequence[Row]) -> None:
        self.tell("stores", rows)
        try:
            if rows:
                bulk_insert.insert_rows(self.connection, rows)
        except sqlite3.Error as wrong:
            raise AssertionError(f"the archive took a change for wrong: {wrong}") from wrong

    def calm_down(self) -> None:
        """Has no more faults."""
        self.refuses, self.delays = 0.0, DELAYS

    def tell(self, what: str, rows: Sequence[Row]) -> None:
        if self.story is not None:
            brief = [f"{_KINDS[row[0]]} {row[1]}{'' if row[2] is None else f' {row[2]}'}" for row in rows]
            self.story(f"{what} {', '.join(brief)}")


class SimulatedWriter(Writer):
    """Takes the place of the archive's thread, for one server."""

    def __init__(self, disk: Disk, loop: SimulatedLoop) -> None:
        self._disk, self._simulated = disk, loop
        self.urgent_left = 0
        self.dead = False
        self._waits: list[tuple[list[Row], Done, bool]] = []

    def put(
        self,
        rows: list[Row],
        done: Done,
        urgent: bool = True,
        answered: Sequence[str] = (),  # noqa: ARG002
    ) -> None:
        if self.dead:
            return
        if not self._waits:
            self._disk.agenda.later(self._disk.luck.choice(self._disk.delays), self._step)
        self.urgent_left += urgent
        self._waits.append((rows, done, urgent))

    def _step(self) -> None:
        if self.dead:
            return
        disk, waiting, self._waits = self._disk, self._waits, []
        answers: list[tuple[Done, ArchiveError | None, bool]] = []
        for rows, done, urgent in waiting:
            answers.append((done, disk.write(rows), urgent))
        disk.agenda.later(disk.luck.choice(disk.delays), functools.partial(self._answer, answers))

    def _answer(self, answers: list[tuple[Done, ArchiveError | None, bool]]) -> None:
        if self.dead or self._simulated.is_closed():
            return
        self.urgent_left -= sum(urgent for _, _, urgent in answers)
        for done, wrong, _ in answers:
            self._simulated.call_soon(done, wrong)

    def store(self, rows: list[Row]) -> None:
        bulk_insert.insert_rows(self._disk.connection, rows)

    def close(self) -> None:
        self.dead = True

    async def finish(self) -> None:
        """Stores what waits, as the thread does before it ends."""
        if not self.dead:
            self._step()
        self.dead = True


class MemoryReader(SqliteReader):
    """Reads the disk, and leaves it open for the servers that come after this one."""

    def close(self) -> None:
        pass


class SimulatedBackend(SqliteBackend):
    """The disk, as the archive of one server reads it."""

    def __init__(self, disk: Disk) -> None:
        super().__init__(PLACE)
        self._disk = disk

    def open_to_read(self) -> MemoryReader:
        return self._disk.open_reader()


class SimulatedArchive(Archive):
    """The archive as one server has it open."""

    def __init__(self, disk: Disk, loop: SimulatedLoop) -> None:
        self.writer = disk.open_writer(loop)
        super().__init__(SimulatedBackend(disk), self.writer)
