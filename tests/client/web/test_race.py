"""The board of a race on the page: how much of the road it shows, who was quicker, and who has won."""

import json
from typing import Any

from laws.playing import ALL_KINDS
from support.client import node

from parlour.client.language import ENGLISH
from parlour.client.web.files import page_texts
from parlour.engine.hurry_cup.track import FINISH
from parlour.engine.maps import to_map
from parlour.engine.secret import Seat, project

NAMES = ("Anna", "Ben", "Chloe")
RACE = next(kind for kind in ALL_KINDS if kind.game.name == "hurry-cup" and not kind.given)


def seen(*scenes: dict[str, Any]) -> Any:
    """Each scene in Anna's eyes; `changed` are fields of the view at the start of a race."""
    match = RACE.start("race")
    view = to_map(project(match.game.view(match.state), Seat(0)))
    given = [
        {"me": 0, "names": NAMES, **scene, "view": {**view, **scene.get("changed", {})}} for scene in scenes
    ]
    return node.run("race.mjs", json.loads(json.dumps({"catalogue": CATALOGUE, "scenes": given})))


CATALOGUE = json.loads(page_texts("en"))


def drive(*steps: int) -> dict[str, Any]:
    return {"type": "move", "steps": {"one_of": list(steps)}, "detour": None}


def test_the_road_stays_as_it_is_while_a_drive_is_chosen_and_ends_beyond_the_fuel() -> None:
    driving = {"phase": "drive", "to_act": [0], "cars": [9, 9, 9], "fuel": [3, None, None]}
    asked = [drive(1, 2), {"type": "helmet", "via": "helmet"}]
    before, helmet, section = seen(
        {"changed": driving, "asked": asked},
        {"changed": driving, "asked": asked, "legal": asked[1:]},
        {"changed": driving, "asked": asked, "legal": [drive(2)]},
    )
    assert before["road"] == helmet["road"] == section["road"] == [8, 9, 10, 11, 12, 13]
    assert (before["lit"], helmet["lit"], section["lit"]) == ([10, 11], [], [11])


def test_a_touch_on_a_section_out_of_reach_says_what_keeps_the_car_from_it() -> None:
    signs = {11: 70, 12: 60}
    track = [{"turn": "straight", "limit": signs.get(at), "star": False} for at in range(1, FINISH)]
    asked = [drive(1)]
    driving = {
        "phase": "drive",
        "to_act": [0],
        "cars": [9, 0, 0],
        "fuel": [2, None, None],
        "track": track,
        "speeds": [80, None, None],
        "oil": None,
    }
    sign, oil = seen(
        {"changed": driving, "asked": asked},
        {"changed": {**driving, "oil": 11}, "asked": asked},
    )
    low = [
        f"{ENGLISH('moves.section', section=at)}, {ENGLISH('web.limit_low', limit=signs[at])}" for at in signs
    ]
    fast = ENGLISH("web.too_fast", speed=80, section=11, limit=70)
    assert sign["why"] == [f"{each}. {fast}" for each in low]
    assert all(line.endswith(ENGLISH("web.too_fast_oil", speed=80, section=11)) for line in oil["why"])
    (far,) = seen({"changed": {**driving, "fuel": [1, None, None]}, "asked": asked})
    assert far["why"] == [f"{low[0]}. {ENGLISH('web.too_far', fuel=1)}"]


def test_practice_explains_a_low_sign_ahead_a_second_chance_and_a_swap_when_they_are_first_met() -> None:
    track = [{"turn": "straight", "limit": 60, "star": False}] * (FINISH - 1)
    drives = {"phase": "drive", "to_act": [0], "cars": [9, 0, 0], "fuel": [2, None, None], "track": track}
    stuck = {**drives, "speeds": [80, None, None], "round": 5}
    keeps = {**stuck, "second_chance": [True, False, False], "trumps": [[], [], []]}
    free = {**stuck, "speeds": [60, None, None]}
    begun = {"type": "round_begun", "round": 5, "starter": 0}
    moved = {"type": "car_moved", "seat": 0, "from": 0, "entered": [1], "detour": None}
    stayed = {"type": "car_stayed", "seat": 0, "section": 9, "second_chance": True}
    rerolled = {"type": "die_rerolled", "seat": 0, "pawn": "red", "value": 2}
    swapped = {"type": "pawns_swapped", "seat": 1, "with": 0}
    first, again, chance, used, swap, swaps = (
        scene["lesson"]
        for scene in seen(
            {"changed": stuck, "news": [moved, begun]},
            {"changed": {**stuck, "trumps": [[], [], []]}, "news": [moved, stayed, begun]},
            {"changed": keeps, "news": [moved, stayed, begun]},
            {"changed": keeps, "news": [moved, rerolled, begun]},
            {"changed": free, "news": [moved, begun, swapped]},
            {"changed": free, "news": [moved, swapped, begun, swapped]},
        )
    )
    assert first == [ENGLISH("web.lesson.hurry_stuck"), ENGLISH("web.lesson.hurry_frees")]
    assert chance == [ENGLISH("web.lesson.hurry_chance")]
    assert swap == [ENGLISH("web.lesson.hurry_swapped", fuel=2)]
    assert again == used == swaps == []


def test_a_pawn_that_is_gone_says_who_was_quicker() -> None:
    racing = {
        "phase": "grab",
        "to_act": [0, 2],
        "pawns": [None, "red", None],
        "dice": {"red": 3, "yellow": 4, "green": 1},
    }
    free = {"type": "grab", "pawn": {"one_of": ["yellow", "green"]}}
    (grab,) = seen({"changed": racing, "asked": [free]})
    red = ENGLISH("hurry.die", colour=ENGLISH("hurry.colour.red"), value=3)
    assert grab["pawns"] == [ENGLISH("web.pawn_gone", who="Ben", pawn=red), None, None]


def test_on_the_small_map_no_car_covers_ones_own() -> None:
    watched, driven = seen({"me": None}, {"me": 0})
    assert (watched["marks"], driven["marks"]) == (["A", "B", "C"], ["B", "C", "A"])


def test_at_the_end_the_winner_stands_out_and_not_who_came_last() -> None:
    home = [FINISH, FINISH, 30]
    news = [
        {"type": "race_begun", "race": 1, "starter": 0},
        *({"type": "round_begun", "round": number, "starter": 0} for number in (1, 2)),
        {"type": "car_finished", "seat": 0, "place": 1},
        {"type": "round_begun", "round": 3, "starter": 0},
        {"type": "car_moved", "seat": 1, "from": 30, "entered": [FINISH], "detour": None},
        {"type": "car_finished", "seat": 1, "place": 2},
    ]
    over = {"phase": "over", "to_act": [], "cars": home, "finished": [0, 1]}
    on = {**over, "phase": "horn", "to_act": [2]}
    end, before = seen(*({"changed": each, "news": news, "fresh": news[-2:]} for each in (over, on)))
    assert (end["won"], end["drove"]) == ([0], []) and (before["won"], before["drove"]) == ([], [1])
    homes = [f"{who}: {ENGLISH('web.home_in', round=number)}." for who, number in (("Anna", 2), ("Ben", 3))]
    assert [told[: len(home)] for told, home in zip(end["standing"], homes, strict=False)] == homes
    assert not any(".." in told for told in end["standing"])
    assert end["at"] == [ENGLISH("web.home_in", round=2), ENGLISH("web.home_in", round=3), 30]
