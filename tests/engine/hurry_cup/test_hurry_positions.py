"""Positions: what is left out, what follows from the rest, and what cannot be."""

from typing import Any

import pytest
from support.hurry_positions import GAME, driving, position, read, rolled, scramble

from parlour.engine.errors import BadPosition

STARS = [{"star": number in (3, 9)} for number in range(1, 37)]
THREE = {"cars": [1, 2, 3], "accelerator": 3, "dice": rolled([5, 2, 6])}
LANTERN = position("lantern", [0], cars=[1, 2, 3], round=2, lantern=0)
BOOST = position("boost", [0], cars=[1, 5, 3], round=2, bonuses=[["boost"], [], []])
SWAP = position("swap", [0], **THREE, pawns=["red", "yellow", "green"], bonuses=[["swap"], [], []])
LOOK = position("look", [1], **THREE, honks=[1, 0], looked=[1])
AFTER = driving([13, 2, 5], entered=[11, 12, 13], bonuses=[["oil"], [], []]) | {"phase": "after"}
SEALED = position("grab", [1, 2], **THREE, ranks=[["red", "green", "yellow"], None, None])
DRIVE = driving([10, 2, 5])


@pytest.mark.parametrize("plain", [LANTERN, BOOST, SWAP, LOOK, AFTER, DRIVE, scramble(), scramble("grab")])
def test_a_position_that_can_be_is_read_and_written_back(plain: dict[str, Any]) -> None:
    seats = len(plain["cars"])
    state = read(plain, seats)
    assert read(GAME.position(state), seats) == state
    assert GAME.awaited(state) == set(plain["to_act"])


def test_a_sealed_grab_is_read_and_written_back() -> None:
    state = read(SEALED, grab="sealed")
    assert read(GAME.position(state), grab="sealed") == state


def test_trumps_left_out_are_those_not_spent() -> None:
    written = GAME.position(read(DRIVE | {"spent": [["horn"], [], ["helmet", "nitro"]]}))
    assert written["trumps"] == [["helmet", "nitro"], ["helmet", "nitro", "horn"], ["horn"]]


def test_an_empty_tank_counts_as_the_token_of_the_round() -> None:
    assert GAME.position(read(DRIVE | {"tank_due": 2}))["token_used"] == [False, False, True]


def test_a_honk_and_a_helmet_count_as_the_token_of_the_round() -> None:
    assert GAME.position(read(LOOK))["token_used"] == [True, True, False]
    assert GAME.position(read(DRIVE | {"helmet": True}))["token_used"] == [True, False, False]


def test_fuel_and_speed_are_told_by_seat() -> None:
    told = GAME.position(read(DRIVE | {"tank_due": 2}))
    dice = [told["dice"][pawn] for pawn in told["pawns"][:2]]
    assert told["fuel"] == [*dice, 1]
    assert told["speeds"] == [10 * (fuel + told["accelerator"]) for fuel in told["fuel"]]
    helmet = GAME.position(read(DRIVE | {"helmet": True}))
    assert helmet["speeds"][0] == 10 * helmet["fuel"][0] and helmet["speeds"][1:2] == told["speeds"][1:2]


def test_nobody_learns_a_die_under_the_cup_from_fuel_or_speed() -> None:
    told = GAME.position(read(LOOK | {"pawns": ["red", None, None], "honks": [0, 1], "looked": [0, 1]}))
    assert (told["fuel"], told["speeds"]) == ([None] * 3, [None] * 3)


def test_a_detour_is_told_by_where_it_leaves_and_comes_back() -> None:
    turns = [{"turn": "left"} if number in (1, 4, 5) else {} for number in range(1, 37)]
    assert GAME.position(read(DRIVE | {"track": turns}))["detours"] == {"0": 2, "3": 6}


