"""Where the files of these tests lie: in memory, for most of them flush what they write."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

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
