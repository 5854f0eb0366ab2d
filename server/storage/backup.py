"""A copy of an archive, whether or not a server writes to it, and the check of a whole archive.

Places in, plain maps out, as in `library`.
"""

import contextlib
import os
from pathlib import Path
from typing import Any

import attrs

from parlour.server.storage.backend import Progress
from parlour.server.storage.backends import backend_at, is_address
from parlour.server.storage.check import faults
from parlour.server.storage.copying import copy_rows
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.library import Refused


def back_up(archive: str, file: str, progress: Progress) -> dict[str, Any]:
    """Copies an archive into a new file, and checks the copy; raises Refused and leaves no file then.

    What is damaged in the archive is damaged in the copy as well: `faults` lists it.
    """
    target = Path(file)
    try:
        # Nobody but its owner may read it: hands of games in progress are inside.
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        raise Refused("FileThere", path=file) from None
    except OSError as wrong:
        raise Refused("NoFile", path=file, reason=wrong.strerror) from None
    try:
        backend_at(archive).back_up(target, progress)
        return {**check(str(target)), "size": target.stat().st_size}
    except BaseException as wrong:
        for path in (target, target.with_name(target.name + "-journal")):
            path.unlink(missing_ok=True)
        if isinstance(wrong, ArchiveError):
            raise Refused(type(wrong).__name__, **attrs.asdict(wrong)) from None
        if isinstance(wrong, OSError):
            raise Refused("NoFile", path=file, reason=wrong.strerror) from None
        raise


def copy(archive: str, place: str, progress: Progress) -> dict[str, Any]:
    """Copies an archive into a new file or an empty database, and compares the two; raises Refused."""
    if not is_address(place):
        return back_up(archive, place, progress)
    try:
        copy_rows(backend_at(archive), backend_at(place, unsafe=True), progress)
    except ArchiveError as wrong:
        raise Refused(type(wrong).__name__, **attrs.asdict(wrong)) from None
    return check(place)


def check(archive: str) -> dict[str, Any]:
    """Checks all of an archive: what is damaged, as facts of a Damaged, and how many games have ended."""
    try:
        backend = backend_at(archive)
        found = [attrs.asdict(wrong) for wrong in faults(backend)]
        with contextlib.closing(backend.open_to_read()) as reader:
            ((games,),) = reader.select("SELECT count(*) FROM games WHERE finish IS NOT NULL")
    except ArchiveError as wrong:
        raise Refused(type(wrong).__name__, **attrs.asdict(wrong)) from None
    return {"faults": found, "games": games}
