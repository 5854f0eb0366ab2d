"""Choices that come again and again: written down once, with every action ready to be picked."""

from collections.abc import Iterable

from parlour.engine.choices import Choices, Pattern
from parlour.engine.hurry_cup.public import Action


class Ready(Choices[Action]):
    """A few concrete actions; picking one makes nothing new."""

    __slots__ = ("_actions", "_known")

    def __init__(self, patterns: Iterable[Pattern[Action]]) -> None:
        super().__init__(patterns)
        self._actions = tuple([pattern[place] for pattern in self.patterns for place in range(pattern.count)])
        self._known = frozenset(self._actions)

    def __getitem__(self, index: int) -> Action:
        if index < 0:
            raise IndexError(index)
        return self._actions[index]

    def __contains__(self, action: object) -> bool:
        return action in self._known
