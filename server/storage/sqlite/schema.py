"""The archive's file: its tables, its versions, and how to tell a sound one from anything else."""

import contextlib
import json
import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgpack

from parlour.server.storage.errors import (
    ArchiveError,
    Damaged,
    Missing,
    NotOurs,
    TooNew,
    TooOld,
    Unreadable,
    Unwritable,
)
from parlour.server.storage.older_people import kept_in, person_in, session_in
from parlour.server.storage.seal import LENGTH, seal
from parlour.server.storage.sqlite.log_check import check_log

APPLICATION_ID = 0x50524C52
"""`PRLR`, by which `file` and we know an archive."""
Step = tuple[str, ...]
STEPS: tuple[Step, ...] = (
    (
        "CREATE TABLE people (name TEXT PRIMARY KEY, map BLOB NOT NULL) WITHOUT ROWID",
        "CREATE TABLE tables (id TEXT PRIMARY KEY, map BLOB NOT NULL) WITHOUT ROWID",
        # `finish` counts the games that ended, so that their order does not hang on a clock.
        """CREATE TABLE games (
            seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, table_id TEXT NOT NULL, finish INTEGER,
            header BLOB NOT NULL, ending BLOB)""",
        "CREATE INDEX games_open ON games (table_id) WHERE finish IS NULL",
        "CREATE UNIQUE INDEX games_finished ON games (finish) WHERE finish IS NOT NULL",
        # In the order in which they come, so that a batch of many games lands on a few pages: rows sorted by
        # game would touch a page for each. The index is narrow enough to have many games to a page.
        """CREATE TABLE lines (
            seq INTEGER PRIMARY KEY, game_seq INTEGER NOT NULL, number INTEGER NOT NULL,
            map BLOB NOT NULL)""",
        "CREATE UNIQUE INDEX lines_of_game ON lines (game_seq, number)",
    ),
    (
        # What is listed of each, in the order in which they were made, and the events that each is made of.
        "CREATE TABLE tournaments (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, map BLOB NOT NULL)",
        """CREATE TABLE happenings (
            tournament TEXT NOT NULL, number INTEGER NOT NULL, map BLOB NOT NULL,
            PRIMARY KEY (tournament, number)) WITHOUT ROWID""",
        """CREATE TABLE ratings (
            game TEXT NOT NULL, name TEXT NOT NULL, map BLOB NOT NULL,
            PRIMARY KEY (game, name)) WITHOUT ROWID""",
    ),
    (
        # Every map gets its sum (seal.py; the first argument is the row's kind in change.py), and a game that
        # has ended the number of its lines.
        "ALTER TABLE games ADD COLUMN lines INTEGER",
        """UPDATE games SET lines = (SELECT count(*) FROM lines WHERE game_seq = games.seq)
            WHERE finish IS NOT NULL""",
        "UPDATE people SET map = seal(1, name, NULL, NULL, map)",
        "UPDATE tables SET map = seal(3, id, NULL, NULL, map)",
        "UPDATE games SET header = seal(5, id, NULL, table_id, header)",
        """UPDATE lines SET map =
            seal(6, (SELECT id FROM games WHERE games.seq = game_seq), number, NULL, map)""",
        "UPDATE games SET ending = seal(7, id, NULL, NULL, ending) WHERE ending IS NOT NULL",
        "UPDATE tournaments SET map = seal(8, id, NULL, NULL, map)",
        "UPDATE happenings SET map = seal(9, tournament, number, NULL, map)",
        "UPDATE ratings SET map = seal(10, name, NULL, game, map)",
    ),
    (
        # Who played which finished games, in the order of their ends: a player's newest are found at once,
        # however many games there are.
        """CREATE TABLE played (
            name TEXT NOT NULL, finish INTEGER NOT NULL, game_seq INTEGER NOT NULL,
            PRIMARY KEY (name, finish)) WITHOUT ROWID""",
        """INSERT OR IGNORE INTO played (name, finish, game_seq)
            SELECT player.value, finish, seq FROM games, json_each(names_in(header)) AS player
            WHERE finish IS NOT NULL""",
    ),
    (
        # What a name is to the house, and what a node has answered it, are two rows (older_people.py).
        """CREATE TABLE sessions (
            name TEXT NOT NULL, node TEXT NOT NULL, map BLOB NOT NULL,
            PRIMARY KEY (name, node)) WITHOUT ROWID""",
        """INSERT INTO sessions SELECT name, '', session_in(name, map) FROM people
            WHERE session_in(name, map) IS NOT NULL""",
        "ALTER TABLE people ADD COLUMN kept INTEGER NOT NULL DEFAULT 0",
        "UPDATE people SET kept = kept_in(name, map), map = person_in(name, map)",
    ),
)
"""The statements that lead from each version to the next. Never change one: older files go through them."""

