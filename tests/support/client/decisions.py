"""What a seat is asked in a state, as a bot is told it."""

from typing import Any

from parlour.client.decision import Decision
from parlour.engine.game import Game
from parlour.engine.maps import to_map
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import Seat, project


def decision_at(game: Game[Any, Any, Any], state: Any, seat: Seat, until: float | None = None) -> Decision:
    view = to_map(project(game.view(state), seat))
    deadline = game.deadline(state)
    assert deadline is not None
    return Decision(
        game=game.name,
        options=view["options"],
        seat=seat,
        view=view,
        legal=choices_to_map(game.legal(state, seat)),
        news=(),
        news_missed=False,
        phase=deadline.phase,
        scramble=deadline.scramble,
        turn=1,
        seq=1,
        until=until,
    )
