"""What a strategy would play and why: its best few actions, and what it thinks of each."""

from collections.abc import Mapping
from random import Random
from typing import Any

import attrs

from parlour.client.bots import maker
from parlour.client.bots.catalogue import bots_of
from parlour.client.bots.greedy import GreedyBot
from parlour.client.bots.position import Sight, written
from parlour.client.bots.ranked import Liked
from parlour.client.bots.search import SearchBot
from parlour.client.decision import Decision

FEW = 4


def advise(decision: Decision, strategy: str, luck: Random) -> list[dict[str, Any]]:
    """The best few, best first, as plain maps; raises ValueError if there is no such strategy."""
    bot = maker(strategy)(luck)
    match bot:
        case GreedyBot() if bots_of(decision.game).greedy:
            return [_told(each) for each in bot.liked(Sight.of(decision))[:FEW]]
        case SearchBot() if bots_of(decision.game).search:
            return [_told(each) for each in bot.liked(Sight.of(decision))[:FEW]]
    return [{"action": decision.pick(luck), "measure": "any", "worth": 0.0, "games": 0}]


def _told(liked: Liked) -> dict[str, Any]:
    return {**attrs.asdict(liked, recurse=False), "action": written(liked.action)}


def asked(plain: Mapping[str, Any]) -> Decision:
    """A decision that came as a map; time does not press whoever asks."""
    return Decision(**{**plain, "until": None})
