"""All messages as one JSON Schema, made from their classes, for languages that have no such classes."""

import inspect
from collections.abc import Mapping
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import attrs

from parlour.engine.plain import BOUND, is_union
from parlour.protocol.codec import write_part
from parlour.protocol.messages import ALL, FROM_CLIENT, FROM_SERVER, Command, Message
from parlour.protocol.results import OR_NULL, RESULTS
from parlour.protocol.version import MINOR, PROTOCOL

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer", "exclusiveMinimum": -BOUND, "exclusiveMaximum": BOUND},
    float: {"type": "number"},
    NoneType: {"type": "null"},
}


def parts_of(hint: Any) -> list[type]:
    """The classes that a field is made of, besides plain values."""
    if isinstance(hint, type) and attrs.has(hint):
        return [hint]
    return [kind for part in get_args(hint) for kind in parts_of(part)]


def _value(hint: Any) -> dict[str, Any]:
    """The schema of a field's values."""
    if hint is Any:
        return {}
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    origin = get_origin(hint)
    if origin is Literal:
        return {"enum": list(get_args(hint))}
    if origin is tuple:
        return {"type": "array", "items": _value(get_args(hint)[0])}
    if origin is Mapping:
        return {"type": "object"}
    if is_union(hint):
        return {"anyOf": [_value(part) for part in get_args(hint)]}
    if isinstance(hint, type) and attrs.has(hint):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    raise TypeError(f"{hint} has no schema")


def _map(kind: type) -> dict[str, Any]:
    """The schema of a class. Fields that are not named are allowed: whoever reads ignores them."""
    hints = get_type_hints(kind)
    fields: dict[str, Any] = {}
    for field in attrs.fields(kind):
        fields[field.name] = _value(hints[field.name])
        if field.default is not attrs.NOTHING:
            factory = getattr(field.default, "factory", None)
            fields[field.name]["default"] = write_part(factory() if factory else field.default)
    required = [field.name for field in attrs.fields(kind) if field.default is attrs.NOTHING]
    return {
        "description": inspect.getdoc(kind),
        "type": "object",
        "properties": fields,
        "required": required,
    }


def _result(kind: type[Command]) -> dict[str, Any]:
    """The schema of `ok.result` after a command."""
    result = RESULTS.get(kind)
    if result is None:
        return {"type": "null"}
    reference = _value(result)
    return {"anyOf": [reference, {"type": "null"}]} if kind in OR_NULL else reference


def _message(kind: type[Message]) -> dict[str, Any]:
    plain = _map(kind)
    if "id" in plain["properties"] and kind.SENDER == "client":
        plain["properties"]["id"] = {"type": "integer", "minimum": 1, "exclusiveMaximum": BOUND}
    if issubclass(kind, Command):
        plain["x-result"] = _result(kind)
    plain["properties"] = {"type": {"const": kind.WORD}, **plain["properties"]}
    plain["required"] = ["type", *plain["required"]]
    return {**plain, "x-sender": kind.SENDER, "x-since": f"{PROTOCOL}.{kind.SINCE}"}


def _all_parts() -> dict[str, type]:
    """Every class that is part of a message, directly or not."""
    found: dict[str, type] = {}
    todo: list[type] = list(ALL)
    for result in RESULTS.values():
        for part in parts_of(result):
            found[part.__name__] = part
            todo.append(part)
    while todo:
        for hint in get_type_hints(todo.pop()).values():
            for part in parts_of(hint):
                if part.__name__ not in found:
                    found[part.__name__] = part
                    todo.append(part)
    return found


def schema() -> dict[str, Any]:
    """The schema of whatever may be in a frame; `$defs` has each message by its `type`, and by sender."""
    references = {word: {"$ref": f"#/$defs/{word}"} for word in (*FROM_CLIENT, *FROM_SERVER)}
    return {
        "$schema": DRAFT,
        "$id": f"urn:parlour:protocol:{PROTOCOL}.{MINOR}",
        "title": f"Messages of the Parlour protocol {PROTOCOL}.{MINOR}",
        "oneOf": [{"$ref": "#/$defs/from_client"}, {"$ref": "#/$defs/from_server"}],
        "$defs": {
            "from_client": {"oneOf": [references[word] for word in FROM_CLIENT]},
            "from_server": {"oneOf": [references[word] for word in FROM_SERVER]},
            **{kind.WORD: _message(kind) for kind in ALL},
            **{name: _map(part) for name, part in sorted(_all_parts().items())},
        },
    }
