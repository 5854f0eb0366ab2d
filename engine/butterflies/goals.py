"""Goals: whether the row is there, whose goals a player may declare, and who wins with them."""

import functools

from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import COLOUR_GOALS, GOAL_KINDS, GOALS_IN, WEB
from parlour.engine.butterflies.grid import DOWN, RIGHT, Grid
from parlour.engine.choices import OneOf, Pattern
from parlour.engine.secret import Seat, Secret

Hidden = tuple[Secret[int], Secret[int]]
"""A player's colour goal and species goal."""
BOTH = 3
"""A bit for the colour goal and one for the species goal."""
ALONG = (RIGHT, DOWN, DOWN + RIGHT, DOWN - RIGHT)
"""Across, down and on both diagonals."""
_MARK: tuple[tuple[int, int], ...] = tuple(
    (3, goal) if goal in COLOUR_GOALS else (12, (goal - len(COLOUR_GOALS)) << 2) for goal in range(8)
)
"""By goal: the bits of a card that it looks at, and what it wants there."""


def row_there(grid: Grid, goal: int) -> bool:
    """Whether four or more cards of this colour or species, none webbed, lie next to each other in a row."""
    bits, wanted = _MARK[goal]
    cells = {cell for cell, card in grid.cards.items() if card & bits == wanted and card < WEB}
    if len(cells) < p.ROW:
        return False
    for step in ALONG:
        for cell in cells:
            if cell + step in cells and cell + 2 * step in cells and cell + 3 * step in cells:
                return True
    return False


def partner(seat: int) -> int:
    """In teams: the player across the table."""
    return (seat + 2) % 4


@functools.cache
def side(seat: int, teams: str) -> tuple[Seat, ...]:
    """A player, and the partner in teams: who shares goals and the win."""
    return (Seat(seat), Seat(partner(seat))) if teams == "on" else (Seat(seat),)


@functools.cache
def declarations(seat: int, options: p.ButterflyOptions) -> OneOf | None:
    """What a player may declare together with an action; None alone with automatic declaration."""
    if options.declare == "auto":
        return None
    called = [p.Declaration(goal, owner) for owner in side(seat, options.teams) for goal in GOAL_KINDS]
    return OneOf((None, *called))


def _declares(owner: int, kinds: int) -> Pattern[p.Action]:
    words = GOALS_IN[kinds]
    return Pattern.of(p.Declare, OneOf(words) if len(words) > 1 else words[0], Seat(owner))


_DECLARES: tuple[tuple[Pattern[p.Action] | None, ...], ...] = tuple(
    (None, *(_declares(owner, kinds) for kinds in (1, 2, 3))) for owner in range(4)
)


def before_acting(
    grid: Grid, seat: int, goals: tuple[Hidden, ...], shown: tuple[int, ...], teams: str
) -> list[Pattern[p.Action]]:
    """What a player may declare before acting: goals face down, and goals face up whose row is there.

    Whether the row of a goal is there counts only once everybody has seen the goal.
    """
    found = []
    for owner in side(seat, teams):
        up = shown[owner]
        allowed = BOTH ^ up
        if up:
            for kind, goal in enumerate(goals[owner]):
                if up >> kind & 1 and row_there(grid, goal.value):
                    allowed |= 1 << kind
        pattern = _DECLARES[owner][allowed]
        if pattern is not None:
            found.append(pattern)
    return found
