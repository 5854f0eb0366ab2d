"""Bytes to messages and back: msgpack, its JSON twin, and one strict profile for both.

The profile: one map a frame; string keys, none twice; UTF-8; no binary, no extension types; no NaN or
infinity; whole numbers within 2^53; bounded depth and size. Fields that a message does not have are ignored,
so that either side may be newer than the other.
"""

import functools
import json
import math
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import attrs
import msgpack
from cattrs import ClassValidationError, Converter, IterableValidationError
from cattrs.fns import identity
from cattrs.gen import make_dict_structure_fn

from parlour.protocol.errors import ProtocolError
from parlour.protocol.messages import FROM_CLIENT, FROM_SERVER, Message

T = TypeVar("T")
FRAME_BYTES = 16 * 1024
"""The largest frame that a server takes; what it sends may be larger."""
DEPTH = 16
WHOLE = 2**53
"""Whole numbers lie strictly between -2^53 and 2^53: every language has them exactly."""


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


# Bytes and maps


def _no_twins(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ProtocolError("bad_frame", problem="a key stands twice")
    return found


def _no_constant(name: str) -> Any:
    raise ProtocolError("bad_frame", problem=f"{name} is no number")


def _no_extension(code: int, data: bytes) -> Any:  # noqa: ARG001
    raise ProtocolError("bad_frame", problem="extension types are not used")


_TEXT = frozenset({str})


def _check(thing: Any, depth: int = 1) -> None:
    """The profile's limits on values; it goes no deeper than they do, whatever a peer sent."""
    if depth > DEPTH:
        raise ProtocolError("bad_frame", problem=f"nested deeper than {DEPTH}")
    if type(thing) is dict and not _TEXT.issuperset(map(type, thing)):
        raise ProtocolError("bad_frame", problem="a key is not a string")
    for value in thing.values() if type(thing) is dict else thing:
        kind = type(value)
        if kind is str or kind is bool or value is None:
            continue
        if kind is int:
            if not -WHOLE < value < WHOLE:
                raise ProtocolError("bad_frame", problem="a whole number is not within 2^53")
        elif kind is float:
            if not math.isfinite(value):
                raise ProtocolError("bad_frame", problem="NaN and infinity are no numbers")
        elif kind is dict or kind is list:
            _check(value, depth + 1)
        else:
            raise ProtocolError("bad_frame", problem=f"{kind.__name__} values are not used")


def unpack(frame: bytes | str) -> dict[str, Any]:
    """The map in a frame: bytes are msgpack, text is JSON. Raises ProtocolError `bad_frame`."""
    try:
        if isinstance(frame, str):
            thing = json.loads(frame, object_pairs_hook=_no_twins, parse_constant=_no_constant)
            if "\\u" in frame:
                json.dumps(thing, ensure_ascii=False).encode()  # half a surrogate pair cannot be sent on
        else:
            thing = msgpack.unpackb(
                frame, raw=False, strict_map_key=False, object_pairs_hook=_no_twins, ext_hook=_no_extension
            )
    except ProtocolError:
        raise
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as wrong:
        problem = "is not UTF-8" if isinstance(wrong, UnicodeError) else "cannot be decoded"
        raise ProtocolError("bad_frame", problem=problem) from None
    if type(thing) is not dict:
        raise ProtocolError("bad_frame", problem="is not a map")
    _check(thing)
    return thing


_PACKER = functools.partial(msgpack.packb, use_bin_type=True)


def pack(plain: Mapping[str, Any]) -> bytes:
    """A map as a msgpack frame."""
    packed: bytes = _PACKER(plain)
    return packed


def pack_json(plain: Mapping[str, Any]) -> str:
    """A map as a JSON frame."""
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


# Maps and messages


class Misfit(ValueError):
    """One value that does not fit; `read` finds out where it stands."""


def _exactly(kind: type, name: str) -> Any:
    def read(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise Misfit(f"must be {name}, not {_shown(value)}")
        return value

    return read


def _read_number(value: Any, _: Any) -> float:
    if type(value) is not float and type(value) is not int:
        raise Misfit(f"must be a number, not {_shown(value)}")
    return float(value)


def _read_literal(value: Any, hint: Any) -> Any:
    for choice in get_args(hint):
        if type(choice) is type(value) and choice == value:
            return choice
    raise Misfit(f"must be one of {', '.join(map(str, get_args(hint)))}, not {_shown(value)}")


def _read_map(value: Any, _: Any) -> Any:
    if type(value) is not dict:
        raise Misfit(f"must be a map, not {_shown(value)}")
    return value


def _made_of(origin: Any) -> Callable[[Any], bool]:
    def test(hint: Any) -> bool:
        found: Any = get_origin(hint)
        return found is origin

    return test


def _is_written_as_it_is(hint: Any) -> bool:
    """Words, numbers and the maps of games: without being asked, cattrs looks at each."""
    if get_origin(hint) in (Union, UnionType):
        return all(map(_is_written_as_it_is, get_args(hint)))
    return hint in (int, str, bool, float, type(None), Any) or get_origin(hint) in (Literal, Mapping)


def _make_converter(*, detailed: bool) -> Converter:
    converter = Converter(detailed_validation=detailed, unstruct_collection_overrides={tuple: list})
    for kind, name in ((int, "a whole number"), (str, "text"), (bool, "true or false")):
        converter.register_structure_hook(kind, _exactly(kind, name))
    converter.register_structure_hook(float, _read_number)
    converter.register_structure_hook_func(_made_of(Literal), _read_literal)
    converter.register_structure_hook_func(_made_of(Mapping), _read_map)
    converter.register_unstructure_hook_func(_is_written_as_it_is, identity)

    @converter.register_structure_hook_factory(_made_of(tuple))
    def _tuples(hint: Any) -> Any:
        listed: Any = list[get_args(hint)[0]]  # type: ignore[misc]

        def read(value: Any, _: Any) -> Any:
            if type(value) is not list:
                raise Misfit(f"must be a list, not {_shown(value)}")
            return tuple(converter.structure(value, listed))

        return read

    @converter.register_structure_hook_factory(attrs.has)
    def _classes(kind: type) -> Any:
        read_fields: Any = make_dict_structure_fn(kind, converter)

        def read(value: Any, kind: Any) -> Any:
            return read_fields(_read_map(value, kind), kind)

        return read

    return converter


_CONVERTER = _make_converter(detailed=False)
_STRICT = _make_converter(detailed=True)
"""Takes twice as long and can say where something is wrong: for what the other one refuses."""


def _path(wrong: BaseException, path: list[str]) -> tuple[str, str]:
    """The first leaf of a tree of cattrs errors: where it stands and what is wrong."""
    if isinstance(wrong, ClassValidationError | IterableValidationError):
        inner = wrong.exceptions[0]
        for note in getattr(inner, "__notes__", ()):
            step = getattr(note, "name", getattr(note, "index", None))
            if step is not None:
                path = [*path, str(step)]
        return _path(inner, path)
    return ".".join(path), "is missing" if isinstance(wrong, KeyError) else str(wrong)


def read(plain: Mapping[str, Any], known: Mapping[str, type[Message]]) -> Message:
    """A message from a map; raises ProtocolError `unknown_type` or `bad_message`."""
    word = plain.get("type")
    if type(word) is not str:
        raise ProtocolError("bad_message", where="type", problem="must be text")
    kind = known.get(word)
    if kind is None:
        raise ProtocolError("unknown_type", type=word[:40])
    return read_part(plain, kind)


def read_part(plain: Any, kind: type[T]) -> T:
    """A message or a part of one, as results of commands hold them; raises ProtocolError `bad_message`."""
    try:
        return _CONVERTER.structure(plain, kind)
    except (Misfit, KeyError):
        return _read_closely(plain, kind)


def _read_closely(plain: Any, kind: type[T]) -> T:
    try:
        return _STRICT.structure(plain, kind)
    except (ClassValidationError, IterableValidationError, Misfit) as wrong:
        where, problem = _path(wrong, [])
        raise ProtocolError("bad_message", where=where, problem=problem) from None


def read_command(plain: Mapping[str, Any]) -> Message:
    return read(plain, FROM_CLIENT)


def read_event(plain: Mapping[str, Any]) -> Message:
    return read(plain, FROM_SERVER)


def write_part(part: Any) -> Any:
    """A part of a message as a map."""
    return _CONVERTER.unstructure(part)


def write(message: Message) -> dict[str, Any]:
    """A message as a map, `type` first."""
    return {"type": message.WORD, **_CONVERTER.unstructure(message)}
