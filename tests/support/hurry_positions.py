"""Small makers of positions for the tests of Hurry' Cup."""

from typing import Any

from parlour.engine.chance import Chance, Scripted, Seeded
from parlour.engine.hurry_cup.public import PAWNS
from parlour.engine.hurry_cup.rules import HurryCup
from parlour.engine.hurry_cup.state import State
from parlour.engine.secret import Seat

GAME = HurryCup()
ALL_SPENT = ["helmet", "nitro", "horn"]
SEEDED = Seeded(bytes(32))


def position(phase: str, to_act: list[int], **fields: Any) -> dict[str, Any]:
    return {"phase": phase, "to_act": to_act, **fields}


def read(plain: dict[str, Any], seats: int = 3, **options: Any) -> State:
    return GAME.from_position(plain, seats, GAME.read_options(options, seats))


def rolled(values: list[int]) -> dict[str, int]:
    return dict(zip(PAWNS, values, strict=False))


def driving(cars: list[int], **fields: Any) -> dict[str, Any]:
    """Seat 0 is to drive with 3 of fuel and no trumps, unless the fields say otherwise."""
    seats = len(cars)
    usual: dict[str, Any] = {
        "cars": cars,
        "spent": [ALL_SPENT] * seats,
        "accelerator": 1,
        "dice": rolled([3] * seats),
        "pawns": list(PAWNS[:seats]),
    }
    return position("drive", [0], **{**usual, **fields})


def scramble(phase: str = "horn", **fields: Any) -> dict[str, Any]:
    """Four drivers over dice of 5, 2, 6 and 1."""
    usual: dict[str, Any] = {"cars": [1, 2, 3, 4], "accelerator": 3, "dice": rolled([5, 2, 6, 1])}
    return position(phase, [0, 1, 2, 3], **{**usual, **fields})


def after(state: State, *moves: tuple[int, Any], chance: Chance | None = None) -> State:
    """The state after these seats did these actions."""
    for seat, action in moves:
        state = GAME.act(state, Seat(seat), action, chance or Scripted(())).state
    return state
