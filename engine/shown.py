"""Views and news as maps, for one viewer after the other: what everybody may see is written down once.

How a class is written is worked out from the types of its fields, once, as a function of its own: a server
writes every view for everybody at every move. What was written of a value that is part of the next view as
well, the very same one, is kept. `Shown(thing).to(viewer)` is `to_map(project(thing, viewer))`, but for
tuples that stay tuples; a law holds it to that. A secret where the types announce none has no map form, as
everywhere.
"""

import itertools
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import attrs

from parlour.engine.kept import kept
from parlour.engine.maps import PLAIN, Counts, word, writer
from parlour.engine.secret import ALL, Pile, Secret, Viewer, hides, project


def _is_as_it_is(hint: Any) -> bool:
    """Words, numbers, and tuples and maps of them."""
    if isinstance(hint, NewType):
        return hint is not Counts and _is_as_it_is(hint.__supertype__)
    if hint in PLAIN or get_origin(hint) is Literal:
        return True
    if get_origin(hint) in (tuple, Union, UnionType, Mapping):
        return all(one is Ellipsis or _is_as_it_is(one) for one in get_args(hint))
    return False


class Source:
    """Writes Python: expressions that write values of a type, and the names that they use."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"Secret": Secret, "Pile": Pile, "project": project}
        self._count = itertools.count(1)

    def _name(self, thing: Any) -> str:
        name = f"_{next(self._count)}"
        self.names[name] = thing
        return name

    def _local(self) -> str:
        return f"v{next(self._count)}"

    def expression(self, hint: Any, value: str) -> str:
        """How `value`, an expression, is written for `viewer`, who sees everything if `whole`."""
        if _is_as_it_is(hint):
            return value
        if isinstance(hint, type) and attrs.has(hint):
            return self.map(hint, value) if hides(hint) else f"{self._name(kept(_written(hint)))}({value})"
        if get_origin(hint) is tuple:
            return self._tuple(hint, value)
        if get_origin(hint) in (Union, UnionType):
            return self._union(hint, value)
        return self._the_long_way(hint, value)

    def map(self, kind: type, value: str, *, blank: bool = False, tagged: bool = False) -> str:
        """A map of all fields; what may hide something can be left blank."""
        hints = get_type_hints(kind)
        written = [f"'type': {word(kind)!r}"] if tagged else []
        for field in attrs.fields(kind):
            hint = hints[field.name]
            shown = "None" if blank and hides(hint) else self.expression(hint, f"{value}.{field.name}")
            written.append(f"{field.name.rstrip('_')!r}: {shown}")
        return "{" + ", ".join(written) + "}"

    def _tuple(self, hint: Any, value: str) -> str:
        kinds = get_args(hint)
        if len(kinds) == 2 and kinds[1] is Ellipsis:
            local = self._local()
            return f"[{self.expression(kinds[0], local)} for {local} in {value}]"
        return (
            "["
            + ", ".join(self.expression(kind, f"{value}[{place}]") for place, kind in enumerate(kinds))
            + "]"
        )

    def _union(self, hint: Any, value: str) -> str:
        shut = [one for one in get_args(hint) if get_origin(one) in (Secret, Pile)]
        given = [one for one in get_args(hint) if one not in shut]
        if not shut and len(given) == 2 and NoneType in given:
            inner = next(one for one in given if one is not NoneType)
            return f"(None if {value} is None else {self.expression(inner, value)})"
        if (
            len(shut) != 1
            or any(map(hides, (*given, *get_args(shut[0]))))
            or not all(map(_is_as_it_is, given))
        ):
            return self._the_long_way(hint, value)
        sees = f"(whole or viewer in {value}.seen_by)"
        if get_origin(shut[0]) is Secret:
            return f"({value} if type({value}) is not Secret else {value}.value if {sees} else None)"
        return f"({value} if type({value}) is not Pile else {value}.words if {sees} else len({value}.cards))"

    def _the_long_way(self, hint: Any, value: str) -> str:
        write = self._name(writer(hint))
        return f"{write}(project({value}, viewer))" if hides(hint) else f"{write}({value})"

    def function(self, arguments: str, result: str) -> Any:
        return eval(f"lambda {arguments}: {result}", self.names)  # made of types alone


def _written(kind: type) -> Callable[[Any], dict[str, Any]]:
    """How values of a class that hides nothing are written."""
    source = Source()
    write: Callable[[Any], dict[str, Any]] = source.function("value", source.map(kind, "value"))
    return write


Write = Callable[[Any], dict[str, Any]]
Fill = Callable[[Any, Viewer, bool], dict[str, Any]]


@attrs.frozen
class Plan:
    """How a class is written: with its secrets left blank, and these alone."""

    write: Write
    fill: Fill | None

    @classmethod
    def of(cls, kind: type, *, tagged: bool) -> "Plan":
        source = Source()
        write = source.function("value", source.map(kind, "value", blank=True, tagged=tagged))
        hints = get_type_hints(kind)
        secrets = [field.name for field in attrs.fields(kind) if hides(hints[field.name])]
        if not secrets:
            return cls(write, None)
        written = [
            f"{name.rstrip('_')!r}: {source.expression(hints[name], f'value.{name}')}" for name in secrets
        ]
        return cls(write, source.function("value, viewer, whole", "{" + ", ".join(written) + "}"))


_PLANS: dict[tuple[type, bool], Plan] = {}


class Shown:
    """A view or a piece of news, the latter tagged with the word for its class as `type`."""

    __slots__ = ("_fill", "_public", "_thing")

    def __init__(self, thing: Any, *, tagged: bool = False) -> None:
        kind = type(thing), tagged
        plan = _PLANS.get(kind)
        if plan is None:
            plan = _PLANS[kind] = Plan.of(kind[0], tagged=tagged)
        self._thing = thing
        self._public = plan.write(thing)
        self._fill = plan.fill

    def to(self, viewer: Viewer) -> dict[str, Any]:
        """The same map for all if nothing is hidden: it is to be packed and not to be changed."""
        if self._fill is None:
            return self._public
        return self._public | self._fill(self._thing, viewer, viewer is ALL)
