"""The sections of Hurry' Cup's road with all that is on them: cars, signs, stars, oil."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from parlour.client.pictures.text import Line, columns
from parlour.engine.hurry_cup import public as p

ARROWS: Mapping[p.Heading, str] = {"east": "▸", "south": "▾", "west": "◂", "north": "▴"}
LETTERS = "ABCDEF"
"""Of the cars, by seat."""
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
    track = [p.Section(each["turn"], each["limit"], each["star"]) for each in view["track"]]
    return [
        Stop(
            cell,
            [seat for seat, section in enumerate(view["cars"]) if section == cell.section],
            str(cell.section) in view["hidden"],
            view["oil"] == cell.section,
            cell.section in opened,
            cell.section == chosen,
        )
        for cell in p.drawn(track)
    ]


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
    """As many letters as there is room for, the viewer's own first, and a plus for the others."""
    order = sorted(seats, key=lambda seat: (seat != me, seat))
    shown = order if len(order) <= width else order[: width - 1]
    line: Line = [(car_style(seat, me), LETTERS[seat]) for seat in shown]
    return line if len(shown) == len(order) else [*line, ("class:car", "+")]


def sign(stop: Stop, width: int = 3) -> Line:
    """What a driver must mind on entering: oil, a limit or a bonus; and a plus where he may drive to."""
    cell = stop.cell
    style = "class:chosen" if stop.chosen else "class:open" if stop.open else ""
    plus: Line = [(style, "+")] if stop.open or stop.chosen else []
    number = str(cell.limit) if cell.limit is not None else ""
    if stop.oil:
        slowest = min(cell.limit or p.OIL_LIMIT, p.OIL_LIMIT)
        line: Line = [(style or "class:oil", f"≈{slowest}" if width > 2 else "≈≈")]
    elif cell.limit is not None:
        kind = "class:sign.slow" if cell.limit <= SLOW else "class:sign"
        line = [(style or kind, number if len(number) <= width else str(cell.limit // 10)[:width])]
    elif cell.star:
        line = [(style or ("class:star" if stop.bonus else "class:faint"), "★" if stop.bonus else "☆")]
    else:
        line = []
    return [*line, *plus] if columns(line) + len(plus) <= width else line


def end_of(stop: Stop) -> str:
    """S or F, at the ends of the road."""
    return {p.START: "S", p.FINISH: "F"}.get(stop.cell.section, "")


def arrow(stop: Stop) -> Line:
    return [("class:faint", ARROWS[stop.cell.leaves])] if stop.cell.section != p.FINISH else []
