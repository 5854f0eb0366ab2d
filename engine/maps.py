"""Values as plain maps and back: the form that positions, actions, news and views have outside the engine.

Reading is strict: no missing, extra or wrongly typed field, no True for 1. A `Secret` or `Pile` has no map
form: what was not projected for a viewer cannot leave.
"""

import contextlib
import functools
import math
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import UnionType
from typing import Any, Literal, NewType, TypeVar, Union, cast, get_args, get_origin

import attrs
from cattrs import ClassValidationError, Converter, ForbiddenExtraKeysError, IterableValidationError
from cattrs.fns import identity
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from parlour.engine.errors import Malformed, is_number, shown
from parlour.engine.kept import KEPT
from parlour.engine.secret import Pile, Seat, Secret

T = TypeVar("T")
PLAIN: dict[type, str] = {int: "a whole number", str: "a word", bool: "true or false", type(None): "null"}
Plain = Mapping[str, Any]
Counts = NewType("Counts", tuple[tuple[str, int], ...])
"""How many of each, as pairs inside (so that it can be hashed) and as a map outside."""


class Misfit(ValueError):
    """Raised by a hook for one value; `from_map` finds out where it stands."""


class StillHidden(TypeError):
    """A bug: somebody tried to write down a secret that was never projected."""


def word(kind: type) -> str:
    """The name of a class on the wire: CardPlayed is `card_played`."""
    if kind not in _WORDS:
        _WORDS[kind] = re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
    return _WORDS[kind]


_WORDS: dict[type, str] = {}


def by_word(kinds: Iterable[type]) -> dict[str, type]:
    return {word(kind): kind for kind in kinds}


def _exactly(kind: type, name: str) -> Any:
    def read(value: Any, _: Any) -> Any:
        if type(value) is not kind or (kind is int and not is_number(value)):
            raise Misfit(f"must be {name}, not {shown(value)}")
        return value

    return read


def _read_float(value: Any, _: Any) -> float:
    if not is_number(value) and not (type(value) is float and math.isfinite(value)):
        raise Misfit(f"must be a number, not {shown(value)}")
    return float(value)


