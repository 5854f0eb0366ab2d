"""Connects to a database, and tells what is wrong with it in our own words.

Passwords come from the environment or from libpq's files. An address with a password in it is refused: it
would stand in the list of processes, and in every log that names the archive.
"""

import contextlib
import functools
import re
from collections.abc import Iterator
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from parlour.server.storage.errors import (
    ArchiveError,
    BadAddress,
    Damaged,
    Missing,
    NotStored,
    Unreadable,
    Unwritable,
)

Connection = psycopg.Connection[Any]
SCHEMA = "parlour"
KEY = 0x50524C52
"""`PRLR`: the number of a lock of the database, for what one server must do at a time."""
CONNECT_WITHIN = 5
"""Seconds for each host of an address."""
WITHIN = "5s"
"""How long to wait for what another connection has locked, and that one for its owner."""
_SECRETS = ("password", "sslpassword")
_PATIENCE = {
    "connect_timeout": CONNECT_WITHIN,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""A database whose machine has vanished is given up after some ten seconds, unless the address says else."""
_TABLE = re.compile(r"\b(FROM|JOIN|INTO|UPDATE) (\w+)\b")
_REASONS = {
    "25006": "readonly",
    "53100": "full",
    "53": "away",
    "55": "busy",
    "58": "ioerr",
    "57": "away",
    "08": "away",
    "28": "denied",
    "42501": "denied",
    "PR002": "taken",
    "PR003": "overtaken",
}
"""Our word for an error, by PostgreSQL's code for it or the class of that code."""
_BROKEN = ("XX001", "XX002", "42P01", "42703")
"""A page or an index is corrupted; a table or a column is not there."""


def read_address(address: str) -> dict[str, Any]:
    """What an address says; raises BadAddress, which names nothing of it."""
    try:
        told = conninfo_to_dict(address)
    except psycopg.Error:
        raise BadAddress("postgresql://", "form") from None
    if any(name in told for name in _SECRETS):
        raise BadAddress("postgresql://", "password")
    return told


def connect(address: str) -> Connection:
    """A connection that commits by itself; raises psycopg.Error.

    Nothing is set on it and nothing prepared: a pooler may give each transaction another one of its own.
    """
    told = {**_PATIENCE, "application_name": "parlour", **read_address(address), "client_encoding": "UTF8"}
    connection: Connection = psycopg.connect(**told, autocommit=True, prepare_threshold=None)
    return connection


@functools.lru_cache
def qualified(query: str) -> str:
    """A query of an archive with the names of its tables in full."""
    return _TABLE.sub(rf"\1 {SCHEMA}.\2", query)


@contextlib.contextmanager
def transaction(connection: Connection, wait: str = WITHIN) -> Iterator[None]:
    """A transaction in our schema, which waits so long for what others have locked, and is not left open."""
    with connection.transaction():
        connection.execute(
            f"SET LOCAL search_path TO {SCHEMA}; SET LOCAL lock_timeout TO '{wait}'; "
            f"SET LOCAL idle_in_transaction_session_timeout TO '{WITHIN}'"
        )
        yield


def is_idle(connection: Connection) -> bool:
    """Whether it is open and has no transaction under way: what was sent has ended, one way or the other."""
    return (
        not connection.closed
        and connection.info.status == psycopg.pq.ConnStatus.OK
        and connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    )


def reason(wrong: BaseException) -> str:
    """Our own word for what was wrong, or the name of its class."""
    code = getattr(wrong, "sqlstate", None)
    if code is None:
        return "away" if isinstance(wrong, psycopg.OperationalError | ArchiveError) else type(wrong).__name__
    return _REASONS.get(code) or _REASONS.get(code[:2]) or type(wrong).__name__


def detail(wrong: BaseException) -> str:
    """PostgreSQL's own words, in one line, without the place in a function of ours."""
    return " ".join(str(wrong).partition("\nCONTEXT:")[0].split())


def not_stored(place: str, wrong: BaseException) -> NotStored:
    return NotStored(place, reason(wrong), detail(wrong))


@contextlib.contextmanager
def translate_errors(
    place: str, otherwise: type[Unreadable] | type[Unwritable] = Unreadable
) -> Iterator[None]:
    """Raises PostgreSQL's errors as ArchiveErrors."""
    try:
        yield
    except psycopg.Error as wrong:
        raise translated(place, wrong, otherwise) from None


def translated(
    place: str, wrong: psycopg.Error, otherwise: type[Unreadable] | type[Unwritable] = Unreadable
) -> ArchiveError:
    if wrong.sqlstate in _BROKEN:
        return Damaged(place, "broken", detail(wrong))
    if wrong.sqlstate == "3D000":
        return Missing(place)
    return otherwise(place, detail(wrong))
