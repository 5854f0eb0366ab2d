"""One node of a house: a real server on a loop of its own that the world moves round by round."""

import asyncio
import functools
import heapq
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from parlour.machine.this_process import ProcessMark
from parlour.server.app import ListeningServer
from parlour.server.storage.errors import Unreadable
from parlour.server.storage.postgresql.house_values import Node as Place
from parlour.server.storage.postgresql.membership import Membership
from parlour.server.storage.postgresql.rows import PostgresqlRows
from tools.simulation.database import Steps
from tools.simulation.disk import Disk, MemoryReader, SimulatedArchive, SimulatedBackend
from tools.simulation.house.connection import SharedConnection
from tools.simulation.house.shared import Link, SharedDatabase
from tools.simulation.house.sql import PLACE
from tools.simulation.house.threads import NodeAgenda, NodeWriter, SimulatedHeartbeat, SimulatedHouse
from tools.simulation.loop import SimulatedLoop
from tools.simulation.server import CONFIG, WALL, Bytes, Server


class _Accepted(asyncio.Protocol):
    """A connection that the system has taken, and of which the server hears in its next round."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._made = self._make()
        self._made.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        self._made.data_received(data)

    def eof_received(self) -> bool | None:
        answer: bool | None = self._made.eof_received()
        return answer

    def connection_lost(self, exc: Exception | None) -> None:
        self._made.connection_lost(exc)

    def pause_writing(self) -> None:
        self._made.pause_writing()

    def resume_writing(self) -> None:
        self._made.resume_writing()


class SteppedLoop(SimulatedLoop):
    """A loop that does one round whenever it is told to."""

    async def create_server(self, protocol_factory: Any, *_given: Any, **_options: Any) -> Any:
        return await super().create_server(functools.partial(_Accepted, protocol_factory))

    def wakes_at(self) -> float | None:
        """When there is something to do next, by its own clock; None: not as far as it knows."""
        if self._ready:
            return self.time()
        while self._timers and self._timers[0][1].off:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def step(self) -> None:
        """Does what is due, once."""
        self.agenda.rounds += 1
        self.run_now(self._do_round)


class NodeReader(MemoryReader):
    """Reads the database, while it can be reached."""

    def __init__(self, database: SharedDatabase, link: Link) -> None:
        super().__init__(Path(PLACE), database.connection)
        self._link = link

    def select(self, query: str, *given: Any) -> list[Any]:
        if self._link.cut:
            raise Unreadable(PLACE, "away")
        return super().select(query, *given)


class _Backend(SimulatedBackend):
    has_leases = True

    def __init__(self, database: SharedDatabase, link: Link) -> None:
        super().__init__(database)
        self._link, self._shared, self.node = link, database, link.node

    def open_to_read(self) -> NodeReader:
        return NodeReader(self._shared, self._link)


class _Archive(SimulatedArchive):
    def __init__(self, database: SharedDatabase, link: Link, writer: NodeWriter) -> None:
        self.writer = writer
        super(SimulatedArchive, self).__init__(_Backend(database, link), writer)


class NodeServer(Server):
    """One life of a node, from its joining until it stops, is killed or loses its place."""

    agenda: NodeAgenda
    loop: SteppedLoop

    def __init__(
        self,
        database: SharedDatabase,
        name: str,
        seed: str,
        order_bot: Callable[[str, str], None],
        fast: float,
        wrong_by: int,
    ) -> None:
        """`fast` is what its clock is ahead of the agenda, `wrong_by` what the one on its wall is."""
        self.name = name
        self.config = attrs.evolve(CONFIG, node=name, advertise=url_of(name))
        self.wall = WALL - int(fast * 1000) + wrong_by * 1000
        self.link = Link(name)
        self.shared = database
        self.fast, self.wrong_by = fast, wrong_by
        self.epoch = 0
        """The number of this life among those of all nodes."""
        self._secrets = Bytes(f"{seed}/tickets")
        self.lost = False
        self.main: asyncio.Task[None] | None = None
        database.links.append(self.link)
        super().__init__(NodeAgenda(database.agenda, fast), database, seed, order_bot)

    def _make_loop(self) -> SteppedLoop:
        return SteppedLoop(self.agenda)  # type: ignore[abstract]

    def _open_archive(self, _disk: Disk) -> SimulatedArchive:
        database, link, agenda = self.shared, self.link, self.agenda
        connect = functools.partial(SharedConnection, database, link)
        # No process of this machine, as far as others can tell: they wait until its row has expired.
        mark = ProcessMark(self.name, "", 1, "")
        asks, answers = Steps(agenda, database), Steps(database.agenda, database)
        rows = PostgresqlRows(
            Membership(PLACE, Place(self.name, url_of(self.name)), mark),
            connect,  # type: ignore[arg-type]
            lambda _connection: None,
            functools.partial(SimulatedHeartbeat, asks, answers),
            lambda: agenda.now,
        )
        self.rows = rows
        house = SimulatedHouse(Steps(agenda, database), rows, connect, self._ticket, self.loop, database.luck)
        self.link.bell = functools.partial(agenda.later, 0.0, house.ring)
        self.link.look = house.look_now
        self.database = house
        return _Archive(database, link, NodeWriter(rows, Steps(agenda, database), self.loop))

    def _ticket(self, length: int) -> str:
        return self._secrets(length).hex()

    def wakes_at(self) -> float | None:
        """When it has something to do next; None: not as far as it knows, or it is frozen."""
        wake = None if self.agenda.stopped else self.loop.wakes_at()
        return None if wake is None else wake - self.fast

    def begin(self, on_open: Callable[[Server], None]) -> None:
        self.main = self.loop.create_task(self._main(on_open))

    async def _until_over(self, ready: ListeningServer) -> None:
        lost: asyncio.Future[Any] = asyncio.ensure_future(ready.lost.wait())
        waiting: set[asyncio.Future[Any]] = {self._stop, lost}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        self.lost = lost.done()
        lost.cancel()

    def kill(self) -> None:
        self.agenda.dead = True
        self.link.bell = self.link.look = lambda: None
        self.shared.links.remove(self.link)
        super().kill()
        self._clear_away()


def url_of(node: str) -> str:
    return f"ws://{node}"
