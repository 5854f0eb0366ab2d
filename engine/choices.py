"""Legal actions as a value: a short list of patterns that can be counted, tested, sampled and listed.

A pattern is an action with some fields left open over small sets. `Choices` is a list of patterns that do
not overlap; it has the sequence of concrete actions in it without ever writing them all down, and it has a
map form, lossless both ways, which is how it goes on the wire:

    {"type": "play", "card": {"one_of": ["red-1", "red-7"]}, "tile": 3, "side": {"one_of": [0, 1]}}
"""

import functools
import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, ClassVar, Generic, TypeVar, cast

import attrs

from parlour.engine.lean import getter, lean

A = TypeVar("A")


@lean
class OneOf:
    """Any of these values."""

    values: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.values)

    def __contains__(self, value: object) -> bool:
        return value in self.values

    def __getitem__(self, index: int) -> Any:
        return self.values[index]


@lean
class Subset:
    """Any `least` to `most` of these values, in any order; listed in the order given here."""

    values: tuple[Any, ...]
    least: int
    most: int

    def __len__(self) -> int:
        return sum(math.comb(len(self.values), size) for size in range(self.least, self.most + 1))

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        return len(set(value)) == len(value) and all(part in self.values for part in value)

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        for size in range(self.least, self.most + 1):
            count = math.comb(len(self.values), size)
            if index < count:
                return _combination(self.values, size, index)
            index -= count
        raise IndexError


@lean
class Order:
    """All of these values, in any order."""

    values: tuple[Any, ...]

    def __len__(self) -> int:
        return math.factorial(len(self.values))

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or len(value) != len(self.values):
            return False
        return set(value) == set(self.values)

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        left = list(self.values)
        chosen = []
        for size in range(len(left), 0, -1):
            place, index = divmod(index, math.factorial(size - 1))
            chosen.append(left.pop(place))
        return tuple(chosen)


Open = OneOf | Subset | Order


def _combination(values: tuple[Any, ...], size: int, index: int) -> tuple[Any, ...]:
    chosen = []
    for place, value in enumerate(values):
        if not size:
            break
        with_it = math.comb(len(values) - place - 1, size - 1)
        if index < with_it:
            chosen.append(value)
            size -= 1
        else:
            index -= with_it
    return tuple(chosen)


@functools.cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind))


_READERS: dict[type, Callable[[Any], tuple[Any, ...]]] = {}


def _values(action: object) -> tuple[Any, ...]:
    kind: type = type(action)
    read = _READERS.get(kind)
    if read is None:
        read = _READERS[kind] = getter(_names(kind))
    return read(action)


@lean
class Pattern(Generic[A]):
    """An action of one kind with a fixed value or an open set for every field, in the order of its fields."""

    kind: type[A]
    fields: tuple[Any, ...]
    count: int
    """How many concrete actions it stands for; `Pattern.of` works it out."""

    @classmethod
    def of(cls, kind: type[A], *fields: Any) -> "Pattern[A]":
        return cls(kind, fields, math.prod([len(field) for field in fields if isinstance(field, Open)]))

    def __getitem__(self, index: int) -> A:
        values = []
        for field in reversed(self.fields):
            if type(field) is OneOf:
                index, place = divmod(index, len(field.values))
                values.append(field.values[place])
            elif isinstance(field, Open):
                index, place = divmod(index, len(field))
                values.append(field[place])
            else:
                values.append(field)
        values.reverse()
        return self.kind(*values)

    def admits(self, values: tuple[Any, ...]) -> bool:
        """Whether an action of this kind with these values of its fields fits."""
        for value, field in zip(values, self.fields, strict=True):
            if type(field) is OneOf:
                if value not in field.values:
                    return False
            elif isinstance(field, Open):
                if value not in field:
                    return False
            elif value != field:
                return False
        return True


class PatternMap(dict[str, Any]):
    """A pattern as it travels, or all of it but its one open field. Games give the same one again and again.

    So it has a place for what somebody has made of it, at which the engine does not look.
    """

    __slots__ = ("kept",)

    def __init__(self, plain: dict[str, Any]) -> None:
        super().__init__(plain)
        self.kept: Any = None


Row = tuple[PatternMap, Hashable]
"""A pattern with one open field, the same in every row, and what stands for the values of this field."""


class Choices(Generic[A]):
    """What a seat may do now. Empty for a seat that is not asked.

    A game whose choices have a closer form of their own may subclass it and write the patterns down only
    when somebody wants them: the laws hold such a class to its patterns.
    """

    __slots__ = ("_patterns", "count", "picked")

    def __init__(self, patterns: Iterable[Pattern[A]] = ()) -> None:
        self._patterns: tuple[Pattern[A], ...] | None = tuple(patterns)
        self.picked: A | None = None
        """The last action taken from here: to recognise it saves playouts a second look."""
        count = 0
        for pattern in self._patterns:
            count += pattern.count
        self.count = count

    @property
    def patterns(self) -> tuple[Pattern[A], ...]:
        if self._patterns is None:
            self._patterns = tuple(self._write_down())
        return self._patterns

    open_field: ClassVar[str | None] = None
    """The one open field of every pattern, for a subclass that has `rows`."""

    def rows(self) -> list[Row]:
        """The patterns as they travel, if a subclass has a shorter way there than through `patterns`."""
        return []

    @staticmethod
    def values(of: Any) -> tuple[Any, ...]:  # noqa: ARG004
        """What the open field of a row may be."""
        return ()

    def _write_down(self) -> Iterable[Pattern[A]]:
        """For a subclass that begins without patterns."""
        return ()

    def __bool__(self) -> bool:
        return self.count > 0

    def __contains__(self, action: object) -> bool:
        if action is self.picked and action is not None:
            return True
        kind = type(action)
        values = None
        for pattern in self.patterns:
            if pattern.kind is kind:
                if values is None:
                    values = _values(action)
                if pattern.admits(values):
                    return True
        return False

    def __getitem__(self, index: int) -> A:
        """The action of this rank, 0 to count - 1: `choices[below(choices.count)]` is a uniform sample."""
        if index < 0:
            raise IndexError(index)
        for pattern in self.patterns:
            if index < pattern.count:
                self.picked = pattern[index]
                return self.picked
            index -= pattern.count
        raise IndexError(index)

    def __iter__(self) -> Iterator[A]:
        return itertools.chain.from_iterable(
            (pattern[place] for place in range(pattern.count)) for pattern in self.patterns
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Choices) and self.patterns == other.patterns

    def __hash__(self) -> int:
        return hash(self.patterns)

    def __repr__(self) -> str:
        return f"Choices({', '.join(map(repr, self.patterns))})"


NONE: Choices[Any] = Choices()


def nothing() -> Choices[A]:
    """The choices of a seat that is not asked."""
    return cast(Choices[A], NONE)
