"""Which database keeps an archive, by what was given for its place."""

from pathlib import Path

from parlour.server.storage.backend import Backend
from parlour.server.storage.sqlite.backend import SqliteBackend


def backend_at(place: Path | str) -> Backend:
    return SqliteBackend(place)
