"""A bot that does anything: every legal action is as likely as any other."""

from random import Random

from parlour.client.bot import Bot
from parlour.client.decision import Decision
from parlour.client.legal import Action


class RandomBot(Bot):
    """Picks any legal action."""

    thread = False

    def __init__(self, luck: Random | None = None) -> None:
        self._luck = luck or Random()

    def choose(self, decision: Decision) -> Action:
        return decision.pick(self._luck)
