"""Who sits on a seat, and how a table was made."""

from typing import Any

import attrs

from parlour.engine.game import Game
from parlour.protocol.messages import Chair, Clocks, Watching


@attrs.define
class Sitter:
    """Somebody on a seat."""

    name: str
    bot: bool
    here: bool = True
    ready: bool = False
    stand_in: bool = False
    left: bool = False
    nonce: str | None = None
    round_trip: float = 0.0
    turn: int = 0
    """Numbers the questions to this seat."""
    asked: str | None = None
    """The key of the question that was put last."""

    def chair(self) -> Chair:
        return Chair(self.name, self.bot, self.here, self.ready, self.stand_in, self.left, self.nonce)


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
