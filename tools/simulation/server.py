"""One server of a world, from its start until it stops or is killed: the real one, on a simulated machine."""

import asyncio
import hashlib
import logging
from collections.abc import Callable

from parlour.server.app import ListeningServer, serving
from parlour.server.config import Config
from parlour.server.limits import Limits
from parlour.server.lobby.lobby import Lobby
from parlour.server.people.identity import Register
from parlour.server.storage.errors import Unreadable
from parlour.server.storage.postgresql.house_values import HouseDatabase
from parlour.server.storage.store import ArchiveStore, NoStore
from parlour.server.tables.registry import Tables
from parlour.server.wire.gateway import Gateway
from tools.simulation.disk import Disk, SimulatedArchive
from tools.simulation.loop import Agenda, SimulatedLoop

CONFIG = Config(host="127.0.0.1", port=0)
LIMITS = Limits(heartbeat=15.0, stuck_after=4.0)
TROUBLE = ("parlour.storage", "parlour.archive", "parlour.house")
"""Who tells of a disk or a database that does not do what it should: no fault of the server."""
WALL = 1_700_000_000_000


class _Collect(logging.Handler):
    """Hands every error that a server logs to its world."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.take: Callable[[str], None] | None = None

    def emit(self, record: logging.LogRecord) -> None:
        # What cannot be stored, or be read while the database is away, is no fault of the server.
        away = isinstance(record.args, tuple) and any(isinstance(arg, Unreadable) for arg in record.args)
        if self.take is not None and record.name not in TROUBLE and not away:
            self.take(record.getMessage())


COLLECT = _Collect()


class Bytes:
    """Bytes that look random and follow from a seed."""

    def __init__(self, seed: str) -> None:
        self._seed, self._count = seed, 0

    def __call__(self, length: int) -> bytes:
        self._count += 1
        return hashlib.shake_128(f"{self._seed}/{self._count}".encode()).digest(length)

    def token(self) -> str:
        return self(32).hex()


class StartedBots:
    """Takes orders for built-in bots; the world has them played by peers."""

    strategies: tuple[str, ...] = ("random",)

    def __init__(self, order: Callable[[str, str], None]) -> None:
        self._order = order

    def start(self, token: str, table: str, strategy: str) -> None:  # noqa: ARG002
        self._order(token, table)

    async def run(self, _gateway: Gateway) -> None:
        await asyncio.Event().wait()


class _Nothing(NoStore):
    """No archive, and a wall clock of the agenda."""

    def __init__(self, wall: Callable[[], int]) -> None:
        self._wall = wall

    def wall(self) -> int:
        return self._wall()


class Server:
    """Runs on a loop of its own."""

    config = CONFIG
    database: HouseDatabase | None = None
    """What tells it of other nodes, if there are any."""
    wall = WALL
    """The time on its wall when the agenda begins, in milliseconds."""

    def __init__(
        self, agenda: Agenda, disk: Disk | None, seed: str, order_bot: Callable[[str, str], None]
    ) -> None:
        self.agenda = agenda
        self.loop = self._make_loop()
        self.archive = self._open_archive(disk) if disk is not None else None
        self.lobby: Lobby | None = None
        self._killed: asyncio.Future[None] = self.loop.create_future()
        self._seed, self._order_bot = seed, order_bot
        self._stop: asyncio.Future[None] = self.loop.create_future()

    def _make_loop(self) -> SimulatedLoop:
        return SimulatedLoop(self.agenda)  # type: ignore[abstract]  # the rest of a loop is never asked for

    def _open_archive(self, disk: Disk) -> SimulatedArchive:
        return SimulatedArchive(disk, self.loop)

    def run(self, on_open: Callable[["Server"], None]) -> None:
        """Serves until `stop` or `kill`."""
        main = self.loop.create_task(self._main(on_open))
        try:
            self.loop.run_until_complete(
                asyncio.wait((main, self._killed), return_when=asyncio.FIRST_COMPLETED)
            )
            if main.done():
                main.result()
        finally:
            self._clear_away()

    async def _main(self, on_open: Callable[["Server"], None]) -> None:
        def wall() -> int:
            return self.wall + int(self.agenda.now * 1000)

        store = ArchiveStore(self.archive, wall) if self.archive is not None else _Nothing(wall)
        tables = Tables(
            Bytes(f"{self._seed}/luck"),
            register=Register(Bytes(f"{self._seed}/tokens").token),
            store=store,
            clock=self.loop.time,
            node=self.config.node or "",
        )
        bots = StartedBots(self._order_bot)
        serve = serving(self.config, LIMITS, tables, bots, self.archive, database=self.database)
        async with serve as ready:
            self.lobby = ready.lobby
            on_open(self)
            await self._until_over(ready)

    async def _until_over(self, _ready: ListeningServer) -> None:
        await self._stop

    def stop(self) -> None:
        """Goes down as after a signal."""
        if not self._stop.done():
            self._stop.set_result(None)

    @property
    def stopping(self) -> bool:
        return self._stop.done()

    def kill(self) -> None:
        """Ends without another word: nothing that it does from now on is seen by anybody."""
        if self.archive is not None:
            self.archive.writer.close()
        if not self._killed.done():
            self._killed.set_result(None)

    def _clear_away(self) -> None:
        """Ends the tasks of a killed server, where nobody sees what they still do."""
        loop = self.loop
        loop.detach()
        if self.archive is not None:
            self.archive.writer.close()
        COLLECT.take = None
        while tasks := asyncio.all_tasks(loop):
            while tasks := {task for task in tasks if not task.done()}:
                for task in tasks:  # again and again: what they would wait for at the end does not come
                    task.cancel()
                loop.call_soon(loop.stop)
                loop.run_forever()
        loop.close()
