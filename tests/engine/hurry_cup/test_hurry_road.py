"""Reach and detours, against a car that is pushed section by section."""

from hypothesis import given
from hypothesis import strategies as st

from parlour.engine.hurry_cup.road import closed, detours, entered, pave, reach
from parlour.engine.hurry_cup.track import FINISH, LENGTH, Section

sections = st.builds(
    Section,
    st.sampled_from(["straight", "straight", "left", "right"]),
    st.sampled_from([None, None, 20, 55, 70, 90]),
)
tracks = st.lists(sections, min_size=LENGTH, max_size=LENGTH).map(tuple)
cars = st.integers(0, LENGTH)
fuels = st.integers(1, 6)
speeds = st.integers(1, 12)
oils = st.none() | st.integers(1, LENGTH)


def may_enter(track: tuple[Section, ...], section: int, speed: int, oil: int | None) -> bool:
    if section == FINISH:
        return True
    limit = track[section - 1].limit
    if section == oil:
        limit = min(50, limit or 50)
    return limit is None or speed * 10 <= limit


def is_turn(track: tuple[Section, ...], section: int) -> bool:
    return 1 <= section <= LENGTH and track[section - 1].turn != "straight"


def pushed(
    track: tuple[Section, ...], car: int, fuel: int, speed: int, oil: int | None, leave: int | None
) -> dict[int, list[int]]:
    """By steps: the sections entered on the way, with at most one detour, which leaves at `leave`."""
    found: dict[int, list[int]] = {}
    path: list[int] = []
    for steps in range(1, fuel + 1):
        if car == FINISH:
            break
        following = car + 1
        if car == leave:
            if is_turn(track, car) or not is_turn(track, following):
                return {}
            while is_turn(track, following):
                following += 1
        if not may_enter(track, following, speed, oil):
            break
        car = following
        path = [*path, car]
        found[steps] = path
    return found


@given(tracks, cars, fuels, speeds, oils)
def test_a_car_moves_up_to_the_first_section_that_is_closed_to_it(
    track: tuple[Section, ...], car: int, fuel: int, speed: int, oil: int | None
) -> None:
    road = pave(track)
    ways = pushed(track, car, fuel, speed, oil, None)
    assert reach(closed(road, speed, oil), car, fuel) == len(ways)
    for steps, path in ways.items():
        assert list(entered(road, car, steps, None)) == path


@given(tracks, cars, fuels, speeds, oils)
def test_a_detour_is_one_step_past_a_whole_run_of_turns(
    track: tuple[Section, ...], car: int, fuel: int, speed: int, oil: int | None
) -> None:
    road = pave(track)
    found = {}
    for leave, least, most in detours(road, closed(road, speed, oil), car, fuel):
        for steps in range(least, most + 1):
            found[leave, steps] = list(entered(road, car, steps, leave))
    wanted = {}
    for leave in range(car, LENGTH + 1):
        for steps, path in pushed(track, car, fuel, speed, oil, leave).items():
            if path[-1] > leave:
                wanted[leave, steps] = path
    assert found == wanted
