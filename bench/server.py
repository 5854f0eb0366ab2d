"""The server under load, beside the relay and an earlier commit in the same run: moves, waits, memory.

Lean clients in a process of their own play Balloon Cup against our servers and a game without rules against
the relay, which does the least that a websocket server must do for a move. They take turns in short slices,
so that whatever else the machine is doing hits them alike.
"""

import contextlib
import platform
import statistics
import sys
import sysconfig
from typing import Any

import attrs

from bench import before
from bench.child import Child, kill_after

TABLES = (1, 32, 256)
BAR, BAR_AT = 1.3, 32
"""Times the moves per CPU second of the earlier commit, and at how many tables. At 256 a third of a move is
the kernel's and the event loop's, which is the same in both: `above it` says more there."""
IDLE = 1000
IDLE_BAR = 40_000
TABLE_BAR = 200_000
ROUNDS = 16
SLICE = 0.5
"""Rounds of such slices last for whole games at 256 tables: begins and ends cost more than the middle."""
STARTS = 4
"""Where there is a bar the servers are started so often, for a part of the rounds each: how a process happens
to lie in memory makes the same code up to a tenth slower or quicker, for as long as it lives."""
WARM_UP = 0.4
LONGEST = 300.0
"""Seconds after which everything is stopped: a bench must not hang."""
MODULES = {"parlour": "bench.our_server", "relay": "bench.relay"}


@attrs.define
class Contestant:
    name: str
    server: Child
    moves: list[int] = attrs.field(factory=list)
    cpu: list[float] = attrs.field(factory=list)
    halves: list[float] = attrs.field(factory=list)
    late: list[float] = attrs.field(factory=list)

    def add(self, other: "Contestant") -> None:
        """Adds the slices of another process of the same server."""
        self.moves += other.moves
        self.cpu += other.cpu
        self.halves += other.halves
        self.late += other.late

    def run(self, players: Child, seconds: float) -> None:
        before = self.server.ask()["cpu"]
        played = players.ask(do="play", crowd=self.name, seconds=seconds)
        self.moves.append(played["moves"])
        self.cpu.append(self.server.ask()["cpu"] - before)
        self.halves.append(played["p50"])
        self.late.append(played["p99"])

    @property
    def rate(self) -> float:
        """Moves per CPU second, over all slices, for whatever the machine does hits all alike."""
        return sum(self.moves) / sum(self.cpu)


def show(text: str) -> None:
    print(f"\rserver: {text:60}", end="", file=sys.stderr, flush=True)


def start(name: str, watchdog: list[Child]) -> Child:
    child = before.start() if name == before.COMMIT else Child(MODULES.get(name, name))
    watchdog.append(child)
    return child


def contests(names: list[str], tables: int, watchdog: list[Child]) -> tuple[list[Contestant], dict[str, int]]:
    """All servers with so many tables each, started anew where there is a bar."""
    starts = STARTS if tables == BAR_AT else 1
    everybody, weights = contest(names, tables, ROUNDS // starts, watchdog)
    for _ in range(starts - 1):
        again, weights = contest(names, tables, ROUNDS // starts, watchdog)
        for contestant, more in zip(everybody, again, strict=True):
            contestant.add(more)
    return everybody, weights


def contest(
    names: list[str], tables: int, rounds: int, watchdog: list[Child]
) -> tuple[list[Contestant], dict[str, int]]:
    """All servers with so many tables each, in turns; and the memory that a table of ours takes."""
    show(f"{tables} tables: sitting down")
    with contextlib.ExitStack() as stack:
        everybody = [Contestant(name, stack.enter_context(start(name, watchdog))) for name in names]
        players = stack.enter_context(start("bench.players", watchdog))
        weights = {"empty": everybody[0].server.ask(memory=True)["memory"]}
        for contestant in everybody:
            port = contestant.server.hello["port"]
            players.ask(do="connect", crowd=contestant.name, port=port, count=2 * tables)
            if contestant is everybody[0]:
                weights["connected"] = contestant.server.ask(memory=True)["memory"]
            players.ask(do="sit_down", crowd=contestant.name, tables=tables)
            players.ask(do="play", crowd=contestant.name, seconds=WARM_UP)
        for number in range(rounds):
            show(f"{tables} tables: round {number + 1} of {rounds}")
            for contestant in everybody:
                contestant.run(players, SLICE)
        weights["played"] = everybody[0].server.ask(memory=True)["memory"]
        for contestant in everybody:
            players.ask(do="leave", crowd=contestant.name)
    return everybody, weights


def ratio(ours: Contestant, other: Contestant) -> float:
    """Of the moves per CPU second."""
    return ours.rate / other.rate


def above(ours: Contestant, other: Contestant, relay: Contestant) -> float:
    """The same of what a move takes beyond the relay's: kernel and event loop cost both servers alike."""
    floor = 1 / relay.rate
    return (1 / other.rate - floor) / (1 / ours.rate - floor)


def interpreter() -> str:
    """Which Python it is, and how it was built: one without optimisation is a third slower."""
    options = sysconfig.get_config_var("CONFIG_ARGS") or ""
    ways = [name for name in ("--enable-optimizations", "--with-lto") if name in options]
    return (
        f"{platform.python_implementation()} {platform.python_version()}, {platform.python_compiler()},"
        f" {' '.join(ways) or 'without --enable-optimizations'}"
    )


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
    names = [*MODULES, *([before.COMMIT] if before.there_is() else [])]
    print(interpreter())
    print(
        f"{'a move of Balloon Cup':22} {'moves/CPU s':>12} {'of relay':>9} {'p50 ms':>7} {'relay':>7}"
        f" {'p99 ms':>7} {'relay':>7} | {before.COMMIT} {'of relay':>9} {'p99 ms':>7} {'above it':>8}"
        f" {'ours/it':>8}   bar"
    )
    weights: dict[str, int] = {}
    middle = statistics.median
    for tables in TABLES:
        everybody, weights = contests(names, tables, children)
        ours, relay = everybody[:2]
        show("")
        print("\r", end="", file=sys.stderr)
        print(
            f"{tables:4} table{'s' if tables > 1 else ' '}{'':11}"
            f" {ours.rate:12,.0f} {ratio(ours, relay):9.2f}"
            f" {1e3 * middle(ours.halves):7.2f} {1e3 * middle(relay.halves):7.2f}"
            f" {1e3 * middle(ours.late):7.2f} {1e3 * middle(relay.late):7.2f}",
            end="",
        )
        for then in everybody[2:]:
            times = ratio(ours, then)
            bar = f">= {BAR:g}: {verdict(times >= BAR)}" if tables == BAR_AT else ""
            print(
                f" | {'':{len(before.COMMIT)}} {ratio(then, relay):9.2f} {1e3 * middle(then.late):7.2f}"
                f" {above(ours, then, relay):8.2f} {times:8.2f}   {bar}",
                end="",
            )
        print()
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
    print(
        f"a table in the middle of a game, without its connections: {table / 1000:.1f} kB"
        f" (bar: {TABLE_BAR / 1000:g}, {verdict(table <= TABLE_BAR)})"
    )


if __name__ == "__main__":
    main()
