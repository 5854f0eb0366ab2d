"""Where the cards on the grid can be moved, worked out for all of them at once.

A card that holds nothing together goes to every cell of the frontier but those that touch no card but itself.
A bridge goes only to a joint, a free cell beside two cards or more, that touches all parts that its lifting
leaves. The sets of cards beside the joints stand side by side in one number, a lane for each joint: so a part
is held against all of them at once.
"""

import functools
from collections.abc import Iterator

from parlour.engine.butterflies.bridges import bridges
from parlour.engine.butterflies.cards import EVERY_CARD
from parlour.engine.butterflies.cells import AT
from parlour.engine.butterflies.grid import Grid
from parlour.engine.butterflies.public import At

LANE = len(EVERY_CARD) + 1
"""Bits for a set of cards, and a top bit."""
FULL = (1 << len(EVERY_CARD)) - 1


@functools.cache
def _lanes(joints: int) -> tuple[int, int, int]:
    """For so many joints: a one at the foot of every lane, full lanes, and all their top bits."""
    ones = sum(1 << LANE * joint for joint in range(joints))
    return ones, ones * FULL, ones * FULL + ones


class Moves:
    """The moves on a grid but of the card on the barred cell: how many there are, and which."""

    __slots__ = ("_counts", "_grid", "_joining", "count")

    def __init__(self, grid: Grid, barred: int | None) -> None:
        self._grid = grid
        lone, joints = grid.lone, grid.joints
        counts = [len(lone) + len(joints)] * len(grid.where)
        for number in lone.values():
            counts[number] -= 1
        lanes = 0
        for beside in joints.values():
            lanes = lanes << LANE | beside
        ones, full, tops = _lanes(len(joints))
        joining: dict[int, int] = {}
        for number, parts in bridges(grid.near).items():
            touching = tops
            for part in parts:
                # What a lane has in common with the part makes it run over into its top bit.
                touching &= (lanes & ones * part) + full
                if not touching:
                    break
            joining[number] = touching
            counts[number] = touching.bit_count()
        for cell in grid.marks:
            counts[grid.where.index(cell)] = 0
        if barred is not None:
            counts[grid.where.index(barred)] = 0
        self._joining = joining
        self._counts = counts
        """By number of a card: the cells where it can go."""
        self.count = sum(counts)

    def _destinations(self, number: int) -> list[int]:
        """Where a card can go, row by row."""
        lone, joints = self._grid.lone, self._grid.joints
        joined = self._joining.get(number)
        if joined is None:
            return sorted([*joints, *[cell for cell, beside in lone.items() if beside != number]])
        tops = joined >> LANE - 1
        return sorted([joint for place, joint in enumerate(reversed(joints)) if tops >> LANE * place & 1])

    def __iter__(self) -> Iterator[tuple[At, tuple[At, ...]]]:
        """Each card that can be moved and where it can go, all row by row."""
        grid = self._grid
        spots = grid.spots.values
        alone: dict[int, list[int]] = {}
        for place, cell in enumerate(grid.frontier):
            if cell in grid.lone:
                alone.setdefault(grid.lone[cell], []).append(place)
        for number in self._row_by_row():
            if not self._counts[number]:
                continue
            at = AT[grid.where[number]]
            if number in self._joining:
                yield at, tuple([AT[joint] for joint in self._destinations(number)])
                continue
            left = spots
            for place in reversed(alone.get(number, ())):
                left = left[:place] + left[place + 1 :]
            yield at, left

    def __getitem__(self, index: int) -> tuple[At, At]:
        """The move of this rank, 0 to count - 1, in the order in which they are listed."""
        counts = self._counts
        for number in self._row_by_row():
            if index < counts[number]:
                return AT[self._grid.where[number]], AT[self._destinations(number)[index]]
            index -= counts[number]
        raise IndexError(index)

    def _row_by_row(self) -> list[int]:
        """The numbers of all cards, in the order of their cells."""
        where = self._grid.where
        return sorted(range(len(where)), key=where.__getitem__)
