"""What a program of somebody else writes to its stderr: kept in a file, the newest of it."""

import asyncio
import contextlib
import logging
import os
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

from parlour.machine.process_group import GroupLeader
from parlour.machine.program_pipes import ProgramOutput

KEPT = 10_000_000
"""Bytes at most, half of them in the file, and those before in the one that ends in `.1`."""
A_SECOND = 10_000_000
"""Bytes that are read in a second at most: a program that writes more waits, and wears out no disk."""
_CHUNK = 65536
log = logging.getLogger("parlour.bot")


class KeptOutput:
    """A file that is moved aside when it has grown too long. What stood there before a start stays."""

    def __init__(self, path: Path) -> None:
        """Raises OSError if it cannot be written."""
        self._path = path
        self._file: BinaryIO | None = None
        self._open()

    def _open(self) -> None:
        self._file = self._path.open("ab", buffering=0)
        there = os.fstat(self._file.fileno())
        # A device or a pipe keeps nothing, and must not be moved.
        self._length = there.st_size if stat.S_ISREG(there.st_mode) else None

    def write(self, chunk: bytes) -> None:
        """Writes as long as the disk takes it."""
        if self._file is None:
            return
        try:
            if self._length is not None and self._length + len(chunk) > KEPT // 2:
                self.close()
                self._path.replace(self._path.with_name(self._path.name + ".1"))
                self._open()
            self._file.write(chunk)
        except OSError as wrong:
            log.warning("its stderr is kept no longer: %s: %s", self._path, wrong.strerror or wrong)
            self.close()
            return
        if self._length is not None:
            self._length += len(chunk)

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

    async def keep(self, stream: ProgramOutput) -> None:
        """Writes all that comes, and closes."""
        try:
            while chunk := await stream.read(_CHUNK):
                self.write(chunk)
                await asyncio.sleep(len(chunk) / A_SECOND)
        finally:
            self.close()


@contextlib.asynccontextmanager
async def kept(
    process: GroupLeader, output: KeptOutput, within: float
) -> AsyncIterator["asyncio.Task[None]"]:
    """Keeps the stderr of a program while the context is open, and what is left of it so many seconds more.

    The task is done when all of it is kept.
    """
    if process.stderr is None:
        raise ValueError("its stderr is no pipe")
    keeping = asyncio.create_task(output.keep(process.stderr))
    try:
        yield keeping
    finally:
        await asyncio.wait([keeping], timeout=within)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
