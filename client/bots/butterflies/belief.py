"""What the goals of opponents in Butterflies may be, by where they laid their cards.

For each pair of goals that a player may have, every card that he laid is held against the other cells where
it might have gone: the better the cell was for these goals, the more likely they are his.
"""

import math
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from parlour.client.bots.butterflies.evaluation import Line, lines
from parlour.client.bots.butterflies.greedy import OTHERS
from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import NUMBER, TOKEN_BIT
from parlour.engine.butterflies.cells import ORIGIN, STEPS, cell_of
from parlour.engine.butterflies.state import State
from parlour.engine.lean import evolved
from parlour.engine.secret import Secret

CARE = 0.4
"""In worth of windows: how much better a cell must be to be e times as likely."""
WHIM = 0.1
"""How often a card is laid for any other reason."""
MOST = 30.0
"""A cell that is worth more than this is taken in any case."""
KINDS = range(4)
"""Colours, and species."""
Belief = list[list[float]]
"""The logarithm of how likely a player's colour goal and species goal are, but for a constant."""


def beliefs(news: Iterable[Mapping[str, Any]], seats: int) -> list[Belief]:
    """By seat, from the news of the whole game."""
    found: list[Belief] = [[[0.0] * 4 for _ in KINDS] for _ in range(seats)]
    cards: dict[int, int] = {}
    for piece in news:
        match piece:
            case {"type": "card_played" | "card_placed", "seat": seat, "card": card, "at": at}:
                cell = cell_of(tuple(at))
                _learn(found[seat], cards, cell, NUMBER[card])
                cards[cell] = NUMBER[card]
            case {"type": "card_moved", "card": card, "from": from_, "to": to}:
                cards[cell_of(tuple(to))] = cards.pop(cell_of(tuple(from_)), NUMBER[card])
            case {"type": "token_placed", "token": token, "card": card, "at": at}:
                cell = cell_of(tuple(at))
                cards[cell] = cards.get(cell, NUMBER[card]) | TOKEN_BIT[token]
    return found


def _learn(belief: Belief, cards: Mapping[int, int], cell: int, card: int) -> None:
    """From a card that was laid on this cell, and on no other."""
    frontier = {there + step for there in cards for step in STEPS if there + step not in cards} or {ORIGIN}
    cells = [cell, *(frontier - {cell})]
    if len(cells) == 1:
        return
    around = [lines(cards, each) for each in cells]
    by_colour = [[_evaluate(look, card & 3, goal, 0) for look in around] for goal in KINDS]
    by_species = [[_evaluate(look, card >> 2 & 3, goal, 4) for look in around] for goal in KINDS]
    for colour in KINDS:
        for species in KINDS:
            pairs = zip(by_colour[colour], by_species[species], strict=True)
            values = [min(MOST, ours + more) / CARE for ours, more in pairs]
            top = max(values)
            sum_ = sum([math.exp(value - top) for value in values])
            meant = math.exp(values[0] - top) / sum_
            belief[colour][species] += math.log((1 - WHIM) * meant + WHIM / len(cells))


def _evaluate(around: list[Line], own: int, goal: int, first: int) -> float:
    """What a card brings to somebody with a goal, of colours (from 0) or species (from 4) alone."""
    theirs = -OTHERS / 3
    sum_ = 0.0
    for empty, goals, _ in around:
        sum_ += empty if own == goal else empty * theirs
        for each, brings, takes in goals:
            kind = each - first
            if 0 <= kind < 4:
                weight = 1.0 if kind == goal else theirs
                sum_ += brings * weight if kind == own else -takes * weight
    return sum_


def believed(state: State, view: p.View, told: list[Belief], luck: Random) -> State:
    """A world whose unseen goals are as likely as what their owners did makes them."""
    seen = [
        (
            colour.value if isinstance(pair.colour, str) else None,
            species.value if isinstance(pair.species, str) else None,
        )
        for pair, (colour, species) in zip(view.goals, state.goals, strict=True)
    ]
    taken = {goal for pair in seen for goal in pair if goal is not None}
    over = state.grid.rows if state.options.declare == "auto" else 0
    """With automatic declaration, goals whose rows are there are nobody's."""
    goals = []
    for (colour, species), belief, before in zip(seen, told, state.goals, strict=True):
        pairs = [
            (each, other)
            for each in ([colour] if colour is not None else _open(0, taken, over))
            for other in ([species] if species is not None else _open(4, taken, over))
        ]
        if not pairs:
            return state
        logs = [belief[each][other - 4] for each, other in pairs]
        top = max(logs)
        drawn = luck.choices(pairs, [math.exp(log - top) for log in logs])[0]
        taken.update(drawn)
        goals.append((Secret(drawn[0], before[0].seen_by), Secret(drawn[1], before[1].seen_by)))
    return evolved(state, goals=tuple(goals))


def _open(first: int, taken: set[int], over: int) -> list[int]:
    return [goal for goal in range(first, first + 4) if goal not in taken and not over >> goal & 1]
