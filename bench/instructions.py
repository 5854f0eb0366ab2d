"""Instructions that a move takes in the server's own process, counted by valgrind: neighbours do not matter.

Players at many tables send moves as bytes and get frames as bytes; there are no sockets. Luck is seeded, so
the commands of one evening can be noted and sent again: then nobody reads or chooses anything, and only the
server is counted. The count of a long run less that of a short one, for each move more, is what one move
takes, starts and ends of games included.
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
from parlour.server.interpreter import calm_python
from parlour.server.limits import Limits
from parlour.server.lobby.lobby import Lobby
from parlour.server.tables.registry import Tables

TABLES = 32
SHORT, LONG = 1600, 2560
BAR = 480_000
APART = SHORT // TABLES
"""Moves between the first at one table and the first at the next: games are to end one by one."""
SEED = 17
START = 1000.0
KEPT = 200
"""Frames that wait at a connection: more than come before its player looks."""


class NoBots:
    """Starts none."""

    strategies: tuple[str, ...] = ()

    def start(self, token: str, table: str, strategy: str) -> None:
        raise NotImplementedError


class Connection:
    """A player's connection; frames are read when there is time."""

    address = "bench"
    json = False

    def __init__(self, lobby: Lobby, name: str) -> None:
        self.frames: deque[bytes] = deque(maxlen=KEPT)
        hello = Hello(versions=(1,), client="bench", name=name, token=None, bot=False)
        self.session = lobby.hello(hello, self, START)

    def send(self, frame: Frame, urgent: bool = True) -> None:  # noqa: ARG002
        self.frames.append(frame.packed())

    def hang_up(self, code: int, reason: str) -> None:
        raise NotImplementedError

    def hold(self) -> None:
        """Nothing is sent at once."""

    def let_go(self, forget: bool = False) -> None:
        """Nothing was held."""


class Evening:
    """A server, and two connections for each table."""

    def __init__(self) -> None:
        self.now = START
        self.lobby = Lobby(Limits(people=1000), NoBots(), Tables(random=random.Random(SEED).randbytes))
        self.connections = [Connection(self.lobby, f"P{number}") for number in range(2 * TABLES)]

    def send(self, number: int, packed: bytes) -> None:
        """Sends a command from one of the connections."""
        self.now += 0.001
        session = self.connections[number].session
        self.lobby.receive(session, read_command(unpack(packed)), self.now)


class Player:
    """The player behind a connection, who does any legal thing."""

    def __init__(self, crowd: "Crowd", number: int) -> None:
        self.crowd = crowd
        self.number = number
        self.frames = crowd.evening.connections[number].frames
        self.ids = itertools.count(1)
        self.table = ""

    def command(self, word: str, **fields: Any) -> None:
        packed = msgpack.packb({"type": word, "id": next(self.ids), **fields})
        self.crowd.sent.append((self.number, packed))
        self.crowd.evening.send(self.number, packed)

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
    """Two players at each table; notes what they send."""

    def __init__(self) -> None:
        self.evening = Evening()
        self.rng = random.Random(SEED)
        self.sent: list[tuple[int, bytes]] = []
        self.made = 0
        self.over: set[str] = set()
        self.pairs = []
        for number in range(TABLES):
            host, other = (Player(self, 2 * number + which) for which in range(2))
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

    def play(self, moves: int) -> int:
        """Plays so many moves; returns how many commands were sent until then."""
        last = self.made + moves
        while True:
            for host, other in self.pairs[: 1 + self.made // APART]:
                for player in (host, other):
                    asked = player.read()
                    if asked is not None:
                        player.command(
                            "act", table=host.table, turn=asked["turn"], action=_any(asked["legal"], self.rng)
                        )
                        self.made += 1
                        if self.made == last:
                            return len(self.sent)
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


def counted(script: Path, commands: int) -> int:
    """Instructions of a whole run that sends so many of the noted commands."""
    out = script.with_suffix(".callgrind")
    subprocess.run(
        [
            *("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"),
            *(sys.executable, "-m", "bench.instructions", str(script), str(commands)),
        ],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    found = re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)
    if found is None:
        raise RuntimeError("valgrind wrote no totals")
    return int(found[1])


def main() -> None:
    if shutil.which("valgrind") is None:
        print("instructions of a move: left out, valgrind is not installed")
        return
    crowd = Crowd()
    short = crowd.play(SHORT)
    long = crowd.play(LONG - SHORT)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script"
        script.write_bytes(msgpack.packb(crowd.sent))
        each = (counted(script, long) - counted(script, short)) / (LONG - SHORT)
    print(
        f"instructions of a move in-process, {TABLES} tables: {each / 1000:.0f} k"
        f" (bar: {BAR / 1000:.0f} k, {verdict(each <= BAR)})"
    )


def replay(script: Path, commands: int) -> None:
    """Sends commands that were noted; this is what is counted."""
    evening = Evening()
    calm_python()
    for number, packed in msgpack.unpackb(script.read_bytes())[:commands]:
        evening.send(number, packed)


if __name__ == "__main__":
    replay(Path(sys.argv[1]), int(sys.argv[2]))
