"""Positions for the tests of Balloon Cup, taken from its scenarios."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.engine.balloon_cup.state import State
from parlour.engine.scenario import Scenario

FOLDER = Path(__file__).parents[2] / "scenarios" / "balloon-cup"


@pytest.fixture
def game() -> BalloonCup:
    return BalloonCup()


@pytest.fixture
def at(game: BalloonCup) -> Callable[..., State]:
    """The position in which a scenario begins, with some fields or options changed."""

    def read(name: str, options: dict[str, Any] | None = None, **change: Any) -> State:
        case = Scenario.load(FOLDER / f"{name}.json")
        assert case.position is not None
        chosen = game.read_options({**case.options, **(options or {})}, 2)
        return game.from_position({**case.position, **change}, 2, chosen)

    return read
