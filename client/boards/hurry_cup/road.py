"""The road of Hurry' Cup on squared paper: the largest form that the room allows, walled or as a line.

Walled, a section is a field between two walls, with a dotted line to the next one. As a line it is a stop:
`▸` a plain straight, `70` a sign, `★` a star. Cars are letters; they stand before everything else.
"""

from collections.abc import Mapping, Sequence

import attrs

from parlour.client.boards.hurry_cup.stops import MORE, Stop, arrow, cars, end_of, merged, sign, turned
from parlour.client.boards.press import touchable
from parlour.client.boards.sheet import Sheet, window
from parlour.client.boards.text import Line, centred, columns, cut
from parlour.client.language import ENGLISH, Texts
from parlour.engine.hurry_cup import public as p

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


@attrs.frozen
class Layout:
    """A road, the scale that it is drawn in, and which of the rooms offered it got."""

    road: Sequence[Stop]
    scale: Scale
    place: int

    @property
    def in_tens(self) -> bool:
        """Signs are so narrow that they are told in tens."""
        return not self.scale.walled and self.scale.width < 3


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


def drawn_road(
    layout: Layout, me: int | None, focus: int, room: tuple[int, int], texts: Texts = ENGLISH
) -> list[Line]:
    """The road in exactly this room, centred; or the part of it around the section in focus."""
    sheet = Sheet()
    if layout.scale.walled:
        _walled(sheet, layout, me, texts)
    else:
        _lined(sheet, layout, me)
    across, down = layout.scale.size(layout.road)
    cell = layout.road[min(focus, len(layout.road) - 1)].cell
    left = _edge(across, room[0], cell.x * layout.scale.width)
    top = _edge(down, room[1], cell.y * layout.scale.height)
    right, bottom = left + room[0] - 1, top + room[1] - 1
    for beyond, x, y, glyph in (
        (left > 0, left, top + room[1] // 2, "◂"),
        (right < across - 1, right, top + room[1] // 2, "▸"),
        (top > 0, left + room[0] // 2, top, "▴"),
        (bottom < down - 1, left + room[0] // 2, bottom, "▾"),
    ):
        if beyond:
            sheet.put(x, y, glyph, "class:turn")
    return sheet.lines(left, top, *room)


def _edge(size: int, room: int, focus: int) -> int:
    return -((room - size) // 2) if size <= room else window(size, room, focus)


# Walled


def _walled(sheet: Sheet, layout: Layout, me: int | None, texts: Texts) -> None:
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
    for stop in merged(layout.road):
        for line, content in enumerate(_field(stop, me, wide - 1, high - 1, texts)):
            sheet.put_line(
                stop.cell.x * wide + 1,
                stop.cell.y * high + 1 + line,
                touchable("section", stop.cell.section, content),
            )


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


def _field(stop: Stop, me: int | None, width: int, height: int, texts: Texts) -> list[Line]:
    if height > 1:
        number: Line = [("class:faint", f"{stop.cell.section}")]
        if end_of(stop):
            number = [("class:name", texts("hurry.start" if end_of(stop) == "S" else "hurry.finish"))]
        above = sign(stop, width - columns(number) - 1)
        gap = " " * (width - columns(number) - columns(above))
        below = cars(stop.cars, me, width) if stop.cars else arrow(stop)
        return [[*number, ("", gap), *above], centred(below, width)]
    left: Line = [("class:name", end_of(stop))] if end_of(stop) else sign(stop)
    if not stop.cars:
        return [centred(left or arrow(stop), width)] if not end_of(stop) else [_ended(stop, left, width)]
    between = 1 if left and width > columns(left) + min(len(stop.cars), 2) else 0
    right = cars(stop.cars, me, width - columns(left) - between)
    return [centred([*left, ("", " " * between), *right], width)]


def _ended(stop: Stop, left: Line, width: int) -> Line:
    return centred([*left, *(arrow(stop) if stop.cell.section == p.START else sign(stop))], width)


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
    for stop in merged(layout.road):
        content = _stop(stop, me, wide)
        start = max(0, min(spine - (columns(content) - 1) // 2, wide - columns(content)))
        sheet.put_line(
            stop.cell.x * wide + start, stop.cell.y * high, touchable("section", stop.cell.section, content)
        )
        if high > 1 and stop.cars:
            # Beside the way down; the column after the cell is free in this line.
            sheet.put_line(stop.cell.x * wide + spine + 1, stop.cell.y * high + 1, sign(stop))


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
        letters = cars(stop.cars, me, width)
        # The letters of two sections next to each other would run together.
        return [letters[0], ("class:car", MORE)] if width < 3 and len(letters) > 1 else letters
    if end_of(stop):
        return cut([("class:name", end_of(stop)), *sign(stop, 1)], width)
    if content := sign(stop, width):
        return content
    if stop.cell.turn == "straight":
        return arrow(stop)
    return [("class:wall", _BENDS.get(_ways(stop), "┃"))]
