"""How a game of Butterflies may go on from an action, in a world where all goals and cards are known.

Everybody plays by what he knows in it: his own goals and hand. Who can complete a row does, else he lays the
card that helps him most, against goals that may be anybody's.
"""

import functools
import math
from collections.abc import Iterator, Sequence

from parlour.client.bots.butterflies.evaluation import Looks, gain, survey
from parlour.client.bots.butterflies.greedy import OTHERS, completes
from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import GOAL_KINDS, KIND, UNMARKED
from parlour.engine.butterflies.cells import AT, cell_of
from parlour.engine.butterflies.draft import barred, moves_open
from parlour.engine.butterflies.goals import side
from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.butterflies.state import State
from parlour.engine.chance import SECRET_BYTES, Seeded
from parlour.engine.secret import Seat

ANSWERS = 4
"""So many actions follow before the grid is judged."""
SCALE = 25.0
"""So much more in the windows makes a win about three times as likely as a loss."""
NEAR = 0.97
"""What a row is worth that can be completed now."""
NO_LUCK = Seeded(bytes(SECRET_BYTES))


class Lookahead:
    """Follows one action and the answers to it, in one world."""

    def __init__(self, game: Butterflies, state: State, seat: Seat, looks: Looks) -> None:
        self.game, self.state, self.seat, self.looks = game, state, seat, looks
        self.ours = side(seat, state.options.teams)
        self.weights = _weights(state, self.ours)
        self.gained = 0.0

    def evaluate(self, action: p.Action) -> float:
        """The chance to win, as far as it can be seen from here."""
        self._do(self.seat, action)
        left = ANSWERS
        while left and self.state.turn is not None:
            turn = Seat(self.state.turn)
            # A card that was turned up is placed in the same turn.
            left -= self.state.turned is None
            self._do(turn, answer(self.game, self.state, turn, self.looks))
        if self.state.turn is None:
            if self.state.won is None:
                return 0.5
            return float(self.state.won.seat in self.ours)
        turn = Seat(self.state.turn)
        if winning(self.game, self.state, turn, self.looks) is not None:
            return NEAR if turn in self.ours else 1 - NEAR
        return 1 / (1 + math.exp(-self.gained / SCALE))

    def _do(self, seat: Seat, action: p.Action) -> None:
        before = self.state
        self.gained += _gained(before, action, self.weights)
        self.state = self.game.apply(before, seat, action, NO_LUCK).state
        changed = _changed(before, action)
        if changed:
            self.looks = self.looks.after(self.state.grid.cards, changed)


def _weights(state: State, ours: Sequence[Seat]) -> list[float]:
    """By goal, in a world where all are known."""
    weights = [0.0] * 8
    for owner, pair in enumerate(state.goals):
        for goal in pair:
            weights[goal.value] += 1.0 if owner in ours else -OTHERS
    return weights


@functools.lru_cache(maxsize=1024)
def _his_weights(known: frozenset[int], others: int, unknown: int) -> list[float]:
    """By goal, for a player who knows those of his side only: any other may be anybody's."""
    return [1.0 if goal in known else -OTHERS * others / unknown for goal in range(8)]


def _changed(state: State, action: p.Action) -> tuple[int, ...]:
    """The cells on which something else lies now."""
    match action:
        case p.Play(_, at, _) | p.Place(at, _):
            return (cell_of(at),)
        case p.Move(from_, to, _):
            return cell_of(from_), cell_of(to)
        case p.Web() if state.last is not None:
            return (cell_of(state.last.at),)
        case _:
            return ()


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


def answer(game: Butterflies, state: State, seat: Seat, looks: Looks) -> p.Action:
    """What a player does who sees his own goals: a row if he can, else the card that helps him most."""
    won = winning(game, state, seat, looks)
    if won is not None:
        return won
    ours = side(seat, state.options.teams)
    known = frozenset([goal.value for owner in ours for goal in state.goals[owner]])
    weights = _his_weights(known, len(state.hands) - len(ours), 4 - len(ours))
    held = (state.turned,) if state.turned is not None else state.hands[seat].value
    if not held:
        return game.default(state, seat, NO_LUCK)
    best, laid, there = -math.inf, held[0], 0
    for cell in state.grid.frontier:
        sum_, more = survey(looks[cell], weights)
        for card in held:
            value = sum_ + more[card & 3] + more[4 + (card >> 2 & 3)]
            if value > best:
                best, laid, there = value, card, cell
    if state.turned is not None:
        return p.Place(AT[there], None)
    return p.Play(p.CARDS[laid], AT[there], None)


def winning(game: Butterflies, state: State, seat: Seat, looks: Looks) -> p.Action | None:
    """An action that wins at once, if there is one."""
    manual = state.options.declare == "manual"
    wanted = 0
    for owner in side(seat, state.options.teams):
        for kind, goal in zip(GOAL_KINDS, state.goals[owner], strict=True):
            wanted |= 1 << goal.value
            if manual and state.turned is None and state.grid.rows >> goal.value & 1:
                return p.Declare(kind, owner)
    spots = []
    for cell in state.grid.frontier:
        one, two, three, four = looks[cell]
        made = (one[2] | two[2] | three[2] | four[2]) & wanted
        if made:
            spots.append((cell, made))
    if not spots:
        return None
    for owner in side(seat, state.options.teams):
        for kind, goal in zip(GOAL_KINDS, state.goals[owner], strict=True):
            cells = [cell for cell, made in spots if made >> goal.value & 1]
            if cells:
                call = p.Declaration(kind, owner) if manual else None
                for action in _completing(game, state, seat, goal.value, cells, call):
                    return action
    return None


def _completing(
    game: Butterflies, state: State, seat: Seat, goal: int, cells: list[int], call: p.Declaration | None
) -> Iterator[p.Action]:
    """Every action that makes a row of a goal, which lacks a card on each of these cells."""
    shift, want = (0, goal) if goal < 4 else (2, goal - 4)
    if state.turned is not None:
        if state.turned >> shift & 3 == want:
            yield p.Place(AT[cells[0]], call)
        return
    for card in state.hands[seat].value:
        if card >> shift & 3 == want:
            yield p.Play(p.CARDS[card], AT[cells[0]], call)
    if not moves_open(state.played):
        return
    fixed = barred(state.last)
    cards = state.grid.cards
    legal = game.legal(state, seat)
    for source, lying in cards.items():
        if lying < UNMARKED and source != fixed and lying >> shift & 3 == want:
            rest = {cell: card for cell, card in cards.items() if cell != source}
            for cell in cells:
                move = p.Move(AT[source], AT[cell], call)
                if completes(rest, cell, lying, goal) and move in legal:
                    yield move
