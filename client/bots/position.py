"""What a built-in bot sees, in the words of the engine: a seat's view, what it may do, worlds that fit."""

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
class Sight:
    """A decision as the engine would put it. There is no way from here to what the seat may not know."""

    game: Game[Any, Any, Any]
    seat: Seat
    view: Any
    choices: Choices[Any]
    until: float | None
    """When time is up, on the clock of `time.monotonic`."""
    news: Sequence[Mapping[str, Any]] = ()
    """What has happened so far, as this seat was told."""

    @classmethod
    def of(cls, decision: Decision) -> "Sight":
        game = GAMES[decision.game]
        view: Any = from_map(game.view_class, decision.view)
        choices: Choices[Any] = choices_from_map(game.action_words, list(decision.legal))
        return cls(game, Seat(decision.seat), view, choices, decision.until, decision.news)

    def world(self, luck: Random) -> Any:
        """A whole state that this seat cannot tell from the real one."""
        return self.game.imagine(self.view, self.seat, fortune(luck))


def fortune(luck: Random) -> Seeded:
    """A source for the engine that follows from a bot's own luck."""
    return Seeded(luck.randbytes(SECRET_BYTES))


def written(action: Any) -> Action:
    """An action as it travels."""
    return tagged(action)
