"""The server under load, beside the relay floor in the same run: moves per CPU second, waits, memory.

Lean clients in a second process play Balloon Cup against our server and a game without rules against the
relay. The two take turns in short slices, so that whatever else the machine is doing hits them alike.
"""

import statistics
import sys
from typing import Any

import attrs

from bench.child import Child, kill_after

TABLES = (1, 32, 256)
BAR = 0.5
"""Of the floor's moves per CPU second, at more than one table."""
IDLE = 1000
IDLE_BAR = 40_000
ROUNDS = 7
SLICE = 0.7
WARM_UP = 0.4
LONGEST = 120.0
"""Seconds after which everything is stopped: a bench must not hang."""
MODULES = {"parlour": "bench.our_server", "relay": "bench.relay"}


@attrs.define
class Contestant:
    name: str
    server: Child
    rates: list[float] = attrs.field(factory=list)
    halves: list[float] = attrs.field(factory=list)
    late: list[float] = attrs.field(factory=list)

    def run(self, players: Child, seconds: float) -> None:
        before = self.server.ask()["cpu"]
        played = players.ask(do="play", crowd=self.name, seconds=seconds)
        self.rates.append(played["moves"] / (self.server.ask()["cpu"] - before))
        self.halves.append(played["p50"])
        self.late.append(played["p99"])


def show(text: str) -> None:
    print(f"\rserver: {text:60}", end="", file=sys.stderr, flush=True)


def start(name: str, watchdog: list[Child]) -> Child:
    child = Child(MODULES.get(name, name))
    watchdog.append(child)
    return child


def duel(tables: int, watchdog: list[Child]) -> tuple[Contestant, Contestant, dict[str, int]]:
    """Both servers with so many tables each, in turns; and the memory that a table of ours takes."""
    show(f"{tables} tables: sitting down")
    with (
        start("parlour", watchdog) as ours,
        start("relay", watchdog) as floor,
        start("bench.players", watchdog) as players,
    ):
        pair = Contestant("parlour", ours), Contestant("relay", floor)
        weights = {"empty": ours.ask(memory=True)["memory"]}
        for contestant in pair:
            port = contestant.server.hello["port"]
            players.ask(do="connect", crowd=contestant.name, port=port, count=2 * tables)
            if contestant.name == "parlour":
                weights["connected"] = ours.ask(memory=True)["memory"]
            players.ask(do="sit_down", crowd=contestant.name, tables=tables)
            players.ask(do="play", crowd=contestant.name, seconds=WARM_UP)
        for number in range(ROUNDS):
            show(f"{tables} tables: round {number + 1} of {ROUNDS}")
            for contestant in pair:
                contestant.run(players, SLICE)
        weights["played"] = ours.ask(memory=True)["memory"]
        for contestant in pair:
            players.ask(do="leave", crowd=contestant.name)
    return *pair, weights


def idle(name: str, watchdog: list[Child]) -> float:
    """Bytes that a connection takes which says hello and nothing more."""
    show(f"{IDLE} idle connections to {name}")
    with start(name, watchdog) as server, start("bench.players", watchdog) as players:
        # The first connections make what all of them share.
        players.ask(do="connect", crowd=name, port=server.hello["port"], count=2)
        players.ask(do="leave", crowd=name)
        before: float = server.ask(memory=True)["memory"]
        players.ask(do="connect", crowd=name, port=server.hello["port"], count=IDLE)
        after: float = server.ask(memory=True)["memory"]
        players.ask(do="leave", crowd=name)
    return (after - before) / IDLE


def verdict(holds: bool) -> str:
    return "holds" if holds else "MISSED"


def main() -> None:
    children: list[Child] = []
    watchdog = kill_after(LONGEST, children)
    print(
        f"{'a move of Balloon Cup':22} {'moves/CPU s':>12} {'floor':>9} {'of it':>6}"
        f" {'p50 ms':>8} {'floor':>7} {'p99 ms':>8} {'floor':>7}   bar"
    )
    weights: dict[str, int] = {}
    for tables in TABLES:
        ours, floor, weights = duel(tables, children)
        ratio = statistics.median(a / b for a, b in zip(ours.rates, floor.rates, strict=True))
        show("")
        print("\r", end="", file=sys.stderr)
        middle = statistics.median
        bar = f">= {BAR:g}: {verdict(ratio >= BAR)}" if tables > 1 else ""
        print(
            f"{tables:4} table{'s' if tables > 1 else ' '}{'':11}"
            f" {middle(ours.rates):12,.0f} {middle(floor.rates):9,.0f} {ratio:6.2f}"
            f" {1e3 * middle(ours.halves):8.2f} {1e3 * middle(floor.halves):7.2f}"
            f" {1e3 * middle(ours.late):8.2f} {1e3 * middle(floor.late):7.2f}   {bar}"
        )
    heavy = {name: idle(name, children) for name in MODULES}
    show("")
    print("\r", end="", file=sys.stderr)
    watchdog.cancel()
    report_memory(weights, heavy)


def report_memory(weights: dict[str, int], heavy: dict[str, Any]) -> None:
    table = (weights["played"] - weights["connected"]) / TABLES[-1]
    print()
    print(
        f"an idle connection: {heavy['parlour'] / 1000:.1f} kB (the relay's: {heavy['relay'] / 1000:.1f};"
        f" bar: {IDLE_BAR / 1000:g}, {verdict(heavy['parlour'] <= IDLE_BAR)})"
    )
    print(f"a table in the middle of a game, without its connections: {table / 1000:.1f} kB")


if __name__ == "__main__":
    main()
