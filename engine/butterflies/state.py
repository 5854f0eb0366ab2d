"""The state of a game of Butterflies: small numbers inside, words only in the view."""

import functools
from typing import Any

import attrs

from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import GOAL_WORDS, GOALS_IN, KIND, NET, TOKENS_IN, WEB, named
from parlour.engine.butterflies.cells import AT
from parlour.engine.butterflies.goals import Hidden
from parlour.engine.butterflies.grid import Grid
from parlour.engine.lean import lean
from parlour.engine.secret import Pile, Secret
from parlour.engine.view_fields import From, ViewFields

Hand = Secret[tuple[int, ...]]


@lean
class State:
    """Hands are sorted and seen by their owner; the deck is face down, its top first.

    The goals that nobody holds have left the game and are nowhere.
    """

    options: p.ButterflyOptions
    grid: Grid
    hands: tuple[Hand, ...]
    deck: Secret[tuple[int, ...]]
    goals: tuple[Hidden, ...]
    shown: tuple[int, ...]
    """By seat: the goals that are face up, 1 for the colour and 2 for the species."""
    tokens: tuple[int, ...]
    """By seat: NET, WEB or both, as long as they are not on the grid."""
    played: tuple[int, ...]
    last: p.Last | None
    turned: int | None
    """The card that was turned up and is to be placed."""
    quiet: int
    turn: int | None
    """Who is asked; None when the game is over."""
    won: p.Declaration | None
    decision: int = attrs.field(default=0, eq=False)
    """Counts what was asked so far, to tell one deadline from the next."""

    @property
    def phase(self) -> p.Phase:
        return "act" if self.turned is None else "place"


@functools.lru_cache(maxsize=8192)
def _butterfly(cell: int, card: int) -> p.Butterfly:
    token: p.Token | None = "net" if card & NET else "web" if card & WEB else None
    return p.Butterfly(at=AT[cell], card=p.CARDS[card & KIND], token=token)


def _grid(grid: Grid) -> tuple[p.Butterfly, ...]:
    cards = grid.cards
    return tuple([_butterfly(cell, cards[cell]) for cell in sorted(cards)])


def _pile(cards: Hand) -> Pile[p.Card]:
    return cards.pile(named)


def _goals(goals: Hidden, shown: int) -> p.Goals:
    """A goal leaves its wrapping when it is turned up."""
    words: list[Any] = [
        GOAL_WORDS[goal.value] if shown >> kind & 1 else goal.apply(GOAL_WORDS.__getitem__)
        for kind, goal in enumerate(goals)
    ]
    return p.Goals(colour=words[0], species=words[1])


VIEWS: ViewFields[State, p.View] = ViewFields(
    p.View,
    {
        "options": From("options", seldom=True),
        "grid": From("grid", make=_grid),
        "hands": From("hands", each=_pile),
        "deck": From("deck", make=_pile),
        "goals": From("goals", "shown", make=lambda goals, shown: tuple(map(_goals, goals, shown))),
        "shown": From("shown", each=GOALS_IN.__getitem__),
        "tokens": From("tokens", each=TOKENS_IN.__getitem__, seldom=True),
        "played": From("played"),
        "last": From("last"),
        "turned": From(
            "turned", make=lambda turned: None if turned is None else p.CARDS[turned], seldom=True
        ),
        "quiet": From("quiet"),
        "phase": From("phase", seldom=True),
        "to_act": From("turn", make=lambda turn: () if turn is None else (turn,)),
        "won": From("won", seldom=True),
    },
)
