"""A tournament that a client follows: a snapshot, and the events after it. No I/O."""

from collections.abc import Mapping
from typing import Any

import attrs

from parlour.protocol import messages as m
from parlour.protocol.codec import read_part

News = (
    m.TournamentChanged | m.TournamentEntrant | m.TournamentRound | m.TournamentResult | m.TournamentStandings
)
NEWS: tuple[type[Any], ...] = News.__args__
Spot = tuple[int, int, int]
"""A round, a table and a game."""


@attrs.define
class Followed:
    """What is known of a tournament; `seq` is the number of the last event that is in it."""

    id: str
    seq: int
    info: m.TournamentInfo
    rules: Mapping[str, Any]
    entrants: dict[str, m.Entrant]
    rounds: dict[int, m.Round]
    results: dict[Spot, m.GameResult]
    standings: tuple[m.Standing, ...]
    crosstable: dict[tuple[str, str], m.Cross]
    ratings: dict[str, m.Rating]
    asking: bool = False
    """An event was missed, and a new snapshot is on its way."""

    @classmethod
    def of(cls, plain: Any) -> "Followed":
        """Reads a snapshot as the server sent it; raises ProtocolError."""
        snapshot = read_part(plain, m.Picture)
        return cls(
            snapshot.info.tournament,
            snapshot.seq,
            snapshot.info,
            snapshot.rules,
            {each.name: each for each in snapshot.entrants},
            {each.round: each for each in snapshot.rounds},
            {(each.round, each.table, each.game): each for each in snapshot.results},
            snapshot.standings,
            _cells(snapshot.crosstable),
            {each.name: each for each in snapshot.ratings},
        )

    def take(self, news: News) -> bool:
        """Takes an event in if it is the next one; False: some were missed, or it is an old one."""
        if news.seq != self.seq + 1:
            return False
        self.seq = news.seq
        match news:
            case m.TournamentChanged(info=info):
                begins = (self.info.phase, info.phase) == ("check_in", "running")
                self.info = info
                if begins:  # without whoever has not checked in by then
                    self.entrants = {name: one for name, one in self.entrants.items() if one.checked_in}
                if info.phase == "registration":
                    self._reset_check_in()
            case m.TournamentEntrant(entrant=entrant, withdrawn=withdrawn):
                self._entrant(entrant, withdrawn)
            case m.TournamentRound(round=round_):
                self.rounds[round_.round] = round_
            case m.TournamentResult(result=result):
                self.results[result.round, result.table, result.game] = result
            case m.TournamentStandings():
                self.standings = news.standings
                self.crosstable = _cells(news.crosstable)
                self.ratings = {each.name: each for each in news.ratings}
        return True

    def _reset_check_in(self) -> None:
        """Check-in ended with too few: next time all must check in again."""
        for name, entrant in self.entrants.items():
            self.entrants[name] = attrs.evolve(entrant, checked_in=False, nonce=None)

    def _entrant(self, entrant: m.Entrant, withdrawn: bool) -> None:
        if withdrawn:
            self.entrants.pop(entrant.name, None)
        else:
            self.entrants[entrant.name] = entrant
        here = [each for each in self.entrants.values() if not each.gone]
        there = sum(each.checked_in for each in here)
        self.info = attrs.evolve(self.info, entrants=len(here), checked_in=there)

    @property
    def round(self) -> m.Round | None:
        """The one that was paired last."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    @property
    def over(self) -> bool:
        return self.info.phase in ("finished", "cancelled")


def _cells(crosses: tuple[m.Cross, ...]) -> dict[tuple[str, str], m.Cross]:
    return {(cross.one, cross.other): cross for cross in crosses}
