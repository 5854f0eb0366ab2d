"""What is stored of tournaments: their logs, the states that follow from these, and ratings."""

import contextlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import attrs

from parlour.engine.errors import Malformed
from parlour.protocol.errors import ProtocolError
from parlour.server.background import gently
from parlour.server.tournament import events, lifecycle
from parlour.server.tournament.history import Name
from parlour.server.tournament.ratings import Rating, from_maps
from parlour.server.tournament.state import NotAllowed, Tournament

LINES = 50
"""Lines of a log that are read at a time: half a millisecond."""
Plain = dict[str, Any]
log = logging.getLogger("parlour.tournament")


@attrs.frozen
class LogLine:
    """A line of the log of a tournament, and when it was written, in milliseconds since 1970."""

    at: int
    line: str
    public: bool


class Source(Protocol):
    """An archive as tournaments are read from it."""

    def tournaments(self) -> Mapping[str, Plain]: ...

    def tournament(self, id: str) -> Plain | None: ...

    def happenings(self, tournament: str, after: int = 0, most: int | None = None) -> Sequence[Plain]: ...

    def ratings(self, game: str) -> Mapping[str, Plain]: ...


class NoSource:
    """For a server without an archive: tournaments that are over stay in memory."""

    def tournaments(self) -> Mapping[str, Plain]:
        return {}

    def tournament(self, id: str) -> Plain | None:  # noqa: ARG002
        return None

    def happenings(
        self,
        tournament: str,  # noqa: ARG002
        after: int = 0,  # noqa: ARG002
        most: int | None = None,  # noqa: ARG002
    ) -> Sequence[Plain]:
        return []

    def ratings(self, game: str) -> Mapping[str, Plain]:  # noqa: ARG002
        return {}


@attrs.define(repr=False)
class StoredTournaments:
    """Reads tournaments, and keeps in memory the ratings that they change."""

    source: Source = attrs.field(factory=NoSource)
    _ratings: dict[str, dict[Name, Rating]] = attrs.field(factory=dict)

    def read(self, id: str) -> tuple[Tournament, list[LogLine], int]:
        """Reads a tournament: its state, its log, and when somebody was last active.

        Raises `no_such_tournament` if this build does not understand it.
        """
        lines = []
        active_at = 0
        with _understanding(id):
            for plain in self.source.happenings(id):
                event = events.read_line(plain["line"])
                lines.append(LogLine(plain["at"], plain["line"], not isinstance(event, events.PRIVATE)))
                active_at = plain["at"] if events.is_activity(event) else active_at
            state = lifecycle.recovered(line.line for line in lines)
        return state, lines, active_at

    def read_slowly(self, id: str) -> Tournament:
        """Reads the state of one in a thread, a little at a time; raises `no_such_tournament` as well."""

        def lines(after: int = 0) -> Iterator[str]:
            while page := self.source.happenings(id, after, LINES):
                yield from (plain["line"] for plain in page)
                after += LINES

        with _understanding(id):
            return lifecycle.recovered(gently(lines()))

    def read_log(self, id: str, after: int, most: int) -> list[LogLine]:
        """Reads some lines of a log, in any thread, a little at a time."""
        found: list[LogLine] = []
        for start in gently(range(after, after + most, LINES)):
            for plain in self.source.happenings(id, start, min(LINES, after + most - start)):
                public = not events.is_private(plain["line"])
                found.append(LogLine(plain["at"], plain["line"], public))
        return found

    def ratings(self, game: str) -> dict[Name, Rating]:
        """By name; all tournaments of that game on this server share the map."""
        if game not in self._ratings:
            self._ratings[game] = self.read_ratings(game)
        return self._ratings[game]

    def read_ratings(self, game: str) -> dict[Name, Rating]:
        """Reads ratings as they are in the archive now, in any thread: other nodes may have changed them."""
        return from_maps(self.source.ratings(game))

    def ratings_of(self, state: Tournament) -> dict[Name, Rating]:
        """The ratings of all who take part."""
        ratings = self.ratings(state.rules.game)
        return {name: ratings[name] for name in state.entrants if name in ratings}


@contextlib.contextmanager
def _understanding(id: str) -> Iterator[None]:
    try:
        yield
    except (Malformed, NotAllowed) as wrong:
        log.error("tournament=%s cannot be read, and is left as it is: %s", id, wrong)
        raise ProtocolError("no_such_tournament") from wrong
