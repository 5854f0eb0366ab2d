"""Archives as older builds have left them."""

from typing import Any

import msgpack
from support.server.databases import PostgresqlDatabase

from parlour.server.storage.change import PERSON, TABLE, TOURNAMENT
from parlour.server.storage.postgresql import schema
from parlour.server.storage.postgresql.connection import connect
from parlour.server.storage.seal import seal


def sealed(kind: int, key: str, plain: dict[str, Any]) -> bytes:
    return seal(kind, key, None, None, msgpack.packb(plain))


def make_first_version(database: PostgresqlDatabase) -> None:
    """A person who has come back, a table, and two tournaments, of which one is over."""
    ann = {"name": "Ann", "offered": bytes(32), "played": True, "last_id": 3, "answers": [], "owed": [4]}
    with connect(database.place) as connection, connection.transaction():
        connection.execute("CREATE SCHEMA parlour; SET LOCAL search_path TO parlour")
        connection.execute("CREATE TABLE version (number integer NOT NULL)")
        connection.execute("INSERT INTO version VALUES (1)")
        for statement in schema.STEPS[0]:
            assert isinstance(statement, str)
            connection.execute(statement)
        connection.execute("INSERT INTO people VALUES ('Ann', %s)", [sealed(PERSON, "Ann", ann)])
        connection.execute("INSERT INTO tables VALUES ('t', %s)", [sealed(TABLE, "t", {})])
        for id, phase in (("RUN", "playing"), ("OVER", "finished")):
            plain = {"info": {"phase": phase}}
            connection.execute(
                "INSERT INTO tournaments (id, map) VALUES (%s, %s)", [id, sealed(TOURNAMENT, id, plain)]
            )
