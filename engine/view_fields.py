"""How a view is made of a state: each field from some part of the state, and from nothing else.

Whoever has made the view of the state before need look only at the parts that are no longer the same.
"""

import operator
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, cast

import attrs

S = TypeVar("S")
V = TypeVar("V")


def as_it_is(part: Any) -> Any:
    """For a field that is just what the state has."""
    return part


class From:
    """The parts of a state, by their names (`prizes.bag`), that a field is made from, and how.

    A field made with `each` is a tuple, and every item of it is made from the item of one part, a tuple too.
    `few`: the part, or its items, have few values, which can be hashed; what is made of one may be kept.
    `seldom`: it stays the same for several moves; the views of these moves may share what is made of it.
    """

    def __init__(
        self,
        *parts: str,
        make: Callable[..., Any] = as_it_is,
        each: Callable[[Any], Any] | None = None,
        few: bool = False,
        seldom: bool = False,
    ) -> None:
        self.parts = parts
        self.make = make
        self.each = each
        self.few = few
        self.seldom = seldom
        self.read: Callable[[Any], Any] = operator.attrgetter(*parts)
        """Finds the part of a state, or a tuple of several."""

    def value(self, part: Any) -> Any:
        """The field, from what `read` has found."""
        if self.each is not None:
            return tuple(map(self.each, part))
        return self.make(part) if len(self.parts) == 1 else self.make(*part)


class ViewFields(Generic[S, V]):
    """How the views of one class are made."""

    def __init__(self, kind: type[V], fields: Mapping[str, From]) -> None:
        self.kind = kind
        self.fields = fields

    @classmethod
    def of(cls, kind: type[V]) -> "ViewFields[V, V]":
        """For values that hold every field under its own name, as a state does that is its own view."""
        names = [field.name for field in attrs.fields(cast(Any, kind))]
        return ViewFields(kind, {name: From(name) for name in names})

    def replaced(self, **fields: From) -> "ViewFields[S, V]":
        """The same with other ways for some fields."""
        return ViewFields(self.kind, {**self.fields, **fields})

    def __call__(self, state: S) -> V:
        """The view of a state."""
        return self.kind(**{name: each.value(each.read(state)) for name, each in self.fields.items()})
