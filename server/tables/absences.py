"""How long nobody, or only the host, has been away from a table, and until when the table stays as it is."""

from collections.abc import Sequence

import attrs

from parlour.protocol.messages import Stage
from parlour.server.tables.seats import SeatedPlayer

HOST_AWAY = 60.0
"""Seconds that a host may be away before somebody else is the host."""
EMPTY_FOR: dict[Stage, float] = {"gathering": 600.0, "playing": 14_400.0, "finished": 600.0, "closed": 0.0}
"""Seconds that a table stays, by its stage, when nobody is connected any more."""


@attrs.frozen
class Absences:
    """Since when somebody is missed at a table; None: nobody is."""

    all_since: float | None = None
    """Since when nobody is connected but the server's own bots."""
    host_since: float | None = None
    """Since when the host has been away while a person is there who could be host."""

    def noted(self, players: Sequence[SeatedPlayer], host: str | None, now: float) -> "Absences":
        """The same after something has changed; `players` are those who have not got up."""
        here = [player for player in players if player.here]
        host_away = any(player.name == host and not player.here for player in players)
        all_since = host_since = None
        if not here:
            all_since = now if self.all_since is None else self.all_since
        elif host_away and not all(player.bot for player in here):
            host_since = now if self.host_since is None else self.host_since
        return NOBODY_AWAY if all_since is host_since is None else Absences(all_since, host_since)

    def host_passes_at(self) -> float | None:
        """When somebody else becomes the host."""
        return None if self.host_since is None else self.host_since + HOST_AWAY

    def given_up_at(self, stage: Stage) -> float | None:
        """When a table at this stage is closed."""
        return None if self.all_since is None else self.all_since + EMPTY_FOR[stage]


NOBODY_AWAY = Absences()
