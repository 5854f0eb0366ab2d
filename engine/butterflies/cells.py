"""Cells of the open grid as numbers: y * 2^20 + x.

So cells sort by row and then by column, and a neighbour is a step of 1 or 2^20 away. Nothing bounds the grid
but the number of turns in a game, which is far below 2^18.
"""

from collections.abc import Mapping

from parlour.engine.butterflies.public import At

STRIDE = 1 << 20
FARTHEST = 1 << 18
"""No play from the middle leads to coordinates beyond this."""
ORIGIN = 0
RIGHT, DOWN = 1, STRIDE
STEPS = (RIGHT, -RIGHT, DOWN, -DOWN)
"""To the cells that share a side."""
ALONG = (RIGHT, DOWN, DOWN + RIGHT, DOWN - RIGHT)
"""Across, down and on both diagonals: how rows run."""


class _Places(dict[int, At]):
    def __missing__(self, cell: int) -> At:
        row, column = divmod(cell + STRIDE // 2, STRIDE)
        at = self[cell] = (column - STRIDE // 2, row)
        return at


AT: Mapping[int, At] = _Places()
"""The coordinates of a cell, worked out once."""


def cell_of(at: At) -> int:
    """The cell of coordinates that are within reach."""
    return at[1] * STRIDE + at[0]


def cell_at(at: At) -> int | None:
    """The cell of any coordinates; None if no card can ever come there."""
    x, y = at
    return cell_of(at) if -FARTHEST <= x <= FARTHEST and -FARTHEST <= y <= FARTHEST else None
