"""The players on their seats, and the settings of a table."""

from typing import Any

import attrs

from parlour.engine.game import Game
from parlour.protocol.messages import Chair, Clocks, Watching
from parlour.server.tournament.rules import Failures


@attrs.define
class SeatedPlayer:
    """A player on a seat. Field names are stored (stored_maps.table_map)."""

    name: str
    bot: bool
    here: bool = True
    ready: bool = False
    stand_in: bool = False
    left: bool = False
    """Has resigned or forfeited this game, and may still sit there."""
    gone: bool = False
    """Has got up; the name stays on the seat until the next game gathers."""
    built_in: bool = False
    """A bot that the server started itself."""
    strategy: str | None = None
    """How such a bot plays."""
    nonce: str | None = None
    round_trip: float = 0.0
    turn: int = 0
    """The number of the last question to this seat."""
    asked: str | None = None
    """The key of that question."""
    faults: dict[str, int] = attrs.field(factory=dict)
    """In a tournament: how often this player failed in this game, by `FailureKind`."""
    moves: int = 0
    thought: float = 0.0
    """Seconds for all moves, without the way to and from the server."""
    away_since: float | None = None
    """When the connection was lost."""
    substitute: str | None = None
    """The built-in bot that plays this seat until its player is back."""
    substitute_strategy: str | None = None
    """How that bot plays."""

    @property
    def played_by_bot(self) -> bool:
        return self.bot or self.substitute is not None

    def chair(self) -> Chair:
        left = self.left or self.gone
        return Chair(
            name=self.name,
            bot=self.bot,
            here=self.here,
            ready=self.ready,
            stand_in=self.stand_in,
            left=left,
            nonce=self.nonce,
            away_since=self.away_since,
            substitute=self.substitute,
            strategy=self.strategy,
        )

    def count_failure(self, kind: str) -> None:
        self.faults = {**self.faults, kind: self.faults.get(kind, 0) + 1}

    def reset(self) -> None:
        """Prepares for the next game. The nonce goes: it is older than the commitment to the next secret.

        Questions are counted on: an answer of this game that comes again is stale in the next one.
        """
        self.ready = self.bot
        self.stand_in, self.left, self.nonce = False, False, None
        self.asked = None
        self.moves, self.thought = 0, 0.0


@attrs.frozen
class Terms:
    """Whose tournament a table's game belongs to, and what its rules say about failures."""

    tournament: str
    failures: Failures


@attrs.frozen
class Settings:
    """How a table was made."""

    game: Game[Any, Any, Any]
    seats: int
    options: Any
    public: bool
    bots: bool
    watching: Watching
    clocks: Clocks
    reaction: float
    hints: bool = True
    """Whether players may ask a strategy what it would play."""
    practice: bool = False
    """Whether no clock runs, and in a scramble bots wait until people have acted."""
    terms: Terms | None = None
    """Only at tables of a tournament. Nothing is revealed there at the end: others play the same deal."""
