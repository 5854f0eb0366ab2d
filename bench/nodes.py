"""Several nodes over one database: what a move costs beside servers alone, and how long a takeover takes.

A node of a house must not be much dearer than a server alone, so that two nodes with a core each serve much
more than one. A machine whose cores also carry the players and PostgreSQL cannot show that by moves per
second, so CPU time shows it: two nodes of a house against two servers alone, each with a database of its own.
The groups play by turns, so that they share what else goes on. 0.78 and 0.84 were seen on two busy cores, and
two servers alone were within 6% of one: the rest is what a node does for its house.
"""

import contextlib
import itertools
import math
import socket
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

import attrs
import msgpack
from websockets.sync.client import ClientConnection, connect

from bench.child import Child, kill_after
from bench.server import LONGEST, ROUNDS, SLICE, WARM_UP, verdict
from tools import postgresql

TABLES = 64
"""At each server."""
BAR = 0.7
"""Of the moves per CPU second of two servers alone: below it two nodes serve less than 1.4 servers do."""
KILLS = 3
TAKEOVER_BAR = 10.0
BOTS = 1000
A_BOT = 5.0
"""Moves that a bot makes in a second, for the sum at the end: two that think for 0.1 s each."""
BUSY = 0.6
"""How much of a core a server may use, so that nobody waits."""
FEATURES = ["chat", "lobby", "watch", "nodes"]


@attrs.define
class Measured:
    """Servers that played at the same time, each with players of its own."""

    servers: int
    moves: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    database: float = 0.0
    """CPU seconds of the servers together, and of PostgreSQL."""

    @property
    def rate(self) -> float:
        return self.moves / self.cpu


def show(text: str) -> None:
    print(f"\rnodes: {text:60}", end="", file=sys.stderr, flush=True)


def main() -> None:
    programs = postgresql.programs()
    if programs is None:
        print("nodes: left out, for there is no PostgreSQL here")
        return
    children: list[Child] = []
    watchdog = kill_after(LONGEST, children)
    with postgresql.cluster(programs) as cluster:
        one, apart, two = measure(
            cluster, [alone(cluster, 1), alone(cluster, 2), nodes(cluster, 2)], children
        )
        takeovers = [takeover(cluster, children) for _ in range(KILLS)]
    watchdog.cancel()
    show("")
    _print(one, apart, two, takeovers)


def _print(one: Measured, apart: Measured, two: Measured, takeovers: Sequence[float]) -> None:
    print(f"\r{'a move':18} {'moves/CPU s':>12} {'CPU ms':>8} {'PostgreSQL ms':>14} {'moves/s':>9}")
    for name, found in (("a server alone", one), ("two servers alone", apart), ("two nodes", two)):
        print(
            f"{name:18} {found.rate:12,.0f} {1e3 / found.rate:8.3f}"
            f" {1e3 * found.database / found.moves:14.3f} {found.moves / found.seconds:9,.0f}"
        )
    part = two.rate / apart.rate
    print(
        f"a node beside a server alone: {part:.2f}   >= {BAR:g}: {verdict(part >= BAR)}; "
        f"two nodes serve {2 * part:.2f} times what one server does"
    )
    longest = max(takeovers)
    told = ", ".join(f"{seconds:.1f}" for seconds in sorted(takeovers))
    print(f"takeovers of {TABLES} tables: {told} s   < {TAKEOVER_BAR:g}: {verdict(longest < TAKEOVER_BAR)}")
    needed, database = BOTS * A_BOT / two.rate, BOTS * A_BOT * two.database / two.moves
    count = max(1, math.ceil(needed / BUSY))
    print(
        f"{BOTS} bots with {A_BOT:g} moves a second each: {needed:.2f} cores for nodes, {database:.2f} for"
        f" PostgreSQL; {count} nodes that are busy {100 * BUSY:.0f}% of the time at most"
    )


def _archive(cluster: postgresql.Cluster) -> str:
    return cluster.address(cluster.create_database())


def alone(cluster: postgresql.Cluster, count: int) -> list[Child]:
    return [Child("bench.our_server", _archive(cluster)) for _ in range(count)]


