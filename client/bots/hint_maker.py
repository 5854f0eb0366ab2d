"""Makes the hints that `client/hint.py` asks for: the best few actions, and what a strategy sees in each."""

from collections.abc import Mapping
from random import Random
from typing import Any

import attrs

from parlour.client.bots import maker
from parlour.client.bots.catalogue import bots_of
from parlour.client.bots.greedy import GreedyBot
from parlour.client.bots.position import Position, action_to_map
from parlour.client.bots.ranked import Ranked
from parlour.client.bots.search import SearchBot
from parlour.client.decision import Decision

FEW = 4


def make_hints(decision: Decision, strategy: str, luck: Random) -> list[dict[str, Any]]:
    """The best few, best first, as plain maps; raises ValueError if there is no such strategy."""
    bot = maker(strategy)(luck)
    match bot:
        case GreedyBot() if bots_of(decision.game).greedy:
            return [_to_map(each) for each in bot.rank(Position.of(decision))[:FEW]]
        case SearchBot() if bots_of(decision.game).search:
            return [_to_map(each) for each in bot.rank(Position.of(decision))[:FEW]]
    return [{"action": decision.pick(luck), "measure": "any", "evaluation": 0.0, "games": 0}]


def _to_map(ranked: Ranked) -> dict[str, Any]:
    return {**attrs.asdict(ranked, recurse=False), "action": action_to_map(ranked.action)}


def decision_of(plain: Mapping[str, Any]) -> Decision:
    """Reads a decision from a map, without its deadline: a hint has its own budget."""
    return Decision(**{**plain, "until": None})
