"""Ids of what can be chosen, for scripts: numbers move when a list changes, an id always means one choice."""

from collections.abc import Hashable, Iterable

import attrs


@attrs.define
class ChoiceIds:
    """Gives ids to the choices of the list that was told last; a choice that stays keeps its id."""

    _given: int = 0
    _ids: dict[Hashable, str] = attrs.field(factory=dict)

    def name(self, choices: Iterable[Hashable]) -> list[str]:
        """The ids of a new list, in its order. What is told twice in one list is told apart by its place."""
        now: dict[Hashable, str] = {}
        for choice in choices:
            key: Hashable = choice if choice not in now else (choice, len(now))
            now[key] = self._ids.get(key) or self._next()
        self._ids = now
        return list(now.values())

    def _next(self) -> str:
        self._given += 1
        return f"c{self._given}"

    def place(self, id: str) -> int | None:
        """Where in the last list this id stands; None if it does not."""
        ids = list(self._ids.values())
        return ids.index(id) if id in ids else None

    def is_old(self, id: str) -> bool:
        """Whether it was the id of a choice that is no longer there."""
        number = id[1:] if id[:1] == "c" else ""
        return number.isdecimal() and self.place(id) is None and 0 < int(number[:9]) <= self._given
