"""Standings, crosstable and ratings as messages. They take long to work out, and the last ones are kept."""

from collections.abc import Mapping

import attrs

from parlour.protocol import messages as m
from parlour.protocol.codec import write_part
from parlour.protocol.frame import Frame
from parlour.protocol.parts import entries, map_header
from parlour.server.tournament import scores
from parlour.server.tournament.history import History, Name, Pace, at_once
from parlour.server.tournament.means import Mean
from parlour.server.tournament.ratings import Rating, after
from parlour.server.tournament.state import Tournament


@attrs.frozen
class Scores:
    """Standings, crosstable and ratings of one moment."""

    standings: tuple[m.Standing, ...]
    crosstable: tuple[m.Cross, ...]
    ratings: tuple[m.Rating, ...]
    packed: bytes
    """All three as entries of a message."""

    def frame(self, id: str, seq: int) -> Frame:
        """The message that watchers get; the long part of it is packed already."""
        head = {"type": m.TournamentStandings.WORD, "tournament": id, "seq": seq}
        return Frame((map_header(len(head) + 3), entries(head), self.packed))


@attrs.define(repr=False)
class LastScores:
    """Those that were worked out last, by tournament, with the state that they belong to."""

    _by_id: dict[str, tuple[Tournament, Scores]] = attrs.field(factory=dict)

    def get(self, id: str, state: Tournament) -> Scores | None:
        """Those of just this state, if they are known."""
        of, scores = self._by_id.get(id, (None, None))
        return scores if of is state else None

    def keep(self, id: str, state: Tournament, scores: Scores) -> None:
        self._by_id[id] = state, scores

    def forget(self, id: str) -> None:
        self._by_id.pop(id, None)


def work_out(state: Tournament, before: Mapping[Name, Rating], pace: Pace = at_once) -> Scores:
    """A pure function, so that it may be called in another thread."""
    found = standings(state, pace), crosstable(state.history, pace), ratings(state, before)
    names = "standings", "crosstable", "ratings"
    packed = {name: write_part(part) for name, part in zip(names, found, strict=True)}
    return Scores(*found, entries(packed))


def standings(state: Tournament, pace: Pace = at_once) -> tuple[m.Standing, ...]:
    return tuple(
        m.Standing(
            rank=line.rank,
            name=line.name,
            points=line.points,
            games=line.games,
            wins=line.wins,
            byes=line.byes,
            tie_breaks=dict(line.tie_breaks),
            share=_mean(line.share),
            adjusted=_mean(line.adjusted),
            strikes=line.strikes,
            gone=line.gone,
        )
        for line in scores.standings(state.history, list(state.entrants.values()), state.rules, pace)
    )


def _mean(of: Mean) -> m.Mean:
    return m.Mean(of.count, of.mean, of.error, of.low, of.high)


def crosstable(history: History, pace: Pace = at_once) -> tuple[m.Cross, ...]:
    return tuple(
        m.Cross(one, other, cell.games, cell.points)
        for one, row in scores.crosstable(history, pace).items()
        for other, cell in row.items()
    )


def ratings(state: Tournament, before: Mapping[Name, Rating]) -> tuple[m.Rating, ...]:
    """The ratings of all who take part, with the games of this tournament unless they count already."""
    found = before if state.phase in ("finished", "cancelled") else after(before, state.history.results)
    rated = [(name, found.get(name, Rating())) for name in sorted(state.entrants)]
    return tuple(m.Rating(name, one.mean, one.error, one.low, one.high, one.games) for name, one in rated)
