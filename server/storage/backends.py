"""Which database keeps an archive, by what was given for its place: a path, or an address."""

from pathlib import Path

from parlour.server.storage.backend import Backend
from parlour.server.storage.errors import NoDriver
from parlour.server.storage.sqlite.backend import SqliteBackend

ADDRESSES = ("postgresql://", "postgres://")


def is_address(place: Path | str) -> bool:
    return isinstance(place, str) and place.startswith(ADDRESSES)


def backend_at(place: Path | str, *, unsafe: bool = False) -> Backend:
    """Raises BadAddress or NoDriver. `unsafe` allows a database that may lose what it has acknowledged."""
    if not is_address(place):
        return SqliteBackend(place)
    try:
        # Only here: not everybody has it installed, and reading it takes as long as all of ours.
        from parlour.server.storage.postgresql.backend import PostgresqlBackend
    except ImportError:
        raise NoDriver("postgresql://") from None
    return PostgresqlBackend(str(place), unsafe)
