"""Face-down values, who has seen them, and what is left of a thing in the eyes of one viewer.

A value that somebody may not know is born inside a `Secret` (one value) or a `Pile` (cards of which at
least the number is known) and stays there until it is turned up. `project` is the only way out for views
and news: what the viewer may not see becomes None, or the size of the pile. Nothing that was not projected
has a map form (see maps.py), so forgetting to hide something ends in an error and not in a leak.
"""

import functools
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Final, Generic, NewType, TypeVar, get_type_hints

import attrs

from parlour.engine.lean import lean

Seat = NewType("Seat", int)


class AllSeeing(Enum):
    """The viewer from whom nothing is hidden: for replays and results after the end of a game."""

    ALL = "all"


ALL: Final = AllSeeing.ALL
Viewer = Seat | None | AllSeeing
"""A seat; None, a spectator; or ALL."""

T = TypeVar("T")
U = TypeVar("U")
NOBODY: Final[frozenset[Seat]] = frozenset()


@functools.lru_cache(maxsize=64)
def only(*seats: int) -> frozenset[Seat]:
    """The audience of just these seats."""
    return frozenset(Seat(seat) for seat in seats)


@lean
class Secret(Generic[T]):
    """One value and the seats that have seen it; to everybody else it is None."""

    value: T
    seen_by: frozenset[Seat] = NOBODY

    def shown_to(self, seats: Iterable[Seat]) -> "Secret[T]":
        return Secret(self.value, self.seen_by.union(seats))

    def apply(self, change: Callable[[T], U]) -> "Secret[U]":
        """The same secret in other words: the audience stays."""
        return Secret(change(self.value), self.seen_by)

    def pile(self, say: Callable[[T], tuple[U, ...]]) -> "Pile[U]":
        """The secret as a pile whose size may be known, in words that are found when it is read."""
        value: Any = self.value
        words: Any = say
        return Pile(value, self.seen_by, words)


@lean
class Pile(Generic[T]):
    """Cards that some seats have seen; everybody else knows how many they are."""

    cards: tuple[Any, ...]
    seen_by: frozenset[Seat] = NOBODY
    say: Callable[[tuple[Any, ...]], tuple[T, ...]] | None = None
    """Puts the cards into words for whoever sees them: most piles are never read, only counted."""

    @property
    def words(self) -> tuple[T, ...]:
        return self.cards if self.say is None else self.say(self.cards)


def _sees(viewer: Viewer, seen_by: frozenset[Seat]) -> bool:
    return viewer is ALL or viewer in seen_by


def hides(hint: Any) -> bool:
    """Whether values of this type may hold something hidden."""
    if getattr(hint, "__origin__", hint) in (Secret, Pile):
        return True
    if isinstance(hint, type) and attrs.has(hint) and secret_fields(hint):
        return True
    return any(hides(part) for part in getattr(hint, "__args__", ()))


@functools.cache
def secret_fields(cls: type) -> tuple[str, ...]:
    """The fields of a class that may hold something hidden, by their types."""
    hints = get_type_hints(cls)
    names: list[str] = [field.name for field in attrs.fields(cls)]
    return tuple(name for name in names if hides(hints[name]))


def project(thing: T, viewer: Viewer) -> T:
    """The thing as this viewer may know it, with no Secret or Pile left in it."""
    return _project(thing, viewer)  # type: ignore[no-any-return]


LEAVES: Final[frozenset[type]] = frozenset({str, int, bool, type(None)})
"""What can hide nothing: most of what is looked at."""


def _project(thing: Any, viewer: Viewer) -> Any:
    kind = type(thing)
    if kind in LEAVES:
        return thing
    if kind is Pile:
        return _project(thing.words, viewer) if _sees(viewer, thing.seen_by) else len(thing.cards)
    if kind is Secret:
        return _project(thing.value, viewer) if _sees(viewer, thing.seen_by) else None
    if kind is tuple:
        if LEAVES.issuperset(map(type, thing)):
            return thing
        return tuple([_project(part, viewer) for part in thing])
    if kind is dict:
        return {key: _project(part, viewer) for key, part in thing.items()}
    if attrs.has(kind):
        names = secret_fields(kind)
        if names:
            values = {name: getattr(thing, name) for name in _all_fields(kind)}
            for name in names:
                values[name] = _project(values[name], viewer)
            return kind(**values)
    return thing


@functools.cache
def _all_fields(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(cls))
