"""How much room a board gets, what it draws with there, and what is said when the room is too small."""

from collections.abc import Callable

import attrs

from parlour.client.boards.text import Line, cut, wrapped
from parlour.client.language import ENGLISH, Texts


@attrs.frozen
class Room:
    """The columns and lines for a board, and whether the terminal knows only ASCII."""

    width: int = 80
    height: int = 19
    ascii: bool = False
    besides: int = 0
    """Lines of the window that are not the board's: people are told what the whole window needs."""


LEAST = Room()
"""Every board is whole in this: a window of 80 by 24, less five lines for what is said around it."""
SMALLEST = Room(60, 15)
"""Below this there is no board: a window of 60 by 20. In between boards leave out what can be missed."""

_PLAINER = str.maketrans(
    "─━═╌▁│┃┊╭╮╰╯├┤┬┴┼┏┓┗┛▸▶◂▴▾↰↱★☆≈■▒·…–±×",
    "-----||:+++++++++++++>><^vLR*o~#?.~-~x",
)
"""Each drawn glyph by one of ASCII that is as wide. Names keep their letters."""


def in_ascii(line: Line) -> Line:
    """The line without any glyph that only a font of these days has."""
    return [(style, text.translate(_PLAINER)) for style, text in line]


def fitted(
    room: Room, draw: Callable[[], list[Line]], texts: Texts = ENGLISH, least: Room = SMALLEST
) -> list[Line]:
    """The board, if there is room for it: no line too wide, none too many."""
    if room.width < least.width or room.height < least.height:
        lines = _too_small(room, texts, least)
    else:
        lines = [cut(line, room.width) for line in draw()][: room.height]
    return [in_ascii(line) for line in lines] if room.ascii else lines


def _too_small(room: Room, texts: Texts, least: Room) -> list[Line]:
    told = texts(
        "board.too_small",
        width=room.width,
        height=room.height + room.besides,
        wanted_width=least.width,
        wanted_height=least.height + room.besides,
    )
    lines = wrapped(told, max(room.width, 1))
    return [[("class:name", text)] for text in lines][: max(room.height, 0)]
