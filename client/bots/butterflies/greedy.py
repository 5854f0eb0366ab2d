"""Greedy play of Butterflies: a row if there is one, else what helps own windows and hinders others."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from parlour.client.bots.butterflies.evaluation import gain, webbed
from parlour.client.bots.butterflies.repeats import Grid, earlier_grids, grid_of
from parlour.client.bots.position import Position
from parlour.client.bots.ranked import Ranked
from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import (
    COLOUR_GOALS,
    GOAL_KINDS,
    GOAL_NUMBER,
    KIND,
    NUMBER,
    SPECIES_GOALS,
    WEB,
)
from parlour.engine.butterflies.cells import ALONG, AT, cell_of
from parlour.engine.butterflies.goals import side
from parlour.engine.butterflies.state import State
from parlour.engine.choices import OneOf, Pattern
from parlour.engine.secret import Seat

WON = 1000.0
OTHERS = 0.85
"""What a goal of an opponent weighs against one of ours."""
TOKEN = 4.0
"""What a token should bring: there are two in a game."""
TIRED = 1.5
"""Taken off a move for every turn in a row without a card laid: too many of them end in a draw."""
UNSEEN = 0.9
"""A card that is turned up shows everybody what is coming."""
Goal = tuple[int, p.Goal, Seat]
"""A goal of our side: its number, its kind, whose it is."""


def rank(position: Position, luck: Random) -> list[Ranked]:
    """Ranks by what this seat sees: of the imagined world it reads only the grid and its own hand."""
    collector = Collector.of(position, luck)
    scored = [(score, luck.random(), action) for score, action in collector.scored(position)]
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    return [
        Ranked(action, "chance", 1.0) if value >= WON else Ranked(action, "rows", value)
        for value, _, action in scored
    ]


def goals_of(view: p.View, owner: Seat) -> list[Goal]:
    """The goals of a player that the viewer knows."""
    pair = view.goals[owner]
    words = (pair.colour, pair.species)
    known = [(kind, word) for kind, word in zip(GOAL_KINDS, words, strict=True) if isinstance(word, str)]
    return [(GOAL_NUMBER[word], kind, owner) for kind, word in known]


def weigh(view: p.View, seat: Seat) -> list[float]:
    """By goal: 1 for those of our side, less than 0 for those that opponents have or may have."""
    weights = [0.0] * 8
    ours = side(seat, view.options.teams)
    seen = {goal for owner in range(len(view.goals)) for goal, _, _ in goals_of(view, Seat(owner))}
    for owner in range(len(view.goals)):
        if owner in ours:
            for goal, _, _ in goals_of(view, Seat(owner)):
                weights[goal] += 1.0
            continue
        known = {goal for goal, _, _ in goals_of(view, Seat(owner))}
        for pool in (COLOUR_GOALS, SPECIES_GOALS):
            mine = [goal for goal in pool if goal in known] or [goal for goal in pool if goal not in seen]
            for goal in mine:
                weights[goal] -= OTHERS / len(mine)
    return weights


class Collector:
    """One seat's look at the grid: what each of its actions is worth."""

    def __init__(self, state: State, view: p.View, seat: Seat) -> None:
        self.state, self.view, self.seat = state, view, seat
        self.cards: Mapping[int, int] = state.grid.cards
        self.goals = [goal for owner in side(seat, view.options.teams) for goal in goals_of(view, owner)]
        self.weights = weigh(view, seat)
        self.earlier: set[Grid] = set()

    @classmethod
    def of(cls, position: Position, luck: Random) -> "Collector":
        collector = cls(position.world(luck), position.view, position.seat)
        collector.earlier = earlier_grids(position.news, collector.cards)
        return collector

    def scored(self, position: Position) -> Iterator[tuple[float, p.Action]]:
        for pattern in position.choices.patterns:
            match pattern:
                case Pattern(kind=p.Play, fields=(cards, spots, _)):
                    for card in _all(cards):
                        for at in _all(spots):
                            value, call = self.laid(self.cards, NUMBER[card], at)
                            yield value, p.Play(card, at, call)
                case Pattern(kind=p.Place, fields=(spots, _)):
                    for at in _all(spots):
                        value, call = self.laid(self.cards, self.state.turned or 0, at)
                        yield value, p.Place(at, call)
                case Pattern(kind=p.Move, fields=(from_, spots, _)):
                    yield from self.moves(from_, _all(spots))
                case _:
                    for number in range(pattern.count):
                        yield self.simple(pattern[number]), pattern[number]

    def laid(self, cards: Mapping[int, int], card: int, at: p.At) -> tuple[float, p.Declaration | None]:
        """What a card is worth on a cell, and what to declare with it."""
        cell = cell_of(at)
        for goal, kind, owner in self.goals:
            if completes(cards, cell, card, goal):
                call = p.Declaration(kind, owner)
                return WON, call if self.view.options.declare == "manual" else None
        return gain(cards, cell, card, self.weights), None

    def moves(self, from_: p.At, spots: tuple[p.At, ...]) -> Iterator[tuple[float, p.Action]]:
        source = cell_of(from_)
        rest = dict(self.cards)
        card = rest.pop(source) & KIND
        lost = gain(rest, source, card, self.weights)
        tired = TIRED * self.state.quiet
        for to in spots:
            value, call = self.laid(rest, card, to)
            if value < WON:
                value = -WON if self.repeats(rest, card, to) else value - lost - tired
            yield value, p.Move(from_, to, call)

    def repeats(self, rest: Mapping[int, int], card: int, to: p.At) -> bool:
        """Whether a move leads back to a grid that was there before."""
        return bool(self.earlier) and grid_of({**rest, cell_of(to): card}) in self.earlier

    def simple(self, action: p.Action) -> float:
        """What needs no cell."""
        match action:
            case p.Declare(goal, owner):
                rows = self.state.grid.rows
                called = [number for number, kind, whose in self.goals if (kind, whose) == (goal, owner)]
                return 2 * WON if any(rows >> number & 1 for number in called) else -WON
            case p.Turn():
                return self.turned()
            case p.Web() if self.view.last is not None:
                return webbed(self.cards, cell_of(self.view.last.at), self.weights) - TOKEN
            case _:
                return -TOKEN

    def turned(self) -> float:
        """The mean, over all cards that may be on top of the deck, of the best place for it."""
        unseen = self.unseen()
        total = sum(unseen)
        spots = [AT[cell] for cell in self.state.grid.frontier]
        best = [max(self.laid(self.cards, card, at)[0] for at in spots) for card in range(16) if unseen[card]]
        counts = [count for count in unseen if count]
        return (
            UNSEEN * sum([value * count for value, count in zip(best, counts, strict=True)]) / total
            if total
            else -WON
        )

    def unseen(self) -> list[int]:
        """By kind of card: how many are neither on the grid nor in the own hand."""
        left = [p.COPIES] * len(p.CARDS)
        for card in (*self.cards.values(), *self.state.hands[self.seat].value):
            left[card & KIND] -= 1
        return left


def _all(field: object) -> tuple[Any, ...]:
    """The values of a field, open or not."""
    return field.values if isinstance(field, OneOf) else (field,)


def completes(cards: Mapping[int, int], cell: int, card: int, goal: int) -> bool:
    """Whether this card on this cell makes a row of the goal."""
    shift, want = (0, goal) if goal < 4 else (2, goal - 4)
    if card >> shift & 3 != want:
        return False
    for step in ALONG:
        length = 1
        for way in (step, -step):
            beside = cell + way
            while (there := cards.get(beside, WEB)) < WEB and there >> shift & 3 == want:
                length += 1
                beside += way
        if length >= p.ROW:
            return True
    return False
