"""One at a time among the programs of one person: a lock beside the file that they share.

Where a lock cannot be had, or not soon, one goes on without: a program that hangs must not stop the others.
"""

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import BinaryIO

WITHIN = 2.0
"""Seconds to wait for the others."""
PAUSE = 0.01

if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_mine(file: BinaryIO) -> bool:
    """Whether the lock is ours now; it is given back when the file is closed, or its program dies."""
    with contextlib.suppress(OSError):
        _lock(file)
        return True
    return False


def _opened(path: Path) -> contextlib.AbstractContextManager[BinaryIO | None]:
    try:
        return path.open("ab")
    except OSError:
        return contextlib.nullcontext()


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """For a moment in which nothing is waited for."""
    with _opened(path) as file:
        deadline = time.monotonic() + WITHIN
        while file is not None and not _is_mine(file) and time.monotonic() < deadline:
            time.sleep(PAUSE)
        yield


@contextlib.asynccontextmanager
async def in_turn(path: Path) -> AsyncIterator[None]:
    """For a talk with others, while this program goes on with other things."""
    with _opened(path) as file:
        deadline = time.monotonic() + WITHIN
        while file is not None and not _is_mine(file) and time.monotonic() < deadline:
            await asyncio.sleep(PAUSE)
        yield
