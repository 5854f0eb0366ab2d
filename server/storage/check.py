"""Everything in an archive held against its sums, and the order of its pages against SQLite's rules."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgpack

from parlour.server.storage.change import (
    END,
    GAME,
    HAPPENED,
    LINE,
    PARTS,
    PERSON,
    RATED,
    TABLE,
    TOURNAMENT,
)
from parlour.server.storage.errors import Damaged
from parlour.server.storage.schema import open_to_read, translate_errors
from parlour.server.storage.seal import unseal

_SEALED = {
    PERSON: "SELECT name, NULL, NULL, map FROM people",
    TABLE: "SELECT id, NULL, NULL, map FROM tables",
    GAME: "SELECT id, NULL, table_id, header FROM games",
    LINE: "SELECT id, number, NULL, map FROM lines LEFT JOIN games ON games.seq = game_seq",
    END: "SELECT id, NULL, NULL, ending FROM games WHERE finish IS NOT NULL OR ending IS NOT NULL",
    TOURNAMENT: "SELECT id, NULL, NULL, map FROM tournaments",
    HAPPENED: "SELECT tournament, number, NULL, map FROM happenings",
    RATED: "SELECT name, NULL, game, map FROM ratings",
}
"""Key, number, table and map of every row, as they were sealed."""
_INCOMPLETE = """SELECT id FROM games WHERE finish IS NOT NULL
    AND lines IS NOT (SELECT count(*) FROM lines WHERE game_seq = games.seq)"""


def faults(path: Path) -> Iterator[Damaged]:
    """Finds all that is damaged, each thing once; raises ArchiveErrors if it cannot be read at all."""
    with contextlib.closing(open_to_read(path)) as connection:
        told: set[tuple[str | None, str, str]] = set()
        for wrong in _all(connection, path):
            name = wrong.part, wrong.key, wrong.detail if wrong.part is None else ""
            if name not in told:
                told.add(name)
                yield wrong


def _all(connection: sqlite3.Connection, path: Path) -> Iterator[Damaged]:
    try:
        with translate_errors(path):
            for (found,) in connection.execute("PRAGMA integrity_check"):
                if found != "ok":
                    yield Damaged(str(path), "broken", str(found))
    except Damaged as wrong:
        yield wrong
    for kind, query in _SEALED.items():
        try:
            with translate_errors(path):
                for key, number, table, sealed in connection.execute(query):
                    if unseal(kind, key, number, table, sealed) is None:
                        yield Damaged(str(path), "changed", "sum", PARTS[kind], str(key))
        except Damaged as wrong:
            yield wrong
    try:
        with translate_errors(path):
            for (game,) in connection.execute(_INCOMPLETE):
                yield Damaged(str(path), "changed", "lines", "game", str(game))
            yield from _players(connection, path)
    except Damaged as wrong:
        yield wrong


def _players(connection: sqlite3.Connection, path: Path) -> Iterator[Damaged]:
    """Compares the list of who played what with the names in the games themselves."""
    lacking = 0
    for id, table, header in connection.execute(
        "SELECT id, table_id, header FROM games WHERE finish IS NOT NULL"
    ):
        lacking += len(_names(id, table, header))
    for name, id, table, header, same in connection.execute(
        "SELECT name, id, table_id, header, games.finish IS played.finish "
        "FROM played LEFT JOIN games ON seq = game_seq"
    ):
        lacking -= 1
        if not same or name not in _names(id, table, header):
            yield Damaged(str(path), "changed", "listed", "person", str(name))
    if lacking:
        yield Damaged(str(path), "broken", f"the list of who played what differs by {lacking}")


def _names(id: str, table: str, header: bytes) -> set[str]:
    packed = unseal(GAME, id, None, table, header)
    return set() if packed is None else set(msgpack.unpackb(packed, strict_map_key=False).get("names", ()))
