"""A house of real nodes: processes over one database, which are killed, frozen, cut off and started again."""

import asyncio
import contextlib
import itertools
import random
import signal
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from support.nodes.stopping_relay import StoppingRelay, stopping_relay
from support.server.hearing import Hearing
from support.server.killed_servers import KilledServer
from support.soak import GAMES

from tools.postgresql import Cluster

NAMES = ("oak", "elm", "ash")
HOUR = 3600.0
CLOCKS = (0.0, HOUR, -HOUR)
"""By how much the clock of each node is wrong, and no lease may notice."""

LEASE = 6.0 if GAMES else 2.0
"""Seconds: as it is by default, or so that `make test` need not wait as long for each takeover."""


class House(Hearing):
    """Its nodes, and what all players together have heard."""

    def __init__(self, nodes: Sequence[KilledServer], relays: Sequence[StoppingRelay], place: str) -> None:
        super().__init__()
        self.nodes, self.relays, self.place = nodes, relays, place
        self.open = asyncio.Event()
        """Set while a node is up."""
        self._order = itertools.count()
        self.told_by: dict[str, str] = {}
        """The node that has told of each table last, by its name."""
        self.takeovers: list[float] = []
        """Seconds from each end of a node until another has told of one of its tables."""
        self._lost: dict[str, float] = {}
        """Tables whose node has ended, and when."""

    @property
    def up(self) -> list[KilledServer]:
        return [node for node in self.nodes if node.open.is_set()]

    def some_url(self, rng: random.Random) -> str:
        """Where a player tries next: it may be down by then."""
        return rng.choice(self.up or self.nodes).url

    # What happens to nodes

    async def start(self, node: KilledServer) -> None:
        # What others have not taken over by now may be its own again.
        own = self.name_of(node)
        self._lost = {table: at for table, at in self._lost.items() if self.told_by[table] != own}
        await node.start()
        self.open.set()

    async def start_all(self) -> None:
        for node in self.nodes:
            if not node.runs:
                await self.start(node)

    async def kill(self, node: KilledServer) -> None:
        self._lose(node)
        await node.kill()
        self._look()

    async def end(self, node: KilledServer) -> int:
        """Asks it to end, which hands its tables over."""
        self._lose(node)
        status = await node.end(signal.SIGTERM)
        self._look()
        return status

    @contextlib.asynccontextmanager
    async def frozen(self, node: KilledServer) -> AsyncIterator[None]:
        """Stops it in the middle of whatever it does; it goes on when the context is left."""
        self._lose(node)
        node.open.clear()
        node.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            node.send_signal(signal.SIGCONT)
            node.open.set()

    @contextlib.asynccontextmanager
    async def cut_off(self, node: KilledServer) -> AsyncIterator[None]:
        """Stops all that it says to the database and hears from it."""
        self._lose(node)
        relay = self.relays[self.nodes.index(node)]
        relay.stop()
        try:
            yield
        finally:
            relay.go_on()

    def _look(self) -> None:
        if not self.up:
            self.open.clear()

    def _lose(self, node: KilledServer) -> None:
        now = time.monotonic()
        self._lost |= {table: now for table, name in self.told_by.items() if name == self.name_of(node)}

    def name_of(self, node: KilledServer) -> str:
        return NAMES[self.nodes.index(node)]

    def tables_of(self, node: KilledServer) -> list[str]:
        return [table for table, name in self.told_by.items() if name == self.name_of(node)]

    async def until_taken_over(self) -> None:
        """Until other nodes tell of all tables whose node has ended."""
        while self._lost:
            await asyncio.sleep(0.02)

    # What players hear

    def moment(self) -> int:
        """A number for something that happens to a player: later things have higher ones."""
        return next(self._order)

    def note_teller(self, table: str, node: str) -> None:
        """A player was told of a table by this node."""
        if table in self._lost and self.told_by.get(table) != node:
            self.takeovers.append(time.monotonic() - self._lost.pop(table))
        self.told_by[table] = node

    @property
    def logs(self) -> str:
        return "".join(node.log.read_text(encoding="utf-8") for node in self.nodes if node.log.exists())


@contextlib.asynccontextmanager
async def house(
    folder: Path, cluster: Cluster, count: int = len(NAMES), pooler_address: str | None = None
) -> AsyncIterator[House]:
    """Nodes over a new database, none of them started yet; a relay stands between each and the database.

    `pooler_address`, with {} for the database's name, is that of a pooler: it stands there instead.
    """
    database = cluster.create_database()
    async with contextlib.AsyncExitStack() as stack:
        relays = [stack.enter_context(stopping_relay(cluster)) for _ in range(count)]
        nodes = []
        for name, clock, relay in zip(NAMES[:count], CLOCKS, relays, strict=False):
            (folder / name).mkdir()
            archive = pooler_address.format(database) if pooler_address else relay.address(database)
            direct = {"archive_direct": cluster.address(database)} if pooler_address else {}
            node = KilledServer(folder / name, archive, clock, node=name, lease=LEASE, **direct)
            node.settings["advertise"] = node.url = f"ws://127.0.0.1:{node.port}"
            nodes.append(await stack.enter_async_context(node))
        made = House(nodes, relays, cluster.address(database))
        try:
            yield made
        except BaseException:
            print(made.logs)  # of a test that fails
            raise
