"""What the laws take for alike is written with the same bytes, and what changes in secret is found out."""

from typing import Any

import pytest
from laws.leaks import viewers
from laws.playing import ALL_KINDS, Dice, TableKind, moments
from laws.writing import Kept, alike, written

from parlour.engine.choices import OneOf, Order
from parlour.engine.maps import StillHidden, to_map
from parlour.engine.secret import Secret, project


@pytest.mark.parametrize("kind", [kind for kind in ALL_KINDS if not kind.given], ids=str)
def test_views_are_alike_just_when_they_are_written_with_the_same_bytes(kind: TableKind) -> None:
    views = []
    for _ in range(2):
        for state, _, _ in moments(kind.start("writing"), Dice("writing")):
            views += [project(kind.game.view(state), viewer) for viewer in viewers(kind.seats)]
    bytes_of = [written(to_map(view)) for view in views]
    told = [
        (alike(one, other), bytes_of[first] == bytes_of[second])
        for first, one in enumerate(views)
        for second, other in enumerate(views)
        if first < second
    ]
    assert set(told) == {(True, True), (False, False)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((1, 2), (2, 1)),
        ((1, 2), (1, 2, 3)),
        ((1,), (True,)),
        ((0, ""), (None, "")),
        ({"red": 1, "blue": 2}, {"blue": 2, "red": 1}),
        ({"red": (1, {"x": 1})}, {"red": (1, {"x": 2})}),
        (OneOf(("red", "blue")), OneOf(("blue", "red"))),
        (OneOf(("red",)), Order(("red",))),
    ],
)
def test_order_kind_and_number_tell_things_apart(one: Any, other: Any) -> None:
    assert not alike(one, other)


def test_a_thing_of_another_make_matches_if_its_bytes_do() -> None:
    assert Kept((1, 2), to_map).matches([1, 2])
    assert not Kept((1, 2), to_map).matches([1, True])


def test_a_secret_cannot_be_kept_or_matched_without_being_projected() -> None:
    with pytest.raises(StillHidden):
        Kept((Secret("red-7"),), to_map)
    with pytest.raises(StillHidden):
        Kept(("red-7",), to_map).matches((Secret("red-7"),))


def test_a_thing_that_was_changed_in_place_is_found_out() -> None:
    bag = {"red": 1}
    kept = Kept((bag, 3), to_map)
    assert kept.is_as_it_was()
    bag["red"] = 2
    assert not kept.is_as_it_was()
