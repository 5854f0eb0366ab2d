"""How strong a built-in bot is, in words that players use, for the strategies that programs name."""

from collections.abc import Mapping

from parlour.protocol.strategies import Strategy

LEVELS: Mapping[str, Strategy] = {"easy": "casual", "medium": "greedy", "hard": "search"}
USUAL = "medium"


def strategy_of(word: str) -> str:
    """The strategy that a word means; a budget may follow, as in `hard:0.5s`."""
    level, colon, budget = word.partition(":")
    return f"{LEVELS.get(level, level)}{colon}{budget}"


def level_of(strategy: str) -> str | None:
    return next((level for level, each in LEVELS.items() if each == strategy), None)
