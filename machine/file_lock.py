"""One program at a time, by a lock on a file that ends with the process that holds it."""

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import BinaryIO

WITHIN = 2.0
"""Seconds to wait for the others."""
PAUSE = 0.01
_FAR = 1 << 30
"""On Windows a locked byte cannot be read: it lies far behind the text."""

if sys.platform == "win32":
    import msvcrt

    def lock(file: int) -> None:
        """Locks an open file, or raises OSError at once; closing the file, or dying, gives it back."""
        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def lock(file: int) -> None:
        """Locks an open file, or raises OSError at once; closing the file, or dying, gives it back."""
        # Belongs to the open file, unlike lockf's: a second one in the same process is refused as well.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_mine(file: BinaryIO) -> bool:
    with contextlib.suppress(OSError):
        lock(file.fileno())
        return True
    return False


def _opened(path: Path) -> contextlib.AbstractContextManager[BinaryIO | None]:
    try:
        return path.open("ab")
    except OSError:
        return contextlib.nullcontext()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Locks a file for a short piece of work that waits for nothing.

    Where the lock cannot be had, or not soon, one goes on without: a program that hangs must not stop others.
    """
    with _opened(path) as file:
        deadline = time.monotonic() + WITHIN
        while file is not None and not _is_mine(file) and time.monotonic() < deadline:
            time.sleep(PAUSE)
        yield


@contextlib.asynccontextmanager
async def locked_async(path: Path) -> AsyncIterator[None]:
    """Locks a file like `locked`, for work that waits; this program goes on with other things."""
    with _opened(path) as file:
        deadline = time.monotonic() + WITHIN
        while file is not None and not _is_mine(file) and time.monotonic() < deadline:
            await asyncio.sleep(PAUSE)
        yield
