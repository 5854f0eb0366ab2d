"""A bot for Balloon Cup that takes the highest card it can: `.venv/bin/python examples/highest_card.py`."""

import sys

from parlour.client import Bot, Decision, run
from parlour.client.legal import Action


class HighestCard(Bot):
    def choose(self, decision: Decision) -> Action:
        plays = [action for action in decision.every() if "card" in action]
        return max(plays, key=lambda play: int(play["card"].split("-")[1]), default=decision.pick())


if __name__ == "__main__":
    url = sys.argv[1] if len(sys.argv) > 1 else "ws://localhost:21925"
    print(run(HighestCard, url, game="balloon-cup")[0].won)
