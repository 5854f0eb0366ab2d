"""Legal actions as maps and back: the form in which choices travel.

    {"type": "play", "card": {"one_of": ["red-1", "red-7"]}, "tile": 3, "side": {"one_of": [0, 1]}}

A field is a value, or `one_of` some; one that holds several is any `subset` of so many, or any `order`.
"""

import functools
from collections.abc import Mapping
from typing import Any, TypeVar, cast, get_origin

import attrs
from cattrs.fns import identity

from parlour.engine.choices import Choices, OneOf, Order, Pattern, PatternMap, Subset
from parlour.engine.errors import Malformed
from parlour.engine.identity_cache import cached_by_identity
from parlour.engine.maps import read, to_map, word, writer
from parlour.engine.plain import is_number, short_repr

T = TypeVar("T")
ONE_OF = "one_of"


@functools.cache
def _writers(kind: type) -> tuple[str, list[tuple[str, Any]]]:
    """The word for a kind of action; what each field is called outside, and how its value is written."""
    fields = attrs.fields(cast(Any, kind))
    return word(kind), [(field.name.rstrip("_"), writer(field.type)) for field in fields]


def choices_to_map(choices: Choices[Any]) -> list[PatternMap]:
    """Legal actions as they travel: a list of patterns, to be packed and not to be changed."""
    name = choices.open_field
    if name is None:
        return list(map(pattern_to_map, choices.patterns))
    return [PatternMap({**row, name: {ONE_OF: list(choices.values(of))}}) for row, of in choices.rows()]


@cached_by_identity
def pattern_to_map(pattern: Pattern[Any]) -> PatternMap:
    kind, writers = _writers(cast(Any, pattern.kind))
    plain: dict[str, Any] = {"type": kind}
    for (name, write), value in zip(writers, pattern.fields, strict=True):
        # By the class itself: `match` asks each class anew, and this runs at every move.
        form = type(value)
        if form is OneOf:
            values = value.values
            plain[name] = {ONE_OF: list(values) if write is identity else list(map(write, values))}
        elif form is Subset:
            values = list(map(to_map, value.values))
            plain[name] = {"subset": values, "min": value.least, "max": value.most}
        elif form is Order:
            plain[name] = {"order": list(map(to_map, value.values))}
        else:
            plain[name] = write(value)
    return PatternMap(plain)


def choices_from_map(kinds: Mapping[str, type[T]], plain: Any) -> Choices[T]:
    """Reads what `choices_to_map` wrote; raises Malformed."""
    if not isinstance(plain, list | tuple):
        raise Malformed("", f"must be a list, not {short_repr(plain)}")
    return Choices([_pattern(kinds, entry, str(number)) for number, entry in enumerate(plain)])


def _pattern(kinds: Mapping[str, type[T]], entry: Any, where: str) -> Pattern[T]:
    if not isinstance(entry, Mapping):
        raise Malformed(where, f"must be a map, not {short_repr(entry)}")
    name = entry.get("type")
    kind = kinds.get(name) if type(name) is str else None
    if kind is None:
        raise Malformed(f"{where}.type", f"must be one of {', '.join(sorted(kinds))}, not {short_repr(name)}")
    fields = {field.name.rstrip("_"): field.type for field in attrs.fields(cast(Any, kind))}
    for key in entry:
        if key != "type" and key not in fields:
            raise Malformed(f"{where}.{key}", "is not a field here")
    values = []
    for key, hint in fields.items():
        if key not in entry:
            raise Malformed(f"{where}.{key}", "is missing")
        values.append(_field(entry[key], hint, f"{where}.{key}"))
    return Pattern.of(kind, *values)


def _field(plain: Any, hint: Any, where: str) -> Any:
    match plain:
        case {"one_of": values} if len(plain) == 1:
            return OneOf(read(tuple[hint, ...], values, where))
        case {"subset": values, "min": least, "max": most} if len(plain) == 3:
            found = _several(values, hint, where)
            if not (is_number(least) and is_number(most) and 0 <= least <= most <= len(found)):
                raise Malformed(where, f"must have min and max from 0 to {len(found)}")
            return Subset(found, least, most)
        case {"order": values} if len(plain) == 1:
            return Order(_several(values, hint, where))
        case _:
            return read(hint, plain, where)


def _several(values: Any, hint: Any, where: str) -> tuple[Any, ...]:
    """The values out of which a field that holds several is filled."""
    if get_origin(hint) is not tuple:
        raise Malformed(where, "holds one value, not several")
    found: tuple[Any, ...] = read(hint, values, where)
    if len(set(found)) != len(found):
        raise Malformed(where, "offers a value twice")
    return found
