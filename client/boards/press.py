"""What a click on a piece of text presses: carried in its style, so that it survives cutting and padding."""

import re

from parlour.client.boards.text import Line, columns

_PRESS = re.compile(r"\[press:([^\]]+)\]")


def pressing(key: str) -> str:
    """A part of a style that draws nothing: prompt_toolkit passes over what is in square brackets."""
    return f"[press:{key}]"


def touchable(kind: str, value: object, line: Line) -> Line:
    """The line as something on the board that can be touched: a card, a cell, a tile."""
    press = pressing(f"thing:{kind}:{value}")
    return [(f"{style} {press}" if style else press, text) for style, text in line]


def pressed(line: Line, column: int) -> str | None:
    """What a click in this column presses."""
    at = 0
    for style, text in line:
        at += columns([(style, text)])
        if column < at:
            found = _PRESS.search(style)
            return found[1] if found else None
    return None