BUSY_FOR = 1.0
"""How long to wait for somebody else who has the file locked, in seconds."""
READ_CACHE = 32 * 1024
"""KiB, taken up only as pages are read."""
_MAGIC = b"SQLite format 3\0"
_HEADER = 100
LOOKED_THROUGH = 128 * 1024 * 1024
"""Files up to this size, which takes a quarter of a second, are checked as a whole when they are opened; of
larger ones, the tables in _NEEDED."""
_NEEDED = ("people", "sessions", "tables", "games", "tournaments", "happenings", "ratings", "played")
_FOREIGN = {"SQLITE_NOTADB"}
_BROKEN = {"SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT", "SQLITE_TOOBIG"}
_NO_TEXT = "Could not decode to UTF-8"
"""What Python's module says of a text whose bytes are none."""


def connect(
    path: Path, mode: str, factory: type[sqlite3.Connection] = sqlite3.Connection
) -> sqlite3.Connection:
    """A connection in a mode of SQLite's addresses: `rw`, `ro`, or `ro&immutable=1`."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_FOR,
        factory=factory,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=128,  # one for every length that bulk_insert uses
    )


def reason(wrong: BaseException) -> str:
    """SQLite's name for an error, or the name of its class."""
    return getattr(wrong, "sqlite_errorname", None) or type(wrong).__name__


def _base(wrong: sqlite3.Error) -> str:
    return "_".join(reason(wrong).split("_")[:2])


@contextlib.contextmanager
def translate_errors(
    path: Path, otherwise: type[Unreadable] | type[Unwritable] = Unreadable
) -> Iterator[None]:
    """Raises SQLite's errors as ArchiveErrors."""
    try:
        yield
    except sqlite3.Error as wrong:
        if _base(wrong) in _FOREIGN:
            raise NotOurs(str(path)) from None
        if _base(wrong) in _BROKEN or str(wrong).startswith(_NO_TEXT):
            raise Damaged(str(path), "broken", str(wrong)) from None
        raise otherwise(str(path), reason(wrong)) from None


# Creating


def create(path: Path, steps: Sequence[Step] = STEPS) -> None:
    """Creates an empty archive, as a whole or not at all; raises Unwritable."""
    try:
        file, name = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")
        os.close(file)
        made = Path(name)
        try:
            with translate_errors(path, Unwritable), contextlib.closing(connect(made, "rw")) as connection:
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                migrate(connection, path, steps)
            made.replace(path)
        except (OSError, ArchiveError):
            made.unlink()
            raise
        sync_folder(path.parent)
    except OSError as wrong:
        raise Unwritable(str(path), wrong.strerror or str(wrong)) from None


def sync_folder(folder: Path) -> None:
    """Writes the folder's new entry to the disk; Windows has no call for that."""
    if hasattr(os, "O_DIRECTORY"):
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def migrate(connection: sqlite3.Connection, path: Path, steps: Sequence[Step] = STEPS) -> None:
    """Brings a file up to date, all steps or none; raises TooNew. After an error close the connection."""
    version = _version(connection)
    if version > len(steps):
        raise TooNew(str(path), version, len(steps))
    if version == len(steps):
        return
    connection.create_function("seal", 5, seal, deterministic=True)
    connection.create_function("names_in", 1, _names_in, deterministic=True)
    for name, function in (("person_in", person_in), ("session_in", session_in), ("kept_in", kept_in)):
        connection.create_function(name, 2, function, deterministic=True)
    connection.execute("BEGIN IMMEDIATE")
    for step in steps[version:]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(steps)}")
    connection.execute("COMMIT")


def _names_in(header: bytes) -> str:
    """The names in a game's sealed header, as JSON, for SQLite cannot read msgpack; none if it is damaged."""
    try:
        plain = msgpack.unpackb(header[:-LENGTH], strict_map_key=False)
    except (ValueError, msgpack.UnpackException):
        plain = None
    return json.dumps(plain.get("names", []) if isinstance(plain, dict) else [])


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


