"""Inserts rows of all kinds with one statement for a whole transaction.

Python gives its lock away at every step of a statement, and has to wait for it again while the event loop is
busy: a transaction of forty statements waits forty times. So rows of all kinds are inserted into one view,
whose triggers insert each into its table. View and triggers belong to the connection, not to the file. A
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
    KEPT,
    LINE,
    PERSON,
    PERSON_GONE,
    PLAYED,
    RATED,
    SESSION,
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
    PERSON: """INSERT INTO people (name, map) VALUES (new.key, new.map)
        ON CONFLICT DO UPDATE SET map = excluded.map""",
    KEPT: "UPDATE people SET kept = 1 WHERE name = new.key",
    SESSION: """INSERT INTO sessions VALUES (new.key, new.table_id, new.map)
        ON CONFLICT DO UPDATE SET map = excluded.map""",
    PERSON_GONE: "DELETE FROM people WHERE name = new.key; DELETE FROM sessions WHERE name = new.key",
    GAME: "INSERT INTO games (id, table_id, header) VALUES (new.key, new.table_id, new.map)",
    END: """
        SELECT raise(ABORT, 'no open game of that id')
            WHERE NOT EXISTS (SELECT 1 FROM games WHERE id = new.key AND finish IS NULL);
        UPDATE games SET ending = new.map,
            lines = (SELECT count(*) FROM lines WHERE game_seq = games.seq),
            finish = (SELECT coalesce(max(finish), 0) + 1 FROM games WHERE finish IS NOT NULL)
            WHERE id = new.key""",
    TOURNAMENT: """INSERT INTO tournaments (id, map) VALUES (new.key, new.map)
        ON CONFLICT (id) DO UPDATE SET map = excluded.map""",
    HAPPENED: "INSERT INTO happenings VALUES (new.key, new.number, new.map)",
    PLAYED: """INSERT OR IGNORE INTO played (name, finish, game_seq)
        SELECT new.key, finish, seq FROM games WHERE id = new.table_id""",
    RATED: """INSERT INTO ratings VALUES (new.table_id, new.key, new.map)
        ON CONFLICT DO UPDATE SET map = excluded.map""",
}


def create_insert_view(connection: sqlite3.Connection) -> None:
    """Creates the temporary view and its triggers.

    Every row tries all triggers of a view, and nine rows of ten are lines: all others have a second view.
    """
    for view in ("bulk", "bulk_other"):
        connection.execute(
            f"CREATE TEMP VIEW {view} AS SELECT 0 AS kind, '' AS key, 0 AS number, '' AS table_id, x'' AS map"
        )
    for kind, into in _INTO.items():
        view = "bulk" if kind == LINE else "bulk_other"
        when = f"INSTEAD OF INSERT ON {view} WHEN new.kind = {kind}"
        connection.execute(f"CREATE TEMP TRIGGER bulk_{kind} {when} BEGIN {into}; END")
    connection.execute(
        f"""CREATE TEMP TRIGGER to_bulk_other INSTEAD OF INSERT ON bulk WHEN new.kind <> {LINE}
        BEGIN INSERT INTO bulk_other VALUES (new.kind, new.key, new.number, new.table_id, new.map); END"""
    )


def insert_rows(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Stores all rows or none; raises what SQLite raises."""
    if len(rows) <= MOST:
        _insert(connection, rows)
        return
    connection.execute("BEGIN IMMEDIATE")
    for start in range(0, len(rows), MOST):
        _insert(connection, rows[start : start + MOST])
    connection.execute("COMMIT")


def _insert(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    # Few lengths, so that all statements stay prepared: rows of no kind fill up, and no trigger takes them.
    length = len(rows) if len(rows) <= 32 else -(-len(rows) // 16) * 16
    filled = chain(rows, [_NOTHING] * (length - len(rows)))
    connection.execute(_statement(length), list(chain.from_iterable(filled)))


@functools.cache
def _statement(length: int) -> str:
    return "INSERT INTO bulk VALUES " + ",".join(["(?,?,?,?,?)"] * length)
