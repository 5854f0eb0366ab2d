"""Styled text as a value: a line is a list of (style, text) pieces, measured in the columns of a terminal."""

import re
from collections.abc import Iterable

from prompt_toolkit.utils import get_cwidth

from parlour.machine.output import printable

Line = list[tuple[str, str]]
WIDTH = 80
"""No board is wider: the columns of the smallest terminal it is drawn for."""


def columns(line: Line) -> int:
    """How many columns a line takes on the screen."""
    return sum(get_cwidth(text) for _, text in line)


def plain(line: Line) -> str:
    """The line without its styles."""
    return "".join(text for _, text in line).rstrip()


def drawn(lines: Iterable[Line]) -> Line:
    """All lines as the pieces of one text for a terminal: the border through which every screen goes."""
    pieces: Line = []
    for number, line in enumerate(lines):
        pieces.extend([("", "\n")] if number else [])
        pieces.extend((style, printable(text)) for style, text in line)
    return pieces


def clipped(text: str, width: int) -> str:
    """The text in at most so many columns, with an ellipsis where it was cut."""
    if get_cwidth(text) <= width:
        return text
    kept = ""
    for letter in text:
        if get_cwidth(kept + letter) >= width:
            break
        kept += letter
    return f"{kept}…" if width > 0 else ""


def cut(line: Line, width: int) -> Line:
    """The line in at most so many columns."""
    shorter: Line = []
    room = width
    for style, text in line:
        if room <= 0:
            break
        kept = clipped(text, room)
        shorter.append((style, kept))
        room -= get_cwidth(kept)
    return shorter


def padded(line: Line, width: int) -> Line:
    """The line in exactly so many columns, text at the left."""
    line = cut(line, width)
    return [*line, ("", " " * (width - columns(line)))]


def centred(line: Line, width: int) -> Line:
    """The line in exactly so many columns, text in the middle."""
    line = cut(line, width)
    room = width - columns(line)
    return [("", " " * (room // 2)), *line, ("", " " * (room - room // 2))]


def joined(parts: Iterable[Line], between: str = " ") -> Line:
    """Lines one after the other, with something between them."""
    line: Line = []
    for number, part in enumerate(parts):
        if number:
            line.append(("", between))
        line.extend(part)
    return line


_NEVER_FIRST = frozenset("。，、；：！？）》」』”’…·.,;:!?)]}")


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most so many columns, broken at blanks and between wide letters.

    Breaks of its own are blanks like others; two blanks in a row stay two.
    """
    if "\n" not in text and text.strip() and get_cwidth(text) <= width:
        return [text.strip()]
    lines: list[str] = []
    line = ""
    for piece in _pieces(text):
        if line and get_cwidth(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        while get_cwidth(piece.rstrip()) > width > 0:
            end = _fitting(piece, width)
            lines.append(piece[:end])
            piece = piece[end:]
        line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def _pieces(text: str) -> list[str]:
    """What stays together: a word with its blank, or a wide letter with what may not begin a line."""
    pieces: list[str] = []
    for letter in re.sub(r"\s*\n\s*", " ", text.strip()):
        before = pieces[-1][-1] if pieces else " "
        apart = before == " " or get_cwidth(before) > 1 or get_cwidth(letter) > 1
        if pieces and (letter == " " or letter in _NEVER_FIRST or not apart):
            pieces[-1] += letter
        else:
            pieces.append(letter)
    return pieces


def _fitting(text: str, width: int) -> int:
    """How many letters fit; one always does."""
    end = 1
    while end < len(text) and get_cwidth(text[: end + 1]) <= width:
        end += 1
    return end


def spread(text: str, width: int, filling: str = " ") -> str:
    """The text with so much filling behind it that it takes so many columns."""
    return text + filling * (width - get_cwidth(text))
