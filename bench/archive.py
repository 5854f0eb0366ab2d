"""What keeping everything costs: the same server with and without an archive, in turns, in one run."""

import statistics
import sys
import tempfile
from pathlib import Path

from bench.child import Child, kill_after
from bench.server import LONGEST, ROUNDS, SLICE, WARM_UP, Contestant, verdict

TABLES = (32, 256)
BAR = 0.7
"""Of the moves per CPU second without an archive."""


def show(text: str) -> None:
    print(f"\rarchive: {text:60}", end="", file=sys.stderr, flush=True)


def duel(tables: int, folder: Path, children: list[Child]) -> tuple[Contestant, Contestant]:
    """Both with so many tables each."""
    show(f"{tables} tables: sitting down")
    with (
        Child("bench.our_server", str(folder / f"{tables}.db")) as keeping,
        Child("bench.our_server") as forgetting,
        Child("bench.players") as players,
    ):
        children += (keeping, forgetting, players)
        pair = Contestant("keeping", keeping), Contestant("forgetting", forgetting)
        for contestant in pair:
            port = contestant.server.hello["port"]
            players.ask(do="connect", crowd=contestant.name, port=port, count=2 * tables)
            players.ask(do="sit_down", crowd=contestant.name, tables=tables)
            players.ask(do="play", crowd=contestant.name, seconds=WARM_UP)
        for number in range(ROUNDS):
            show(f"{tables} tables: round {number + 1} of {ROUNDS}")
            for contestant in pair:
                contestant.run(players, SLICE)
        for contestant in pair:
            players.ask(do="leave", crowd=contestant.name)
    return pair


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
            kept, lost = duel(tables, Path(folder), children)
            ratio = middle(a / b for a, b in zip(kept.rates, lost.rates, strict=True))
            half, late = (1e3 * middle(times) for times in (kept.halves, kept.late))
            added = [1e3 * middle(times) for times in (lost.halves, lost.late)]
            show("")
            print("\r", end="", file=sys.stderr)
            print(
                f"{tables:4} tables{'':11} {middle(kept.rates):12,.0f} {middle(lost.rates):9,.0f}"
                f" {ratio:6.2f}"
                f" {half:8.2f} {half - added[0]:7.2f} {late:8.2f} {late - added[1]:7.2f}"
                f"   >= {BAR:g}: {verdict(ratio >= BAR)}"
            )
    watchdog.cancel()


if __name__ == "__main__":
    main()
