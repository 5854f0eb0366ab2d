"""Places, points, championships, and options."""

from typing import Any

import pytest
from support.hurry_positions import GAME, read

from parlour.engine.chance import Recording, Seeded
from parlour.engine.errors import BadOptions
from parlour.engine.hurry_cup.championship import first_starter, points, race_places, standings
from parlour.engine.hurry_cup.public import CREWS, HurryOptions
from parlour.engine.hurry_cup.state import State
from parlour.engine.hurry_cup.track import SHIPPED
from parlour.engine.maps import from_map, to_map


def test_a_car_scores_the_sections_to_the_last_car_and_three_for_coming_home() -> None:
    assert points((31, 35, 37)) == (0, 4, 9)
    assert points((31, 31, 37, 37)) == (0, 0, 9, 9)


def test_if_all_are_home_each_scores_three() -> None:
    assert points((37, 37, 37)) == (3, 3, 3)


def test_places_go_by_the_order_of_finishing_then_by_section_and_equal_sections_share() -> None:
    assert race_places((37, 20, 37, 20, 5), (2, 0)) == (2, 3, 1, 3, 5)


def test_standings_go_by_points_then_by_races_won() -> None:
    assert standings((9, 12, 9, 9), (1, 0, 2, 1)) == (3, 1, 2, 3)


def test_the_first_starter_can_be_told_from_any_round() -> None:
    assert first_starter(starter=2, race=1, round_=1, seats=4) == 2
    assert first_starter(starter=0, race=2, round_=2, seats=4) == 2


def finished(options: dict[str, Any], seats: int = 4) -> tuple[list[State], Recording]:
    """The first state of every race, and the last of all, of a game that nobody interferes with."""
    chance = Recording(Seeded(bytes(32)))
    state = GAME.setup(seats, GAME.read_options(options, seats), chance).state
    states = [state]
    while asked := GAME.awaited(state):
        state = GAME.time_up(state, min(asked), chance).state
        if state.season.race > states[-1].season.race:
            states.append(state)
    return [*states, state], chance


def test_each_race_has_a_new_track_and_is_started_one_seat_further_to_the_left() -> None:
    (*races, last), chance = finished({"races": 3, "first": 2})
    assert [state.starter for state in races] == [2, 3, 0]
    assert len({state.road for state in races}) == 3
    assert sum(last.season.wins) == 3
    outcome = GAME.outcome(last)
    assert outcome is not None
    assert outcome.reason == "points"
    shuffles = [luck.stream for luck in chance.heard if luck.how == "shuffle"]
    assert shuffles == [f"{thing}/{race}" for race in (1, 2, 3) for thing in ("track", "bonuses")]


def test_every_race_of_a_championship_ends_with_the_round_of_the_first_finish() -> None:
    (*_, last), _ = finished({"races": 2, "finish": "all"})
    assert 1 <= len(last.finished) < 4


def test_the_luck_of_a_round_is_the_accelerator_and_then_a_die_for_every_racing_driver() -> None:
    _, chance = finished({"first": 0})
    by_stream: dict[str, int] = {}
    for luck in chance.heard:
        if luck.how == "roll" and luck.stream.startswith("dice/"):
            by_stream[luck.stream] = by_stream.get(luck.stream, 0) + 1
    rolls = list(by_stream.values())
    assert rolls[0] == 5
    assert rolls == sorted(rolls, reverse=True)
    assert rolls[-1] == 3


def test_the_first_starter_is_drawn_once() -> None:
    _, chance = finished({"races": 2})
    assert [luck.how for luck in chance.heard if luck.stream == "first"] == ["draw"]


def test_there_is_a_crew_for_every_seat() -> None:
    assert len(CREWS) == max(GAME.seats)


def test_a_track_given_as_maps_is_kept_through_a_round_trip() -> None:
    options = GAME.read_options({"track": to_map(SHIPPED["corniche"])}, 3)
    assert options.track == SHIPPED["corniche"]
    assert GAME.read_options(options.plain(), 3) == options
    assert from_map(HurryOptions, options.plain()) == options


def test_what_is_left_out_of_a_section_is_straight_without_limit_or_star() -> None:
    options = GAME.read_options({"track": [{}] * 36}, 3)
    assert options == GAME.read_options(
        {"track": [{"turn": "straight", "limit": None, "star": False}] * 36}, 3
    )


@pytest.mark.parametrize(
    ("section", "where", "told"),
    [
        ({"limit": 19}, "track.10.limit", "section 11 must have a limit of 20"),
        ({"limit": "90"}, "track.10.limit", "section 11"),
        ({"limit": True}, "track.10.limit", "section 11"),
        ({"turn": "up"}, "track.10.turn", "section 11"),
        ({"star": 1}, "track.10.star", "section 11"),
        ({"colour": "red"}, "track.10.colour", "section 11"),
        ("left", "track.10", "section 11"),
    ],
)
def test_a_bad_section_is_named(section: Any, where: str, told: str) -> None:
    track: list[Any] = [{"turn": "straight"}] * 36
    track[10] = section
    with pytest.raises(BadOptions) as refused:
        GAME.read_options({"track": track}, 3)
    assert refused.value.where == where
    assert told in refused.value.problem


@pytest.mark.parametrize("track", [[{}] * 35, [{}] * 37, [], "nowhere", 5, None, {"track": 1}])
def test_what_is_no_track_is_refused(track: Any) -> None:
    with pytest.raises(BadOptions) as refused:
        GAME.read_options({"track": track}, 3)
    assert refused.value.where == "track"


def test_a_position_without_a_track_takes_that_of_the_option() -> None:
    plain = {"cars": [1, 2, 3], "accelerator": 1, "dice": {"red": 1, "yellow": 2, "green": 3}}
    asked = {"phase": "horn", "to_act": [0, 1, 2]}
    assert read({**plain, **asked}, track="corniche").road.sections == SHIPPED["corniche"]
    assert read({**plain, **asked}).road.detours == {}
