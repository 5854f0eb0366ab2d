"""Plain values (maps, lists, text, numbers) read strictly, for the engine and for messages alike.

A field is not missing and has just its type: no True for 1, no 1.0 where a whole number belongs. The
converter here is the only one; `engine/maps.py` and `protocol/codec.py` say what each does with fields that
a class does not have.
"""

import math
import reprlib
from collections.abc import Callable, Mapping, Sequence
from types import UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin

import attrs
from cattrs import ClassValidationError, Converter, ForbiddenExtraKeysError, IterableValidationError
from cattrs.fns import identity
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

BOUND = 2**53
"""Whole numbers lie strictly between -2^53 and 2^53: every language has them exactly."""
Plain = Mapping[str, Any]
PLAIN: dict[type, str] = {int: "a whole number", str: "text", bool: "true or false", type(None): "null"}
INVALID = (ClassValidationError, IterableValidationError)
"""What a detailed converter raises, besides `Misfit`."""


def is_number(value: object) -> bool:
    """Whole, within bounds, and not True for 1."""
    return type(value) is int and -BOUND < value < BOUND


class _Short(reprlib.Repr):
    """Looks neither into the depths of a value nor at the digits of a huge number."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = 60

    def repr_int(self, x: int, level: int) -> str:
        return super().repr_int(x, level) if is_number(x) else "a huge number"


_SHORT = _Short()


def short_repr(value: object) -> str:
    """A value in an error: short, whatever a peer sent."""
    return cut(_SHORT.repr(value), 40)


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


class Misfit(ValueError):
    """Raised by a hook for one value; `fault` finds out where it stands."""


class MisfitInList(Misfit):
    """The first item of a list that is wrong."""

    def __init__(self, index: int, wrong: BaseException) -> None:
        super().__init__(index, wrong)
        self.index = index
        self.wrong = wrong


def fault(wrong: BaseException, path: str = "") -> tuple[str, str]:
    """The first leaf of a tree of cattrs errors: where it stands and what is wrong.

    It takes the tracebacks from the tree: cattrs has the errors in a list of the very frame that they lead
    to, and such a circle would be left to Python's garbage collector, with fifty values for each bad command.
    """
    if isinstance(wrong, MisfitInList):
        return fault(wrong.wrong, _below(path, str(wrong.index)))
    if isinstance(wrong, INVALID):
        inner = wrong.exceptions[0]
        for each in wrong.exceptions:
            _forget_tracebacks(each)
        for note in getattr(inner, "__notes__", ()):
            step = getattr(note, "name", getattr(note, "index", None))
            if step is not None:
                path = _below(path, str(step).rstrip("_"))
        return fault(inner, path)
    if isinstance(wrong, ForbiddenExtraKeysError):
        return _below(path, min(map(str, wrong.extra_fields))), "is not a field here"
    if isinstance(wrong, KeyError):
        missing = str(wrong.args[0])
        return path if path.split(".")[-1] == missing else _below(path, missing), "is missing"
    return path, str(wrong)


def _forget_tracebacks(wrong: BaseException) -> None:
    """Also those of the branches that `fault` does not follow."""
    wrong.__traceback__ = None
    for each in wrong.exceptions if isinstance(wrong, INVALID) else ():
        _forget_tracebacks(each)


def _below(path: str, step: str) -> str:
    return f"{path}.{step}" if path else step


# Readers of single values


def _exactly(kind: type) -> Any:
    def read(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise Misfit(f"must be {PLAIN[kind]}, not {short_repr(value)}")
        return value

    return read


def _read_whole(value: Any, _: Any) -> int:
    if type(value) is not int or not -BOUND < value < BOUND:
        raise Misfit(f"must be a whole number, not {short_repr(value)}")
    return value


def _read_float(value: Any, _: Any) -> float:
    if not is_number(value) and not (type(value) is float and math.isfinite(value)):
        raise Misfit(f"must be a number, not {short_repr(value)}")
    return float(value)


def must_be_map(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Misfit(f"must be a map, not {short_repr(value)}")
    return value


def _read_any_map(value: Any, _: Any) -> dict[str, Any]:
    """What is in it is for others to read."""
    return value if type(value) is dict else dict(must_be_map(value))


def _must_be_list(value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise Misfit(f"must be a list, not {short_repr(value)}")
    return value


def _list_reader(read_item: Callable[[Any, Any], Any], hint: Any) -> Any:
    """Stops at the first item that is wrong.

    cattrs would make an exception for every one: sixteen thousand wrong items in a frame of 16 kB would
    take a fifth of a second and 20 MB, and any guest can send such frames.
    """

    def read(value: Any, _: Any) -> Any:
        items, found = _must_be_list(value), []
        try:
            for item in items:
                found.append(read_item(item, hint))
        except (*INVALID, Misfit, KeyError, ForbiddenExtraKeysError) as wrong:
            raise MisfitInList(len(found), wrong) from None
        return tuple(found)

    return read


def _literal_reader(hint: Any) -> Any:
    choices = get_args(hint)
    by_kind = {(type(choice), choice): choice for choice in choices}

    def read(value: Any, _: Any) -> Any:
        kind = type(value)
        if (kind is str or kind is int or kind is bool) and (kind, value) in by_kind:
            return by_kind[kind, value]
        raise Misfit(f"must be one of {', '.join(map(str, choices))}, not {short_repr(value)}")

    return read


def _read_plain(value: Any, hint: Any) -> Any:
    if type(value) in get_args(hint) and (type(value) is not int or is_number(value)):
        return value
    raise Misfit(f"must be {' or '.join(PLAIN[part] for part in get_args(hint))}, not {short_repr(value)}")


# Kinds of types


def is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, UnionType)


def _is_plain_union(hint: Any) -> bool:
    return is_union(hint) and all(part in PLAIN for part in get_args(hint))


def _made_of(origin: Any) -> Callable[[Any], bool]:
    def test(hint: Any) -> bool:
        found: Any = get_origin(hint)
        return found is origin

    return test


def _is_written_as_it_is(hint: Any) -> bool:
    """Text and numbers, also under a name of their own: without being asked, cattrs looks at each."""
    if isinstance(hint, NewType):
        return _is_written_as_it_is(hint.__supertype__)
    if is_union(hint):
        return all(map(_is_written_as_it_is, get_args(hint)))
    return hint in PLAIN or hint is float or get_origin(hint) is Literal


def _outer_names(cls: type) -> dict[str, Any]:
    """Fields that Python reserves a word for end in an underscore inside (`from_`) and not outside."""
    names: list[str] = [field.name for field in attrs.fields(cls)]
    return {name: override(rename=name.rstrip("_")) for name in names if name.endswith("_")}


# The converter


def strict_converter(*, detailed: bool, extra_fields: bool) -> Converter:
    """A detailed one takes twice as long and can say where something is wrong."""
    converter = Converter(detailed_validation=detailed)
    converter.register_structure_hook(int, _read_whole)
    converter.register_structure_hook(str, _exactly(str))
    converter.register_structure_hook(bool, _exactly(bool))
    converter.register_structure_hook(float, _read_float)
    converter.register_structure_hook_func(lambda hint: hint in (Plain, dict[str, Any]), _read_any_map)
    converter.register_structure_hook_func(_is_plain_union, _read_plain)
    converter.register_structure_hook_factory(_made_of(Literal), _literal_reader)
    converter.register_unstructure_hook_func(_is_written_as_it_is, identity)

    @converter.register_structure_hook_factory(_made_of(tuple))
    def _tuples(hint: Any) -> Any:
        parts = get_args(hint)
        if len(parts) == 2 and parts[1] is Ellipsis:
            return _list_reader(converter.get_structure_hook(parts[0]), parts[0])
        hooks = [(converter.get_structure_hook(part), part) for part in parts]

        def read(value: Any, _: Any) -> Any:
            items = _must_be_list(value)
            if len(items) != len(hooks):
                raise Misfit(f"must have {len(hooks)} entries, not {len(items)}")
            return tuple([hook(item, part) for item, (hook, part) in zip(items, hooks, strict=True)])

        return read

    @converter.register_structure_hook_factory(attrs.has)
    def _classes(cls: type) -> Any:
        read_fields: Any = make_dict_structure_fn(
            cls,
            converter,
            _cattrs_forbid_extra_keys=not extra_fields,
            _cattrs_detailed_validation=detailed,
            **_outer_names(cls),
        )
        return lambda value, kind: read_fields(value if type(value) is dict else must_be_map(value), kind)

    @converter.register_unstructure_hook_factory(attrs.has)
    def _maps(cls: type) -> Any:
        return make_dict_unstructure_fn(cls, converter, **_outer_names(cls))

    return converter
