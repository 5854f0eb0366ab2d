"""Connects to a database, and tells what is wrong with it in our own words.

Passwords come from the environment or from libpq's files. An address with a password in it is refused: it
would stand in the list of processes, and in every log that names the archive.
"""

import contextlib
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
CONNECT_WITHIN = 5
"""Seconds for each host of an address."""
_SECRETS = ("password", "sslpassword")
_PATIENCE = {
    "connect_timeout": CONNECT_WITHIN,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""A database whose machine has vanished is given up after some ten seconds, unless the address says else."""
_SESSION = (
    f"SET search_path TO {SCHEMA}",
    "SET client_encoding TO 'UTF8'",
    # The same from the other side: a server whose machine has vanished does not hold its archive for hours.
    "SET tcp_keepalives_idle TO 5",
    "SET tcp_keepalives_interval TO 2",
    "SET tcp_keepalives_count TO 3",
)
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
    """A connection that commits by itself; raises psycopg.Error."""
    told = {**_PATIENCE, "application_name": "parlour", **read_address(address)}
    connection: Connection = psycopg.connect(**told, autocommit=True)
    try:
        for setting in _SESSION:
            connection.execute(setting)
    except BaseException:
        connection.close()
        raise
    return connection


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
    """PostgreSQL's own words, in one line."""
    return " ".join(str(wrong).split())


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
