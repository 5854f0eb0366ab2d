"""A whole archive moved into another database, row by row, and held against the one that it came from."""

import contextlib
import hashlib
from collections.abc import Iterator
from typing import Any

import msgpack

from parlour.server.storage.backend import Backend, Progress, Reader
from parlour.server.storage.errors import Damaged
from parlour.server.storage.tables import KEYS, TABLES

STEP = 1000
"""Rows after which the progress is told."""


class Digest:
    """The hash of rows in their order."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b()

    def through(self, rows: Iterator[Any]) -> Iterator[Any]:
        for row in rows:
            self._hash.update(msgpack.packb(tuple(row)))
            yield row

    def value(self) -> bytes:
        return self._hash.digest()


def copy_rows(source: Backend, target: Backend, progress: Progress) -> None:
    """Copies one moment of an archive into a new one and reads it back; raises ArchiveErrors.

    Nothing is left of a copy that is not the same.
    """
    digests = {table: Digest() for table in TABLES}

    def compare(copy: Reader) -> None:
        for table, digest in digests.items():
            copied = Digest()
            for _ in copied.through(_rows(copy, table)):
                pass
            if copied.value() != digest.value():
                raise Damaged(target.place, "broken", f"{table}: not what was copied")

    with contextlib.closing(source.open_to_read()) as reader, reader.snapshot():
        counter = _Counter(progress, sum(_count(reader, table) for table in TABLES))
        rows = {table: digests[table].through(counter.through(_rows(reader, table))) for table in TABLES}
        target.fill(rows, compare)


def _rows(reader: Reader, table: str) -> Iterator[Any]:
    return reader.walk(f"SELECT {', '.join(TABLES[table])} FROM {table} ORDER BY {KEYS[table]}")


def _count(reader: Reader, table: str) -> int:
    ((count,),) = reader.select(f"SELECT count(*) FROM {table}")
    return int(count)


class _Counter:
    """Tells how many rows have gone by."""

    def __init__(self, progress: Progress, all: int) -> None:
        self._progress, self._all, self._copied = progress, all, 0

    def through(self, rows: Iterator[Any]) -> Iterator[Any]:
        for row in rows:
            self._copied += 1
            if self._copied % STEP == 0:
                self._progress(self._copied, self._all)
            yield row
