"""A whole tournament on one server, and whether two people at a table of their own feel it.

64 bots in a second process, who move as soon as they are asked, play nine rounds of Balloon Cup by the Swiss
system; everything is kept in an archive. Two people in a third process play meanwhile. Every few seconds the
bots hold their moves for a while, so that the two are alone: whatever else the machine and its disk are doing
comes and goes, and hits both alike.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench.child import Child, kill_after
from bench.server import verdict

BOTS, ROUNDS, GAMES = 64, 9, 2
BAR = 180.0
"""Seconds for the whole tournament, on two cores."""
FELT_BAR = 2.0
"""Of the p99 of a move without the tournament."""
PAUSE = 0.02
"""Seconds that a person takes for a move: shorter than people do, so that there are enough of them."""
BEFORE, SLICE = 10.0, 2.0
SETTLE = 0.3
"""Seconds until the last moves of the bots are done."""
LONGEST = 600.0
"""Seconds after which everything is stopped: a bench must not hang."""


def show(text: str) -> None:
    print(f"\rtournament: {text:60}", end="", file=sys.stderr, flush=True)


def late(took: list[float]) -> float:
    return sorted(took)[int(len(took) * 0.99)]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        archive = str(Path(folder) / "bench.db")
        with (
            Child("bench.our_server", archive, "as usual") as server,
            Child("bench.league") as people,
            Child("bench.league") as bots,
        ):
            children = server, people, bots
            watchdog = kill_after(LONGEST, children)
            port = server.hello["port"]
            show("two people, and nobody else")
            people.ask(do="sit_down", port=port, pause=PAUSE)
            people.ask(do="play", seconds=1.0)
            before = people.ask(do="play", seconds=BEFORE)["took"]
            show(f"{BOTS} bots enter")
            bots.ask(do="begin", port=port, count=BOTS, rounds=ROUNDS)
            wall = cpu = 0.0
            felt: list[float] = []
            alone: list[float] = []
            progress = {"games": 0, "over": False}
            while not progress["over"]:
                used, started = server.ask()["cpu"], time.perf_counter()
                felt += people.ask(do="play", seconds=SLICE)["took"]
                progress = bots.ask(do="progress")
                show(f"{progress['games']} of {BOTS // 2 * GAMES * ROUNDS} games")
                bots.ask(do="rest")
                time.sleep(SETTLE)
                wall += time.perf_counter() - started
                cpu += server.ask()["cpu"] - used
                alone += people.ask(do="play", seconds=SLICE)["took"]
                bots.ask(do="go_on")
            watchdog.cancel()
    show("")
    print("\r", end="", file=sys.stderr)
    print(
        f"{BOTS} bots, {ROUNDS} rounds of Balloon Cup by the Swiss system, {progress['games']} games:"
        f" {wall:.0f} s, {cpu:.0f} CPU s of the server (bar: {BAR:g} s, {verdict(wall < BAR)})"
    )
    ratio = late(felt) / late(alone)
    middle = statistics.median
    print(
        f"a move of two people meanwhile: p50 {1e3 * middle(felt):.1f} ms (alone: {1e3 * middle(alone):.1f}),"
        f" p99 {1e3 * late(felt):.1f} ms (alone: {1e3 * late(alone):.1f}, before it all:"
        f" {1e3 * late(before):.1f}): {ratio:.2f} times (bar: {FELT_BAR:g}, {verdict(ratio < FELT_BAR)};"
        f" {len(felt)}, {len(alone)} and {len(before)} moves)"
    )


if __name__ == "__main__":
    main()
