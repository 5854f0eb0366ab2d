"""Whether SQLite reads the whole log that lies beside an archive after a crash.

SQLite reads the log (https://sqlite.org/walformat.html) up to the first frame whose sum is wrong, and takes
what comes behind it for a write that was broken off. That is right for the last transaction: nobody was told
that it is stored. If more than one was committed behind that frame, a frame in the middle has changed, and
acknowledged moves would be gone without a word.
"""

import sys
from pathlib import Path
from typing import BinaryIO, Literal

from parlour.server.storage.errors import Damaged

HEADER, FRAME_HEADER, INDEX_HEADER = 32, 24, 48
_MAGIC = (0x377F0682, 0x377F0683)


def check_log(path: Path) -> None:
    """Raises Damaged. Call it after somebody has read the archive, and while nobody here has it open."""
    log, index = (path.with_name(path.name + end) for end in ("-wal", "-shm"))
    try:
        frames_read = _frames_read(index.read_bytes()[:INDEX_HEADER])
        with log.open("rb") as file:
            lost = _commits_behind(file, frames_read)
    except FileNotFoundError:
        return
    if lost > 1:
        raise Damaged(str(path), "broken", f"the log is damaged behind frame {frames_read}: {lost} commits")


def _frames_read(index: bytes) -> int:
    """The number of frames that SQLite takes for whole."""
    return int.from_bytes(index[16:20], sys.byteorder)


def _commits_behind(log: BinaryIO, frame: int) -> int:
    """Counts the frames that end a transaction of this log and are not read."""
    header = log.read(HEADER)
    page = int.from_bytes(header[8:12], "big")
    if not page or page & (page - 1):
        # Not even the length of a page can be read: SQLite takes all of it for nothing.
        return len(log.read(2 * HEADER))
    salts, found = header[16:24], 0
    while True:
        log.seek(HEADER + frame * (FRAME_HEADER + page))
        head = log.read(FRAME_HEADER)
        if len(head) < FRAME_HEADER:
            return found
        if frame == 0 and not _is_whole(header):
            salts = head[8:16]
        frame += 1
        found += head[8:16] == salts and head[4:8] != bytes(4)


def _is_whole(header: bytes) -> bool:
    """Whether the header has the sum that it says."""
    magic = int.from_bytes(header[:4], "big")
    order: Literal["big", "little"] = "big" if magic & 1 else "little"
    first = second = 0
    for at in range(0, 24, 8):
        one, two = (int.from_bytes(header[at + part : at + part + 4], order) for part in (0, 4))
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + two + first) & 0xFFFFFFFF
    told = int.from_bytes(header[24:28], "big"), int.from_bytes(header[28:32], "big")
    return magic in _MAGIC and (first, second) == told
