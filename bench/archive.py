"""What keeping everything costs: the same server with and without an archive, in turns, in one run."""

import contextlib
import statistics
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bench import before
from bench.child import Child, kill_after
from bench.server import BAR_AT, LONGEST, ROUNDS, SLICE, WARM_UP, Contestant, ratio, verdict

TABLES = (32, 256)
BAR = 0.7
"""Of the moves per CPU second without an archive."""
BEFORE_BAR = 1.2
"""Times the moves per CPU second of the earlier commit with an archive, at as many tables as without."""


def show(text: str) -> None:
    print(f"\rarchive: {text:60}", end="", file=sys.stderr, flush=True)


def contest(tables: int, servers: Mapping[str, Child], children: list[Child]) -> list[Contestant]:
    """Lets servers play in turns; so many tables each."""
    show(f"{tables} tables: sitting down")
    with contextlib.ExitStack() as stack:
        everybody = [Contestant(name, stack.enter_context(server)) for name, server in servers.items()]
        players = stack.enter_context(Child("bench.players"))
        children += (*servers.values(), players)
        for contestant in everybody:
            port = contestant.server.hello["port"]
            players.ask(do="connect", crowd=contestant.name, port=port, count=2 * tables)
            players.ask(do="sit_down", crowd=contestant.name, tables=tables)
            players.ask(do="play", crowd=contestant.name, seconds=WARM_UP)
        for number in range(ROUNDS):
            show(f"{tables} tables: round {number + 1} of {ROUNDS}")
            for contestant in everybody:
                contestant.run(players, SLICE)
        for contestant in everybody:
            players.ask(do="leave", crowd=contestant.name)
    show("")
    print("\r", end="", file=sys.stderr)
    return everybody


def contestants(tables: int, folder: Path) -> dict[str, Child]:
    """With an archive, without, and the earlier commit with one."""
    servers = {
        "keeping": Child("bench.our_server", str(folder / f"{tables}.db")),
        "forgetting": Child("bench.our_server"),
    }
    if before.there_is():
        servers[before.COMMIT] = before.start(str(folder / f"{tables}-then.db"))
    return servers


def main() -> None:
    children: list[Child] = []
    watchdog = kill_after(LONGEST, children)
    print(
        f"{'a move that is kept':22} {'moves/CPU s':>12} {'without':>9} {'of it':>6}"
        f" {'p50 ms':>8} {'added':>7} {'p99 ms':>8} {'added':>7}   bar"
    )
    middle = statistics.median
    with tempfile.TemporaryDirectory() as folder:
        for tables in TABLES:
            kept, lost, *then = contest(tables, contestants(tables, Path(folder)), children)
            part = ratio(kept, lost)
            half, late = (1e3 * middle(times) for times in (kept.halves, kept.late))
            added = [1e3 * middle(times) for times in (lost.halves, lost.late)]
            print(
                f"{tables:4} tables{'':11} {kept.rate:12,.0f} {lost.rate:9,.0f}"
                f" {part:6.2f}"
                f" {half:8.2f} {half - added[0]:7.2f} {late:8.2f} {late - added[1]:7.2f}"
                f"   >= {BAR:g}: {verdict(part >= BAR)}",
                end="",
            )
            for one in then:
                times = ratio(kept, one)
                bar = f", >= {BEFORE_BAR:g}: {verdict(times >= BEFORE_BAR)}" if tables == BAR_AT else ""
                print(f" | {times:.2f} times {one.name}{bar}", end="")
            print()
    watchdog.cancel()


if __name__ == "__main__":
    main()
