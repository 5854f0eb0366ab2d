"""The door through which changes enter the archive: one statement for a whole transaction.

Python gives its lock away at every step of a statement, and has to wait for it again while the event loop is
busy: a transaction of forty statements waits forty times. So rows of all kinds go into one view in one
statement, and its triggers, which live in the connection and not in the file, put each where it belongs. A
statement is a transaction of its own: it needs no BEGIN and no COMMIT, and leaves none open when it fails.
"""

import functools
import sqlite3
from collections.abc import Sequence
from itertools import chain

from parlour.server.storage.change import (
    END,
    GAME,
    HAPPENED,
    LINE,
    PERSON,
    PERSON_GONE,
    RATED,
    TABLE,
    TABLE_GONE,
    TOURNAMENT,
    Row,
)

MOST = 512
"""Rows to a statement."""
_NOTHING: Row = (0, "", None, None, None)
_INTO: dict[int, str] = {
    LINE: """INSERT INTO lines (game_seq, number, map)
        VALUES ((SELECT seq FROM games WHERE id = new.key), new.number, new.map)""",
    TABLE: "INSERT INTO tables VALUES (new.key, new.map) ON CONFLICT DO UPDATE SET map = excluded.map",
    TABLE_GONE: "DELETE FROM tables WHERE id = new.key",
    PERSON: "INSERT INTO people VALUES (new.key, new.map) ON CONFLICT DO UPDATE SET map = excluded.map",
    PERSON_GONE: "DELETE FROM people WHERE name = new.key",
    GAME: "INSERT INTO games (id, table_id, header) VALUES (new.key, new.table_id, new.map)",
    END: """
        SELECT raise(ABORT, 'no open game of that id')
            WHERE NOT EXISTS (SELECT 1 FROM games WHERE id = new.key AND finish IS NULL);
        UPDATE games SET ending = new.map,
            finish = (SELECT coalesce(max(finish), 0) + 1 FROM games WHERE finish IS NOT NULL)
            WHERE id = new.key""",
    TOURNAMENT: """INSERT INTO tournaments (id, map) VALUES (new.key, new.map)
        ON CONFLICT (id) DO UPDATE SET map = excluded.map""",
    HAPPENED: "INSERT INTO happenings VALUES (new.key, new.number, new.map)",
    RATED: """INSERT INTO ratings VALUES (new.table_id, new.key, new.map)
        ON CONFLICT DO UPDATE SET map = excluded.map""",
}


def hang(connection: sqlite3.Connection) -> None:
    """Makes the door, for this connection.

    Every row tries all triggers of a view, and nine rows of ten are lines: for all others there is a door
    behind the door.
    """
    for view in ("door", "inner_door"):
        connection.execute(
            f"CREATE TEMP VIEW {view} AS SELECT 0 AS kind, '' AS key, 0 AS number, '' AS table_id, x'' AS map"
        )
    for kind, into in _INTO.items():
        view = "door" if kind == LINE else "inner_door"
        when = f"INSTEAD OF INSERT ON {view} WHEN new.kind = {kind}"
        connection.execute(f"CREATE TEMP TRIGGER door_{kind} {when} BEGIN {into}; END")
    connection.execute(
        f"""CREATE TEMP TRIGGER other_door INSTEAD OF INSERT ON door WHEN new.kind <> {LINE}
        BEGIN INSERT INTO inner_door VALUES (new.kind, new.key, new.number, new.table_id, new.map); END"""
    )


def enter(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Stores all rows or none; raises what SQLite raises."""
    if len(rows) <= MOST:
        _enter(connection, rows)
        return
    connection.execute("BEGIN IMMEDIATE")
    for start in range(0, len(rows), MOST):
        _enter(connection, rows[start : start + MOST])
    connection.execute("COMMIT")


def _enter(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    # Few lengths, so that the statements can all stay prepared: a row of no kind goes nowhere.
    length = len(rows) if len(rows) <= 32 else -(-len(rows) // 16) * 16
    filled = chain(rows, [_NOTHING] * (length - len(rows)))
    connection.execute(_statement(length), list(chain.from_iterable(filled)))


@functools.cache
def _statement(length: int) -> str:
    return "INSERT INTO door VALUES " + ",".join(["(?,?,?,?,?)"] * length)