def _read_any_map(value: Any, _: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise Misfit(f"must be a map, not {shown(value)}")
    return dict(value)


def _literal_reader(hint: Any) -> Any:
    choices = get_args(hint)
    by_kind = {(type(choice), choice): choice for choice in choices}

    def read(value: Any, _: Any) -> Any:
        kind = type(value)
        if (kind is str or kind is int or kind is bool) and (kind, value) in by_kind:
            return by_kind[kind, value]
        raise Misfit(f"must be one of {', '.join(map(str, choices))}, not {shown(value)}")

    return read


def _read_seat(value: Any, _: Any) -> Seat:
    if not is_number(value) or value < 0:
        raise Misfit(f"must be a seat, counted from 0, not {shown(value)}")
    return Seat(value)


def _read_counts(value: Any, _: Any) -> Counts:
    if not isinstance(value, Mapping):
        raise Misfit(f"must be a map of counts, not {shown(value)}")
    for key, count in value.items():
        if type(key) is not str or not is_number(count) or count < 1:
            raise Misfit(f"must map words to counts of 1 or more, not {shown(key)} to {shown(count)}")
    return Counts(tuple(sorted(value.items())))


def _must_be_list(value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise Misfit(f"must be a list, not {shown(value)}")
    return value


def _is_hideable(hint: Any) -> bool:
    if get_origin(hint) not in (Union, UnionType):
        return False
    return any(get_origin(part) in (Secret, Pile) for part in get_args(hint))


def _is_plain_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, UnionType) and all(part in PLAIN for part in get_args(hint))


def _read_plain(value: Any, hint: Any) -> Any:
    if type(value) in get_args(hint) and (type(value) is not int or is_number(value)):
        return value
    raise Misfit(f"must be {' or '.join(PLAIN[part] for part in get_args(hint))}, not {shown(value)}")


def _bigger_parts(hint: Any) -> list[Any]:
    return [part for part in get_args(hint) if part not in PLAIN]


def _is_word_or_bigger(hint: Any) -> bool:
    """A union of plain kinds and just one that is not: the name of a track, or a whole track."""
    if get_origin(hint) not in (Union, UnionType) or _is_hideable(hint) or len(_bigger_parts(hint)) != 1:
        return False
    return any(part in PLAIN and part is not type(None) for part in get_args(hint))


def _is_made_of(hint: Any, origin: Any) -> bool:
    found: Any = get_origin(hint)
    return found is origin


def _is_named(hint: Any, kind: object) -> bool:
    return hint is kind


def _is_written_as_it_is(hint: Any) -> bool:
    """Words and numbers, also under a name of their own: without being asked, cattrs looks at each."""
    if isinstance(hint, NewType):
        return hint is not Counts and _is_written_as_it_is(hint.__supertype__)
    if get_origin(hint) in (Union, UnionType):
        return all(map(_is_written_as_it_is, get_args(hint)))
    return hint in PLAIN or get_origin(hint) is Literal


def _fieldnames(cls: type) -> dict[str, Any]:
    """Fields that Python reserves a word for end in an underscore inside (`from_`) and not outside."""
    names: list[str] = [field.name for field in attrs.fields(cls)]
    return {name: override(rename=name.rstrip("_")) for name in names if name.endswith("_")}


def _make_converter(*, detailed: bool) -> Converter:
    converter = Converter(forbid_extra_keys=True, detailed_validation=detailed)
    for kind in (int, str, bool):
        converter.register_structure_hook(kind, _exactly(kind, PLAIN[kind]))
    converter.register_structure_hook(float, _read_float)
    converter.register_structure_hook_func(lambda hint: hint in (Plain, dict[str, Any]), _read_any_map)
    converter.register_structure_hook_func(_is_plain_union, _read_plain)

    @converter.register_structure_hook_factory(_is_word_or_bigger)
    def _words_or_bigger(hint: Any) -> Any:
        bigger = _bigger_parts(hint)[0]

        def read(value: Any, _: Any) -> Any:
            return value if type(value) in get_args(hint) else converter.structure(value, bigger)

        return read

    converter.register_structure_hook_factory(functools.partial(_is_made_of, origin=Literal), _literal_reader)
    converter.register_structure_hook_func(functools.partial(_is_named, kind=Seat), _read_seat)
    converter.register_structure_hook_func(functools.partial(_is_named, kind=Counts), _read_counts)
    converter.register_unstructure_hook_func(functools.partial(_is_named, kind=Counts), dict)
    converter.register_unstructure_hook_func(_is_written_as_it_is, identity)

    @converter.register_structure_hook_factory(functools.partial(_is_made_of, origin=tuple))
    def _tuples(hint: Any) -> Any:
        parts = get_args(hint)
        if len(parts) == 2 and parts[1] is Ellipsis:
            listed: Any = list[parts[0]]  # type: ignore[valid-type]
            read_list = converter.get_structure_hook(listed)
            return lambda value, _: tuple(read_list(_must_be_list(value), listed))
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
            _cattrs_forbid_extra_keys=True,
            _cattrs_detailed_validation=detailed,
            **_fieldnames(cls),
        )

        def read(value: Any, kind: Any) -> Any:
            if not isinstance(value, Mapping):
                raise Misfit(f"must be a map, not {shown(value)}")
            return read_fields(value, kind)

        return read

    @converter.register_unstructure_hook_factory(attrs.has)
    def _maps(cls: type) -> Any:
        return make_dict_unstructure_fn(cls, converter, **_fieldnames(cls))

    @converter.register_structure_hook_factory(_is_hideable)
    def _unions(hint: Any) -> Any:
        """What a viewer gets: the value, or the size or None that stands for it."""
        plain = [part for part in get_args(hint) if get_origin(part) not in (Secret, Pile)]
        shut = [part for part in plain if part in (int, type(None))]
        open_ = [part for part in plain if part not in shut]

        def read(value: Any, _: Any) -> Any:
            for part in shut:
                if type(value) is part:
                    return value
            return converter.structure(value, open_[0]) if open_ else converter.structure(value, int)

        return read

    @converter.register_unstructure_hook_factory(_is_hideable)
    def _shown_unions(hint: Any) -> Any:
        writers: dict[type, Any] = {Secret: _refuse_hidden, Pile: _refuse_hidden}
        for part in get_args(hint):
            writers.setdefault(get_origin(part) or part, converter.get_unstructure_hook(part))

        def write(value: Any) -> Any:
            return writers.get(type(value), converter.unstructure)(value)

        return write

    for hidden in (Secret, Pile):
        converter.register_unstructure_hook(hidden, _refuse_hidden)
    return converter


