"""The grid of Butterflies on squared paper: as large as the room allows, and the part of it that matters.

A card is two letters, species and colour: `Mr` is a red monarch. `#` is a net, `%` a web, brackets are around
the last card laid or moved, `+` is a cell where the viewer may play.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from parlour.client.boards.press import pressing
from parlour.client.boards.sheet import BLANK, Sheet, window
from parlour.client.boards.text import Line
from parlour.engine.butterflies import public as p

At = p.At
SPECIES: Mapping[str, str] = {"monarch": "M", "swallowtail": "S", "morpho": "O", "peacock": "P"}
COLOURS: Mapping[str, str] = {"red": "r", "yellow": "y", "green": "g", "blue": "b"}
TOKENS: Mapping[str, str] = {"net": "#", "web": "%"}
LABELS = 4
"""Columns for the numbers of the rows."""


@attrs.frozen
class Pitch:
    """Columns and lines from one cell to the next."""

    width: int
    height: int


PITCHES = (Pitch(8, 4), Pitch(6, 3), Pitch(5, 2), Pitch(5, 1), Pitch(4, 1), Pitch(3, 1))
"""From the largest; from three lines on, cards have frames."""
WINGS: Mapping[str, str] = {
    "monarch": "}=||={",
    "swallowtail": ">-||-<",
    "morpho": ")o||o(",
    "peacock": "}@||@{",
}
"""In the largest pitch."""


@attrs.frozen
class Marks:
    """What a viewer is shown besides the cards."""

    open: frozenset[At] = frozenset()
    movable: frozenset[At] = frozenset()
    chosen: frozenset[At] = frozenset()
    row: frozenset[At] = frozenset()
    """The row that won."""


def cell(at: Sequence[int]) -> At:
    return at[0], at[1]


def short(card: str) -> str:
    """A card in two letters: `Mr`."""
    species, _, colour = card.partition("-")
    return f"{SPECIES[species]}{COLOURS[colour]}"


def style_of(card: str) -> str:
    return f"class:card.{card.rpartition('-')[2]}"


def longest(grid: Iterable[Mapping[str, Any]], word: str) -> list[At]:
    """The longest row of one colour or species, across, down or on a diagonal; webbed cards are in none."""
    cards = {
        cell(each["at"]) for each in grid if word in each["card"].split("-") and each.get("token") != "web"
    }
    best: list[At] = []
    for x, y in sorted(cards):
        for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
            row: list[At] = []
            while (x + right * len(row), y + down * len(row)) in cards:
                row.append((x + right * len(row), y + down * len(row)))
            best = max(best, row, key=len)
    return best


def drawn_grid(
    grid: Sequence[Mapping[str, Any]], last: At | None, marks: Marks, room: tuple[int, int]
) -> list[Line]:
    """The grid with its numbers, in exactly this room."""
    cards = {cell(each["at"]): each for each in grid}
    cells = {*cards, *marks.open, *marks.chosen} or {(0, 0)}
    # With the cells around the cards, whoever's turn it is, so that the grid does not jump when it is yours.
    around = [*cells, *((x + side, y + side) for x, y in cards for side in (-1, 1))]
    left, top = min(x for x, _ in around), min(y for _, y in around)
    across, down = max(x for x, _ in around) - left + 1, max(y for _, y in around) - top + 1
    width, height = room[0] - LABELS, room[1] - 1
    wide = [each for each in PITCHES if across * each.width <= width]
    # What is too high in any pitch shows a part of its rows, as wide as there is room for.
    low = [each for each in wide if each.height == 1]
    pitch = next(iter([*[each for each in wide if down * each.height <= height], *low, PITCHES[-1]]))
    columns, rows = min(across, width // pitch.width), min(down, height // pitch.height)
    focus = _focus(last, marks, cells)
    first_x = left + window(across, columns, focus[0] - left)
    first_y = top + window(down, rows, focus[1] - top)
    sheet = Sheet()
    for at in sorted(cells):
        x, y = (at[0] - first_x) * pitch.width, (at[1] - first_y) * pitch.height
        if at in cards:
            _card(sheet, x, y, pitch, cards[at], at == last, at, marks)
        elif at in marks.open or at in marks.chosen:
            _empty(sheet, x, y, pitch, at in marks.chosen)
        _touchable(sheet, x, y, pitch, at)
    seen = Sheet(
        {
            square: glyph
            for square, glyph in sheet.squares.items()
            if 0 <= square[0] < columns * pitch.width and 0 <= square[1] < rows * pitch.height
        }
    )
    _numbers(seen, pitch, range(first_x, first_x + columns), range(first_y, first_y + rows))
    _more(seen, pitch, (first_x - left, first_y - top), (columns, rows), (across, down))
    spare = (width - columns * pitch.width) // 2, (height - rows * pitch.height) // 2
    return seen.lines(-LABELS - spare[0], -1 - spare[1], *room)


def _focus(last: At | None, marks: Marks, cells: Iterable[At]) -> At:
    """What must be in sight: the viewer's own choice, else what happened last, else the middle."""
    if marks.chosen:
        return max(marks.chosen)
    if marks.row:
        return sorted(marks.row)[len(marks.row) // 2]
    if last is not None:
        return last
    ordered = sorted(cells)
    return ordered[len(ordered) // 2]


def _brackets(at: At, last: bool, marks: Marks) -> tuple[str, str]:
    if at in marks.chosen:
        return ">", "<"
    if at in marks.row:
        return "(", ")"
    if at in marks.movable:
        return "'", "'"
    return ("[", "]") if last else (" ", " ")


def _touchable(sheet: Sheet, x: int, y: int, pitch: Pitch, at: At) -> None:
    """All squares of a cell, whatever is drawn there."""
    press = pressing(f"thing:cell:{at[0]},{at[1]}")
    for line in range(pitch.height):
        for column in range(pitch.width):
            style, glyph = sheet.squares.get((x + column, y + line), BLANK)
            sheet.squares[x + column, y + line] = (f"{style} {press}" if style else press, glyph)


def _card(
    sheet: Sheet, x: int, y: int, pitch: Pitch, each: Mapping[str, Any], last: bool, at: At, marks: Marks
) -> None:
    token = TOKENS.get(each.get("token") or "", "")
    style = style_of(each["card"])
    opening, closing = _brackets(at, last, marks)
    letters = short(each["card"])
    if pitch.width < 4:
        sheet.put(x, y, f"{letters}{token or closing}", style)
        return
    inside = f"{opening}{letters}{token or closing}"
    if pitch.height < 3:
        sheet.put(x + (pitch.width - 4) // 2, y, inside, style)
        return
    wide = pitch.width - 2
    frame = "class:name" if last or at in marks.row or at in marks.chosen else "class:wall"
    sheet.put(x, y, f"╭{'─' * wide}╮", frame)
    body = [inside.center(wide)]
    if pitch.height > 3:
        body = [WINGS[each["card"].partition("-")[0]].center(wide), inside.center(wide)]
    for line, text in enumerate(body, 1):
        sheet.put(x, y + line, "│", frame)
        sheet.put(x + 1, y + line, text, style)
        sheet.put(x + 1 + wide, y + line, "│", frame)
    sheet.put(x, y + pitch.height - 1, f"╰{'─' * wide}╯", frame)


def _empty(sheet: Sheet, x: int, y: int, pitch: Pitch, chosen: bool) -> None:
    middle = (pitch.height - 1) // 2
    if chosen:
        sheet.put(x + (pitch.width - 3) // 2, y + middle, ">+<", "class:chosen")
    else:
        sheet.put(x + pitch.width // 2 - 1 + pitch.width % 2, y + middle, "+", "class:open")


def _numbers(sheet: Sheet, pitch: Pitch, xs: range, ys: range) -> None:
    """Of columns above and of rows at the left, as sentences and typed moves name cells."""
    for place, x in enumerate(xs):
        if pitch.width < 4 and x % 2:
            continue
        number = str(x).rjust(3).ljust(pitch.width) if pitch.width < 6 else str(x).center(pitch.width)
        sheet.put(place * pitch.width, -1, number[: pitch.width], "class:faint")
    for place, y in enumerate(ys):
        line = place * pitch.height + (pitch.height - 1) // 2
        sheet.put(-LABELS, line, str(y).rjust(LABELS - 1), "class:faint")


def _more(sheet: Sheet, pitch: Pitch, first: At, shown: tuple[int, int], whole: tuple[int, int]) -> None:
    """Arrows where the grid goes on beyond what is shown."""
    right, bottom = shown[0] * pitch.width - 1, shown[1] * pitch.height - 1
    for there, x, y, arrow in (
        (first[0] > 0, -LABELS, -1, "◂"),
        (first[0] + shown[0] < whole[0], right, -1, "▸"),
        (first[1] > 0, -LABELS, 0, "▴"),
        (first[1] + shown[1] < whole[1], -LABELS, bottom, "▾"),
    ):
        if there:
            sheet.put(x, y, arrow, "class:turn")
