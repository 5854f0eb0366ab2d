"""A sheet of squared paper: one glyph to a square, drawn in any order, of which any part can be shown."""

import attrs

from parlour.client.pictures.text import Line

Square = tuple[int, int]
BLANK = ("", " ")


@attrs.define
class Sheet:
    """Has no edges. Only glyphs of one column are drawn on it."""

    squares: dict[Square, tuple[str, str]] = attrs.field(factory=dict)

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        for place, glyph in enumerate(text):
            self.squares[x + place, y] = (style, glyph)

    def put_line(self, x: int, y: int, line: Line) -> None:
        for style, text in line:
            self.put(x, y, text, style)
            x += len(text)

    def lines(self, left: int, top: int, width: int, height: int) -> list[Line]:
        """The part that begins there, each line in exactly so many columns."""
        return [self._line(left, y, width) for y in range(top, top + height)]

    def _line(self, left: int, y: int, width: int) -> Line:
        line: Line = []
        for x in range(left, left + width):
            style, glyph = self.squares.get((x, y), BLANK)
            if line and line[-1][0] == style:
                line[-1] = (style, line[-1][1] + glyph)
            else:
                line.append((style, glyph))
        return line


def window(size: int, room: int, focus: int) -> int:
    """Where a part as large as `room` begins, so that the focus is as central in it as it can be."""
    return max(0, min(focus - room // 2, size - room))
