"""Strategies for bots, by name, and the process in which a server runs them."""

from parlour.client.bot import Bot
from parlour.client.bots.random import RandomBot

STRATEGIES: dict[str, type[Bot]] = {"random": RandomBot}
