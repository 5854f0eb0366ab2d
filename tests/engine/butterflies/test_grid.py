"""The grid of Butterflies: what it keeps up to date, step by step, is what a look at all cards gives."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from parlour.engine.butterflies.cells import AT, FARTHEST, cell_at, cell_of
from parlour.engine.butterflies.grid import Grid
from parlour.engine.butterflies.rows import rows_in
from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.chance import Seeded
from parlour.engine.secret import Seat


def told_apart(grid: Grid) -> dict[str, Any]:
    """All that a grid keeps, whatever numbers its cards have."""

    def cells(cards: int) -> set[int]:
        return {cell for number, cell in enumerate(grid.where) if cards >> number & 1}

    return {
        "cards": grid.cards,
        "near": {cell: cells(grid.near[number]) for number, cell in enumerate(grid.where)},
        "lone": {cell: grid.where[number] for cell, number in grid.lone.items()},
        "joints": {cell: cells(cards) for cell, cards in grid.joints.items()},
        "marks": set(grid.marks),
        "rows": grid.rows,
    }


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_grid_that_changed_step_by_step_is_the_grid_made_at_once(game: Butterflies, seats: int) -> None:
    rows = set()
    for seed in range(8):
        rng = random.Random(seed)
        chance = Seeded(rng.randbytes(32))
        state = game.setup(seats, game.read_options({}, seats), chance).state
        while state.turn is not None:
            again = Grid.of(state.grid.cards)
            assert told_apart(state.grid) == told_apart(again)
            assert (state.grid, hash(state.grid)) == (again, hash(again))
            assert state.grid.rows == rows_in(state.grid.cards)
            rows.add(state.grid.rows)
            choices = game.legal(state, Seat(state.turn))
            state = game.act(state, Seat(state.turn), choices[rng.randrange(choices.count)], chance).state
    assert len(rows) > 2, "rows came and went"


@pytest.mark.parametrize(
    "at", [(0, 0), (-1, 0), (0, -1), (-7, 9), (FARTHEST, -FARTHEST), (-FARTHEST, FARTHEST)]
)
def test_cells_and_coordinates_are_the_same_thing(at: tuple[int, int]) -> None:
    assert AT[cell_of(at)] == at
    assert cell_at(at) == cell_of(at)


@pytest.mark.parametrize("at", [(FARTHEST + 1, 0), (0, -FARTHEST - 1), (1 << 20, -1), (10**30, 0)])
def test_what_nobody_can_reach_is_no_cell(at: tuple[int, int]) -> None:
    assert cell_at(at) is None


def test_cells_sort_by_row_and_then_by_column() -> None:
    places = [(x, y) for y in range(-3, 4) for x in range(-3, 4)]
    assert sorted(places, key=cell_of) == places


def test_a_game_that_wanders_off_goes_on(game: Butterflies, at: Callable[..., Any]) -> None:
    far = -3_000
    grid = [{"at": [far + x, far], "card": card} for x, card in enumerate(["monarch-red", "peacock-blue"])]
    state = at("over-by-a-goal", grid=grid, played=[1, 1], shown=[[], []], to_act=[0])
    choices = game.legal(state, Seat(0))
    assert choices.count == 2 * 6 * 3 + 1 + 2
    assert min(move.at for move in choices if hasattr(move, "at")) == (far - 1, far)
