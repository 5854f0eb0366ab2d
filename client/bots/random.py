"""A bot that does anything: every legal action is as likely as any other."""

from parlour.client.bots.built_in import BuiltInBot
from parlour.client.decision import Decision
from parlour.client.legal import Action


class RandomBot(BuiltInBot):
    """Picks any legal action."""

    thread = False
    reaction = (2.5, 4.0)

    def choose(self, decision: Decision) -> Action:
        return decision.pick(self._luck)
