"""Views and news as maps, for one viewer after the other: what everybody may see is written down once.

How a class is written is worked out from the types of its fields, once: a server writes every view for
everybody at every move. What was written of a value that is part of the next view as
well, the very same one, is kept. `Shown(thing).to(viewer)` is `to_map(project(thing, viewer))`, but for the
order of the fields, and for tuples that stay tuples; a law holds it to that. A secret where the types
announce none has no map form, as everywhere.
"""

from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any, Literal, NewType, get_args, get_origin, get_type_hints

import attrs
from cattrs.fns import identity

from parlour.engine.identity_cache import cached_by_identity
from parlour.engine.maps import Counts, class_writer, word, writer
from parlour.engine.plain import PLAIN, is_union
from parlour.engine.secret import ALL, Pile, Secret, Viewer, hides, project, secret_fields


def _is_as_it_is(hint: Any) -> bool:
    """Words, numbers, and tuples and maps of them."""
    if isinstance(hint, NewType):
        return hint is not Counts and _is_as_it_is(hint.__supertype__)
    if hint in PLAIN or get_origin(hint) is Literal:
        return True
    if is_union(hint) or get_origin(hint) in (tuple, Mapping):
        return all(one is Ellipsis or _is_as_it_is(one) for one in get_args(hint))
    return False


Write = Callable[[Any], Any]
Show = Callable[[Any, Viewer, bool], Any]
"""Writes a value for a viewer, who may see the whole of it."""


def _writer(hint: Any) -> Write:
    """How values that hide nothing are written."""
    if _is_as_it_is(hint):
        return identity
    if isinstance(hint, type) and attrs.has(hint):
        return cached_by_identity(
            class_writer(hint, {name: _writer(part) for name, part in get_type_hints(hint).items()})
        )
    kinds = get_args(hint)
    if get_origin(hint) is tuple and len(kinds) == 2 and kinds[1] is Ellipsis:
        write = _writer(kinds[0])
        return lambda value: list(map(write, value))
    if is_union(hint) and len(kinds) == 2 and NoneType in kinds:
        write = _writer(kinds[kinds[0] is NoneType])
        return lambda value: None if value is None else write(value)
    return writer(hint)


def _shower(hint: Any) -> Show:
    """How values that may hide something are written."""
    kinds = get_args(hint)
    if not hides(hint):
        write = _writer(hint)
        return lambda value, _viewer, _whole: write(value)
    if get_origin(hint) is tuple and len({*kinds} - {Ellipsis}) == 1:
        show = _shower(kinds[0])
        return lambda value, viewer, whole: [show(part, viewer, whole) for part in value]
    if get_origin(hint) is tuple:
        shows = [_shower(kind) for kind in kinds]
        return lambda value, viewer, whole: [
            show(part, viewer, whole) for show, part in zip(shows, value, strict=True)
        ]
    if is_union(hint):
        shut = [one for one in kinds if get_origin(one) in (Secret, Pile)]
        given = [one for one in kinds if one not in shut]
        if len(shut) == 1 and all(map(_is_as_it_is, (*given, *get_args(shut[0])))):
            return _show_secret if get_origin(shut[0]) is Secret else _show_pile
    write = writer(hint)
    return lambda value, viewer, _whole: write(project(value, viewer))


def _show_secret(value: Any, viewer: Viewer, whole: bool) -> Any:
    if type(value) is not Secret:
        return value
    return value.value if whole or viewer in value.seen_by else None


def _show_pile(value: Any, viewer: Viewer, whole: bool) -> Any:
    if type(value) is not Pile:
        return value
    return value.words if whole or viewer in value.seen_by else len(value.cards)


@attrs.frozen
class Plan:
    """How a class is written: what everybody may see, and what may be hidden from some."""

    public: Callable[[Any], dict[str, Any]]
    secrets: tuple[tuple[str, str, Show], ...]
    """Such a field by its name inside, its name outside, and how it is written."""

    @classmethod
    def of(cls, kind: type) -> "Plan":
        hints = get_type_hints(kind)
        names = secret_fields(kind)
        public = {name: None if name in names else _writer(hint) for name, hint in hints.items()}
        secrets = [(name, name.rstrip("_"), _shower(hints[name])) for name in names]
        return cls(class_writer(kind, public), tuple(secrets))


_PLANS: dict[type, Plan] = {}


class Shown:
    """A view or a piece of news; `public` is what everybody may see, to be packed and not to be changed."""

    __slots__ = ("_secrets", "_thing", "hides", "public")

    def __init__(self, thing: Any, *, tagged: bool = False) -> None:
        """Tagged: with the word for its class as `type`, as news is."""
        kind = type(thing)
        plan = _PLANS.get(kind)
        if plan is None:
            plan = _PLANS[kind] = Plan.of(kind)
        self._thing = thing
        self._secrets = plan.secrets
        self.hides = bool(plan.secrets)
        self.public = {"type": word(kind), **plan.public(thing)} if tagged else plan.public(thing)

    def secrets(self, viewer: Viewer) -> dict[str, Any]:
        """The fields that may hide something, as this viewer may know them."""
        thing, whole = self._thing, viewer is ALL
        return {name: show(getattr(thing, inside), viewer, whole) for inside, name, show in self._secrets}

    def to(self, viewer: Viewer) -> dict[str, Any]:
        """All of it, for this viewer."""
        return {**self.public, **self.secrets(viewer)}
