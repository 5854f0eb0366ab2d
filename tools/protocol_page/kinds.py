"""How the page writes the types of fields, worked out from the classes."""

import inspect
import json
from collections.abc import Iterable, Mapping
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import attrs

from parlour.engine.game import Game
from parlour.engine.maps import Counts
from parlour.engine.options import Options
from parlour.engine.secret import Pile, Seat, Secret
from parlour.protocol.codec import write_part

_PLAIN = {int: "int", float: "number", str: "text", bool: "bool", NoneType: "null", Any: "anything"}
Names = Mapping[Any, str]
"""Types that a game has a word for."""


def public_module(game: Game[Any, Any, Any]) -> ModuleType:
    module = inspect.getmodule(game.view_class)
    if module is None:
        raise LookupError(game.name)
    return module


def names_of(game: Game[Any, Any, Any]) -> dict[Any, str]:
    """The words of a game for its types: Card, Colour, Pawn..."""
    found: dict[Any, str] = {}
    for name, value in vars(public_module(game)).items():
        named = get_origin(value) is Literal or isinstance(value, NewType)
        if (named or (name == "At" and get_origin(value) is tuple)) and value not in (Seat, Counts):
            found[value] = name
    return found


def words_for(hint: Any, names: Names) -> str:
    """A type in words."""
    if hint in names:
        return names[hint]
    if hint in _PLAIN:
        return _PLAIN[hint]
    if hint is Seat:
        return "seat"
    if hint is Counts:
        return "map of counts"
    if isinstance(hint, type) and attrs.has(hint):
        return "Options" if issubclass(hint, Options) else hint.__name__
    parts = get_args(hint)
    match get_origin(hint):
        case origin if origin is Literal:
            return "one of " + ", ".join(f"`{word}`" for word in parts)
        case origin if origin is tuple and parts[-1] is Ellipsis:
            return f"list of {_inside(parts[0], names)}"
        case origin if origin is tuple:
            return f"list of {len(parts)} {_inside(parts[0], names)}"
        case origin if origin is Mapping:
            return (
                "map"
                if parts[1] is Any
                else f"map of {words_for(parts[0], names)} to {_inside(parts[1], names)}"
            )
        case origin if origin in (Union, UnionType):
            return _union(parts, names)
    raise TypeError(f"{hint} has no words")


def _inside(hint: Any, names: Names) -> str:
    written = words_for(hint, names)
    return f"({written})" if " " in written else written


def _union(parts: Iterable[Any], names: Names) -> str:
    """A union; what may be hidden is told as what stands in its place."""
    hidden = next((part for part in parts if get_origin(part) in (Pile, Secret)), None)
    if hidden is None:
        return " or ".join(words_for(part, names) for part in parts)
    inside = words_for(get_args(hidden)[0], names)
    return f"list of {inside} or its size" if get_origin(hidden) is Pile else f"{inside} or null"


def fields_of(kind: type, names: Names) -> list[tuple[str, str]]:
    """Names and types of the fields of a class, as they travel."""
    hints = get_type_hints(kind)
    return [(field.name.rstrip("_"), words_for(hints[field.name], names)) for field in attrs.fields(kind)]


def listed(kind: type, names: Names) -> str:
    """The same in one cell of a table."""
    return ", ".join(f"`{name}`: {written}" for name, written in fields_of(kind, names))


def presence(field: "attrs.Attribute[Any]") -> str:
    """Whether a field is always there, and what it is if it is left out."""
    default = field.default
    if default is attrs.NOTHING:
        return "always"
    factory = getattr(default, "factory", None)
    made = factory() if factory else default
    if attrs.has(type(made)):
        return "optional: as below"
    return f"optional: {json.dumps(write_part(made))}"


def signature(kind: type) -> str:
    """The fields of a message or part in one cell; in brackets what may be left out, with what it is then."""
    return ", ".join(
        _optional(f"`{name}`: {written}", presence(field))
        for (name, written), field in zip(fields_of(kind, {}), attrs.fields(kind), strict=True)
        if name != "id"
    )


def _optional(written: str, when: str) -> str:
    if when == "always":
        return written
    default = when.removeprefix("optional: ")
    known = {"null": "", "as below": " = its defaults"}
    return f"[{written}{known.get(default, f' = `{default}`')}]"


def parts_of(kinds: Iterable[type], names: Names) -> dict[str, type]:
    """The classes that these are made of, by name."""
    found: dict[str, type] = {}
    todo = list(kinds)
    while todo:
        for hint in get_type_hints(todo.pop()).values():
            for part in _classes(hint):
                if part.__name__ not in found and not issubclass(part, Options):
                    found[part.__name__] = part
                    todo.append(part)
    return {name: kind for name, kind in sorted(found.items()) if kind not in names}


def _classes(hint: Any) -> list[type]:
    hiding: tuple[type, ...] = (Secret, Pile)
    if isinstance(hint, type) and attrs.has(hint) and hint not in hiding:
        return [hint]
    return [kind for part in get_args(hint) for kind in _classes(part)]
