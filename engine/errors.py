"""What can be wrong with what a player, a file or a peer hands in.

    Wrong
    ├── Malformed        not even a value of its kind: a missing, extra or wrongly typed field
    │   ├── BadOptions   ... among the options of a game
    │   └── BadPosition  ... in a position, which may also contradict itself
    └── IllegalAction    a proper action that the rules do not allow now

Each carries fields, so that whoever shows it can choose the words. Everything else that is raised is a bug.
"""

from collections.abc import Mapping
from typing import Any

from parlour.engine.plain import cut


class Wrong(Exception):
    """The root of what a caller may expect; never raised as such."""


class Malformed(Wrong):
    """`where` is the path to the field (`trades.red`), `problem` says what is wrong with it."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(where, problem)
        self.where = cut(where, 80)
        self.problem = cut(problem, 400)

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}" if self.where else self.problem


class BadOptions(Malformed):
    """An option that the game does not have, or a value that the option does not take."""


class BadPosition(Malformed):
    """A position that cannot be: `where` names the field at fault."""


class IllegalAction(Wrong):
    """Refused by the rules. `code` says why; `facts` are what the words for it may mention.

    Both depend only on what the seat that tried may know.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts: Mapping[str, Any] = {
            key: cut(fact, 40) if isinstance(fact, str) else fact for key, fact in facts.items()
        }

    def __str__(self) -> str:
        told = ", ".join(f"{key} {value}" for key, value in self.facts.items())
        return f"{self.code} ({told})" if told else self.code
