"""A position as a built-in bot gets it, in classes of the engine: a view, choices, and worlds that fit."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import attrs

from parlour.client.decision import Decision
from parlour.client.legal import Action
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import SECRET_BYTES, Seeded
from parlour.engine.choices import Choices
from parlour.engine.game import Game
from parlour.engine.maps import from_map, tagged
from parlour.engine.patterns import choices_from_map
from parlour.engine.secret import Seat


@attrs.frozen
class Position:
    """A decision in the engine's classes. Nothing leads from it to what the seat may not know."""

    game: Game[Any, Any, Any]
    seat: Seat
    view: Any
    choices: Choices[Any]
    until: float | None
    """When time is up, on the clock of `time.monotonic`."""
    news: Sequence[Mapping[str, Any]] = ()
    """What has happened so far, as this seat was told."""

    @classmethod
    def of(cls, decision: Decision) -> "Position":
        game = GAMES[decision.game]
        view: Any = from_map(game.view_class, decision.view)
        choices: Choices[Any] = choices_from_map(game.action_words, list(decision.legal))
        return cls(game, Seat(decision.seat), view, choices, decision.until, decision.news)

    def world(self, luck: Random) -> Any:
        """A whole state that this seat cannot tell from the real one."""
        return self.game.imagine(self.view, self.seat, seeded_by(luck))


def seeded_by(luck: Random) -> Seeded:
    """A source of luck for the engine that follows from the luck of a bot."""
    return Seeded(luck.randbytes(SECRET_BYTES))


def action_to_map(action: Any) -> Action:
    """An action as it is sent."""
    return tagged(action)
