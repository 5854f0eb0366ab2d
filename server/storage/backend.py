"""What an archive needs of the database that it is kept in: one interface, for every kind of database."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import attrs

from parlour.server.storage.change import Row
from parlour.server.storage.errors import Damaged, NotStored

Rows = Iterator[Sequence[Any]]
"""Rows of one table, with its columns in the order of tables.py."""


@attrs.define(str=True)
class InDoubt(Exception):
    """The answer to a commit was lost: nobody knows yet whether this group of rows is stored."""

    place: str
    group: int


class RowStore(Protocol):
    """An archive that is open for writing, in one thread at a time. Nobody else has it open so."""

    place: str
    """What errors call it."""

    def store(self, rows: Sequence[Row]) -> None:
        """Stores all rows or none, and returns when they are on the disk; raises NotStored, or InDoubt."""

    def settle(self, doubt: InDoubt) -> bool | None:
        """Whether a group that was in doubt is stored; None as long as that is not known."""

    def misplaced(self) -> NotStored | None:
        """Why nothing that is written now would be found again, if that is so; in any thread."""

    def distrust(self) -> None:
        """Refuses everything from now on: the archive may have more than was acknowledged."""

    def tidy(self) -> float | None:
        """Called when answers were given: does what nobody should wait for. Returns the seconds after which
        to call it again, whatever comes."""

    def close(self) -> None:
        """Closes, and lets others write."""


class Reader(Protocol):
    """An archive that is open for reading, in one thread at a time. It raises ArchiveErrors."""

    def select(self, query: str, *given: Any) -> list[Any]:
        """All rows of a query, in which `?` stands for each value that is given."""

    def walk(self, query: str) -> Iterator[Any]:
        """The rows of a query that may be too many to be held at once."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Shows one moment of the archive, whatever is written meanwhile."""

    def faults(self) -> Iterator[Damaged]:
        """Finds what the database itself knows to be damaged."""

    def close(self) -> None: ...


class Backend(Protocol):
    """An archive at its place, not yet open."""

    place: str
    node: str
    """The name under which a server writes to it, empty if it is alone."""
    has_leases: bool
    """Whether it notes which node has which table."""

    def open_to_read(self) -> Reader:
        """Raises ArchiveErrors. Somebody else may write meanwhile."""

    def open_to_write(self) -> RowStore:
        """Creates it or brings it up to date, and locks it against other writers; raises ArchiveErrors."""

    def back_up(self, target: Path, progress: "Progress") -> None:
        """Copies one moment of it into a file, which is there and empty; raises ArchiveErrors."""

    def fill(self, tables: Mapping[str, Rows], compare: "Compare") -> None:
        """Makes a new archive of all rows of another one; raises ArchiveErrors, and what `compare` raises.

        Nothing stays of it then: `compare` reads what is about to be committed.
        """


Compare = Callable[[Reader], None]


class Progress(Protocol):
    """Called with how much is copied, and with how much there is."""

    def __call__(self, copied: int, all: int, /) -> None: ...
