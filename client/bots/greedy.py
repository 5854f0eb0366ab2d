"""A bot that looks one move ahead, with an evaluation made by hand for each game."""

from parlour.client.bots.built_in import BuiltInBot
from parlour.client.bots.catalogue import bots_of
from parlour.client.bots.position import Position, action_to_map
from parlour.client.bots.ranked import Ranked
from parlour.client.decision import Decision
from parlour.client.legal import Action


class GreedyBot(BuiltInBot):
    """Plays the action that ranks first; at random in a game without an evaluation."""

    reaction = (1.6, 2.6)

    def choose(self, decision: Decision) -> Action:
        if bots_of(decision.game).greedy is None or decision.count == 1:
            return decision.pick(self._luck)
        return action_to_map(self.rank(Position.of(decision))[0].action)

    def rank(self, position: Position) -> list[Ranked]:
        """All actions, best first."""
        rank_all = bots_of(position.game.name).greedy
        if rank_all is None:
            raise ValueError(f"there is no greedy play for {position.game.name}")
        return rank_all(position, self._luck)
