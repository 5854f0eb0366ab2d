"""How soon `parlour serve` that was killed serves again, with hundreds of open games, short or long.

The seconds count from the start of the process, most of whose time goes into reading our own code: beside
them stands how long a server takes that has nothing to bring back.
"""

import asyncio
import functools
import random
import subprocess
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any

import msgpack

from bench.lean_socket import LeanSocket
from bench.server import LONGEST, verdict
from parlour.engine.catalogue import GAMES
from parlour.engine.maps import tagged
from parlour.engine.secret import Seat
from parlour.machine.programs import PARLOUR, command_line
from parlour.protocol.messages import Clocks
from parlour.server.people.identity import Register
from parlour.server.people.session import Session
from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Added, Begun, Change, rows_of
from parlour.server.storage.store import Done, wall_clock
from parlour.server.tables.live_game import Command
from parlour.server.tables.registry import Tables
from parlour.server.tables.seating import sit
from parlour.server.tables.seats import Settings
from parlour.server.tables.stored_maps import person_map
from parlour.server.tables.table import Table

OPEN = 200
BAR = 2.0
"""Seconds until a server with so many open games answers."""
SEATS = 3
KINDS: dict[str, tuple[dict[str, Any], int]] = {
    "races in their middle": ({}, 60),
    "championships near their end": ({"races": 9}, 100_000),
}
"""The options of Hurry' Cup, and the entries that a journal has at most."""


class ChangeList:
    """A store in memory that collects the changes of one table."""

    durable = True

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self._waiting: deque[tuple[Change, Done]] = deque()

    def put(self, change: Change, done: Done) -> None:
        self._waiting.append((change, done))

    def wall(self) -> int:
        return wall_clock()

    def settle(self) -> None:
        while self._waiting:
            change, done = self._waiting.popleft()
            self.changes.append(change)
            done(None)


def played(options: dict[str, Any], most: int) -> ChangeList:
    """Plays a game at one table that comes far and does not end; returns the store with its changes."""
    store, rng, now = ChangeList(), random.Random(1), 0.0
    tables, game = Tables(store=store), GAMES["hurry-cup"]
    read = game.read_options(options, SEATS)
    table = tables.open(Settings(game, SEATS, read, True, True, "public", Clocks(), 0.0), "P0")
    for seat in range(SEATS):
        tables.at(table, functools.partial(sit, name=f"P{seat}", bot=True, seat=seat, now=now))
        store.settle()
    tables.at(table, functools.partial(Table.start, now=now))
    store.settle()
    live = table.live_game
    assert live is not None
    while len(live.match.journal) < most:
        seat = min(live.match.awaited)
        legal = game.legal(live.match.state, seat)
        action = legal[rng.randrange(legal.count)]
        if live.match.outcome_of(live.match.propose(seat, action)) is not None:
            break
        now += 0.5
        turn = live.players[seat].turn
        by = f"P{seat}", len(live.match.journal)
        tables.at(table, functools.partial(act, seat, turn, tagged(action), now, by))
        store.settle()
    return store


def act(seat: Seat, turn: int, action: Any, now: float, by: Command, table: Table) -> None:
    table.act(seat, turn, action, now, by)


def fill(place: Path | str, store: ChangeList) -> tuple[str, str]:
    """Puts the same game on many tables of an archive; a player of the first one, as a token and a table."""
    (begun,) = [begun for change in store.changes for begun in change.begin]
    lines = [line for change in store.changes for line in change.lines]
    saved = [plain for change in store.changes for plain in change.save_tables.values()][-1]
    register, first = Register(), ("", "")
    with Archive.open(place) as archive:
        for number in range(OPEN):
            id = f"{number:010}"
            names = [f"P{seat} of {number}" for seat in range(SEATS)]
            people = {}
            for name in names:
                identity, token = register.add(name, True)
                people[name] = person_map(Session(identity))
                first = first if first[0] else (token, id)
            players = [{**player, "name": name} for player, name in zip(saved["sitters"], names, strict=True)]
            table = {**saved, "id": id, "sitters": players, "host": names[0]}
            header = {**begun.header, "table": id, "names": names}
            change = Change(
                begin=[Begun(f"{id}-1", id, header)],
                lines=[Added(f"{id}-1", line.number, line.line) for line in lines],
                save_people=people,
                save_tables={id: table},
            )
            archive._require_writer().store(rows_of(change))
    return first


class Returning(LeanSocket):
    """Says hello with a token, and resumes a table."""

    def __init__(self, port: int, token: str, table: str) -> None:
        super().__init__(port, "parlour.v1")
        self.token, self.table = token, table
        self.times: list[float] = []
        self.back = asyncio.get_running_loop().create_future()

    def opened(self) -> None:
        hello = {"type": "hello", "versions": [1], "client": "bench", "token": self.token}
        self.send(msgpack.packb(hello))

    def received(self, payload: bytes) -> None:
        message = msgpack.unpackb(payload)
        if message["type"] == "welcome":
            self.times.append(time.perf_counter())
            self.send(msgpack.packb({"type": "resume", "id": message["last_id"] + 1, "table": self.table}))
        elif message["type"] == "snapshot":
            self.times.append(time.perf_counter())
            self.back.set_result(None)


async def come_back(port: int, token: str, table: str) -> list[float]:
    """When the welcome came, and when the table."""
    loop = asyncio.get_running_loop()
    _, player = await loop.create_connection(lambda: Returning(port, token, table), "127.0.0.1", port)
    await asyncio.wait_for(player.back, LONGEST)
    player.close()
    await player.gone
    return player.times


class Served:
    """The server as people start it; the one before it on this archive was killed."""

    def __init__(self, place: Path | str) -> None:
        self.began = time.perf_counter()
        words = ("serve", "--host", "127.0.0.1", "--port", "0", "--hidden", "--archive", str(place))
        self._process = subprocess.Popen(
            command_line(PARLOUR, *words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout is not None
        address = "ws://127.0.0.1:"
        line = next(line for line in self._process.stdout if address in line)
        self.took = time.perf_counter() - self.began
        self.port = int(line.partition(address)[2].split()[0].rstrip("/"))

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


def killed_and_back(place: Path | str, token: str, table: str) -> tuple[float, ...]:
    """Seconds from the start of a server whose forerunner was killed: until it listens, welcome, table."""
    Served(place).kill()
    server = Served(place)
    try:
        times = asyncio.run(come_back(server.port, token, table))
    finally:
        server.kill()
    return server.took, *[moment - server.began for moment in times]


def main() -> None:
    print(
        f"{f'{OPEN} open games':32} {'entries each':>12}"
        f" {'empty s':>8} {'listens s':>10} {'welcome s':>10} {'table s':>8}   bar"
    )
    for kind, (options, most) in KINDS.items():
        store = played(options, most)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bench.db"
            token, table = fill(path, store)
            empty = Served(Path(folder) / "empty.db")
            empty.kill()
            listens, welcome, resumed = killed_and_back(path, token, table)
        entries = sum(len(change.lines) for change in store.changes)
        print(
            f"{kind:32} {entries:12,} {empty.took:8.2f} {listens:10.2f} {welcome:10.2f} {resumed:8.2f}"
            f"   < {BAR:g}: {verdict(resumed < BAR)}"
        )


if __name__ == "__main__":
    main()
