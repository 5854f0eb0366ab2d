"""What tests of the server need not wait for: a disk, and those who leave it to others."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.server.postgresql import cluster

from parlour.server.storage import low_priority
from tools.postgresql import Cluster

MEMORY = Path("/dev/shm")
ROOM = 2**28
"""Bytes that must be free: no test takes a quarter of them."""


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: a disk that others use takes ten times as long to flush."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < ROOM:
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="parlour-", dir=MEMORY) as folder:
        yield Path(folder)


@pytest.fixture
def restless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of tournaments do not rest to leave the disk to others: there are none."""
    for rest in ("REST", "ALONE", "LEAST_REST"):
        monkeypatch.setattr(low_priority, rest, 0.0)


@pytest.fixture(scope="session")
def postgresql_cluster() -> Iterator[Cluster]:
    """One for all tests that leave it running; each has a database of its own."""
    with cluster() as made:
        yield made