# Opening


def examine(path: Path, steps: Sequence[Step] = STEPS) -> None:
    """Raises an ArchiveError if a server must not write to it, and changes nothing. Only the holder of its
    lock may call this: in a process that has it open, closing our own file would end SQLite's locks."""
    size = _size(path)
    if size == 0:
        raise Damaged(str(path), "empty")
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except OSError as wrong:
        raise Unreadable(str(path), wrong.strerror or str(wrong)) from None
    if not header.startswith(_MAGIC[: len(header)]):
        raise NotOurs(str(path))
    if len(header) < _HEADER:
        raise Damaged(str(path), "short")
    if _number(header, 68) != APPLICATION_ID:
        raise NotOurs(str(path))
    if _number(header, 60) > len(steps):
        raise TooNew(str(path), _number(header, 60), len(steps))
    waiting = _beside(path, "-wal") or _beside(path, "-journal")
    page = int.from_bytes(header[16:18], "big")
    page = 65536 if page == 1 else page
    # A log beside the file may hold the pages that it lacks.
    if not waiting and size < page * _number(header, 28):
        raise Damaged(str(path), "short")
    with translate_errors(path), contextlib.closing(connect(path, _mode_of_looking(path))) as connection:
        check_version(connection, path, len(steps), older=True)
        check_shape(connection, path, steps[: _version(connection)])
        whole = size + _beside(path, "-wal") <= LOOKED_THROUGH
        checks = ["integrity_check(1)"] if whole else [f"integrity_check({table})" for table in _NEEDED]
        for check in checks:
            # Older versions have fewer tables, and say nothing about those that they lack.
            for (found,) in connection.execute(f"PRAGMA {check}"):
                if found != "ok":
                    raise Damaged(str(path), "broken", str(found))
    check_log(path)


def check_shape(connection: sqlite3.Connection, path: Path, steps: Sequence[Step]) -> None:
    """Raises Damaged unless tables and indexes are those that the steps make."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        migrate(model, path, steps)
        lacking = _shape(model) - _shape(connection)
    if lacking:
        raise Damaged(str(path), "broken", f"its version has {min(lacking)[1]}")


def _shape(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    found = connection.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
    return {(str(type), str(name), " ".join(str(sql).split())) for type, name, sql in found}


def check_version(connection: sqlite3.Connection, path: Path, newest: int, *, older: bool) -> None:
    """Raises NotOurs, TooNew, or TooOld unless `older` allows that."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise NotOurs(str(path))
    version = _version(connection)
    if version > newest:
        raise TooNew(str(path), version, newest)
    if version < newest and not older:
        raise TooOld(str(path), version, newest)


def open_to_read(path: Path, newest: int = len(STEPS)) -> sqlite3.Connection:
    """Opens an archive for reading, also while a server writes to it."""
    if _size(path) == 0:
        raise Damaged(str(path), "empty")
    with translate_errors(path):
        connection = connect(path, "ro")
        try:
            # Lines of games that were played at the same time share pages: the cache reads each page once.
            connection.execute(f"PRAGMA cache_size = -{READ_CACHE}")
            check_version(connection, path, newest, older=False)
            check_shape(connection, path, STEPS[:newest])
        except (sqlite3.Error, ArchiveError):
            connection.close()
            raise
        return connection


def _size(path: Path) -> int:
    """Raises Missing, NotOurs (a folder, a device) or Unreadable."""
    try:
        there = path.stat()
    except FileNotFoundError:
        raise Missing(str(path)) from None
    except OSError as wrong:
        raise Unreadable(str(path), wrong.strerror or str(wrong)) from None
    if not stat.S_ISREG(there.st_mode):
        raise NotOurs(str(path))
    return there.st_size


def _mode_of_looking(path: Path) -> str:
    """The mode that creates no files: SQLite makes some beside an archive that it takes for one in use."""
    if _beside(path, "-journal"):
        return "rw"  # SQLite must undo a change that was broken off before anything can be read
    return "ro" if _beside(path, "-wal") else "ro&immutable=1"


def _beside(path: Path, end: str) -> int:
    try:
        return path.with_name(path.name + end).stat().st_size
    except OSError:
        return 0


def _number(header: bytes, at: int) -> int:
    return int.from_bytes(header[at : at + 4], "big")
