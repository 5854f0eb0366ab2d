"""One server for each archive: a lock file beside it, whose lock ends with the process that holds it."""

import contextlib
import errno
import json
import os
import socket
from datetime import UTC, datetime
from pathlib import Path

import attrs

from parlour.machine import file_lock
from parlour.server.storage.errors import Held, Unwritable

_HELD = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}


@attrs.frozen
class Lock:
    """Held until `release`, or until the process ends in whatever way."""

    path: Path
    _file: int

    @classmethod
    def take(cls, archive: Path) -> "Lock":
        """Raises Held or Unwritable, at once."""
        path = archive.with_name(archive.name + ".lock")
        while True:
            file = -1
            try:
                file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
                file_lock.lock(file)
                if not _is_at(file, path):
                    os.close(file)
                    continue
                _write_holder(file)
            except OSError as wrong:
                held = _holder(archive, file) if file >= 0 and wrong.errno in _HELD else None
                if file >= 0:
                    os.close(file)
                raise held or Unwritable(str(archive), wrong.strerror or str(wrong)) from None
            return cls(path, file)

    def release(self) -> None:
        # Removed while it is still locked; a process that opened it meanwhile finds out by `_is_at`. Windows
        # does not remove it.
        with contextlib.suppress(OSError):
            os.unlink(self.path)
        os.close(self._file)


def _is_at(file: int, path: Path) -> bool:
    """Whether an open file still has that name: its last holder may just have removed it."""
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False


def _write_holder(file: int) -> None:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    word = {"pid": os.getpid(), "host": socket.gethostname(), "since": since}
    os.ftruncate(file, 0)
    os.write(file, json.dumps(word).encode())


def _holder(archive: Path, file: int) -> Held:
    """Who holds it, as far as the holder's note in the file can be read."""
    try:
        word = json.loads(os.read(file, 4096))
    except (OSError, ValueError):
        word = None
    word = word if isinstance(word, dict) else {}
    pid, host, since = word.get("pid"), word.get("host"), word.get("since")
    return Held(
        str(archive),
        pid if isinstance(pid, int) else None,
        host if isinstance(host, str) else None,
        since if isinstance(since, str) else None,
    )
