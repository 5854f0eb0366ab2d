"""What commands work on."""

import attrs

from parlour.server.limits import Limits
from parlour.server.lobby.bots import Bots
from parlour.server.storage.played_games import PlayedGames
from parlour.server.tables.registry import Tables
from parlour.server.tournament.live.registry import RunningTournaments

LATER = object()
"""The answer comes later, or has been given already."""


@attrs.frozen(repr=False)
class Context:
    """What commands work on: the parts of one server."""

    tables: Tables
    limits: Limits
    bots: Bots
    played_games: PlayedGames
    tournaments: RunningTournaments
