"""How far a car can go: the road as sets of bits, and reach and detours on it."""

import functools
from collections.abc import Mapping
from typing import Final

import attrs

from parlour.engine.hurry_cup.track import FINISH, LENGTH, PLAIN, SHIPPED, Sections
from parlour.engine.hurry_cup.words import OIL_LIMIT
from parlour.engine.lean import lean

TOP_SPEED: Final = 12
"""In tens: six of fuel and six of the accelerator."""


@lean
class Road:
    """A track and what is worked out from it once; bit n of a set stands for section n."""

    sections: Sections
    signs: tuple[int, ...] = attrs.field(eq=False)
    """By speed, in tens: the sections that may not be entered at it."""
    detours: Mapping[str, int] = attrs.field(eq=False)
    """By the section where a detour leaves the road, as a word: where it comes back."""
    stars: tuple[int, ...] = attrs.field(eq=False)


def pave(sections: Sections) -> Road:
    signs = [0] * (TOP_SPEED + 1)
    turns = 0
    stars = []
    for number, section in enumerate(sections, 1):
        bit = 1 << number
        if section.limit is not None:
            for speed in range(section.limit // 10 + 1, TOP_SPEED + 1):
                signs[speed] |= bit
        if section.turn != "straight":
            turns |= bit
        if section.star:
            stars.append(number)
    return Road(sections, tuple(signs), _detours(turns), tuple(stars))


def _detours(turns: int) -> Mapping[str, int]:
    """From a straight before turns, or the start, to the next straight behind them."""
    found = {}
    for section in range(FINISH):
        if turns >> section & 1 or not turns >> section + 1 & 1:
            continue
        back = section + 2
        while turns >> back & 1:
            back += 1
        found[str(section)] = back
    return found


known = functools.lru_cache(maxsize=64)(pave)
"""The road of a track that is met again and again."""
STRAIGHT_ROAD = pave((PLAIN,) * LENGTH)


def option_road(track: str | Sections) -> Road | None:
    """The road of the option `track`, unless it is to be laid at random."""
    if isinstance(track, str):
        return known(SHIPPED[track]) if track in SHIPPED else None
    return known(track)


def closed(road: Road, speed: int, oil: int | None) -> int:
    """The sections that a car at this speed, in tens, cannot enter."""
    shut = road.signs[speed]
    return shut | 1 << oil if oil is not None and speed * 10 > OIL_LIMIT else shut


def speed(fuel: int, accelerator: int | None, helmet: bool) -> int:
    """In tens: fuel and accelerator, which does not count for whoever has the helmet on."""
    return fuel if helmet else fuel + (accelerator or 0)


def reach(shut: int, car: int, fuel: int) -> int:
    """How many sections a car can enter before one that is closed to it, within its fuel and the finish."""
    ahead = shut >> car + 1
    most = min(fuel, FINISH - car)
    if ahead:
        return min(most, (ahead & -ahead).bit_length() - 1)
    return most


def detours(road: Road, shut: int, car: int, fuel: int) -> list[tuple[int, int, int]]:
    """Every section at which a car could leave the road, with the least and the most steps of such a move."""
    found = []
    for before in range(min(reach(shut, car, fuel), fuel - 1) + 1):
        back = road.detours.get(str(car + before))
        if back is not None and not shut >> back & 1:
            least = before + 1
            found.append((car + before, least, least + reach(shut, back, fuel - least)))
    return found


def entered(road: Road, car: int, steps: int, detour: int | None) -> tuple[int, ...]:
    """The sections of a move, in order."""
    if detour is None:
        return tuple(range(car + 1, car + steps + 1))
    back, before = road.detours[str(detour)], detour - car
    return (*range(car + 1, detour + 1), *range(back, back + steps - before))
