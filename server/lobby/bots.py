"""Built-in bots as commands see them: `bot_workers` starts them, and they connect like any client."""

from collections.abc import Callable
from typing import Protocol

BOT_NAMES = ("Ada", "Bea", "Cyd", "Dot", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kit", "Lou", "Max", "Nan")


class Bots(Protocol):
    """Starts bots: processes that say hello with the token they are given and play at one table."""

    strategies: tuple[str, ...]

    def start(self, token: str, table: str, strategy: str) -> None:
        """Raises ProtocolError `busy` if too many are waiting to be started."""


def bot_name(taken: Callable[[str], bool]) -> str:
    """Makes a name that nobody has here."""
    number = 1
    while True:
        for name in BOT_NAMES:
            full = f"Bot {name}" if number == 1 else f"Bot {name} {number}"
            if not taken(full):
                return full
        number += 1
