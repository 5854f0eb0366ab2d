"""What keeping everything in PostgreSQL costs, beside SQLite on the same disk: moves, and a restart."""

import statistics
import tempfile
from pathlib import Path

from bench import recovery
from bench.archive import TABLES, contest
from bench.child import Child, kill_after
from bench.server import LONGEST, ratio, verdict
from tools import postgresql

BAR = 0.6
"""Of the moves per CPU second of a server that keeps them in SQLite."""


def main() -> None:
    programs = postgresql.programs()
    if programs is None:
        print("postgresql: left out, for there is no PostgreSQL here")
        return
    with tempfile.TemporaryDirectory() as folder, postgresql.cluster(programs) as cluster:
        _moves(Path(folder), cluster)
        _restart(cluster)


def _moves(folder: Path, cluster: postgresql.Cluster) -> None:
    children: list[Child] = []
    watchdog = kill_after(LONGEST, children)
    print(f"{'a move in PostgreSQL':22} {'moves/CPU s':>12} {'SQLite':>9} {'of it':>6} {'p50 ms':>8}   bar")
    middle = statistics.median
    for tables in TABLES:
        address = cluster.address(cluster.create_database())
        places = {"postgresql": address, "sqlite": str(folder / f"{tables}.db")}
        servers = {name: Child("bench.our_server", place) for name, place in places.items()}
        ours, theirs = contest(tables, servers, children)
        part = ratio(ours, theirs)
        print(
            f"{tables:4} tables{'':11} {ours.rate:12,.0f} {theirs.rate:9,.0f} {part:6.2f}"
            f" {1e3 * middle(ours.halves):8.2f}   >= {BAR:g}: {verdict(part >= BAR)}"
        )
    watchdog.cancel()


def _restart(cluster: postgresql.Cluster) -> None:
    options, most = recovery.KINDS["races in their middle"]
    address = cluster.address(cluster.create_database())
    token, table = recovery.fill(address, recovery.played(options, most))
    *_, resumed = recovery.killed_and_back(address, token, table)
    print(
        f"{recovery.OPEN} open games after a kill, back at a table in {resumed:.2f} s"
        f"   < {recovery.BAR:g}: {verdict(resumed < recovery.BAR)}"
    )


if __name__ == "__main__":
    main()
