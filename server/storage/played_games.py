"""Games that were played to their ends, for those who played them."""

import contextlib
import logging
from collections.abc import Iterator
from typing import Any, Protocol

from parlour.protocol.errors import ProtocolError
from parlour.server.records.record import without_by
from parlour.server.storage.archive import Archive, log_damage
from parlour.server.storage.errors import Damaged, NoSuchGame, Unreadable
from parlour.server.storage.gate import AGAIN_AFTER
from parlour.server.storage.library import LISTED

MOST = 50
"""Games that are listed at a time."""
log = logging.getLogger("parlour.archive")


class PlayedGames(Protocol):
    """Finished games of a server, as commands look them up, in any thread.

    Raises ProtocolError `busy` while the archive cannot be read.
    """

    def played_by(self, name: str) -> list[dict[str, Any]]:
        """Lists who played what and how it ended, the newest first."""

    def replay(self, game: str, name: str | None) -> dict[str, Any] | None:
        """Reads a whole game, if this player had a seat in it; `name` None: everybody may see it.

        Raises ProtocolError `damaged`.
        """


class NoPlayedGames:
    """For a server without an archive."""

    def played_by(self, name: str) -> list[dict[str, Any]]:  # noqa: ARG002
        return []

    def replay(self, game: str, name: str | None) -> dict[str, Any] | None:  # noqa: ARG002
        return None


@contextlib.contextmanager
def _later_if_away() -> Iterator[None]:
    try:
        yield
    except Unreadable as wrong:
        log.error("cannot be read: %s", wrong)
        raise ProtocolError("busy", retry_after=AGAIN_AFTER) from None


class ArchivedGames:
    """The games of an archive."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def played_by(self, name: str) -> list[dict[str, Any]]:
        with _later_if_away():
            newest = self._archive.played_by(name, MOST)
        return [{field: getattr(row, field) for field in LISTED} for row in newest]

    def replay(self, game: str, name: str | None) -> dict[str, Any] | None:
        try:
            with _later_if_away():
                header, lines, end = self._archive.record(game)
        except NoSuchGame:
            return None
        except Damaged as wrong:
            log_damage(wrong)
            raise ProtocolError("damaged") from None
        if end is None or (name is not None and name not in header["names"]):
            return None
        return {"header": header, "journal": list(map(without_by, lines)), "end": end}
