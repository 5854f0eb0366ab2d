"""Honest moves while eighty names from one address ask for what is dear: nobody's work delays another.

The server has its usual limits and an archive with thousands of games, hundreds of tables and large
tournaments. People at a few tables move at their pace. For each attack, windows with it and without it take
turns, so that whatever else the machine is doing hits both alike; the attackers are new to each attack, with
all their budgets unspent.
"""

import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from bench import hostile_archive
from bench.attackers import ATTACKS
from bench.child import Child, kill_after
from bench.server import verdict

ATTACKERS = 80
TABLES = 4
ROUNDS = 12
WINDOW = 0.8
BAR = 2.0
"""The p99 of honest moves during an attack, in terms of that without it."""
PIECE_BAR = 5.0
"""Milliseconds that the event loop may spend on one piece of work."""
LONGEST = 200.0
"""Seconds after which an attack is stopped: a bench must not hang."""
NAMES = [f"Attacker {number}" for number in range(ATTACKERS)]


def show(text: str) -> None:
    print(f"\rhostile: {text:60}", end="", file=sys.stderr, flush=True)


def late(took: list[float]) -> float:
    return sorted(took)[int(len(took) * 0.99)]


@attrs.define
class Measured:
    """Honest moves with an attack and without it, in seconds, and what the attackers were answered."""

    calm: list[float] = attrs.field(factory=list)
    felt: list[float] = attrs.field(factory=list)
    answers: Counter[str] = attrs.field(factory=Counter)
    piece: float = 0.0
    """The longest piece of work on the event loop, in seconds, what it was, and the longest but one."""
    what: str = ""
    second: float = 0.0

    @property
    def ratio(self) -> float:
        return late(self.felt) / late(self.calm)


def measure(attack: str, server: Child, people: Child, attackers: Child) -> Measured:
    found = Measured()
    server.ask(pieces=True)
    for number in range(ROUNDS):
        show(f"{attack}: round {number + 1} of {ROUNDS}")
        found.calm += people.ask(seconds=WINDOW)["took"]
        attackers.ask(do="begin", attack=attack)
        found.felt += people.ask(seconds=WINDOW)["took"]
        found.answers.update(attackers.ask(do="end")["answers"])
    longest = server.ask(pieces=True)
    found.piece, found.what, found.second = longest["piece"], longest["what"], longest["second"]
    return found


def elsewhere() -> tuple[str, ...]:
    """Another address for the honest players, where loopback has more than one: budgets count by address."""
    return ("127.0.0.2",) if sys.platform == "linux" else ()


def run(attack: str, path: Path, seeds: hostile_archive.Seeds, children: list[Child]) -> Measured:
    """One attack on a server that has just started."""
    show(f"{attack}: everybody comes")
    with Child("bench.our_server", str(path), "as usual") as server:
        port = server.hello["port"]
        with (
            Child("bench.thinking", "people", str(port), str(TABLES), *elsewhere()) as people,
            Child("bench.attackers") as attackers,
        ):
            children[:] = server, people, attackers
            targets: dict[str, Any] = {
                "tournaments": seeds.tournaments,
                "games": seeds.games,
                "tables": people.hello["tables"],
            }
            attackers.ask(do="connect", port=port, tokens=seeds.tokens, targets=targets)
            people.ask(seconds=WINDOW / 2)
            measured = measure(attack, server, people, attackers)
            attackers.ask(do="leave")
    return measured


def main(attacks: Sequence[str] = tuple(ATTACKS)) -> None:
    children: list[Child] = []
    watchdog = kill_after(LONGEST, children)
    print(
        f"{f'{ATTACKERS} names of one address':24} {'p50 ms':>7} {'idle':>7} {'p99 ms':>8} {'idle':>7}"
        f" {'times':>6}   bar          longest piece, ms"
    )
    with tempfile.TemporaryDirectory() as folder:
        show("games and tournaments are played")
        path = Path(folder) / "bench.db"
        seeds = hostile_archive.fill(path, NAMES)
        kept = path.read_bytes()
        for attack in attacks:
            watchdog.cancel()
            watchdog = kill_after(LONGEST, children)
            path.write_bytes(kept)
            try:
                report(attack, run(attack, path, seeds, children))
            except RuntimeError as wrong:
                show("")
                print(f"\r{attack:24} {'gave up':>39}   <= {BAR:g}: {verdict(False)} ({wrong})")
    watchdog.cancel()


def report(attack: str, found: Measured) -> None:
    half, calm = (1e3 * statistics.median(took) for took in (found.felt, found.calm))
    answers = ", ".join(f"{count:,} {word}" for word, count in found.answers.most_common(4))
    show("")
    print("\r", end="", file=sys.stderr)
    print(
        f"{attack:24} {half:7.1f} {calm:7.1f} {1e3 * late(found.felt):8.1f} {1e3 * late(found.calm):7.1f}"
        f" {found.ratio:6.2f}   <= {BAR:g}: {verdict(found.ratio <= BAR)}"
        f"   {1e3 * found.piece:4.1f} <= {PIECE_BAR:g}: {verdict(1e3 * found.piece <= PIECE_BAR)}"
        f"   ({found.what}; then {1e3 * found.second:.1f}; {answers})",
        flush=True,
    )
