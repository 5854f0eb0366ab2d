"""Goals: whose a player may declare and when, and who wins with them."""

import functools

from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import GOAL_KINDS, GOALS_IN
from parlour.engine.choices import OneOf, Pattern
from parlour.engine.secret import Seat, Secret

Hidden = tuple[Secret[int], Secret[int]]
"""A player's colour goal and species goal."""
BOTH = 3
"""A bit for the colour goal and one for the species goal."""


def partner(seat: int) -> int:
    """In teams: the player across the table."""
    return (seat + 2) % 4


@functools.cache
def side(seat: int, teams: str) -> tuple[Seat, ...]:
    """A player, and the partner in teams: who shares goals and the win."""
    return (Seat(seat), Seat(partner(seat))) if teams == "on" else (Seat(seat),)


@functools.cache
def declarations(seat: int, declare: str, teams: str) -> tuple[p.Declaration | None, ...]:
    """What a player may declare together with an action: nothing, or one of the goals of his side."""
    if declare == "auto":
        return (None,)
    called = [p.Declaration(goal, owner) for owner in side(seat, teams) for goal in GOAL_KINDS]
    return (None, *called)


@functools.cache
def open_declarations(seat: int, declare: str, teams: str) -> OneOf | None:
    """The same as a field of an action."""
    allowed = declarations(seat, declare, teams)
    return OneOf(allowed) if len(allowed) > 1 else None


def _declares(owner: int, kinds: int) -> Pattern[p.Action]:
    words = GOALS_IN[kinds]
    return Pattern.of(p.Declare, OneOf(words) if len(words) > 1 else words[0], Seat(owner))


_DECLARES: tuple[tuple[Pattern[p.Action] | None, ...], ...] = tuple(
    (None, *(_declares(owner, kinds) for kinds in (1, 2, 3))) for owner in range(4)
)


def before_acting(
    found: list[Pattern[p.Action]],
    rows: int,
    seat: int,
    goals: tuple[Hidden, ...],
    shown: tuple[int, ...],
    teams: str,
) -> None:
    """Adds what a player may declare before acting: goals face down, and goals face up whose row is there.

    Whether the row of a goal is there counts only once everybody has seen the goal.
    """
    for owner in side(seat, teams):
        up = shown[owner]
        allowed = BOTH ^ up
        if up and rows:
            for kind, goal in enumerate(goals[owner]):
                if up >> kind & 1 and rows >> goal.value & 1:
                    allowed |= 1 << kind
        pattern = _DECLARES[owner][allowed]
        if pattern is not None:
            found.append(pattern)
