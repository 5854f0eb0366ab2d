"""What can be wrong with an archive, as facts: words are made of them where people read them."""

from typing import Literal

import attrs


@attrs.define(str=True)
class ArchiveError(Exception):
    """Any of these."""

    path: str


@attrs.define(str=True)
class Held(ArchiveError):
    """Another process has it open for writing; what it did not leave word of is None."""

    pid: int | None
    host: str | None
    since: str | None
    """ISO 8601, UTC, by the holder's clock."""


@attrs.define(str=True)
class NotOurs(ArchiveError):
    """Something else lives there: it was not touched."""


@attrs.define(str=True)
class Damaged(ArchiveError):
    """An archive once, and no longer whole: it was not touched. `detail` is for a log."""

    problem: Literal["empty", "short", "broken"]
    detail: str = ""


@attrs.define(str=True)
class TooNew(ArchiveError):
    """Written by a later build than this one."""

    version: int
    newest: int
    """The newest version that this build knows."""


@attrs.define(str=True)
class TooOld(ArchiveError):
    """To be brought up to date by opening it for writing, once."""

    version: int
    newest: int


@attrs.define(str=True)
class Missing(ArchiveError):
    """There is nothing there to read."""


@attrs.define(str=True)
class Unreadable(ArchiveError):
    """We may not read it; `reason` in the system's words, or SQLite's name for it."""

    reason: str


@attrs.define(str=True)
class Unwritable(ArchiveError):
    """We may not write there; `reason` in the system's words, SQLite's name for it, or `linked`."""

    reason: str


@attrs.define(str=True)
class NotStored(ArchiveError):
    """A change that was refused: nothing of it is stored. `reason` is SQLite's name for what happened, or
    `closed`; `detail` is for a log."""

    reason: str
    detail: str = ""


@attrs.define(str=True)
class KnownGame(ArchiveError):
    """A record that is to be added is there already."""

    game: str


@attrs.define(str=True)
class NoSuchGame(ArchiveError):
    """No game of that id."""

    game: str
