"""Everything in an archive held against its sums, and what the database itself finds."""

import contextlib
from collections.abc import Iterator

import msgpack

from parlour.server.storage.backend import Backend, Reader
from parlour.server.storage.change import (
    END,
    GAME,
    HAPPENED,
    LINE,
    PARTS,
    PERSON,
    RATED,
    SESSION,
    TABLE,
    TOURNAMENT,
)
from parlour.server.storage.errors import Damaged
from parlour.server.storage.seal import unseal

_SEALED = {
    PERSON: "SELECT name, NULL, NULL, map FROM people",
    SESSION: "SELECT name, NULL, node, map FROM sessions",
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
    AND coalesce(lines, -1) <> (SELECT count(*) FROM lines WHERE game_seq = games.seq)"""


def faults(backend: Backend) -> Iterator[Damaged]:
    """Finds all that is damaged, each thing once; raises ArchiveErrors if it cannot be read at all."""
    with contextlib.closing(backend.open_to_read()) as reader:
        told: set[tuple[str | None, str, str]] = set()
        for wrong in _all(reader, backend.place):
            name = wrong.part, wrong.key, wrong.detail if wrong.part is None else ""
            if name not in told:
                told.add(name)
                yield wrong


def _all(reader: Reader, place: str) -> Iterator[Damaged]:
    try:
        yield from reader.faults()
    except Damaged as wrong:
        yield wrong
    for kind, query in _SEALED.items():
        try:
            for key, number, table, sealed in reader.walk(query):
                if unseal(kind, key, number, table, sealed) is None:
                    yield Damaged(place, "changed", "sum", PARTS[kind], str(key))
        except Damaged as wrong:
            yield wrong
    try:
        for (game,) in reader.walk(_INCOMPLETE):
            yield Damaged(place, "changed", "lines", "game", str(game))
        yield from _players(reader, place)
    except Damaged as wrong:
        yield wrong


def _players(reader: Reader, place: str) -> Iterator[Damaged]:
    """Compares the list of who played what with the names in the games themselves."""
    lacking = 0
    for id, table, header in reader.walk("SELECT id, table_id, header FROM games WHERE finish IS NOT NULL"):
        lacking += len(_names(id, table, header))
    for name, id, table, header, same in reader.walk(
        "SELECT name, id, table_id, header, games.finish = played.finish "
        "FROM played LEFT JOIN games ON seq = game_seq"
    ):
        lacking -= 1
        if not same or name not in _names(id, table, header):
            yield Damaged(place, "changed", "listed", "person", str(name))
    if lacking:
        yield Damaged(place, "broken", f"the list of who played what differs by {lacking}")


def _names(id: str, table: str, header: bytes) -> set[str]:
    packed = unseal(GAME, id, None, table, header)
    return set() if packed is None else set(msgpack.unpackb(packed, strict_map_key=False).get("names", ()))
