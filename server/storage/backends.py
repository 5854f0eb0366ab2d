"""Which database keeps an archive, by what was given for its place: a path, or an address."""

import asyncio
from pathlib import Path
from typing import Protocol

from parlour.server.storage.backend import Backend
from parlour.server.storage.errors import NoDriver
from parlour.server.storage.postgresql.house_values import ALONE, HouseDatabase, Node
from parlour.server.storage.sqlite.backend import SqliteBackend

ADDRESSES = ("postgresql://", "postgres://")


def is_address(place: Path | str) -> bool:
    return isinstance(place, str) and place.startswith(ADDRESSES)


class NodeBackend(Backend, Protocol):
    """A database that several servers may share."""

    def is_direct(self) -> bool:
        """Whether the address without a pooler leads to this database, once it is open for writing."""

    def open_house(self, loop: asyncio.AbstractEventLoop) -> HouseDatabase:
        """What tells a node of the others, once it is open for writing."""


def backend_at(place: Path | str, *, unsafe: bool = False) -> Backend:
    """Raises BadAddress or NoDriver. `unsafe` allows a database that may lose what it has acknowledged."""
    return _database(str(place), unsafe, ALONE, None) if is_address(place) else SqliteBackend(place)


def node_at(place: str, node: Node, *, unsafe: bool = False, direct: str | None = None) -> NodeBackend:
    """Does the same for one node among several; `direct` is an address without a pooler."""
    return _database(place, unsafe, node, direct)


def _database(place: str, unsafe: bool, node: Node, direct: str | None) -> NodeBackend:
    try:
        # Only here: not everybody has it installed, and reading it takes as long as all of ours.
        from parlour.server.storage.postgresql.backend import PostgresqlBackend
    except ImportError:
        raise NoDriver("postgresql://…") from None
    return PostgresqlBackend(place, unsafe, node, direct)
