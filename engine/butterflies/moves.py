"""Where the cards on the grid can be moved: worked out for all of them at once.

A card that holds nothing together goes to any cell of the frontier but those that touch no card but itself.
A bridge goes only where it touches each of the parts that its lifting leaves.
"""

from parlour.engine.butterflies.grid import AT, TOWARDS, Grid, Way, bridges
from parlour.engine.choices import OneOf

SOLE: tuple[int, ...] = tuple(steps[0] if len(steps) == 1 else 0 for steps in TOWARDS)
"""By a set of sides: the step to the card if there is just one."""
UNMARKED = 16
"""Cards on the grid below this number have no token."""


def ways(grid: Grid, barred: int | None) -> tuple[Way, ...]:
    """All moves there are but of the card on the barred cell, as pairs of open fields that do not overlap."""
    if grid.ways is None or grid.ways[0] != barred:
        grid.ways = (barred, tuple(_ways(grid, barred)) if grid.cards else ())
    return grid.ways[1]


def _ways(grid: Grid, barred: int | None) -> list[Way]:
    frontier, spots = grid.frontier, grid.spots
    around = grid.around
    alone: dict[int, list[int]] = {}
    shared: list[int] = []
    for place, cell in enumerate(frontier):
        step = SOLE[around[cell]]
        if not step:
            shared.append(place)
        elif cell + step in alone:
            alone[cell + step].append(place)
        else:
            alone[cell + step] = [place]
    number, parts = bridges(grid)
    joints: list[tuple[int, int]] = []
    for place in shared:
        cell = frontier[place]
        touched = 0
        for step in TOWARDS[around[cell]]:
            touched |= 1 << number[cell + step]
        joints.append((touched, place))
    cells = spots.values
    anywhere = []
    found: list[Way] = []
    for from_ in sorted(grid.cards):
        if grid.cards[from_] >= UNMARKED or from_ == barred:
            continue
        if from_ in parts:
            split = parts[from_]
            first, second = split[0], split[1]
            joining = [place for touched, place in joints if touched & first and touched & second]
            if len(split) > 2 and joining:
                joining = [place for touched, place in joints if all(touched & part for part in split)]
            if joining:
                found.append((AT[from_], OneOf(tuple([cells[place] for place in joining]))))
        elif from_ in alone:
            kept = cells
            for place in reversed(alone[from_]):
                kept = kept[:place] + kept[place + 1 :]
            if kept:
                found.append((AT[from_], OneOf(kept)))
        else:
            anywhere.append(AT[from_])
    if anywhere:
        found.append((OneOf(tuple(anywhere)), spots))
    return found
