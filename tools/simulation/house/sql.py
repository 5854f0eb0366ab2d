"""PostgreSQL's statements of a house, said to SQLite in memory: the server's own words run, as they stand.

What SQLite lacks are casts, locks and intervals, which need no translation where one statement runs at a
time, and some functions, which the database of a world answers (shared.py).
"""

import functools
import json
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from parlour.server.storage.sqlite import bulk_insert
from parlour.server.storage.sqlite.schema import APPLICATION_ID, migrate

PLACE = "the house"
_CHANGES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bparlour\."), ""),
    (re.compile(r"::\w+(\[\])?"), ""),
    (re.compile(r" FOR (UPDATE|SHARE)( SKIP LOCKED)?"), ""),
    (re.compile(r"interval '([\d.]+) seconds'"), r"\1"),
    (re.compile(r"interval '([\d.]+) minutes'"), r"\1 * 60"),
    (re.compile(r"make_interval\(secs => (%s)\)"), r"\1"),
    (re.compile(r"= ANY\(%[sb]\)"), "IN (SELECT value FROM json_each(?))"),
    (re.compile(r"%[sb]"), "?"),
)
# Beside those of every archive: the tables of schema.py that only a house has.
_TABLES = (
    "ALTER TABLE people ADD COLUMN version INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE people ADD COLUMN writer INTEGER NOT NULL DEFAULT 0",
    "CREATE TABLE owners (epoch INTEGER PRIMARY KEY, server, host, pid, since, stored, open, node)",
    """CREATE TABLE nodes (name TEXT PRIMARY KEY, life, url, host, machine, pid, started, since, expires,
        load DEFAULT 0)""",
    "CREATE TABLE leases (id TEXT PRIMARY KEY, kind, node, epoch)",
    "CREATE TABLE looks (look TEXT PRIMARY KEY, name)",
    "CREATE TABLE tokens (hash BLOB PRIMARY KEY, name)",
    """CREATE TABLE house_events (seq INTEGER NOT NULL DEFAULT (next_seq()),
        xid INTEGER NOT NULL DEFAULT (pg_current_xact_id()), at DEFAULT (clock_timestamp()), node, map)""",
    "CREATE TABLE tickets (hash BLOB PRIMARY KEY, name, node, number, expires)",
)
Function = Callable[..., Any]


class Functions:
    """What the database of the present world answers: a connection outlives worlds."""

    def __init__(self) -> None:
        self.answers: Mapping[str, Function] = {}

    def call(self, name: str, *given: Any) -> Any:
        return self.answers[name](*given)


FUNCTIONS = Functions()
NAMES = {
    "clock_timestamp": 0,
    "to_timestamp": 1,
    "nextval": 1,
    "next_seq": 0,
    "pg_current_xact_id": 0,
    "pg_current_snapshot": 0,
    "pg_snapshot_xmin": 1,
    "pg_advisory_xact_lock": 1,
    "to_regproc": 1,
}


@functools.cache
def open_connection() -> sqlite3.Connection:
    """One for all worlds of this process: setting one up takes as long as a short world."""
    connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=256)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for name, count in NAMES.items():
        connection.create_function(name, count, functools.partial(FUNCTIONS.call, name))
    migrate(connection, Path(PLACE))
    for statement in _TABLES:
        connection.execute(statement)
    bulk_insert.create_insert_view(connection)
    return connection


@functools.cache
def in_sqlite(query: str) -> str:
    for words, others in _CHANGES:
        query = words.sub(others, query)
    return query


def plain(given: Sequence[Any]) -> list[Any]:
    """What is given to a statement, as SQLite takes it."""
    return [json.dumps(each) if isinstance(each, list) else each for each in given]
