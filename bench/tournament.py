"""A whole tournament on one server, and whether two people at a table of their own feel it.

64 bots in a second process, who move as soon as they are asked, play nine rounds of Balloon Cup by the Swiss
system; everything is kept in an archive. Two people in a third process play meanwhile. Every few seconds the
bots hold their moves for a while, so that the two are alone: whatever else the machine and its disk are doing
comes and goes, and hits both alike. The server of an earlier commit has the same evening, in turns with ours,
while the bots of both still play.
"""

import contextlib
import statistics
import sys
import tempfile
import time
from pathlib import Path

import attrs

from bench import before
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
LONGEST = 900.0
"""Seconds after which everything is stopped: a bench must not hang."""


def show(text: str) -> None:
    print(f"\rtournament: {text:60}", end="", file=sys.stderr, flush=True)


def late(took: list[float]) -> float:
    return sorted(took)[int(len(took) * 0.99)]


@attrs.define
class Evening:
    """One server, with two people and the bots of a tournament."""

    server: Child
    people: Child
    bots: Child
    quiet: list[float] = attrs.field(factory=list)
    """Seconds that moves of the people took before there were bots; then while bots played, and while they
    rested."""
    felt: list[float] = attrs.field(factory=list)
    alone: list[float] = attrs.field(factory=list)
    wall: float = 0.0
    cpu: float = 0.0
    games: int = 0
    over: bool = False

    def begin(self) -> None:
        """Two people sit down and play alone; then the bots enter, and hold their first moves."""
        port = self.server.hello["port"]
        self.people.ask(do="sit_down", port=port, pause=PAUSE)
        self.people.ask(do="play", seconds=1.0)
        self.quiet += self.people.ask(do="play", seconds=BEFORE)["took"]
        show(f"{BOTS} bots enter")
        self.bots.ask(do="rest")
        self.bots.ask(do="begin", port=port, count=BOTS, rounds=ROUNDS)

    def play(self) -> None:
        """A slice with the moves of the bots, and one without."""
        used, started = self.server.ask()["cpu"], time.perf_counter()
        self.bots.ask(do="go_on")
        self.felt += self.people.ask(do="play", seconds=SLICE)["took"]
        progress = self.bots.ask(do="progress")
        self.games, self.over = progress["games"], progress["over"]
        show(f"{self.games} of {BOTS // 2 * GAMES * ROUNDS} games")
        self.bots.ask(do="rest")
        time.sleep(SETTLE)
        self.wall += time.perf_counter() - started
        self.cpu += self.server.ask()["cpu"] - used
        self.alone += self.people.ask(do="play", seconds=SLICE)["took"]


def main() -> None:
    children: list[Child] = []
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:

        def evening(server: Child) -> Evening:
            people, bots = Child("bench.league"), Child("bench.league")
            for child in (server, people, bots):
                children.append(stack.enter_context(child))
            return Evening(server, people, bots)

        watchdog = kill_after(LONGEST, children)
        ours = evening(Child("bench.our_server", str(Path(folder) / "bench.db"), "as usual"))
        everybody = [ours]
        if before.there_is():
            everybody.append(evening(before.start(str(Path(folder) / "then.db"), "as usual")))
        show("two people, and nobody else")
        for each in everybody:
            each.begin()
        together = [0 for _ in everybody]
        while not ours.over:
            if not any(each.over for each in everybody):
                together = [len(each.felt) for each in everybody]
            for each in everybody:
                if not each.over:
                    each.play()
        watchdog.cancel()
    show("")
    print("\r", end="", file=sys.stderr)
    report(ours)
    for then, moves in zip(everybody[1:], together[1:], strict=True):
        compare(ours.felt[: together[0]], then.felt[:moves], then.games)


def report(ours: Evening) -> None:
    print(
        f"{BOTS} bots, {ROUNDS} rounds of Balloon Cup by the Swiss system, {ours.games} games:"
        f" {ours.wall:.0f} s, {ours.cpu:.0f} CPU s of the server (bar: {BAR:g} s, {verdict(ours.wall < BAR)})"
    )
    felt, alone, quiet = ours.felt, ours.alone, ours.quiet
    ratio = late(felt) / late(alone)
    middle = statistics.median
    print(
        f"a move of two people meanwhile: p50 {1e3 * middle(felt):.1f} ms (alone: {1e3 * middle(alone):.1f}),"
        f" p99 {1e3 * late(felt):.1f} ms (alone: {1e3 * late(alone):.1f}, before it all:"
        f" {1e3 * late(quiet):.1f}): {ratio:.2f} times (bar: {FELT_BAR:g}, {verdict(ratio < FELT_BAR)};"
        f" {len(felt)}, {len(alone)} and {len(quiet)} moves)"
    )


def compare(felt: list[float], then: list[float], games: int) -> None:
    """Of moves in turns in which the bots of both played."""
    ratio = late(felt) / late(then)
    print(
        f"the same at {before.COMMIT}, in turns: p99 {1e3 * late(then):.1f} ms, ours"
        f" {1e3 * late(felt):.1f}: {ratio:.2f} times (bar: 1, {verdict(ratio <= 1)}; {len(then)} and"
        f" {len(felt)} moves; {games} games there meanwhile)"
    )


if __name__ == "__main__":
    main()
