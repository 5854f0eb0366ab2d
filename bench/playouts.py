"""Random playouts of every game, beside two games of OpenSpiel in the same run.

At every step the legal actions are worked out and one of them is picked uniformly. The contestants take
turns in short slices, so that whatever else the machine is doing hits them alike; what counts is CPU time.
An action is a player's: OpenSpiel's chance nodes and our draws and shuffles are paid for and not counted.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import attrs

from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.game import Game
from parlour.engine.secret import Seat, project

SLICE = 0.5
ROUNDS = 9
BETWEEN_LOOKS = 200
"""Actions between two looks at the clock, which is slow on some machines: short games must not pay for it."""
BARS = {"balloon-cup": (1.1, None), "hurry-cup": (1.2, None), "butterflies": (0.25, None)}
"""Actions per CPU second against OpenSpiel's Python game and its C++ game; None: no bar."""

Playout = Callable[[random.Random], int]
"""Plays one game and says how many actions it took."""


@attrs.define
class Contestant:
    name: str
    play: Playout
    games: int = 0
    actions: int = 0
    rates: list[float] = attrs.field(factory=list)
    seconds: float = 0.0

    def run(self, rng: random.Random, seconds: float) -> None:
        start = time.process_time()
        actions = looked = 0
        while True:
            actions += self.play(rng)
            self.games += 1
            if actions - looked < BETWEEN_LOOKS:
                continue
            looked = actions
            took = time.process_time() - start
            if took >= seconds:
                break
        self.actions += actions
        self.seconds += took
        self.rates.append(actions / took)


def ours(game: Game[Any, Any, Any], seats: int) -> Playout:
    options = game.read_options({}, seats)

    def play(rng: random.Random) -> int:
        chance = Seeded(rng.randbytes(32))
        state = game.setup(seats, options, chance).state
        legal, act, awaited, pick = game.legal, game.act, game.awaited, rng.random
        actions = 0
        while asked := awaited(state):
            seat = next(iter(asked))
            choices = legal(state, seat)
            action = choices[int(pick() * choices.count)]
            state = act(state, seat, action, chance).state
            actions += 1
        return actions

    return play


def theirs(name: str) -> Playout:
    import pyspiel
    from open_spiel.python.games import kuhn_poker  # noqa: F401  (registers the Python games)

    game = pyspiel.load_game(name)

    def play(rng: random.Random) -> int:
        state = game.new_initial_state()
        actions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                actions += 1
        return actions

    return play


def imagining(game: Game[Any, Any, Any], seats: int) -> float:
    """Microseconds for `imagine` from a view in the middle of a game, the median of many."""
    rng = random.Random(7)
    options = game.read_options({}, seats)
    took = []
    for _ in range(60):
        chance = Seeded(rng.randbytes(32))
        states = [game.setup(seats, options, chance).state]
        while asked := game.awaited(states[-1]):
            seat = min(asked)
            choices = game.legal(states[-1], seat)
            states.append(
                game.act(states[-1], seat, choices[int(rng.random() * choices.count)], chance).state
            )
        viewer = Seat(rng.randrange(seats))
        view = project(game.view(states[len(states) // 2]), viewer)
        start = time.process_time()
        for _ in range(20):
            game.imagine(view, viewer, chance)
        took.append((time.process_time() - start) / 20)
    return statistics.median(took) * 1e6


def late_patterns() -> tuple[float, float, int]:
    """Butterflies late: microseconds for the patterns of a position with 28 cards or more, seen first."""
    game, rng = GAMES["butterflies"], random.Random(11)
    took: list[float] = []
    counts: list[int] = []
    patterns = 0
    while len(took) < 300:
        seats = rng.choice(game.seats)
        chance = Seeded(rng.randbytes(32))
        state = game.setup(seats, game.read_options({}, seats), chance).state
        while asked := game.awaited(state):
            seat = min(asked)
            start = time.process_time()
            choices = game._legal(state, seat)
            written = len(choices.patterns)
            spent = time.process_time() - start
            if choices.count > 500 and len(game.position(state)["grid"]) >= 28:
                took.append(spent)
                counts.append(choices.count)
                patterns = max(patterns, written)
            state = game.act(state, seat, choices[int(rng.random() * choices.count)], chance).state
    return statistics.median(took) * 1e6, statistics.median(counts), patterns


def main() -> None:
    rng = random.Random(2026)
    games = [(game, sorted(game.seats)[len(game.seats) // 2]) for game in GAMES.values()]
    contestants = [Contestant(f"{game.name} ({seats})", ours(game, seats)) for game, seats in games]
    python = Contestant("OpenSpiel python_kuhn_poker", theirs("python_kuhn_poker"))
    native = Contestant("OpenSpiel gin_rummy (C++)", theirs("gin_rummy"))
    everybody = [*contestants, python, native]
    for number in range(ROUNDS):
        print(f"\rplayouts: round {number + 1} of {ROUNDS}", end="", file=sys.stderr, flush=True)
        for contestant in everybody:
            contestant.run(rng, SLICE)
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr)

    print(f"{'random play':30} {'playouts/s':>11} {'actions/s':>11} {'x Python':>9} {'x C++':>7}   bar")
    for contestant in everybody:
        against = [ratio(contestant, python), ratio(contestant, native)]
        bar = BARS.get(contestant.name.split()[0])
        print(
            f"{contestant.name:30} {contestant.games / contestant.seconds:11,.0f}"
            f" {contestant.actions / contestant.seconds:11,.0f} {against[0]:9.2f} {against[1]:7.2f}"
            f"   {verdict(against, bar)}"
        )
    print()
    for game, seats in games:
        took = imagining(game, seats)
        print(f"imagine, {game.name} ({seats}): {took:.0f} µs from a mid-game view (bar: 100)")
    took, count, patterns = late_patterns()
    print(
        f"butterflies, 28 cards or more: {took:.0f} µs for the patterns (bar: 200);"
        f" {count:.0f} actions in at most {patterns} patterns"
    )


def ratio(contestant: Contestant, other: Contestant) -> float:
    """The median over the rounds: neighbouring slices have the machine in the same mood."""
    return statistics.median(a / b for a, b in zip(contestant.rates, other.rates, strict=True))


def verdict(against: list[float], bar: tuple[float, float | None] | None) -> str:
    if bar is None:
        return ""
    wanted = [(value, least) for value, least in zip(against, bar, strict=True) if least is not None]
    told = ", ".join(f">= {least:g}" for _, least in wanted)
    return f"{told}: {'holds' if all(value >= least for value, least in wanted) else 'MISSED'}"
