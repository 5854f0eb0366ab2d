"""The strategies of built-in bots: the server offers them by these names, and the client plays them."""

from collections.abc import Iterable
from typing import Literal, get_args

Strategy = Literal["random", "casual", "greedy", "search"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)


def one_of(words: Iterable[str]) -> str:
    """As a sentence of a command's help lists them: random, casual, greedy or search."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
