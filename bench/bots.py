"""People's moves while bots think: how long they take with eight bots that search, and without.

People at a few tables move at their pace; at eight others somebody plays against a bot without a pause, so
that all eight want to think at once. Slices with and without thinking take turns in the same run.
"""

import statistics
import sys

from bench.child import Child, kill_after
from bench.server import verdict

BOTS = 8
TABLES = 4
ROUNDS = 9
SLICE = 2.0
BAR = 1.2
"""The p99 with thinking bots, in terms of that without."""
LONGEST = 180.0
MODULE = "bench.thinking"


def slices(people: Child, hosts: Child) -> tuple[list[dict[str, float]], list[dict[str, float]]]:
    calm: list[dict[str, float]] = []
    busy: list[dict[str, float]] = []
    for number in range(ROUNDS):
        print(f"\rbots: round {number + 1} of {ROUNDS}", end="", file=sys.stderr, flush=True)
        calm.append(people.ask(seconds=SLICE))
        hosts.ask(think=True)
        busy.append(people.ask(seconds=SLICE))
        hosts.ask(think=False)
    print(f"\r{'':40}\r", end="", file=sys.stderr)
    return calm, busy


def main() -> None:
    children: list[Child] = []
    watchdog = kill_after(LONGEST, children)
    with Child(MODULE, "serve") as server:
        children.append(server)
        port = str(server.hello["port"])
        with (
            Child(MODULE, "people", port, str(TABLES)) as people,
            Child(MODULE, "hosts", port, str(BOTS)) as hosts,
        ):
            children += [people, hosts]
            calm, busy = slices(people, hosts)
    watchdog.cancel()
    print(f"{'a move of a person':22} {'moves':>8} {'p50 ms':>8} {'p99 ms':>8}")
    for words, found in (("no bot thinks", calm), (f"{BOTS} bots think", busy)):
        half, late = (1e3 * statistics.median([each[key] for each in found]) for key in ("p50", "p99"))
        print(f"{words:22} {sum(each['moves'] for each in found):8,} {half:8.2f} {late:8.2f}")
    ratio = statistics.median([more["p99"] / less["p99"] for less, more in zip(calm, busy, strict=True)])
    print(f"p99 with thinking bots: {ratio:.2f} of that without   <= {BAR:g}: {verdict(ratio <= BAR)}")


if __name__ == "__main__":
    main()
