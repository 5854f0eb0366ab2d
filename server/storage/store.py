"""Where tables hand in changes, and learn whether they are stored."""

import time
from collections.abc import Callable
from typing import Protocol

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError

Done = Callable[[ArchiveError | None], None]


class Store(Protocol):
    """An archive as tables see it."""

    durable: bool
    """Whether it stores anything: if not, nobody needs to make records."""

    def put(self, change: Change, done: Done) -> None:
        """Calls `done` once, perhaps at once: with None when the change is stored, else with the error."""

    def wall(self) -> int:
        """Milliseconds since 1970, by the wall clock."""


def wall_clock() -> int:
    return time.time_ns() // 1_000_000


class NoStore:
    """Stores nothing and accepts everything: for a server without an archive."""

    durable = False

    def put(self, change: Change, done: Done) -> None:  # noqa: ARG002
        done(None)

    def wall(self) -> int:
        return wall_clock()


class ArchiveStore:
    """Stores every change in an archive."""

    durable = True

    def __init__(self, archive: Archive, wall: Callable[[], int] = wall_clock) -> None:
        self._archive = archive
        self.put = archive.put
        self.wall = wall


def ignore(_wrong: ArchiveError | None) -> None:
    """Answers changes that nobody waits for: what was not dropped is found again after a restart."""
