"""The sections of Hurry' Cup's road with all that is on them: cars, signs, stars, oil."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from parlour.client.boards.text import Line, columns
from parlour.engine.hurry_cup import public as p

ARROWS: Mapping[p.Heading, str] = {"east": "▸", "south": "▾", "west": "◂", "north": "▴"}
LETTERS = "ABCDEF"
"""Of the cars, by seat."""
MORE = "&"
"""Beside a car: there are more than there is room for."""
SLOW = 70
"""Signs up to this one are drawn in red."""
_CLOCKWISE: Mapping[p.Heading, p.Heading] = {
    "east": "south",
    "south": "west",
    "west": "north",
    "north": "east",
}


@attrs.frozen
class Stop:
    """A section with all that is to be seen on it."""

    cell: p.Cell
    cars: Sequence[int] = ()
    bonus: bool = False
    """A star whose bonus is still there."""
    oil: bool = False
    open: bool = False
    """The viewer may drive there, or spill oil there."""
    chosen: bool = False


def stops(view: Mapping[str, Any], opened: Sequence[int] = (), chosen: int | None = None) -> list[Stop]:
    """The road from start to finish, as a view tells it."""
    return [
        Stop(
            cell,
            [seat for seat, section in enumerate(view["cars"]) if section == cell.section],
            str(cell.section) in view["hidden"],
            view["oil"] == cell.section,
            cell.section in opened,
            cell.section == chosen,
        )
        for cell in p.drawn(_track(view))
    ]


def _track(view: Mapping[str, Any]) -> p.Sections:
    return tuple(p.Section(each["turn"], each["limit"], each["star"]) for each in view["track"])


def drive_end(view: Mapping[str, Any], seat: int, steps: int, detour: int | None) -> int | None:
    """The section where a drive ends; None if no road leads that way."""
    at: int = view["cars"][seat]
    for _ in range(steps):
        there = view["detours"].get(str(at)) if at == detour else at + 1
        if there is None:
            return None
        at = there
    return min(at, p.FINISH)


def merged(road: Sequence[Stop]) -> list[Stop]:
    """One stop to a place: where a road runs over itself, the later section with what is on all of them."""
    lying: dict[tuple[int, int], Stop] = {}
    for stop in road:
        under = lying.get((stop.cell.x, stop.cell.y))
        if under is not None:
            stop = attrs.evolve(
                stop,
                cars=[*under.cars, *stop.cars],
                oil=under.oil or stop.oil,
                open=under.open or stop.open,
                chosen=under.chosen or stop.chosen,
            )
        lying[stop.cell.x, stop.cell.y] = stop
    return list(lying.values())


def turned(road: Sequence[Stop]) -> list[Stop]:
    """The road with its paper turned clockwise: a high one lies."""
    most = max(stop.cell.y for stop in road)
    return [
        attrs.evolve(
            stop,
            cell=attrs.evolve(
                stop.cell,
                x=most - stop.cell.y,
                y=stop.cell.x,
                enters=_CLOCKWISE[stop.cell.enters],
                leaves=_CLOCKWISE[stop.cell.leaves],
            ),
        )
        for stop in road
    ]


def car_style(seat: int, me: int | None) -> str:
    return "class:mine" if seat == me else "class:car"


def cars(seats: Sequence[int], me: int | None, width: int) -> Line:
    """As many letters as there is room for, the viewer's own first, and a mark for the others."""
    order = sorted(seats, key=lambda seat: (seat != me, seat))
    shown = order if len(order) <= width else order[: width - 1]
    line: Line = [(car_style(seat, me), LETTERS[seat]) for seat in shown]
    return line if len(shown) == len(order) else [*line, ("class:car", MORE)]


def sign(stop: Stop, width: int = 3) -> Line:
    """What a driver must mind on entering: oil, a limit or a bonus; and a plus where he may drive to.

    In two columns a limit is told in tens, so that signs next to each other don't run together.
    """
    cell = stop.cell
    style = "class:chosen" if stop.chosen else "class:open" if stop.open else ""
    mark: Line = [(style, "X" if stop.chosen else "+")] if style else []
    if stop.oil:
        slowest = min(cell.limit or p.OIL_LIMIT, p.OIL_LIMIT)
        line: Line = [(style or "class:oil", f"≈{slowest}" if width > 2 else "≈")]
    elif cell.limit is not None:
        kind = "class:sign.slow" if cell.limit <= SLOW else "class:sign"
        number = str(cell.limit if width > 2 else cell.limit // 10)
        line = [(style or kind, number[:width])]
    elif cell.star:
        line = [(style or ("class:star" if stop.bonus else "class:faint"), "★" if stop.bonus else "☆")]
    else:
        line = []
    return [*line, *mark] if columns(line) + len(mark) <= width else line


def end_of(stop: Stop) -> str:
    """S or F, at the ends of the road."""
    return {p.START: "S", p.FINISH: "F"}.get(stop.cell.section, "")


def arrow(stop: Stop) -> Line:
    return [("class:faint", ARROWS[stop.cell.leaves])] if stop.cell.section != p.FINISH else []
