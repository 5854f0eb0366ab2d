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
from parlour.engine.secret import Seat, Secret

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


def view(state: State) -> p.View:
    cards = state.grid.cards
    return p.View(
        options=state.options,
        grid=tuple([_butterfly(cell, cards[cell]) for cell in sorted(cards)]),
        hands=tuple([hand.pile(named) for hand in state.hands]),
        deck=state.deck.pile(named),
        goals=tuple([_goals(*pair) for pair in zip(state.goals, state.shown, strict=True)]),
        shown=tuple([GOALS_IN[up] for up in state.shown]),
        tokens=tuple([TOKENS_IN[left] for left in state.tokens]),
        played=state.played,
        last=state.last,
        turned=None if state.turned is None else p.CARDS[state.turned],
        quiet=state.quiet,
        phase=state.phase,
        to_act=() if state.turn is None else (Seat(state.turn),),
        won=state.won,
    )


@functools.lru_cache(maxsize=8192)
def _butterfly(cell: int, card: int) -> p.Butterfly:
    token: p.Token | None = "net" if card & NET else "web" if card & WEB else None
    return p.Butterfly(at=AT[cell], card=p.CARDS[card & KIND], token=token)


def _goals(goals: Hidden, shown: int) -> p.Goals:
    """A goal leaves its wrapping when it is turned up."""
    words: list[Any] = [
        GOAL_WORDS[goal.value] if shown >> kind & 1 else goal.apply(GOAL_WORDS.__getitem__)
        for kind, goal in enumerate(goals)
    ]
    return p.Goals(colour=words[0], species=words[1])
