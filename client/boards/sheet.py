"""A sheet of squared paper: a glyph to a square, drawn in any order, of which any part can be shown."""

import attrs
from prompt_toolkit.utils import get_cwidth

from parlour.client.boards.text import Line

Square = tuple[int, int]
BLANK = ("", " ")


@attrs.define
class Sheet:
    """Has no edges. A glyph of two columns takes two squares, the second of which holds nothing."""

    squares: dict[Square, tuple[str, str]] = attrs.field(factory=dict)

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        for glyph in text:
            self.squares[x, y] = (style, glyph)
            for beside in range(1, get_cwidth(glyph)):
                self.squares[x + beside, y] = (style, "")
            x += get_cwidth(glyph)

    def put_line(self, x: int, y: int, line: Line) -> None:
        for style, text in line:
            self.put(x, y, text, style)
            x += get_cwidth(text)

    def lines(self, left: int, top: int, width: int, height: int) -> list[Line]:
        """The part that begins there, each line in exactly so many columns."""
        return [self._line(left, y, width) for y in range(top, top + height)]

    def _line(self, left: int, y: int, width: int) -> Line:
        line: Line = []
        for x in range(left, left + width):
            style, glyph = self.squares.get((x, y), BLANK)
            cut_at_the_left = x == left and not glyph
            cut_at_the_right = x == left + width - 1 and get_cwidth(glyph) > 1
            if cut_at_the_left or cut_at_the_right:
                glyph = " "
            if line and line[-1][0] == style:
                line[-1] = (style, line[-1][1] + glyph)
            else:
                line.append((style, glyph))
        return line


def window(size: int, room: int, focus: int) -> int:
    """Where a part as large as `room` begins, so that the focus is as central in it as it can be."""
    return max(0, min(focus - room // 2, size - room))
