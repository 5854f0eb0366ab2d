"""What is hidden: dice under the cup, bonuses under the stars, sealed rankings."""

from typing import Any

import pytest
from support.hurry_positions import GAME, after, position, read, rolled, scramble

from parlour.engine.chance import Scripted, Seeded
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.state import State
from parlour.engine.maps import to_map
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import Seat, project

NOBODY_KNOWS = dict.fromkeys(p.PAWNS[:4])
EYES = [Seat(0), Seat(1), Seat(2), Seat(3), None]


def seen(state: State, viewer: Seat | None) -> Any:
    return to_map(project(GAME.view(state), viewer))


def mid_look() -> State:
    """Seat 2 has looked and taken red; seat 0 is looking."""
    honks = [(2, p.Honk("horn")), (0, p.Honk("horn")), (1, p.Quiet()), (3, p.Quiet())]
    return after(read(scramble(), 4), *honks, (2, p.Grab("red")))


def test_only_honkers_see_the_dice_and_only_from_their_look_on() -> None:
    state = mid_look()
    assert state.phase == "look"
    for viewer in EYES:
        dice = rolled([5, 2, 6, 1]) if viewer in (0, 2) else NOBODY_KNOWS
        assert seen(state, viewer)["dice"] == dice


def test_the_news_of_a_look_shows_the_dice_to_the_honker_alone() -> None:
    state = after(read(scramble(), 4), (0, p.Quiet()), (3, p.Honk("horn")), (1, p.Quiet()))
    (lifted,) = [
        item
        for item in GAME.act(state, Seat(2), p.Quiet(), Scripted(())).news
        if isinstance(item, p.CupLifted)
    ]
    for viewer in EYES:
        assert project(lifted, viewer).dice == ((5, 2, 6, 1) if viewer == 3 else None)


@pytest.mark.parametrize("viewer", EYES)
def test_a_world_imagined_in_mid_look_keeps_what_the_viewer_knows(viewer: Seat | None) -> None:
    state = mid_look()
    worlds = [
        GAME.imagine(project(GAME.view(state), viewer), viewer, Seeded(bytes([n] * 32))) for n in range(8)
    ]
    for world in worlds:
        assert seen(world, viewer) == seen(state, viewer)
        for seat in range(4):
            assert choices_to_map(GAME.legal(world, Seat(seat))) == choices_to_map(
                GAME.legal(state, Seat(seat))
            )
    assert len({world.cup for world in worlds}) == (1 if viewer in (0, 2) else 8)


def starry() -> State:
    track = [{"star": number in (3, 9, 20)} for number in range(1, 37)]
    return read(
        position(
            "horn",
            [0, 1, 2],
            track=track,
            cars=[1, 2, 4],
            hidden={"3": "assist", "9": "boost"},
            oil=7,
            gone=["swap"],
            tank_due=1,
            bonuses=[[], [], ["detour"]],
            accelerator=2,
            dice=rolled([1, 2, 3]),
        )
        | {"to_act": [0, 2]}
    )


def test_a_bonus_that_lies_open_or_is_used_up_is_imagined_under_no_star() -> None:
    state = starry()
    for number in range(10):
        world = GAME.imagine(project(GAME.view(state), Seat(0)), Seat(0), Seeded(bytes([number] * 32)))
        assert set(GAME.position(world)["hidden"].values()) == {"assist", "boost"}


def test_stars_are_seen_to_hold_a_bonus_but_not_which() -> None:
    for viewer in (Seat(0), Seat(1), Seat(2), None):
        assert seen(starry(), viewer)["hidden"] == {"3": None, "9": None}


def test_a_sealed_ranking_is_known_to_its_driver_alone() -> None:
    ranking = ("blue", "red", "green", "yellow")
    state = after(read(scramble("grab"), 4, grab="sealed"), (1, p.Rank(ranking)))
    for viewer in EYES:
        assert seen(state, viewer)["ranks"][1] == (list(ranking) if viewer == 1 else None)


def test_an_imagined_world_keeps_the_viewers_own_ranking_and_fills_in_the_others() -> None:
    state = after(
        read(scramble("grab"), 4, grab="sealed"),
        (1, p.Rank(("blue", "red", "green", "yellow"))),
        (3, p.Rank(("red", "blue", "green", "yellow"))),
    )
    others = set()
    for number in range(12):
        world = GAME.imagine(project(GAME.view(state), Seat(1)), Seat(1), Seeded(bytes([number] * 32)))
        assert world.ranks[1] == state.ranks[1]
        assert (world.ranks[0], world.ranks[2]) == (None, None)
        others.add(world.ranks[3])
    assert None not in others
    assert len(others) > 3


def test_what_is_hidden_is_listed_with_its_audience() -> None:
    hidden = GAME.hidden(mid_look())
    assert hidden == {f"dice.{pawn}": {0, 2} for pawn in p.PAWNS[:4]}
    assert set(GAME.hidden(starry())) == {"hidden.3", "hidden.9", "dice.red", "dice.yellow", "dice.green"}
