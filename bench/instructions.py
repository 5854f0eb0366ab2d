"""Instructions that a move takes in the server's own process, counted by valgrind: neighbours do not matter.

Players at many tables send moves as bytes and get frames as bytes; there are no sockets. The count of a long
run less that of a short one, for each move more, is what one move takes, starts and ends of games included.
"""

import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from pathlib import Path
from typing import Any

import msgpack

from bench.server import verdict
from parlour.protocol.codec import read_command, unpack
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Hello
from parlour.server.limits import Limits
from parlour.server.lobby.lobby import Lobby
from parlour.server.tables.registry import Tables

TABLES = 32
SHORT, LONG = 320, 1280
BAR = 480_000
SEED = 17


class NoBots:
    """Starts none."""

    strategies: tuple[str, ...] = ()

    def start(self, token: str, table: str, strategy: str) -> None:
        raise NotImplementedError


class Player:
    """A connection and the player behind it, who does any legal thing."""

    address = "bench"

    def __init__(self, crowd: "Crowd", name: str) -> None:
        self.crowd = crowd
        self.frames: deque[bytes] = deque()
        self.ids = itertools.count(1)
        hello = Hello(versions=(1,), client="bench", name=name, token=None, bot=False)
        self.session = crowd.lobby.hello(hello, self, crowd.now)
        self.table = ""

    def send(self, frame: Frame) -> None:
        self.frames.append(frame.packed())

    def hang_up(self, code: int, reason: str) -> None:
        raise NotImplementedError

    def hold(self) -> None:
        """Frames are read when there is time."""

    def let_go(self, forget: bool = False) -> None:
        """Nothing was held."""

    def command(self, word: str, **fields: Any) -> None:
        packed = msgpack.packb({"type": word, "id": next(self.ids), **fields})
        self.crowd.now += 0.001
        self.crowd.lobby.receive(self.session, read_command(unpack(packed)), self.crowd.now)

    def read(self) -> dict[str, Any] | None:
        """The question that this player is asked, by the last frame; notes a game that is over."""
        asked = None
        while self.frames:
            plain = msgpack.unpackb(self.frames.popleft())
            if plain["type"] == "ok" and plain["result"] and "table" in plain["result"]:
                self.table = plain["result"]["table"]
            elif plain["type"] == "update":
                asked = plain["question"]
                self.crowd.over |= {self.table} if plain["result"] else set()
        return asked


class Crowd:
    """Two players at each table of a server."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.lobby = Lobby(Limits(people=1000), NoBots(), Tables(random=random.Random(SEED).randbytes))
        self.over: set[str] = set()
        self.pairs = []
        for number in range(TABLES):
            host, other = (Player(self, f"{who}{number}") for who in "AB")
            host.command("create_table", game="balloon-cup", seats=2)
            host.read()
            other.command("join", table=host.table)
            other.table = host.table
            self.pairs.append((host, other))
            self.deal(host, other)

    def deal(self, host: Player, other: Player) -> None:
        for player in (host, other):
            player.command("ready", table=host.table)
        host.command("start", table=host.table)

    def play(self, moves: int) -> None:
        rng, made = random.Random(SEED), 0
        while made < moves:
            for host, other in self.pairs:
                for player in (host, other):
                    asked = player.read()
                    if asked is not None:
                        made += 1
                        player.command(
                            "act", table=host.table, turn=asked["turn"], action=_any(asked["legal"], rng)
                        )
                if host.table in self.over:
                    self.over.discard(host.table)
                    host.command("rematch", table=host.table)
                    self.deal(host, other)


def _any(legal: list[dict[str, Any]], rng: random.Random) -> dict[str, Any]:
    """One action of a pattern that is picked."""
    action = dict(rng.choice(legal))
    for name, value in action.items():
        if isinstance(value, dict):
            if "one_of" in value:
                action[name] = rng.choice(value["one_of"])
            elif "subset" in value:
                action[name] = value["subset"][: value["min"]]
    return action


def counted(moves: int) -> int:
    """Instructions of a whole run with so many moves."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "callgrind"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}"]
        subprocess.run(
            [*command, sys.executable, "-m", "bench.instructions", str(moves)],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )
        found = re.search(r"^(?:summary|totals): (\d+)", file.read_text(), re.M)
        if found is None:
            raise RuntimeError("valgrind wrote no totals")
        return int(found[1])


def main() -> None:
    if shutil.which("valgrind") is None:
        print("instructions of a move: left out, valgrind is not installed")
        return
    each = (counted(LONG) - counted(SHORT)) / (LONG - SHORT)
    print(
        f"instructions of a move in-process, {TABLES} tables: {each / 1000:.0f} k"
        f" (bar: {BAR / 1000:.0f} k, {verdict(each <= BAR)})"
    )


if __name__ == "__main__":
    Crowd().play(int(sys.argv[1]))
