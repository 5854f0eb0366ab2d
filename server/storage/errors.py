"""What can be wrong with an archive, as facts: the client makes sentences of them."""

from typing import Literal

import attrs

Part = Literal["person", "table", "game", "tournament", "rating"]


@attrs.define
class ArchiveError(Exception):
    """The base of all errors here. Class names are keys of the client's texts."""

    path: str

    def __str__(self) -> str:
        """The facts in one line, for a log."""
        facts = attrs.asdict(self)
        told = [f"{name}={value}" for name, value in facts.items() if value not in (None, "")]
        return " ".join(" ".join([type(self).__name__, *told]).split())


@attrs.define
class Held(ArchiveError):
    """Another process has it open for writing; None is what the lock file does not say."""

    pid: int | None
    host: str | None
    since: str | None
    """ISO 8601, UTC, by the holder's clock."""


@attrs.define
class NodeTaken(Held):
    """Another node of the house has the name or the address that was given to this one."""

    setting: Literal["node", "advertise"]
    value: str


@attrs.define
class BadAddress(ArchiveError):
    """No address of a database; `path` leaves out what may be secret."""

    flaw: Literal["form", "password"]
    """`password`: it has one, which belongs into the environment or a file of libpq's."""


@attrs.define
class NoDriver(ArchiveError):
    """What speaks to such a database is not installed."""


@attrs.define
class Unsafe(ArchiveError):
    """The database may lose what it has acknowledged."""

    setting: str
    """The one of PostgreSQL's that is off."""


@attrs.define
class NotEmpty(ArchiveError):
    """There is something in the archive that is to be filled: it was not touched."""


@attrs.define
class NotOurs(ArchiveError):
    """The file is no archive: it was not touched."""


@attrs.define
class Damaged(ArchiveError):
    """An archive that is no longer whole: it was not touched. `detail` is for a log."""

    problem: Literal["empty", "short", "broken", "changed"]
    """`changed`: one thing in it is not what was written; `part` and `key` say which."""
    detail: str = ""
    part: Part | None = None
    key: str = ""


@attrs.define
class TooNew(ArchiveError):
    """Written by a later build than this one."""

    version: int
    newest: int
    """The newest version that this build knows."""


@attrs.define
class TooOld(ArchiveError):
    """Written by an older build. Opening it for writing once brings it up to date."""

    version: int
    newest: int


@attrs.define
class Missing(ArchiveError):
    """There is no such file."""


@attrs.define
class Unreadable(ArchiveError):
    """We may not read it; `reason` in the system's words, or SQLite's name for it."""

    reason: str


@attrs.define
class Unwritable(ArchiveError):
    """We may not write there; `reason` in the system's words, SQLite's name for it, or `linked`."""

    reason: str


@attrs.define
class NotStored(ArchiveError):
    """Nothing of a change was stored. `reason` is SQLite's name for the error, or a word of ours:

    `closed`; `moved`: the file is no longer at its path; `astray`: what it has is not what was acknowledged;
    `taken`: another server writes to it, or has the table now; `overtaken`: another node has stored that
    person since; `away`: there is no connection to the database; `doubt`: the answer
    was lost. `detail` is for a log.
    """

    reason: str
    detail: str = ""


@attrs.define
class KnownGame(ArchiveError):
    """The archive already has the game that is to be added."""

    game: str


@attrs.define
class NoSuchGame(ArchiveError):
    """No game of that id."""

    game: str
