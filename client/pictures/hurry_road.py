"""The road of Hurry' Cup on squared paper: the largest form that the room allows, walled or as a line.

Walled, a section is a field between two walls, with a dotted line to the next one. As a line it is a stop:
`▸` a plain straight, `70` a sign, `★` a star. Cars are letters; they stand before everything else.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from parlour.client.pictures.sheet import Sheet, window
from parlour.client.pictures.text import Line, centred, columns, cut
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
_BACK: Mapping[p.Heading, p.Heading] = {"east": "west", "west": "east", "north": "south", "south": "north"}
_CORNERS = dict(
    zip(
        ("n", "s", "ns", "e", "w", "ew", "es", "sw", "ne", "nw", "nes", "nsw", "esw", "new", "nesw"),
        "│││───╭╮╰╯├┤┬┴┼",
        strict=True,
    )
)
"""Where walls meet, by the sides from which they come."""
_BENDS = {"es": "┏", "sw": "┓", "ne": "┗", "nw": "┛", "ew": "━", "ns": "┃"}


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


@attrs.frozen
class Scale:
    """Columns and lines from one section to the next."""

    width: int
    height: int
    walled: bool

    def size(self, stops: Sequence[Stop]) -> tuple[int, int]:
        across = max(stop.cell.x for stop in stops) + 1
        down = max(stop.cell.y for stop in stops) + 1
        edge = int(self.walled)
        return across * self.width + edge, down * self.height + edge


SCALES = (
    *(Scale(8, 3, True), Scale(7, 3, True), Scale(6, 2, True), Scale(5, 2, True)),
    *(Scale(4, 2, False), Scale(4, 1, False), Scale(3, 1, False), Scale(2, 1, False)),
)
"""From the largest. The smallest one shows a part of a road that does not fit in any."""


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


@attrs.frozen
class Layout:
    """A road, the scale that it is drawn in, and which of the rooms offered it got."""

    road: Sequence[Stop]
    scale: Scale
    place: int


def laid_out(road: Sequence[Stop], rooms: Sequence[tuple[int, int]]) -> Layout:
    """The largest scale that fits into one of the rooms, given by columns and lines; turned if need be."""
    ways = [road, turned(road)]
    for scale in SCALES:
        for place, (width, height) in enumerate(rooms):
            for way in ways:
                across, down = scale.size(way)
                if across <= width and down <= height:
                    return Layout(way, scale, place)
    return Layout(road, SCALES[-2], 0)


def picture(layout: Layout, me: int | None, focus: int, room: tuple[int, int]) -> list[Line]:
    """The road in exactly this room, centred; or the part of it around the section in focus."""
    sheet = Sheet()
    (_walled if layout.scale.walled else _lined)(sheet, layout, me)
    across, down = layout.scale.size(layout.road)
    cell = layout.road[min(focus, len(layout.road) - 1)].cell
    return sheet.lines(
        _edge(across, room[0], cell.x * layout.scale.width),
        _edge(down, room[1], cell.y * layout.scale.height),
        *room,
    )


def _edge(size: int, room: int, focus: int) -> int:
    return -((room - size) // 2) if size <= room else window(size, room, focus)


# What is on a section


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


def _end(stop: Stop) -> str:
    return {p.START: "S", p.FINISH: "F"}.get(stop.cell.section, "")


# Walled


def _walled(sheet: Sheet, layout: Layout, me: int | None) -> None:
    wide, high = layout.scale.width, layout.scale.height
    solid, dotted = _walls(layout.road)
    for x, y, upright in dotted:
        if upright:
            for line in range(1, high):
                sheet.put(x * wide, y * high + line, "┊", "class:faint")
        else:
            sheet.put(x * wide + 1, y * high, "╌" * (wide - 1), "class:faint")
    nodes: dict[tuple[int, int], set[str]] = {}
    for x, y, upright in solid:
        if upright:
            for line in range(1, high):
                sheet.put(x * wide, y * high + line, "│", "class:wall")
            nodes.setdefault((x, y), set()).add("s")
            nodes.setdefault((x, y + 1), set()).add("n")
        else:
            sheet.put(x * wide + 1, y * high, "─" * (wide - 1), "class:wall")
            nodes.setdefault((x, y), set()).add("e")
            nodes.setdefault((x + 1, y), set()).add("w")
    for (x, y), arms in nodes.items():
        sheet.put(x * wide, y * high, _CORNERS["".join(arm for arm in "nesw" if arm in arms)], "class:wall")
    for stop in layout.road:
        for line, content in enumerate(_field(stop, me, wide - 1, high - 1)):
            sheet.put_line(stop.cell.x * wide + 1, stop.cell.y * high + 1 + line, content)


def _walls(road: Sequence[Stop]) -> tuple[set[tuple[int, int, bool]], set[tuple[int, int, bool]]]:
    """The sides of all sections, as (x, y, upright): those that are walls, and those that a car crosses."""
    sides: set[tuple[int, int, bool]] = set()
    crossed: set[tuple[int, int, bool]] = set()
    for stop in road:
        x, y = stop.cell.x, stop.cell.y
        around: Mapping[p.Heading, tuple[int, int, bool]] = {
            "north": (x, y, False),
            "south": (x, y + 1, False),
            "west": (x, y, True),
            "east": (x + 1, y, True),
        }
        sides.update(around.values())
        if stop.cell.section != p.FINISH:
            crossed.add(around[stop.cell.leaves])
    return sides - crossed, crossed


def _field(stop: Stop, me: int | None, width: int, height: int) -> list[Line]:
    if height > 1:
        number: Line = [("class:faint", f"{stop.cell.section}")]
        if _end(stop):
            number = [("class:name", {"S": "START", "F": "FINISH"}[_end(stop)])]
        above = sign(stop, width - columns(number) - 1)
        gap = " " * (width - columns(number) - columns(above))
        below = cars(stop.cars, me, width) if stop.cars else _arrow(stop)
        return [[*number, ("", gap), *above], centred(below, width)]
    left: Line = [("class:name", _end(stop))] if _end(stop) else sign(stop)
    if not stop.cars:
        return [centred(left or _arrow(stop), width)] if not _end(stop) else [_ended(stop, left, width)]
    between = 1 if left and width > columns(left) + min(len(stop.cars), 2) else 0
    right = cars(stop.cars, me, width - columns(left) - between)
    return [centred([*left, ("", " " * between), *right], width)]


def _ended(stop: Stop, left: Line, width: int) -> Line:
    return centred([*left, *(_arrow(stop) if stop.cell.section == p.START else sign(stop))], width)


def _arrow(stop: Stop) -> Line:
    return [("class:faint", ARROWS[stop.cell.leaves])] if stop.cell.section != p.FINISH else []


# As a line


def _lined(sheet: Sheet, layout: Layout, me: int | None) -> None:
    wide, high = layout.scale.width, layout.scale.height
    spine = (wide - 1) // 2
    for stop in layout.road:
        x, y = stop.cell.x * wide, stop.cell.y * high
        ways = _ways(stop)
        if "w" in ways:
            sheet.put(x, y, "━" * spine, "class:wall")
        if "e" in ways:
            sheet.put(x + spine + 1, y, "━" * (wide - spine - 1), "class:wall")
        for line in range(1, high) if "s" in ways else ():
            sheet.put(x + spine, y + line, "┃", "class:wall")
    for stop in layout.road:
        content = _stop(stop, me, wide)
        start = max(0, min(spine - (columns(content) - 1) // 2, wide - columns(content)))
        sheet.put_line(stop.cell.x * wide + start, stop.cell.y * high, content)
        if high > 1 and stop.cars and sign(stop):
            sheet.put_line(
                stop.cell.x * wide + spine + 1, stop.cell.y * high + 1, sign(stop, wide - spine - 1)
            )


def _ways(stop: Stop) -> str:
    """The sides at which the road goes on, as letters."""
    found = set()
    if stop.cell.section != p.START:
        found.add(_BACK[stop.cell.enters][0])
    if stop.cell.section != p.FINISH:
        found.add(stop.cell.leaves[0])
    return "".join(side for side in "nesw" if side in found)


def _stop(stop: Stop, me: int | None, width: int) -> Line:
    if stop.cars:
        return cars(stop.cars, me, width)
    if _end(stop):
        return cut([("class:name", _end(stop)), *sign(stop, 1)], width)
    if content := sign(stop, width):
        return content
    if stop.cell.turn == "straight":
        return _arrow(stop)
    return [("class:wall", _BENDS.get(_ways(stop), "┃"))]
