"""Strategies for bots, by name, and the process in which a server runs them."""

import functools
from collections.abc import Callable
from random import Random

from parlour.client.bot import Bot
from parlour.client.bots.greedy import GreedyBot
from parlour.client.bots.halving import Budget
from parlour.client.bots.random import RandomBot
from parlour.client.bots.search import SearchBot

STRATEGIES: dict[str, type[Bot]] = {"random": RandomBot, "greedy": GreedyBot, "search": SearchBot}


def maker(name: str) -> Callable[[Random], Bot]:
    """How bots of a strategy are made, each with its own luck; raises ValueError with what is wrong.

    A budget may follow: `search:400` tries out so many games for each decision, `search:0.5s` half a second.
    """
    kind, colon, budget = name.partition(":")
    if kind not in STRATEGIES:
        raise ValueError(f"there is no strategy {kind!r}; there are: {', '.join(STRATEGIES)}")
    if colon and kind != "search":
        raise ValueError(f"{kind} needs no budget; only search has one")
    make: Callable[[Random], Bot] = STRATEGIES[kind]
    return functools.partial(SearchBot, budget=Budget.read(budget)) if colon else make
