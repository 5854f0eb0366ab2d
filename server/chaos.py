"""`--chaos SEED[:LEVEL]`: bad luck with connections, for whoever writes a client; a seed repeats it.

A relay stands between clients and the server. It hands bytes on in torn pieces and late, cuts lines, and asks
for restarts. What befalls a connection follows from the seed, from which connection it is, and from how many
bytes have passed through it; never from the time.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from random import Random

import attrs

from parlour.machine.addresses import system_words
from parlour.server.config import BadConfig

LEVELS = range(1, 6)
CUT_AFTER = 200_000.0
"""Bytes that a connection carries on average before it is cut, at level 1; divided by the level."""
RESTART_AFTER = 2_000_000.0
"""Bytes of all connections together between two restarts, likewise."""
LATE = 0.02
"""Seconds that a piece may be late at level 1, times the level."""
PIECE = 1400
log = logging.getLogger("parlour.chaos")


@attrs.frozen
class Plan:
    """A seed, and how bad it gets."""

    seed: str
    level: int = 1

    @classmethod
    def read(cls, text: str) -> "Plan":
        """`SEED` or `SEED:LEVEL`; raises BadConfig."""
        seed, _, level = text.partition(":")
        if not seed or (level and level not in map(str, LEVELS)):
            raise BadConfig(
                f"chaos: must be SEED or SEED:LEVEL, with a level of 1 to {LEVELS[-1]}, not {text!r}"
            )
        return cls(seed, int(level or 1))

    def luck(self, what: str) -> Random:
        return Random(f"{self.seed}/{what}")

    def cut_after(self, connection: int) -> float:
        """How many bytes a connection carries before it is cut."""
        return self.luck(f"cut {connection}").expovariate(self.level / CUT_AFTER)

    def restart_after(self, number: int) -> float:
        """How many bytes pass before the restart of this number, from the one before it on."""
        return self.luck(f"restart {number}").expovariate(self.level / RESTART_AFTER)


class Chaos:
    """The relay. `restart` is set when the server behind it is to be started anew."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.restart = asyncio.Event()
        self.ports: tuple[tuple[str, int], ...] = ()
        self._behind: tuple[str, int] | None = None
        self._there = asyncio.Event()
        self._connections = self._restarts = 0
        self._left = self._next_restart()
        self._lines: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def listening(self, host: str, port: int) -> AsyncIterator[None]:
        """Takes connections while the context is open; raises BadConfig."""
        try:
            server = await asyncio.start_server(self._take, host, port)
        except OSError as wrong:
            raise BadConfig(f"port: cannot listen on {host}, port {port}: {system_words(wrong)}") from None
        self.ports = tuple((each.getsockname()[0], each.getsockname()[1]) for each in server.sockets)
        try:
            yield
        finally:
            server.close()
            for line in self._lines:
                line.cancel()
            await asyncio.gather(*self._lines, return_exceptions=True)

    def stand_before(self, host: str, port: int) -> None:
        """From now on clients reach the server there."""
        self._behind = host, port
        self.restart.clear()
        self._there.set()

    def step_aside(self) -> None:
        """The server goes down: new connections wait for the next one."""
        self._there.clear()

    def _next_restart(self) -> float:
        self._restarts += 1
        return self.plan.restart_after(self._restarts)

    def _take(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        line = asyncio.create_task(self._relay(client, to_client))
        self._lines.add(line)
        line.add_done_callback(self._lines.discard)

    async def _relay(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        self._connections += 1
        number = self._connections
        to_server: asyncio.StreamWriter | None = None
        try:
            await self._there.wait()
            server, to_server = await asyncio.open_connection(*(self._behind or ("", 0)))
            line = _Line(number, self.plan.cut_after(number))
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pump(client, to_server, line, "up"))
                both.create_task(self._pump(server, to_client, line, "down"))
        except* (OSError, _CutOff):
            pass
        finally:
            for writer in (to_client, to_server):
                if writer is not None:
                    writer.transport.abort()

    async def _pump(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, line: "_Line", way: str
    ) -> None:
        """Hands bytes on, a piece at a time, until the line ends or is cut."""
        luck = self.plan.luck(f"{way} {line.number}")
        while data := await source.read(PIECE):
            while data:
                size = luck.randint(1, len(data))
                piece, data = data[:size], data[size:]
                if luck.random() < 0.2:
                    await asyncio.sleep(luck.random() * LATE * self.plan.level)
                target.write(piece)
                await target.drain()
                self._count(len(piece), line)
        raise _CutOff

    def _count(self, size: int, line: "_Line") -> None:
        line.left -= size
        self._left -= size
        if self._left <= 0:
            self._left = self._next_restart()
            log.info("restart number=%s", self._restarts - 1)
            self.restart.set()
        if line.left <= 0:
            log.info("cut connection=%s", line.number)
            raise _CutOff


@attrs.define
class _Line:
    """One connection: its number, and how many bytes it carries until it is cut."""

    number: int
    left: float


class _CutOff(Exception):
    """A line has ended."""