@pytest.mark.parametrize(
    ("plain", "change", "where"),
    [
        (DRIVE, {"detours": {"1": 3}}, "detours"),
        (DRIVE, {"fuel": [1, 1, 1]}, "fuel"),
        (DRIVE, {"speeds": [None, 20, 30]}, "speeds"),
        (DRIVE, {"cars": [10, 2]}, "cars"),
        (DRIVE, {"cars": [10, 2, 38]}, "cars.2"),
        (DRIVE, {"cars": [10, -1, 3]}, "cars.1"),
        (DRIVE, {"cars": [10, 2, 37], "finished": [1]}, "finished"),
        (DRIVE, {"finished": [2, 2]}, "finished"),
        (DRIVE, {"round": 0}, "round"),
        (DRIVE, {"race": 2}, "race"),
        (DRIVE, {"starter": 3}, "starter"),
        (DRIVE, {"wins": [1, 0, 0]}, "wins"),
        (DRIVE, {"points": [0, -1, 0]}, "points"),
        (DRIVE, {"trumps": [[], []]}, "trumps"),
        (DRIVE, {"spent": [["horn", "horn"], [], []]}, "spent.0"),
        (DRIVE, {"oil": 37}, "oil"),
        (DRIVE, {"oil": 3, "bonuses": [["oil"], [], []]}, "oil"),
        (DRIVE, {"gone": ["oil"], "oil": 3}, "oil"),
        (DRIVE, {"bonuses": [["swap"], ["swap"], []]}, "bonuses.1"),
        (DRIVE, {"gone": ["swap"], "bonuses": [["swap"], [], []]}, "gone"),
        (DRIVE, {"track": STARS, "hidden": {"03": "swap"}}, "hidden.03"),
        (DRIVE, {"track": STARS, "hidden": {"4": "swap"}}, "hidden.4"),
        (DRIVE, {"track": STARS, "hidden": {"x": "swap"}}, "hidden.x"),
        (DRIVE, {"track": STARS, "hidden": {"3": None}}, "hidden.3"),
        (DRIVE, {"track": STARS, "hidden": {"3": "swap", "9": "swap"}}, "hidden.9"),
        (DRIVE, {"track": STARS[:35]}, "track"),
        (DRIVE, {"track": [*STARS[:35], {"limit": 5}]}, "track.35.limit"),
        (DRIVE, {"tank_due": 1, "bonuses": [[], ["empty_tank"], []]}, "tank_due"),
        (DRIVE, {"tank_due": 3}, "tank_due"),
        (DRIVE, {"fresh": "swap", "bonuses": [["swap"], [], []]}, "fresh"),
        (DRIVE, {"accelerator": None}, "accelerator"),
        (DRIVE, {"accelerator": 7}, "accelerator"),
        (DRIVE, {"dice": rolled([1, 2])}, "dice"),
        (DRIVE, {"dice": rolled([1, 2, 3, 4])}, "dice"),
        (DRIVE, {"dice": rolled([1, 2, 0])}, "dice.green"),
        (DRIVE, {"pawns": ["red", "yellow", None]}, "pawns"),
        (DRIVE, {"pawns": ["red", "yellow", "blue"]}, "pawns.2"),
        (DRIVE, {"pawns": ["red", "green", "green"]}, "pawns.1"),
        (DRIVE, {"driven": [True, False, False]}, "to_act"),
        (DRIVE, {"to_act": []}, "to_act"),
        (DRIVE, {"to_act": [0, 1]}, "to_act"),
        (DRIVE, {"entered": [11]}, "entered"),
        (DRIVE, {"looked": [1]}, "looked"),
        (DRIVE, {"options": {}}, "options"),
        (DRIVE, {"weather": "fine"}, "weather"),
        (DRIVE, {"cars": [10, 37, 37], "finished": [1, 2]}, "finished"),
        (AFTER, {"entered": []}, "entered"),
        (AFTER, {"entered": [12, 11, 13]}, "entered"),
        (AFTER, {"entered": [11, 12]}, "entered"),
        (AFTER, {"helmet": True}, "helmet"),
        (LANTERN, {"lantern": None}, "lantern"),
        (LANTERN, {"lantern": 1}, "lantern"),
        (LANTERN, {"to_act": [1]}, "to_act"),
        (LANTERN, {"dice": rolled([1, 2, 3])}, "dice"),
        (LANTERN, {"honks": [1]}, "honks"),
        (LANTERN, {"driven": [True, False, False]}, "driven"),
        (LANTERN, {"pawns": ["red", None, None]}, "pawns.0"),
        (BOOST, {"cars": [4, 5, 3]}, "to_act"),
        (BOOST, {"bonuses": [[], [], []]}, "to_act"),
        (BOOST, {"token_used": [True, False, False]}, "to_act"),
        (SWAP, {"to_act": [1]}, "to_act"),
        (LOOK, {"looked": []}, "looked"),
        (LOOK, {"looked": [0]}, "looked"),
        (LOOK, {"to_act": [0]}, "to_act"),
        (LOOK, {"pawns": [None, "red", None]}, "pawns"),
        (scramble(), {"to_act": [1, 0]}, "to_act"),
        (scramble(), {"to_act": [0, 4]}, "to_act"),
        (scramble(), {"spent": [["horn"], [], [], []]}, "to_act"),
        (scramble(), {"looked": [1]}, "looked"),
        (scramble(), {"pawns": ["red", None, None, None]}, "pawns"),
        (scramble("grab"), {"to_act": [0, 1]}, "to_act"),
        (scramble("grab"), {"honks": [1]}, "pawns"),
        (SEALED, {}, "ranks.0"),
    ],
)
def test_a_position_that_cannot_be_is_refused_by_the_field_at_fault(
    plain: dict[str, Any], change: dict[str, Any], where: str
) -> None:
    with pytest.raises(BadPosition) as refused:
        read({**plain, **change}, len(plain["cars"]))
    assert refused.value.where == where


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"ranks": [["red", "green"], None, None]}, "ranks.0"),
        ({"ranks": [["red", "green", "blue"], None, None]}, "ranks.0"),
        ({"to_act": [0, 1, 2]}, "to_act"),
    ],
)
def test_a_sealed_ranking_that_cannot_be_is_refused(change: dict[str, Any], where: str) -> None:
    with pytest.raises(BadPosition) as refused:
        read({**SEALED, **change}, grab="sealed")
    assert refused.value.where == where
