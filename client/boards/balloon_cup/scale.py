"""How large Balloon Cup is drawn: its cards, its tiles and the columns of its trophies."""

import attrs

from parlour.client.boards.room import Room
from parlour.client.boards.text import Line

TILES, TROPHIES = 4, 5


@attrs.frozen
class Scale:
    """Columns and lines; from three lines on, cards have frames."""

    card: tuple[int, int]
    tile: int
    name: int
    trophy: int
    height: int
    """Lines that the whole table needs."""
    between_tiles: str = " "
    between_colours: str = "   "
    compact: bool = False
    """Cards stand side by side, and what can be missed is left out."""

    @property
    def card_lines(self) -> int:
        return self.card[1]

    @property
    def width(self) -> int:
        return max(
            TILES * self.tile + (TILES - 1) * len(self.between_tiles), self.name + TROPHIES * self.trophy
        )


SCALES = (
    Scale(card=(8, 5), tile=39, name=20, trophy=27, height=37),
    Scale(card=(5, 3), tile=27, name=16, trophy=18, height=25),
    Scale(card=(3, 1), tile=19, name=12, trophy=13, height=19),
)
"""From the largest."""
COMPACT = Scale((3, 1), 15, 10, 10, 15, between_tiles="", between_colours=" ", compact=True)


def scale_for(room: Room) -> Scale:
    """The largest that fits; else the one that leaves out what can be missed."""
    fitting = (scale for scale in SCALES if scale.width <= room.width and scale.height <= room.height)
    return next(fitting, COMPACT)


def boxed(text: str, style: str, scale: Scale, fill: bool = True) -> list[Line]:
    """A card; without a frame it is filled up to its columns where others stand below it."""
    width, height = scale.card
    if height < 3:
        return [[(style, text.ljust(width) if fill else text)]]
    blank = f"│{' ' * (width - 2)}│"
    body = [blank] * (height - 2)
    body[len(body) // 2] = f"│{text.center(width - 2) if width > 5 else text.ljust(width - 2)}│"
    return [[(style, line)] for line in (f"╭{'─' * (width - 2)}╮", *body, f"╰{'─' * (width - 2)}╯")]


def empty(text: str, style: str, scale: Scale) -> list[Line]:
    """A place for a card."""
    width, height = scale.card
    if height < 3:
        return [[(style, text)]]
    lines = [" " * width] * height
    lines[0] = lines[-1] = f"·{' ' * (width - 2)}·"
    lines[height // 2] = text.center(width)
    return [[(style, line)] for line in lines]
