"""Searching play of Butterflies: the best dozen actions, each answered by opponents whose goals are imagined.

In a world the goals of all are known: an opponent who can complete a row does, else he lays what helps him
most; then it counts whether we can complete one of ours, and what the windows have become.
"""

import functools
import math
from collections.abc import Iterator, Sequence
from random import Random

from parlour.client.bots.budget import Budget
from parlour.client.bots.butterfly_greedy import OTHERS, WON, Collector, completes
from parlour.client.bots.butterfly_worth import gain
from parlour.client.bots.halving import best
from parlour.client.bots.sight import Sight
from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import GOAL_KINDS, KIND, UNMARKED
from parlour.engine.butterflies.cells import AT, cell_of
from parlour.engine.butterflies.goals import side
from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.butterflies.state import State
from parlour.engine.butterflies.turn import barred, moves_open
from parlour.engine.chance import SECRET_BYTES, Seeded
from parlour.engine.secret import Seat

CANDIDATES = 12
SCALE = 25.0
"""So much more in the windows makes a win about three times as likely as a loss."""
NEAR = 0.97
"""What a row is worth that we can complete on our next turn."""


def choose(sight: Sight, luck: Random, budget: Budget) -> p.Action:
    collector = Collector(sight.world(luck), sight.view, sight.seat)
    scored = [(score, luck.random(), action) for score, action in collector.scored(sight)]
    scored.sort(key=lambda entry: (-entry[0], entry[1]))
    candidates: list[p.Action] = [action for score, _, action in scored[:CANDIDATES] if score > -WON]
    if scored[0][0] >= WON or len(candidates) < 2:
        return scored[0][2]
    game = Butterflies()
    secret = luck.randbytes(SECRET_BYTES - 4)

    @functools.lru_cache(maxsize=2)
    def world(number: int) -> State:
        return game.imagine(sight.view, sight.seat, Seeded(secret + number.to_bytes(4, "big")))

    def simulate(action: p.Action, number: int) -> float:
        chance = Seeded(secret + number.to_bytes(4, "little"))
        return _Line(game, world(number), sight.seat, chance).worth(action)

    return best(candidates, budget, simulate)[0]


class _Line:
    """One action and the answers to it, in one world."""

    def __init__(self, game: Butterflies, state: State, seat: Seat, chance: Seeded) -> None:
        self.game, self.state, self.seat, self.chance = game, state, seat, chance
        self.ours = side(seat, state.options.teams)
        self.weights = _weights(state, self.ours)
        self.gained = 0.0

    def worth(self, action: p.Action) -> float:
        """The chance to win, as far as it can be seen from here."""
        self._do(self.seat, action)
        if self.state.turned is not None and self.state.turn == self.seat:
            self._do(self.seat, _answer(self.game, self.state, self.seat))
        for _ in range(len(self.state.hands) - 1):
            turn = self.state.turn
            if turn is None or turn in self.ours:
                break
            self._do(Seat(turn), _answer(self.game, self.state, Seat(turn)))
        if self.state.won is not None:
            return float(self.state.won.seat in self.ours)
        if self.state.turn == self.seat and _winning(self.game, self.state, self.seat) is not None:
            return NEAR
        return 1 / (1 + math.exp(-self.gained / SCALE))

    def _do(self, seat: Seat, action: p.Action) -> None:
        before = self.state
        self.gained += _gained(before, action, self.weights)
        self.state = self.game.apply(before, seat, action, self.chance).state


def _weights(state: State, ours: Sequence[Seat]) -> list[float]:
    """By goal, in a world where all are known."""
    weights = [0.0] * 8
    for owner, pair in enumerate(state.goals):
        for goal in pair:
            weights[goal.value] += 1.0 if owner in ours else -OTHERS
    return weights


def _his_weights(state: State, seat: Seat) -> list[float]:
    """By goal, for a player who knows those of his side only: any other may be anybody's."""
    ours = side(seat, state.options.teams)
    known = {goal.value for owner in ours for goal in state.goals[owner]}
    others = len(state.hands) - len(ours)
    unknown = -OTHERS * others / (4 - len(ours))
    return [1.0 if goal in known else unknown for goal in range(8)]


def _gained(state: State, action: p.Action, weights: Sequence[float]) -> float:
    """What an action changes in the windows."""
    cards = state.grid.cards
    match action:
        case p.Play(card, at, _):
            return gain(cards, cell_of(at), p.CARDS.index(card), weights)
        case p.Place(at, _) if state.turned is not None:
            return gain(cards, cell_of(at), state.turned, weights)
        case p.Move(from_, to, _):
            rest = dict(cards)
            moved = rest.pop(cell_of(from_)) & KIND
            return gain(rest, cell_of(to), moved, weights) - gain(rest, cell_of(from_), moved, weights)
        case _:
            return 0.0


def _answer(game: Butterflies, state: State, seat: Seat) -> p.Action:
    """What a player does who sees his own goals: a row if he can, else the card that helps him most."""
    won = _winning(game, state, seat)
    if won is not None:
        return won
    weights = _his_weights(state, seat)
    cards, frontier = state.grid.cards, state.grid.frontier
    held = (state.turned,) if state.turned is not None else tuple(set(state.hands[seat].value))
    if not held:
        return game.default(state, seat, Seeded(bytes(SECRET_BYTES)))
    tries = [
        (gain(cards, cell, card, weights), -place, card, cell)
        for place, cell in enumerate(frontier)
        for card in held
    ]
    _, _, card, cell = max(tries)
    if state.turned is not None:
        return p.Place(AT[cell], None)
    return p.Play(p.CARDS[card], AT[cell], None)


def _winning(game: Butterflies, state: State, seat: Seat) -> p.Action | None:
    """An action that wins at once, if there is one."""
    manual = state.options.declare == "manual"
    for owner in side(seat, state.options.teams):
        for kind, goal in zip(GOAL_KINDS, state.goals[owner], strict=True):
            if manual and state.turned is None and state.grid.rows >> goal.value & 1:
                return p.Declare(kind, owner)
            call = p.Declaration(kind, owner) if manual else None
            for action in _completing(game, state, seat, goal.value, call):
                return action
    return None


def _completing(
    game: Butterflies, state: State, seat: Seat, goal: int, call: p.Declaration | None
) -> Iterator[p.Action]:
    """Every action that makes a row of a goal."""
    cards, frontier = state.grid.cards, state.grid.frontier
    if state.turned is not None:
        card = state.turned
        yield from (p.Place(AT[cell], call) for cell in frontier if completes(cards, cell, card, goal))
        return
    shift, want = (0, goal) if goal < 4 else (2, goal - 4)
    # Any card of the goal completes the row on the same cells: one look is enough for all of them.
    any_card = want << shift
    cells = [cell for cell in frontier if completes(cards, cell, any_card, goal)]
    for card in state.hands[seat].value if cells else ():
        if card >> shift & 3 == want:
            yield p.Play(p.CARDS[card], AT[cells[0]], call)
    if not moves_open(state.played) or not cells:
        return
    fixed = barred(state.last)
    legal = game.legal(state, seat)
    for source, lying in cards.items():
        if lying < UNMARKED and source != fixed and lying >> shift & 3 == want:
            rest = {cell: card for cell, card in cards.items() if cell != source}
            for cell in cells:
                move = p.Move(AT[source], AT[cell], call)
                if completes(rest, cell, lying, goal) and move in legal:
                    yield move
