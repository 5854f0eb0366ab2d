"""A copy of an archive, whether or not a server writes to it, and the check of a whole archive.

Paths in, plain maps out, as in `library`.
"""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from parlour.server.storage.check import faults
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.library import Refused
from parlour.server.storage.schema import connect, open_to_read, sync_folder, translate_errors

PAGES = 4096
"""To a step, after which the progress is told."""
Progress = Callable[[int, int], None]
"""Called with the pages that are copied, and with all there are."""


def back_up(archive: str, file: str, progress: Progress) -> dict[str, Any]:
    """Copies an archive into a new file, and checks the copy; raises Refused and leaves no file then.

    What is damaged in the archive is damaged in the copy as well: `faults` lists it.
    """
    source, target = Path(os.path.realpath(archive)), Path(file)
    try:
        # Nobody but its owner may read it: hands of games in progress are inside.
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        raise Refused("FileThere", path=file) from None
    except OSError as wrong:
        raise Refused("NoFile", path=file, reason=wrong.strerror) from None
    try:
        _copy(source, target, progress)
        return {**check(str(target)), "size": target.stat().st_size}
    except BaseException as wrong:
        for path in (target, target.with_name(target.name + "-journal")):
            path.unlink(missing_ok=True)
        if isinstance(wrong, ArchiveError):
            raise Refused(type(wrong).__name__, **attrs.asdict(wrong)) from None
        if isinstance(wrong, OSError):
            raise Refused("NoFile", path=file, reason=wrong.strerror) from None
        raise


def _copy(source: Path, target: Path, progress: Progress) -> None:
    with contextlib.closing(open_to_read(source)) as reading, translate_errors(target):
        # In one transaction: otherwise SQLite begins anew whenever the server has written.
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        with contextlib.closing(connect(target, "rw")) as writing:
            reading.backup(
                writing, pages=PAGES, progress=lambda _, left, all: progress(all - left, all), sleep=0
            )
            # The copy says, as its source did, that a log belongs to it: it is one file instead.
            writing.execute("PRAGMA journal_mode = DELETE").fetchall()
    with target.open("rb") as file:
        os.fsync(file.fileno())
    sync_folder(target.parent)


def check(archive: str) -> dict[str, Any]:
    """Checks all of an archive: what is damaged, as facts of a Damaged, and how many games have ended."""
    path = Path(os.path.realpath(archive))
    try:
        found = [attrs.asdict(wrong) for wrong in faults(path)]
        with contextlib.closing(open_to_read(path)) as reading, translate_errors(path):
            ((games,),) = reading.execute("SELECT count(*) FROM games WHERE finish IS NOT NULL")
    except ArchiveError as wrong:
        raise Refused(type(wrong).__name__, **attrs.asdict(wrong)) from None
    return {"faults": found, "games": games}