def _refuse_hidden(thing: object) -> Any:
    raise StillHidden(f"a {type(thing).__name__} must be projected for a viewer before it is written down")


_CONVERTER = _make_converter(detailed=True)
_QUICK = _make_converter(detailed=False)
"""Takes half as long, but cannot say where something is wrong: that is left to the other one."""


def _path(exc: BaseException, path: str) -> tuple[str, str]:
    """The first leaf of a tree of cattrs errors: where it stands and what is wrong."""
    if isinstance(exc, ClassValidationError | IterableValidationError):
        inner = exc.exceptions[0]
        for note in getattr(inner, "__notes__", ()):
            step = getattr(note, "name", None)
            if step is None:
                step = getattr(note, "index", None)
            if step is not None:
                step = str(step).rstrip("_")
                path = f"{path}.{step}" if path else step
        return _path(inner, path)
    if isinstance(exc, ForbiddenExtraKeysError):
        extra = min(map(str, exc.extra_fields))
        return (f"{path}.{extra}" if path else extra), "is not a field here"
    if isinstance(exc, KeyError):
        missing = str(exc.args[0])
        return (path if path.split(".")[-1] == missing else f"{path}.{missing}".lstrip(".")), "is missing"
    return path, str(exc)


def read(hint: Any, plain: Any, where: str = "", error: type[Malformed] = Malformed) -> Any:
    """A value of any type that has a map form; what is wrong is named by its path, from `where` on."""
    try:
        return _CONVERTER.structure(plain, hint)
    except (ClassValidationError, IterableValidationError, Misfit) as wrong:
        raise error(*_path(wrong, where)) from None


def from_map(kind: type[T], plain: Any, error: type[Malformed] = Malformed) -> T:
    """A value of a known class."""
    return cast(T, read(kind, plain, "", error))


def to_map(value: Any) -> Any:
    """A value as maps, lists, words and numbers."""
    return _CONVERTER.unstructure(value)


def writer(hint: Any) -> Callable[[Any], Any]:
    """How values of this type are written."""
    write: Callable[[Any], Any] = _CONVERTER.get_unstructure_hook(hint)
    return write


def class_writer(
    cls: type, writers: Mapping[str, Callable[[Any], Any] | None]
) -> Callable[[Any], dict[str, Any]]:
    """How a class is written, field by field; what has no writer is left out."""
    fields: dict[str, Any] = {
        name: override(rename=name.rstrip("_"), omit=write is None, unstruct_hook=write)
        for name, write in writers.items()
    }
    return make_dict_unstructure_fn(cls, _CONVERTER, **fields)


def tagged(value: Any) -> dict[str, Any]:
    """A value with the word for its class as `type`."""
    return {"type": word(type(value)), **_CONVERTER.unstructure(value)}


def from_tagged(kinds: Mapping[str, type[T]], plain: Any) -> T:
    """Reads a value whose class is named by its `type`."""
    if not isinstance(plain, Mapping):
        raise Malformed("", f"must be a map, not {shown(plain)}")
    if "type" not in plain:
        raise Malformed("type", "is missing")
    name = plain["type"]
    if type(name) is not str or name not in kinds:
        raise Malformed("type", f"must be one of {', '.join(sorted(kinds))}, not {shown(name)}")
    kind = kinds[name]
    try:
        # Players do the same few things again and again. Numbers of another class are another thing.
        key = (kind, *plain.items(), *map(type, plain.values()))
        known = _READ.get(key)
    except TypeError:  # lists and maps are no keys
        return _read_rest(kind, plain)
    if known is None:
        known = _read_rest(kind, plain)
        if all(type(value) is not str or len(value) <= LONGEST_KEPT for value in plain.values()):
            _keep_read(key, known)
    return cast(T, known)


LONGEST_KEPT = 32
"""Longer words are nobody's card: whoever sends them must not fill the memory."""
_READ: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
"""What was read before; the oldest goes for each new one."""


def _keep_read(key: tuple[Any, ...], value: Any) -> None:
    if len(_READ) >= KEPT:
        _READ.popitem(last=False)
    _READ[key] = value


def _read_rest(kind: type[T], plain: Mapping[str, Any]) -> T:
    rest = dict(plain)
    del rest["type"]
    with contextlib.suppress(Misfit, KeyError, ForbiddenExtraKeysError):
        return _QUICK.structure(rest, kind)
    return from_map(kind, rest)
