"""How names and tokens are found in a house: by what a name looks like, and by the hash of a token.

These stand beside the maps of people, in tables of their own, and are stored together with them: so two nodes
cannot give one name away twice.
"""

from collections.abc import Sequence
from typing import Any

import msgpack

from parlour.protocol.lookalikes import looks
from parlour.server.storage.change import PERSON, Row
from parlour.server.storage.postgresql.connection import Connection
from parlour.server.storage.seal import unseal

LOOKS, TOKENS = 101, 102
"""Kinds of rows, beside those of change.py, that are not sealed and that no other database has."""
SEPARATOR = "\n"
"""Stands in no name, and so in no look: chr(10) in insert.py."""


def with_index(rows: Sequence[Row]) -> Sequence[Row]:
    """Adds to each person how they are found."""
    if not any(row[0] == PERSON for row in rows):
        return rows
    made: list[Row] = []
    for row in rows:
        made.append(row)
        if row[0] == PERSON:
            made += index_of(row)
    return made


def index_of(row: Row) -> list[Row]:
    _, name, version, _, sealed = row
    return [
        (LOOKS, name, version, SEPARATOR.join(sorted(looks(name))), None),
        (TOKENS, name, None, None, b"".join(_hashes(name, sealed or b""))),
    ]


def _hashes(name: str, sealed: bytes) -> list[bytes]:
    """The hashes of all tokens that are good for a name; none if its map is damaged."""
    packed = unseal(PERSON, name, None, None, sealed)
    plain: Any = msgpack.unpackb(packed, strict_map_key=False) if packed is not None else {}
    found = [plain.get("proven"), *plain.get("also", ()), plain.get("offered")]
    return [known for known in found if isinstance(known, bytes)]


def index_everybody(connection: Connection) -> None:
    """Makes both tables of the people who are there."""
    everybody = connection.execute("SELECT name, map FROM parlour.people", binary=True).fetchall()
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO parlour.looks SELECT unnest(%s::text[]), %s ON CONFLICT DO NOTHING",
            [(sorted(looks(name)), name) for name, _ in everybody],
        )
        cursor.executemany(
            "INSERT INTO parlour.tokens VALUES (%s, %s) ON CONFLICT DO NOTHING",
            [(known, name) for name, sealed in everybody for known in _hashes(name, sealed)],
        )