def nodes(cluster: postgresql.Cluster, count: int) -> list[Child]:
    archive = _archive(cluster)
    return [Child("bench.our_node", archive, f"n{number}", str(_free_port())) for number in range(count)]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def measure(
    cluster: postgresql.Cluster, groups: Sequence[Sequence[Child]], children: list[Child]
) -> list[Measured]:
    """Servers of a group play in the same slices of time, the groups by turns."""
    found = [Measured(len(servers)) for servers in groups]
    with contextlib.ExitStack() as stack:
        crowds = [[_crowd(stack, server, children) for server in servers] for servers in groups]
        for number in range(ROUNDS):
            show(f"round {number + 1} of {ROUNDS}")
            for servers, players, sums in zip(groups, crowds, found, strict=True):
                before = sum(server.ask()["cpu"] for server in servers), cluster.cpu()
                began = time.monotonic()
                sums.moves += sum(played["moves"] for played in _play(players))
                sums.seconds += time.monotonic() - began
                sums.cpu += sum(server.ask()["cpu"] for server in servers) - before[0]
                sums.database += cluster.cpu() - before[1]
        for crowd in itertools.chain(*crowds):
            crowd.ask(do="leave", crowd="players")
    return found


def _crowd(stack: contextlib.ExitStack, server: Child, children: list[Child]) -> Child:
    """Players of a server, at its tables."""
    stack.enter_context(server)
    crowd = stack.enter_context(Child("bench.players"))
    children += (server, crowd)
    _sit_down(crowd, server)
    return crowd


def _sit_down(crowd: Child, server: Child) -> None:
    # Names are the house's, so each crowd has its own.
    port = server.hello["port"]
    crowd.ask(do="connect", crowd="players", port=port, count=2 * TABLES, called=f"N{port}-")
    crowd.ask(do="sit_down", crowd="players", tables=TABLES)
    crowd.ask(do="play", crowd="players", seconds=WARM_UP)


def _play(crowds: Sequence[Child]) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = []

    def play(crowd: Child) -> None:
        answers.append(crowd.ask(do="play", crowd="players", seconds=SLICE))

    threads = [threading.Thread(target=play, args=[crowd]) for crowd in crowds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


# Takeovers


def takeover(cluster: postgresql.Cluster, children: list[Child]) -> float:
    """Seconds from the kill of a node until one of its players can go on at another."""
    show("a node is killed")
    with contextlib.ExitStack() as stack:
        first, second = servers = nodes(cluster, 2)
        crowd = Child("bench.players")
        children += (*servers, crowd)
        stack.enter_context(second)
        _sit_down(crowd, first)
        with _hello(first.hello["port"], name="Ann") as (line, welcome):
            table = _ask(line, welcome["last_id"] + 1, type="create_table", game="balloon-cup", seats=2)
            crowd.kill()
            began = time.monotonic()
            first.kill()
        with _hello(second.hello["port"], token=welcome["token"]) as (line, welcome):
            for id in range(welcome["last_id"] + 1, welcome["last_id"] + 10_000):
                if _ask(line, id, type="resume", table=table["result"]["table"])["type"] == "ok":
                    return time.monotonic() - began
                time.sleep(0.05)
    raise RuntimeError("nobody has taken the table over")


@contextlib.contextmanager
def _hello(port: int, **who: str) -> Any:
    with connect(f"ws://127.0.0.1:{port}", subprotocols=["parlour.v1"], max_size=None) as line:  # type: ignore[list-item]
        hello = {"type": "hello", "versions": [1], "client": "bench", "features": FEATURES, **who}
        line.send(msgpack.packb(hello))
        yield line, msgpack.unpackb(line.recv())


def _ask(line: ClientConnection, id: int, **command: Any) -> dict[str, Any]:
    line.send(msgpack.packb({"id": id, **command}))
    while True:
        message: dict[str, Any] = msgpack.unpackb(line.recv())
        if message.get("id") == id:
            return message


if __name__ == "__main__":
    main()
