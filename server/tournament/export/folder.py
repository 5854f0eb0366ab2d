"""A tournament's folder on a disk: written as a whole or not at all, and read without trust."""

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path

from parlour.server.records.replay_file import LARGEST_FILE
from parlour.server.tournament.export.files import GAMES

MOST_FILES = 100_000
LARGEST = 16 * LARGEST_FILE
"""Bytes of the events of the longest tournament, and more."""


_KINDS = {stat.S_IFLNK: "IsLink", stat.S_IFDIR: "IsFolder"}
"""What may be there in place of a file. Links are not followed: they lead out of the folder."""


class BadFolder(Exception):
    """`kind` is what is wrong, `path` where."""

    def __init__(self, kind: str, path: str, reason: str = "") -> None:
        super().__init__(kind, path, reason)
        self.kind, self.path, self.reason = kind, path, reason


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Writes a new folder, or into an empty one; raises BadFolder, and then nothing was written."""
    check_free(folder)
    target = folder.absolute()
    beside = target.parent / f".{target.name}.{secrets.token_hex(4)}"
    try:
        beside.mkdir(parents=True)
        for name, text in texts.items():
            (beside / name).parent.mkdir(exist_ok=True)
            (beside / name).write_text(text, encoding="utf-8", newline="\n")
        beside.replace(target)
    except OSError as wrong:
        there = wrong.errno in (errno.ENOTEMPTY, errno.EEXIST)
        raise BadFolder("FolderThere" if there else "NoFolder", str(folder), _reason(wrong)) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def check_free(folder: Path) -> None:
    """Raises BadFolder if the folder is there already and not empty."""
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()) or any(folder.iterdir()):
            raise BadFolder("FolderThere", str(folder))
    except FileNotFoundError:
        return
    except OSError as wrong:
        raise BadFolder("NoFolder", str(folder), _reason(wrong)) from None


def _reason(wrong: OSError) -> str:
    return wrong.strerror or type(wrong).__name__


def names(folder: Path) -> list[str]:
    """Lists all files of the folder and of its games; raises BadFolder if that is not possible."""
    found: list[str] = []
    try:
        for path in sorted(folder.iterdir()):
            if path.name == GAMES and path.is_symlink():
                raise BadFolder("IsLink", str(path))
            if path.name == GAMES and path.is_dir():
                found += [f"{GAMES}/{each.name}" for each in sorted(path.iterdir())]
            else:
                found.append(path.name)
            if len(found) > MOST_FILES:
                raise BadFolder("TooMany", str(folder))
    except OSError as wrong:
        raise BadFolder("NoFolder", str(folder), _reason(wrong)) from None
    return found


def content(folder: Path, name: str, most: int = LARGEST) -> bytes:
    """Reads a file; raises BadFolder if it is anything else."""
    path = folder / name
    try:
        kind = stat.S_IFMT(os.lstat(path).st_mode)
        if kind != stat.S_IFREG:
            raise BadFolder(_KINDS.get(kind, "NotAFile"), str(path))
        with path.open("rb") as file:
            found = file.read(most + 1)
    except OSError as wrong:
        raise BadFolder("NoFile", str(path), _reason(wrong)) from None
    if len(found) > most:
        raise BadFolder("TooLarge", str(path))
    return found
