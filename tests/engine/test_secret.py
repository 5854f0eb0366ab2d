"""Face-down values: who sees them, and that they cannot leave unprojected."""

import json
from typing import Any

import attrs
import pytest

from parlour.engine.maps import StillHidden, to_map
from parlour.engine.secret import ALL, Pile, Seat, Secret, only, project


@attrs.frozen
class Goal:
    colour: Secret[str] | str | None
    seat: int


@attrs.frozen
class Table:
    hands: tuple[Pile[str] | tuple[str, ...] | int, ...]
    goals: tuple[Goal, ...]
    dice: dict[str, Secret[int] | int | None]
    round: int = 1


TABLE = Table(
    (Pile(("a", "b"), only(0)), Pile(("c",), only(1))),
    (Goal(Secret("red", only(0, 2)), 0), Goal(Secret("blue"), 1)),
    {"red": Secret(5, only(1)), "blue": Secret(2, only(1))},
)


@pytest.mark.parametrize(
    ("viewer", "hands", "colours", "dice"),
    [
        (Seat(0), (("a", "b"), 1), ["red", None], {"red": None, "blue": None}),
        (Seat(1), (2, ("c",)), [None, None], {"red": 5, "blue": 2}),
        (Seat(2), (2, 1), ["red", None], {"red": None, "blue": None}),
        (None, (2, 1), [None, None], {"red": None, "blue": None}),
        (ALL, (("a", "b"), ("c",)), ["red", "blue"], {"red": 5, "blue": 2}),
    ],
)
def test_everybody_sees_what_is_meant_for_him(viewer: Any, hands: Any, colours: Any, dice: Any) -> None:
    seen = project(TABLE, viewer)
    assert seen.hands == hands
    assert [goal.colour for goal in seen.goals] == colours
    assert seen.dice == dice
    assert json.dumps(to_map(seen)["hands"]) == json.dumps(hands)


def test_what_was_not_projected_cannot_be_written_down() -> None:
    for thing in (TABLE, TABLE.hands[0], TABLE.goals[0], Secret(3)):
        with pytest.raises(StillHidden):
            to_map(thing)


def test_a_secret_keeps_its_audience_in_other_words_and_can_be_shown_to_more() -> None:
    secret = Secret(3, only(1))
    assert secret.apply(str) == Secret("3", only(1))
    pile = Secret((1, 2), only(1)).pile(lambda cards: tuple(map(str, cards)))
    assert project(pile, Seat(1)) == ("1", "2")
    assert project(pile, Seat(0)) == 2
    assert project(secret.shown_to(only(0)), Seat(0)) == 3
    assert project(secret, Seat(0)) is None


def test_a_secret_inside_a_secret_stays_hidden() -> None:
    nested = Secret((Secret("deep"), "shallow"), only(0))
    assert project(nested, Seat(0)) == (None, "shallow")
    assert project(nested, Seat(1)) is None
