"""Strategies for bots, by name, and the process in which a server runs them."""

from collections.abc import Callable
from random import Random

from parlour.client.bot import Bot
from parlour.client.bots.greedy import GreedyBot
from parlour.client.bots.random import RandomBot

STRATEGIES: dict[str, type[Bot]] = {"random": RandomBot, "greedy": GreedyBot}


def maker(name: str) -> Callable[[Random], Bot]:
    """How bots of a strategy are made, each with its own luck; raises ValueError with what is wrong."""
    if name not in STRATEGIES:
        raise ValueError(f"there is no strategy {name!r}; there are: {', '.join(STRATEGIES)}")
    make: Callable[[Random], Bot] = STRATEGIES[name]
    return make
