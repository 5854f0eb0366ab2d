"""Values as plain maps and back: the form that positions, actions, news and views have outside the engine.

Reading is strict: no missing, extra or wrongly typed field, no True for 1. A `Secret` or `Pile` has no map
form: what was not projected for a viewer cannot leave.
"""

import contextlib
import functools
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NewType, TypeVar, cast, get_args, get_origin

from cattrs import Converter, ForbiddenExtraKeysError

from parlour.engine.errors import Malformed
from parlour.engine.identity_cache import MOST
from parlour.engine.plain import (
    INVALID,
    PLAIN,
    Misfit,
    fault,
    is_number,
    is_union,
    short_repr,
    strict_converter,
)
from parlour.engine.secret import Pile, Seat, Secret

T = TypeVar("T")
Counts = NewType("Counts", tuple[tuple[str, int], ...])
"""How many of each, as pairs inside (so that it can be hashed) and as a map outside."""


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


def _read_seat(value: Any, _: Any) -> Seat:
    if not is_number(value) or value < 0:
        raise Misfit(f"must be a seat, counted from 0, not {short_repr(value)}")
    return Seat(value)


def _read_counts(value: Any, _: Any) -> Counts:
    if not isinstance(value, Mapping):
        raise Misfit(f"must be a map of counts, not {short_repr(value)}")
    for key, count in value.items():
        if type(key) is not str or not is_number(count) or count < 1:
            raise Misfit(
                f"must map words to counts of 1 or more, not {short_repr(key)} to {short_repr(count)}"
            )
    return Counts(tuple(sorted(value.items())))


def _is_hideable(hint: Any) -> bool:
    return is_union(hint) and any(get_origin(part) in (Secret, Pile) for part in get_args(hint))


def _bigger_parts(hint: Any) -> list[Any]:
    return [part for part in get_args(hint) if part not in PLAIN]


def _is_word_or_bigger(hint: Any) -> bool:
    """A union of plain kinds and just one that is not: the name of a track, or a whole track."""
    if not is_union(hint) or _is_hideable(hint) or len(_bigger_parts(hint)) != 1:
        return False
    return any(part in PLAIN and part is not type(None) for part in get_args(hint))


def _is_named(hint: Any, kind: object) -> bool:
    return hint is kind


def _make_converter(*, detailed: bool) -> Converter:
    converter = strict_converter(detailed=detailed, extra_fields=False)

    @converter.register_structure_hook_factory(_is_word_or_bigger)
    def _words_or_bigger(hint: Any) -> Any:
        bigger = _bigger_parts(hint)[0]

        def read(value: Any, _: Any) -> Any:
            return value if type(value) in get_args(hint) else converter.structure(value, bigger)

        return read

    converter.register_structure_hook_func(functools.partial(_is_named, kind=Seat), _read_seat)
    converter.register_structure_hook_func(functools.partial(_is_named, kind=Counts), _read_counts)
    converter.register_unstructure_hook_func(functools.partial(_is_named, kind=Counts), dict)

    @converter.register_structure_hook_factory(_is_hideable)
    def _unions(hint: Any) -> Any:
        """What a viewer gets: the value, or the size or None that stands for it."""
        plain = [part for part in get_args(hint) if get_origin(part) not in (Secret, Pile)]
        shut = [part for part in plain if part in (int, type(None))]
        open_ = [part for part in plain if part not in shut]

        def read(value: Any, _: Any) -> Any:
            for part in shut:
                if type(value) is part and (part is not int or is_number(value)):
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


def read(hint: Any, plain: Any, where: str = "", error: type[Malformed] = Malformed) -> Any:
    """A value of any type that has a map form; what is wrong is named by its path, from `where` on."""
    try:
        return _CONVERTER.structure(plain, hint)
    except (*INVALID, Misfit) as wrong:
        raise error(*fault(wrong, where)) from None


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


def tagged(value: Any) -> dict[str, Any]:
    """A value with the word for its class as `type`."""
    return {"type": word(type(value)), **_CONVERTER.unstructure(value)}


def from_tagged(kinds: Mapping[str, type[T]], plain: Any) -> T:
    """Reads a value whose class is named by its `type`."""
    if type(plain) is not dict and not isinstance(plain, Mapping):
        raise Malformed("", f"must be a map, not {short_repr(plain)}")
    if "type" not in plain:
        raise Malformed("type", "is missing")
    name = plain["type"]
    if type(name) is not str or name not in kinds:
        raise Malformed("type", f"must be one of {', '.join(sorted(kinds))}, not {short_repr(name)}")
    kind = kinds[name]
    try:
        # Players do the same few things again and again.
        key = (kind, *plain, *plain.values())
        known = _READ.get(key)
    except TypeError:  # lists and maps are no keys
        return _read_rest(kind, plain)
    # Numbers of another class, though equal, are another thing.
    usual = _USUAL.issuperset(map(type, plain.values()))
    if known is None or not usual:
        known = _read_rest(kind, plain)
        if usual and all(type(value) is not str or len(value) <= LONGEST_KEPT for value in plain.values()):
            _keep_read(key, known)
    return known


_USUAL = frozenset({str, int, type(None)})
LONGEST_KEPT = 32
"""Longer words are nobody's card: whoever sends them must not fill the memory."""
_READ: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
"""What was read before; the oldest goes for each new one."""


def _keep_read(key: tuple[Any, ...], value: Any) -> None:
    if len(_READ) >= MOST:
        _READ.popitem(last=False)
    _READ[key] = value


def _read_rest(kind: type[T], plain: Mapping[str, Any]) -> T:
    rest = dict(plain)
    del rest["type"]
    with contextlib.suppress(Misfit, KeyError, ForbiddenExtraKeysError):
        return _QUICK.structure(rest, kind)
    return from_map(kind, rest)
