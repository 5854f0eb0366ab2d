"""How things are written down, and how to tell that two are written alike, mostly without writing them.

The laws compare thousands of frames that agree, and writing both sides of each took most of their time. But
values of one make, part for part and in one order, are written with the same bytes; only where two are not of
one make does it take their bytes to tell.
"""

import functools
import json
import operator
from collections.abc import Callable
from typing import Any

import attrs
import msgpack

from parlour.engine.secret import Pile, Secret

Parts = Callable[[Any], tuple[Any, ...]]
Write = Callable[[Any], Any]
_WORDS = frozenset({str, int, bool, type(None)})


def written(thing: Any) -> bytes:
    """A plain value as it is sent: the order of everything counts."""
    packed: bytes = msgpack.packb(thing)
    return packed


def as_json(thing: Any) -> Any:
    """A plain value after a journey as text."""
    return json.loads(json.dumps(thing))


def alike(one: Any, other: Any) -> bool:
    """Whether two values are of one make, and so are written with the same bytes."""
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in _WORDS:
        return bool(one == other)
    if kind is dict:
        return alike(list(one), list(other)) and alike(list(one.values()), list(other.values()))
    if kind is not tuple and kind is not list:
        parts = parts_of(kind)
        if parts is None:
            return False
        one, other = parts(one), parts(other)
    if len(one) != len(other):
        return False
    # Most parts are the same object: asking that here saves most of the calls.
    for mine, yours in zip(one, other, strict=True):
        if mine is not yours and not alike(mine, yours):
            return False
    return True


@functools.cache
def parts_of(kind: type) -> Parts | None:
    """How to read all the fields of a class at once; None for what has none, or hides them."""
    if not attrs.has(kind) or kind in (Secret, Pile):
        return None
    names = [field.name for field in attrs.fields(kind)]
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda thing: tuple([getattr(thing, name) for name in names])


class Kept:
    """A value, how it is written, and the map and the bytes of it when it was kept."""

    __slots__ = ("_write", "bytes", "plain", "thing")

    def __init__(self, thing: Any, write: Write) -> None:
        self.thing = thing
        self._write = write
        self.plain = write(thing)
        self.bytes = written(self.plain)

    def matches(self, other: Any) -> bool:
        """Whether another value is written with the same bytes."""
        return alike(self.thing, other) or self.bytes == self.written(other)

    def written(self, other: Any) -> bytes:
        return written(self._write(other))

    def is_as_it_was(self) -> bool:
        """Else a thing was changed in place, and whatever shares it with others would match them falsely."""
        return self.bytes == self.written(self.thing)


class WrittenParts:
    """Values of one sort that are kept, each sort of bytes once: many viewers are told the same."""

    __slots__ = ("_write", "kept")

    def __init__(self, write: Write) -> None:
        self._write = write
        self.kept: list[Kept] = []

    def keep(self, thing: Any) -> Kept:
        for kept in self.kept:
            if alike(kept.thing, thing):
                return kept
        self.kept.append(Kept(thing, self._write))
        return self.kept[-1]
