"""The legal actions of Butterflies against a plain listing that tries every card on every cell."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.butterflies.state import State
from parlour.engine.chance import Seeded
from parlour.engine.maps import tagged
from parlour.engine.secret import Seat

Cell = tuple[int, int]
Cards = dict[Cell, str]
Position = dict[str, Any]
Grown = Callable[..., Position]
TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {}),
    (4, {}),
    (4, {"teams": "on"}),
    (2, {"declare": "auto"}),
    (4, {"teams": "on", "declare": "auto"}),
]
at_every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)


def beside(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def hang_together(cells: set[Cell]) -> bool:
    """A flood fill."""
    todo = [min(cells)]
    reached = set(todo)
    while todo:
        for cell in beside(todo.pop()):
            if cell in cells and cell not in reached:
                reached.add(cell)
                todo.append(cell)
    return reached == cells


def has_row(grid: list[dict[str, Any]], word: str) -> bool:
    alike = {
        tuple(lying["at"]) for lying in grid if word in lying["card"].split("-") and lying["token"] != "web"
    }
    return any(
        all((x + dx * far, y + dy * far) in alike for far in range(4))
        for x, y in alike
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def listed(position: Position, options: dict[str, Any], seat: int) -> Iterator[dict[str, Any]]:
    """Every action that the rules allow, found by trying."""
    if position["to_act"] != [seat]:
        return
    cells: set[Cell] = {tuple(lying["at"]) for lying in position["grid"]}
    window = {near for cell in cells for near in beside(cell)} - cells or {(0, 0)}
    team = [seat, (seat + 2) % 4] if options.get("teams") == "on" else [seat]
    manual = options.get("declare") != "auto"
    mine = [{"goal": goal, "seat": owner} for owner in team for goal in ("colour", "species")]
    declare = [None, *mine] if manual else [None]
    if position["phase"] == "place":
        yield from (
            {"type": "place", "at": list(cell), "declare": called} for cell in window for called in declare
        )
        return
    for card in set(position["hands"][seat]):
        for cell in window:
            yield from ({"type": "play", "card": card, "at": list(cell), "declare": call} for call in declare)
    if position["deck"]:
        yield {"type": "turn"}
    for called in mine if manual else ():
        word = position["goals"][called["seat"]][called["goal"]]
        if called["goal"] not in position["shown"][called["seat"]] or has_row(position["grid"], word):
            yield {"type": "declare", **called}
    if min(position["played"]) < 3:
        return
    last = position["last"]
    for lying in position["grid"]:
        from_ = tuple(lying["at"])
        if last and tuple(last["at"]) == from_:
            if lying["token"] is None:
                yield from ({"type": token} for token in position["tokens"][seat])
            if last["how"] == "laid":
                continue
        if lying["token"] is not None:
            continue
        others = cells - {from_}
        for to in {near for cell in others for near in beside(cell)} - cells:
            if hang_together(others | {to}):
                for called in declare:
                    yield {"type": "move", "from": list(from_), "to": list(to), "declare": called}


def check(game: Butterflies, state: State, options: dict[str, Any]) -> int:
    position = json.loads(json.dumps(game.position(state)))
    count = 0
    for seat in range(len(state.hands)):
        wanted = sorted(json.dumps(action, sort_keys=True) for action in listed(position, options, seat))
        choices = game.legal(state, Seat(seat))
        found = sorted(json.dumps(tagged(action), sort_keys=True) for action in choices)
        assert found == wanted
        assert choices.count == len(wanted)
        assert [choices[place] for place in range(choices.count)] == list(choices)
        count += len(wanted)
    return count


@at_every_table
def test_the_patterns_of_random_play_are_a_plain_listing(
    game: Butterflies, seats: int, options: dict[str, Any]
) -> None:
    chosen = game.read_options(options, seats)
    for seed in range(3):
        rng = random.Random(seed)
        chance = Seeded(rng.randbytes(32))
        state = game.setup(seats, chosen, chance).state
        number = 0
        while state.turn is not None:
            if number % 12 == 0:
                check(game, state, options)
            choices = game.legal(state, Seat(state.turn))
            state = game.act(state, Seat(state.turn), choices[rng.randrange(choices.count)], chance).state
            number += 1
        check(game, state, options)


@at_every_table
@pytest.mark.parametrize("cards", [6, 9, 12, 18, 24, 30])
def test_the_patterns_of_grids_with_holes_and_branches_are_a_plain_listing(
    game: Butterflies, grown: Grown, seats: int, options: dict[str, Any], cards: int
) -> None:
    chosen = game.read_options(options, seats)
    for number in range(4):
        position = grown((cards, seats, number), seats, cards, spread=number / 3)
        check(game, game.from_position(position, seats, chosen), options)


def test_a_late_position_has_thousands_of_actions_in_some_dozens_of_patterns(
    game: Butterflies, grown: Grown
) -> None:
    options = {"teams": "on"}
    position = {**grown("late", 4, 30, spread=0.8), "turned": None, "phase": "act", "last": None}
    state = game.from_position(position, 4, game.read_options(options, 4))
    assert state.turn is not None
    choices = game.legal(state, Seat(state.turn))
    assert choices.count > 2_000
    assert len(choices.patterns) <= 36


def test_an_action_that_is_listed_nowhere_is_in_no_pattern(game: Butterflies, grown: Grown) -> None:
    for number in range(8):
        position = grown(("near misses", number), 2, 14, spread=0.6)
        state = game.from_position(position, 2, game.read_options({}, 2))
        assert state.turn is not None
        choices = game.legal(state, Seat(state.turn))
        allowed = {json.dumps(tagged(action), sort_keys=True) for action in choices}
        plain = json.loads(json.dumps(game.position(state)))
        for lying in plain["grid"]:
            for x in range(-6, 7):
                for y in range(-6, 7):
                    tried = {"type": "move", "from": lying["at"], "to": [x, y], "declare": None}
                    assert (game.read_action(tried) in choices) == (
                        json.dumps(tried, sort_keys=True) in allowed
                    )
