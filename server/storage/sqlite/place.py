"""Whether an archive that is open is still the file at its path.

A program goes on writing to a file that was deleted, moved or replaced, and all of that is gone with the
program. So device and inode are compared, of the file and of the log beside it. What `cp` writes over the
file itself keeps both, and is not found out here.
"""

import os
from pathlib import Path

Identity = tuple[int, int]


class Place:
    """The path of an open archive, and which files were there when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path, self._log_path = str(path), f"{path}-wal"
        self._file = _identity(self._path)
        self._log: Identity | None = None

    def is_taken(self) -> bool:
        """Whether something else, or nothing, is where the archive was."""
        log = _identity(self._log_path)
        if self._log is None:
            self._log = log
        return log != self._log or _identity(self._path) != self._file

    def forget_log(self) -> None:
        """Call it before a connection is closed or opened: SQLite removes the log then, or makes another."""
        self._log = None


def _identity(path: str) -> Identity | None:
    try:
        there = os.stat(path)
    except OSError:
        return None
    return there.st_dev, there.st_ino
