"""A database on another machine: the answer to a commit may be lost, and nobody can be asked for a while.

The archive's own writer decides what is answered and when; only its thread is replaced, by rounds on the
agenda. The commit of a connection that was lost is done, or not, or is still under way: then it is done when
the next connection comes, of this server or of one that is started after it was killed.
"""

import functools
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parlour.server.storage.answers import Answer
from parlour.server.storage.backend import InDoubt, RowStore
from parlour.server.storage.change import Done, Row
from parlour.server.storage.errors import NotStored, Unreadable
from parlour.server.storage.writer import Waiting, Writer
from tools.simulation.disk import PLACE, Disk, MemoryReader
from tools.simulation.loop import Agenda, SimulatedLoop, Work

LOSES = (0.05, 0.2, 0.5)
"""How likely it is that the answer to a commit is lost."""
AWAY = (0.0, 0.0, 0.1, 0.5, 2.0)
"""Seconds for which it stays away then."""
AGAIN_AFTER = 1.0
"""Seconds after which to try again to connect."""


class Database(Disk):
    """What outlives the servers of one world."""

    def __init__(self, agenda: Agenda, luck: random.Random) -> None:
        super().__init__(agenda, luck)
        self.loses = luck.choice(LOSES)
        self._away_until = 0.0
        self._under_way: Sequence[Row] = ()

    def __str__(self) -> str:
        return f"{super().__str__()}, in a database that loses {self.loses:.0%} of all answers"

    def open_writer(self, loop: SimulatedLoop) -> "DatabaseWriter":
        self._away_until = 0.0  # who starts a server tries until the database is there
        self.connect()
        return DatabaseWriter(DatabaseRows(self), Steps(self.agenda, self), loop)

    def open_reader(self) -> "DatabaseReader":
        return DatabaseReader(self)

    @property
    def is_away(self) -> bool:
        return self.agenda.now < self._away_until

    def connect(self) -> bool:
        """Whether it can be reached; if so nothing is under way any more."""
        if self.is_away:
            return False
        under_way, self._under_way = self._under_way, ()
        if under_way:
            self.insert(under_way)
        return True

    def lose_answer(self, rows: Sequence[Row]) -> bool:
        """Loses a connection that has sent rows to be stored; returns what will become of them."""
        fate = self.luck.choice(("dropped", "done", "under way"))
        self.tell(f"loses a connection, its commit is {fate}:", rows)
        self._away_until = self.agenda.now + self.luck.choice(AWAY)
        if fate == "done":
            self.insert(rows)
        elif fate == "under way":
            self._under_way = rows
        return fate != "dropped"

    def insert(self, rows: Sequence[Row]) -> None:
        try:
            super().insert(rows)
        except AssertionError as wrong:
            # The writer takes it for a refusal: so it is told once more where nobody does.
            self.agenda.later(0.0, functools.partial(_raise, wrong))
            raise

    def calm_down(self) -> None:
        super().calm_down()
        self.loses = self._away_until = 0.0


def _raise(wrong: BaseException) -> None:
    raise wrong


class DatabaseReader(MemoryReader):
    """Reads it, while it is not away."""

    def __init__(self, database: Database) -> None:
        super().__init__(Path(PLACE), database.connection)
        self._database = database

    def select(self, query: str, *given: Any) -> list[Any]:
        if self._database.is_away:
            raise Unreadable(PLACE, "away")
        return super().select(query, *given)


class DatabaseRows:
    """Connections of one server (backend.RowStore)."""

    place = PLACE

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stored: list[bool] = []
        """What became of each group of rows whose answer was lost."""

    def store(self, rows: Sequence[Row]) -> None:
        database = self._database
        if not database.connect():
            raise NotStored(PLACE, "away")
        if database.luck.random() < database.loses:
            self._stored.append(database.lose_answer(rows))
            raise InDoubt(PLACE, len(self._stored) - 1)
        wrong = database.write(rows)
        if wrong is not None:
            raise wrong

    def settle(self, doubt: InDoubt) -> bool | None:
        return self._stored[doubt.group] if self._database.connect() else None

    def misplaced(self) -> NotStored | None:
        return None

    def distrust(self) -> None: ...

    def tidy(self) -> float | None:
        return None if self._database.connect() else AGAIN_AFTER

    def close(self) -> None: ...


class Steps:
    """When a thread does what it does."""

    def __init__(self, agenda: Agenda, disk: Disk) -> None:
        self.agenda, self._disk = agenda, disk
        self._at = 0.0

    def _delay(self) -> float:
        return self._disk.luck.choice(self._disk.delays)

    def soon(self, work: Work) -> None:
        self.agenda.later(self._delay(), work)

    @property
    def is_behind(self) -> bool:
        """Whether something that is done in order is still to be done."""
        return self._at > self.agenda.now

    def in_order(self, work: Work) -> None:
        """Does this some time later, but not before what was to be done so earlier."""
        self._at = max(self._at, self.agenda.now + self._delay())
        self.agenda.at(self._at, work)


class DatabaseWriter(Writer):
    """Takes the place of the archive's thread, for one server."""

    def __init__(self, rows: RowStore, steps: Steps, loop: SimulatedLoop) -> None:
        super().__init__(rows)
        self._steps, self._simulated = steps, loop
        self._pause: float | None = None
        self.dead = False

    def put(self, rows: list[Row], done: Done, urgent: bool = True, answered: Sequence[str] = ()) -> None:
        if self.dead:
            return
        if not self._gathered:
            self._steps.soon(self._next_round)
        self.urgent_left += urgent
        self._gathered.append(Waiting(rows, done, urgent, self._known, answered))

    def _next_round(self) -> None:
        if self.dead:
            return
        batch: list[Waiting] = self._gathered
        self._gathered = []
        looks_again = self._pause is not None
        self._pause = self._round(batch, self._pause)
        if self._pause is not None and not looks_again:
            self._look_again()

    def _look_again(self) -> None:
        """Does a round after each pause, until none is due."""

        def look() -> None:
            if self.dead or self._pause is None:
                return
            self._pause = self._round([], self._pause)
            self._look_again()

        if self._pause is not None:
            self._steps.agenda.later(self._pause, look)

    def _on_the_loop(self, answers: list[Answer]) -> None:
        """Gives answers some time later, in their order."""
        self._steps.in_order(functools.partial(self._give, answers))

    def _give(self, answers: list[Answer]) -> None:
        if not self.dead and not self._simulated.is_closed():
            self._simulated.call_soon(self._answers.give, answers, self._simulated)

    def close(self) -> None:
        self.dead = True

    async def finish(self) -> None:
        if self.dead:
            return
        self._next_round()
        self._on_the_loop([self._ended.set])
        await self._ended.wait()
        self.dead = True
