"""Positions read and checked, and worlds imagined from what one viewer knows."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.engine.butterflies import checks
from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import (
    COLOUR_GOALS,
    GOAL_KIND,
    GOAL_NUMBER,
    NUMBER,
    SPECIES_GOALS,
    TOKEN_BIT,
)
from parlour.engine.butterflies.cells import cell_of
from parlour.engine.butterflies.draft import OWNER
from parlour.engine.butterflies.goals import side
from parlour.engine.butterflies.grid import Grid
from parlour.engine.butterflies.state import State
from parlour.engine.chance import Chance
from parlour.engine.errors import BadPosition
from parlour.engine.lean import evolved
from parlour.engine.maps import from_map
from parlour.engine.secret import Secret, only

BOTH_TOKENS: tuple[p.Token, ...] = ("net", "web")


def read(plain: Mapping[str, Any], seats: int, options: p.ButterflyOptions) -> State:
    """The state that a position describes; raises BadPosition."""
    if "options" in plain:
        raise BadPosition("options", "stand beside a position, not in it")
    view = from_map(p.View, {**plain, "options": options.plain()}, BadPosition)
    checks.check_played(view)
    view = _completed(evolved(view, options=options), seats)
    checks.check_table(view, seats)
    hands = [_numbers(hand) for hand in view.hands]
    deck = _left(view, hands) if view.deck is None else _numbers(view.deck)
    goals = [(GOAL_NUMBER[str(pair.colour)], GOAL_NUMBER[str(pair.species)]) for pair in view.goals]
    state = _build(view, grid_of(view.grid), hands, deck, goals)
    won = checks.winning_goal(state)
    return state if won == view.won else _build(evolved(view, won=won), state.grid, hands, deck, goals)


def imagined(view: p.View, grid: Grid, chance: Chance) -> State:
    """Deals the cards and goals that the viewer has not seen anew; the grid is that of the view."""
    known = [_numbers(hand) if isinstance(hand, tuple) else [] for hand in view.hands]
    pile = list(chance.shuffle("imagine", _left(view, known)))
    hands = []
    for hand, seen in zip(view.hands, known, strict=True):
        size = hand if isinstance(hand, int) else 0
        hands.append(seen or pile[:size])
        del pile[:size]
    deck = pile[: view.deck] if isinstance(view.deck, int) else _numbers(view.deck)
    colours = _goals([pair.colour for pair in view.goals], COLOUR_GOALS, view, grid, chance)
    species = _goals([pair.species for pair in view.goals], SPECIES_GOALS, view, grid, chance)
    return _build(view, grid, hands, deck, list(zip(colours, species, strict=True)))


def _goals(seen: Sequence[Any], pool: tuple[int, ...], view: p.View, grid: Grid, chance: Chance) -> list[int]:
    """The goals of one kind by seat, hidden ones out of those that are not seen.

    With automatic declaration a game that goes on tells that no goal in it is met; such goals come last.
    """
    known = [None if word is None else GOAL_NUMBER[word] for word in seen]
    if None not in known:
        return [goal for goal in known if goal is not None]
    left = list(chance.shuffle("imagine", [goal for goal in pool if goal not in known]))
    if view.options.declare == "auto":
        left.sort(key=lambda goal: grid.rows >> goal & 1)
    return [left.pop(0) if goal is None else goal for goal in known]


def _completed(view: p.View, seats: int) -> p.View:
    """What is left out, for as many players as there are."""
    return evolved(
        view,
        hands=view.hands or ((),) * seats,
        shown=view.shown or ((),) * seats,
        tokens=view.tokens or (BOTH_TOKENS,) * seats,
        played=view.played or (0,) * seats,
    )


def _numbers(cards: Any) -> list[int]:
    return [NUMBER[card] for card in cards]


def _left(view: p.View, hands: list[list[int]]) -> list[int]:
    """The cards that are neither on the grid nor turned up nor in these hands, in the order of the list."""
    copies = [p.COPIES] * len(p.CARDS)
    for lying in view.grid:
        copies[NUMBER[lying.card]] -= 1
    if view.turned is not None:
        copies[NUMBER[view.turned]] -= 1
    for hand in hands:
        for card in hand:
            copies[card] -= 1
    return [card for card, left in enumerate(copies) for _ in range(left)]


def grid_of(butterflies: tuple[p.Butterfly, ...]) -> Grid:
    cards = {}
    for lying in butterflies:
        card = NUMBER[lying.card]
        cards[cell_of(lying.at)] = card if lying.token is None else card | TOKEN_BIT[lying.token]
    return Grid.of(cards)


def _build(
    view: p.View,
    grid: Grid,
    hands: list[list[int]],
    deck: list[int],
    goals: list[tuple[int, int]],
) -> State:
    """The state of a view, and of what is hidden in it."""
    seen_by = [only(*side(seat, view.options.teams)) for seat in range(len(hands))]
    return State(
        view.options,
        grid,
        tuple([Secret(tuple(sorted(hand)), OWNER[seat]) for seat, hand in enumerate(hands)]),
        Secret(tuple(deck)),
        tuple(
            [
                (Secret(colour, seen), Secret(species, seen))
                for (colour, species), seen in zip(goals, seen_by, strict=True)
            ]
        ),
        tuple([sum([1 << GOAL_KIND[goal] for goal in shown]) for shown in view.shown]),
        tuple([sum([TOKEN_BIT[token] for token in left]) for left in view.tokens]),
        view.played,
        view.last,
        None if view.turned is None else NUMBER[view.turned],
        view.quiet,
        view.to_act[0] if view.to_act else None,
        view.won,
    )
