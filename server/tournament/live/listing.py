"""Which tournaments there are: those that are in memory, and what is listed of all."""

import attrs

from parlour.protocol import messages as m
from parlour.protocol.errors import ProtocolError
from parlour.protocol.numbers import number_in
from parlour.server.tournament import lifecycle
from parlour.server.tournament.live.running import RunningTournament

LISTED = 50
"""How many tournaments that are over are listed; all others always are."""
REMEMBERED = 8
"""How many tournaments that are over stay in memory: others are read from the archive again."""


@attrs.define(repr=False)
class Listing:
    """Every tournament by its id."""

    open: dict[str, RunningTournament] = attrs.field(factory=dict)
    """Those in memory."""
    infos: dict[str, m.TournamentInfo] = attrs.field(factory=dict)
    """What is listed of all, in the order in which they were made."""

    def find(self, id: str) -> RunningTournament:
        """Finds one for a command that changes it; raises `no_such_tournament` or `against_rules`."""
        info = self.info(id)
        tournament = self.open.get(info.tournament)
        if tournament is None and info.phase in lifecycle.OVER:
            raise ProtocolError("against_rules", why="not_now", phase=info.phase)
        if tournament is None:
            raise ProtocolError("no_such_tournament")
        return tournament

    def has(self, id: str) -> bool:
        """Whether one is known that is here, or over; any other is another node's, or was."""
        info = self.infos.get(id)
        return info is not None and (id in self.open or info.phase in lifecycle.OVER)

    def info(self, id: str) -> m.TournamentInfo:
        """What is listed of one; raises `no_such_tournament`."""
        info = self.infos.get(id.upper())
        if info is None:
            raise ProtocolError("no_such_tournament")
        return info

    def running(self) -> list[RunningTournament]:
        return [tournament for tournament in self.open.values() if not tournament.over]

    def newest(self) -> list[m.TournamentInfo]:
        """Lists all that are not over, then the last that are; of both the newest first."""
        newest = list(reversed(self.infos.values()))
        over = [info for info in newest if info.phase in lifecycle.OVER]
        return [*(info for info in newest if info.phase not in lifecycle.OVER), *over[:LISTED]]

    def shows(self, game: str) -> bool | None:
        """Whether everybody may see a game, as when its round is over; None: no tournament's game."""
        id, _, rest = game.partition("-")
        if id not in self.infos or not rest:
            return None
        info, tournament = self.infos[id], self.open.get(id)
        round_ = number_in(rest.partition("-")[0])
        if tournament is not None:
            over = len(tournament.state.revealed)
        else:  # all rounds of one that has finished are over; another node's may be in the middle of the last
            over = info.round - (info.phase not in lifecycle.OVER)
        return info.phase == "cancelled" or (round_ is not None and round_ <= over)

    def forget_old(self, durable: bool) -> list[str]:
        """Forgets tournaments that are over, but for the last ones; `durable`: the archive has them."""
        over = [id for id, tournament in self.open.items() if tournament.over]
        forgotten = over[: -REMEMBERED if durable else -LISTED]
        for id in forgotten:
            del self.open[id]
            if not durable:
                del self.infos[id]
        return forgotten
