"""Strategies for bots, by name, and the processes that think.

random      any legal action, each as likely as any other
casual      the best of a few actions: it overlooks the others
greedy      looks one move ahead
built_in    what these have in common: with people they are as slow as a person
search      tries its best few actions out in worlds that fit what it sees
position    a position as a built-in bot gets it
ranked      what a strategy thinks of an action
worlds      actions tried out in imagined worlds, with the same luck for each
halving     a few candidates are tried out, and the weaker half leaves
budget      how much may be tried out for one decision
hint_maker  what a strategy would play and why, for whoever asks for a hint
arena       games between strategies without a server
cluster     the same games on machines of a Dask cluster
score       how strong a strategy is, with its 95% interval
worker      the process in which a server runs its own bots
thinker     the process that thinks about one decision
catalogue   how the built-in bots think about each game, a line each

A folder for each game.
"""

import functools
from collections.abc import Callable, Mapping
from random import Random

import attrs

from parlour.client.bot import Bot
from parlour.client.bots.budget import WALL, Budget, Clock
from parlour.client.bots.casual import CasualBot
from parlour.client.bots.greedy import GreedyBot
from parlour.client.bots.random import RandomBot
from parlour.client.bots.search import USUAL, SearchBot
from parlour.client.levels import LEVELS, strategy_of
from parlour.protocol.strategies import STRATEGIES as NAMES
from parlour.protocol.strategies import Strategy

_KINDS: dict[Strategy, type[Bot]] = {
    "random": RandomBot,
    "casual": CasualBot,
    "greedy": GreedyBot,
    "search": SearchBot,
}
STRATEGIES: Mapping[str, type[Bot]] = {name: _KINDS[name] for name in NAMES}


def maker(name: str, clock: Clock = WALL) -> Callable[[Random], Bot]:
    """How bots of a strategy are made, each with its own luck; raises ValueError with what is wrong.

    Easy, medium and hard are other names for them. A budget may follow: `search:400` tries out so many games
    for each decision, `search:0.5s` half a second of the clock.
    """
    kind, colon, text = strategy_of(name).partition(":")
    if kind not in STRATEGIES:
        raise ValueError(f"there is no strategy {kind!r}; there are: {', '.join((*STRATEGIES, *LEVELS))}")
    if kind != "search":
        if colon:
            raise ValueError(f"{kind} needs no budget; only search has one")
        make: Callable[[Random], Bot] = STRATEGIES[kind]
        return make
    budget = Budget.read(text, clock) if colon else attrs.evolve(USUAL, clock=clock)
    return functools.partial(SearchBot, budget=budget)
