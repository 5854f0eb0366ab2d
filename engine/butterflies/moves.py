"""Where the cards on the grid can be moved, worked out for all of them at once.

A card that holds nothing together goes to every cell of the frontier but those that touch no card but itself.
A bridge goes only to a joint, a free cell beside two cards or more, that touches all parts that its lifting
leaves.
"""

from parlour.engine.butterflies.bridges import bridges
from parlour.engine.butterflies.cards import UNMARKED
from parlour.engine.butterflies.cells import AT
from parlour.engine.butterflies.grid import Cells, Grid
from parlour.engine.butterflies.public import At


class Moves:
    """The moves on a grid but of the card on the barred cell; how many there are, and which."""

    __slots__ = ("_grid", "_joining", "cards", "count")

    def __init__(self, grid: Grid, barred: int | None) -> None:
        self._grid = grid
        alone: dict[int, int] = {}
        joints: list[tuple[int, int]] = []
        held = 0
        for cell, beside in grid.edge.items():
            if beside & (beside - 1):
                joints.append((beside, cell))
                held |= beside
            elif beside in alone:
                alone[beside] += 1
            else:
                alone[beside] = 1
        joining: dict[int, list[int]] = {}
        for card, parts in bridges(grid.near).items():
            one, other = parts[0], parts[1]
            if not (one & held and other & held):
                joining[card] = []
                continue
            cells = [cell for beside, cell in joints if beside & one and beside & other]
            if len(parts) > 2 and cells:
                edge = grid.edge
                cells = [cell for cell in cells if all(edge[cell] & part for part in parts)]
            joining[card] = cells
        self._joining = joining
        cards = grid.cards
        size = len(grid.edge)
        found: dict[int, int] = {}
        total = 0
        for number, cell in enumerate(grid.where):
            if cards[cell] < UNMARKED and cell != barred:
                if number in joining:
                    count = len(joining[number])
                else:
                    count = size - alone.get(1 << number, 0)
                if count:
                    found[cell] = count
                    total += count
        self.cards = found
        """By cell of a card that can be moved: the number of cells where it can go."""
        self.count = total

    def destinations(self, cell: int) -> Cells:
        """Where the card on this cell, which can be moved, can go; row by row."""
        grid = self._grid
        number = grid.where.index(cell)
        if number in self._joining:
            return tuple(sorted(self._joining[number]))
        alone, edge = 1 << number, grid.edge
        return tuple([free for free in grid.frontier if edge[free] != alone])

    def __getitem__(self, index: int) -> tuple[At, At]:
        """The move of this rank, 0 to count - 1: card by card and cell by cell, row by row."""
        for cell in sorted(self.cards):
            count = self.cards[cell]
            if index < count:
                return AT[cell], AT[self.destinations(cell)[index]]
            index -= count
        raise IndexError(index)
