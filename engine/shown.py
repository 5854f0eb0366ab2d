"""Views and news as maps, for one viewer after the other: what everybody may see is written down once.

How a class is written is worked out from the types of its fields, once, as a function of its own: a server
writes every view for everybody at every move. What was written of a value that is part of the next view as
well, the very same one, is kept. `Shown(thing).to(viewer)` is `to_map(project(thing, viewer))`, but for the
order of the fields, and for tuples that stay tuples; a law holds it to that. A secret where the types
announce none has no map form, as everywhere.
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

    def map(self, kind: type, value: str, *, tagged: bool = False, secret: bool | None = None) -> str:
        """A map of all fields or, if so asked, of those alone that may hide something, or may not."""
        hints = get_type_hints(kind)
        written = [f"'type': {word(kind)!r}"] if tagged else []
        for field in attrs.fields(kind):
            hint = hints[field.name]
            if secret is None or secret == hides(hint):
                shown = self.expression(hint, f"{value}.{field.name}")
                written.append(f"{field.name.rstrip('_')!r}: {shown}")
        return f"{{{', '.join(written)}}}"

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


@attrs.frozen
class Plan:
    """How a class is written: what everybody may see, and what may be hidden from some."""

    public: Callable[[Any], dict[str, Any]]
    secrets: Callable[[Any, Viewer, bool], dict[str, Any]]
    hides: bool

    @classmethod
    def of(cls, kind: type, *, tagged: bool) -> "Plan":
        source = Source()
        public = source.function("value", source.map(kind, "value", tagged=tagged, secret=False))
        secrets = source.function("value, viewer, whole", source.map(kind, "value", secret=True))
        return cls(public, secrets, hides(kind))


_VIEWS: dict[type, Plan] = {}
_NEWS: dict[type, Plan] = {}


class Shown:
    """A view or a piece of news; `public` is what everybody may see, to be packed and not to be changed."""

    __slots__ = ("_secrets", "_thing", "hides", "public")

    def __init__(self, thing: Any, *, tagged: bool = False) -> None:
        """Tagged: with the word for its class as `type`, as news is."""
        plans = _NEWS if tagged else _VIEWS
        kind = type(thing)
        plan = plans.get(kind)
        if plan is None:
            plan = plans[kind] = Plan.of(kind, tagged=tagged)
        self._thing = thing
        self._secrets = plan.secrets
        self.hides = plan.hides
        self.public = plan.public(thing)

    def secrets(self, viewer: Viewer) -> dict[str, Any]:
        """The fields that may hide something, as this viewer may know them."""
        return self._secrets(self._thing, viewer, viewer is ALL)

    def to(self, viewer: Viewer) -> dict[str, Any]:
        """All of it, for this viewer."""
        return {**self.public, **self.secrets(viewer)}
