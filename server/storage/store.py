"""Where tables hand in what is to be kept, and learn whether it is."""

import time
from collections.abc import Callable
from typing import Protocol

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError

Done = Callable[[ArchiveError | None], None]


class Ledger(Protocol):
    """An archive as tables see it."""

    keeps: bool
    """Whether it keeps anything: if not, nobody need write it down."""

    def put(self, change: Change, done: Done) -> None:
        """`done` is called once, perhaps at once: with None when the change is safe."""

    def wall(self) -> int:
        """Milliseconds since 1970, by the wall clock."""


def wall_clock() -> int:
    return time.time_ns() // 1_000_000


class NoLedger:
    """Keeps nothing."""

    keeps = False

    def put(self, change: Change, done: Done) -> None:  # noqa: ARG002
        done(None)

    def wall(self) -> int:
        return wall_clock()


class ArchiveLedger:
    """Keeps everything."""

    keeps = True

    def __init__(self, archive: Archive, wall: Callable[[], int] = wall_clock) -> None:
        self._archive = archive
        self.put = archive.put
        self.wall = wall


def ignore(_wrong: ArchiveError | None) -> None:
    """For changes that nobody waits for: what they leave out is put right by the next one."""
