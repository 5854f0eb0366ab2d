"""Positions for the tests of Butterflies: the beginnings of scenarios, and grids grown at random."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parlour.engine.butterflies.public import CARDS
from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.butterflies.state import State
from parlour.engine.scenario import Scenario

FOLDER = Path(__file__).parents[2] / "scenarios" / "butterflies"
GOALS = [
    {"colour": "red", "species": "monarch"},
    {"colour": "blue", "species": "morpho"},
    {"colour": "green", "species": "peacock"},
    {"colour": "yellow", "species": "swallowtail"},
]


@pytest.fixture
def game() -> Butterflies:
    return Butterflies()


@pytest.fixture
def at(game: Butterflies) -> Callable[..., State]:
    """The position in which a scenario begins, with some fields or options changed."""

    def read(name: str, options: dict[str, Any] | None = None, **change: Any) -> State:
        case = Scenario.load(FOLDER / f"{name}.json")
        assert case.position is not None
        chosen = game.read_options({**case.options, **(options or {})}, case.players)
        return game.from_position({**case.position, **change}, case.players, chosen)

    return read


def _neighbours(cell: tuple[int, int]) -> list[tuple[int, int]]:
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


@pytest.fixture
def grown() -> Callable[..., dict[str, Any]]:
    """A position whose grid grew card by card: `spread` 0 makes a heap, 1 a net of branches and holes."""

    def grow(seed: object, seats: int, cards: int, spread: float) -> dict[str, Any]:
        rng = random.Random(repr(seed))
        pack = [card for card in CARDS for _ in range(2)]
        rng.shuffle(pack)
        cells = [(0, 0)]
        while len(cells) < cards:
            free = sorted({cell for taken in cells for cell in _neighbours(taken)} - set(cells))
            free.sort(key=lambda cell: sum(beside in cells for beside in _neighbours(cell)))
            lonely = rng.random() < spread
            cells.append(rng.choice(free[: len(free) // 3 + 1] if lonely else free[len(free) // 2 :]))
        grid: list[dict[str, Any]] = [{"at": list(cell), "card": pack.pop()} for cell in cells]
        tokens = [["net", "web"] for _ in range(seats)]
        for seat, place in enumerate(rng.sample(range(cards - 1), seats)):
            if rng.random() < 0.5:
                grid[place]["token"] = tokens[seat].pop(rng.randrange(2))
        seat = rng.randrange(seats)
        how = rng.choice(["laid", "moved", None])
        last = {"at": grid[-1]["at"], "by": (seat - 1) % seats, "how": how} if how else None
        hands = [[pack.pop() for _ in range(2) if pack] for _ in range(seats)]
        if rng.random() < 0.3:
            hands[seat] = []
        turned = rng.random() < 0.2 and pack
        shown = [rng.sample(["colour", "species"], rng.randrange(3)) for _ in range(seats)]
        return {
            "grid": grid,
            "hands": hands,
            "goals": GOALS[:seats],
            "shown": shown,
            "tokens": tokens,
            "played": [cards // seats + (other < cards % seats) for other in range(seats)],
            "last": last,
            "turned": pack.pop() if turned else None,
            "deck": pack,
            "phase": "place" if turned else "act",
            "to_act": [seat],
        }

    return grow
