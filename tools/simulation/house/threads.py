"""The threads of one node, replaced by steps on the agenda: its heartbeat, its house, and its writer.

A step is done some time after it is due, and its answer comes some time after that. A node that is stopped
does none of them until it goes on; one that was killed never does.
"""

import asyncio
import functools
import random
from collections import deque
from collections.abc import Callable
from typing import Any

import psycopg

from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.postgresql.heartbeat import RENEWALS, TRIES, Heartbeat
from parlour.server.storage.postgresql.house import HouseRows
from parlour.server.storage.postgresql.house_thread import LOOK_EVERY, HouseThread
from parlour.server.storage.postgresql.house_values import Look, Mark
from parlour.server.storage.postgresql.membership import Membership
from parlour.server.storage.postgresql.rows import PostgresqlRows
from tools.simulation.database import DatabaseWriter, Steps
from tools.simulation.house.connection import SharedConnection
from tools.simulation.loop import Agenda, SimulatedLoop, Work

BEGINS_EARLY = 0.3
"""How likely it is that a transaction has begun some time before it is committed."""


class NodeAgenda(Agenda):
    """The agenda as one node sees it: by a clock of its own, and not while it is stopped."""

    def __init__(self, agenda: Agenda, fast: float) -> None:
        self._agenda, self._fast = agenda, fast
        self.luck = agenda.luck
        self.stopped = self.dead = False
        self._postponed: list[Work] = []

    @property
    def now(self) -> float:  # type: ignore[override]
        return self._agenda.now + self._fast

    @property
    def rounds(self) -> int:
        return self._agenda.rounds

    @rounds.setter
    def rounds(self, rounds: int) -> None:
        self._agenda.rounds = rounds

    def advance(self, until: float | None) -> None:
        """Leaves time alone: the world moves it, for all nodes."""

    def at(self, time: float, work: Work) -> None:
        self._agenda.at(time - self._fast, functools.partial(self._do, work))

    def later(self, seconds: float, work: Work) -> None:
        self.at(self.now + seconds, work)

    def _do(self, work: Work) -> None:
        if self.stopped:
            self._postponed.append(work)
        elif not self.dead:
            work()

    def go_on(self) -> None:
        """What was due meanwhile is done now."""
        self.stopped = False
        postponed, self._postponed = self._postponed, []
        for work in postponed:
            self.at(self.now, work)


class SimulatedHeartbeat(Heartbeat):
    """Renews the row of a node; time passes while it asks, and while it is answered."""

    def __init__(
        self, steps: Steps, database: Steps, membership: Membership, connect: Callable[[], Any]
    ) -> None:
        super().__init__(membership, connect, lambda: steps.agenda.now)
        self._steps, self._database = steps, database

    def start(self) -> None:
        self._steps.agenda.later(self._lease / RENEWALS, self._ask)

    def stop(self) -> None:
        self._stopping.set()

    def _ask(self) -> None:
        if self._stopping.is_set() or self.lost:
            return
        before = self._clock()
        # What has been sent reaches the database, whatever becomes of the node.
        self._database.soon(functools.partial(self._reach, before))

    def _reach(self, before: float) -> None:
        try:
            if self._connection is None:
                self._connection = self._connect()
            renewed = self._membership.renew(self._connection)
        except (psycopg.Error, ArchiveError):
            self._drop()
            self._steps.agenda.later(self._lease / TRIES, self._ask)
            return
        self._steps.soon(functools.partial(self._answered, before, renewed))

    def _answered(self, before: float, renewed: bool) -> None:
        self._note(before, renewed)
        self._steps.agenda.later(self._lease / RENEWALS, self._ask)


class SimulatedHouse(HouseThread):
    """Asks the database in steps, one after the other (house_values.HouseDatabase)."""

    def __init__(
        self,
        steps: Steps,
        rows: PostgresqlRows,
        connect: Callable[[], SharedConnection],
        secret: Callable[[int], str],
        loop: SimulatedLoop,
        luck: random.Random,
    ) -> None:
        super().__init__(rows, self._open_questions, connect, loop)  # type: ignore[arg-type]
        self._steps, self._luck, self._simulated = steps, luck, loop
        self._connect, self._secret = connect, secret
        self._connection: SharedConnection | None = None
        self._works: deque[Callable[[HouseRows], None]] = deque()
        self._busy = False
        self._rung = False
        self._overtakes = False

    def _open_questions(self) -> HouseRows:
        self._connection = self._connect()
        return HouseRows(self._writing.membership, self._connection, self._secret)  # type: ignore[arg-type]

    def soon(self, work: Callable[[], None]) -> None:
        self._simulated.call_soon(work)

    def begin(self, mark: Mark, look: Callable[[Look], None]) -> None:
        self._mark, self._look = mark, look
        self._every_second()

    def _every_second(self) -> None:
        if not self._stopping.is_set():
            self.ring()
            self._steps.agenda.later(LOOK_EVERY, self._every_second)

    def ring(self) -> None:
        """The bell is heard."""
        if self._look is not None:
            self._rung = True
            self._next()

    def look_now(self) -> None:
        """Looks, and is heard on the loop, while the writer's thread is about to hear of its commit."""
        is_free = not (self._busy or self._works or self._stopping.is_set() or self._steps.is_behind)
        if self._look is not None and is_free and asyncio._get_running_loop() is None:
            self._overtakes = True
            self._do(self._look_around)
            self._overtakes = False

    def ask(self, work: Callable[[HouseRows], Any], then: Callable[[Callable[[], Any]], None]) -> None:
        self._works.append(functools.partial(self._answer, work, then))
        self._next()

    def _next(self) -> None:
        if self._busy or self._stopping.is_set() or not (self._works or self._rung):
            return
        self._busy = True
        if self._connection is not None and self._luck.random() < BEGINS_EARLY:
            self._connection.begin_early()
        self._steps.soon(self._step)

    def _step(self) -> None:
        if self._stopping.is_set():
            return
        if self._works:
            self._do(self._works.popleft())
        elif self._rung:
            self._rung = False
            self._do(self._look_around)
        self._busy = False
        self._next()

    def stop(self) -> None:
        self._stopping.set()
        while self._works:
            self._do(self._works.popleft())
        self._drop()

    def _later(self, call: Callable[..., object], *given: object) -> None:
        if self._overtakes:
            self._simulated.run_now(functools.partial(call, *given))
            return
        self._steps.in_order(functools.partial(self._give, call, given))

    def _give(self, call: Callable[..., object], given: tuple[object, ...]) -> None:
        if not self._simulated.is_closed():
            self._simulated.call_soon(call, *given)


class NodeWriter(DatabaseWriter):
    """The writer of one node, which leaves the house when it ends."""

    async def finish(self) -> None:
        if not self.dead:
            await super().finish()
            self._shut()
