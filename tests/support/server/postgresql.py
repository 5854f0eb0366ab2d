"""A PostgreSQL of the tests' own, where there is one."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from support.leaving_out import leave_out

from tools import postgresql
from tools.postgresql import Cluster

MEMORY = Path("/dev/shm")


def programs() -> Path:
    """The folder with PostgreSQL's programs; leaves the test out if there is none."""
    found = postgresql.programs()
    if found is None:
        leave_out("there is no PostgreSQL: archives in one were not tried")
    return found


@contextlib.contextmanager
def cluster() -> Iterator[Cluster]:
    """Runs one in memory where that can be: flushing a real disk takes longer than all else."""
    with postgresql.cluster(programs(), MEMORY if MEMORY.is_dir() else None) as made:
        yield made
