"""A bot that plays like somebody who knows the rules and overlooks a lot."""

from parlour.client.bots.greedy import GreedyBot
from parlour.client.bots.position import Position
from parlour.client.bots.ranked import Ranked

SEEN = 3
"""How many actions come to its mind."""


class CasualBot(GreedyBot):
    """Plays the best of a few actions that come to its mind, or what wins at once."""

    reaction = (2.5, 4.0)

    def rank(self, position: Position) -> list[Ranked]:
        """The actions that it has thought of, best first."""
        ranked = super().rank(position)
        if ranked[0].wins:
            return ranked
        places = self._luck.sample(range(len(ranked)), min(SEEN, len(ranked)))
        return [ranked[place] for place in sorted(places)]
