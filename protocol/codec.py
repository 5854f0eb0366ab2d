"""Bytes to messages and back: msgpack, its JSON twin, and one strict profile for both.

The profile: one map a frame; string keys, none twice; UTF-8; no binary, no extension types; no NaN or
infinity; whole numbers within 2^53; bounded depth and size. Fields that a message does not have are ignored,
so that either side may be newer than the other.
"""

import json
import math
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs
import msgpack
from cattrs import Converter
from cattrs.fns import identity
from cattrs.gen import make_dict_unstructure_fn, override

from parlour.engine.plain import BOUND, INVALID, Misfit, fault, strict_converter
from parlour.protocol.errors import ProtocolError
from parlour.protocol.message import LEFT_OUT
from parlour.protocol.messages import FROM_CLIENT, FROM_SERVER, Message, Plain

T = TypeVar("T")
FRAME_BYTES = 16 * 1024
"""The largest frame that a server takes; what it sends may be larger."""
DEPTH = 16


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
        if kind is str:
            continue
        if kind is int:
            if not -BOUND < value < BOUND:
                raise ProtocolError("bad_frame", problem="a whole number is not within 2^53")
        elif kind is bool or value is None:
            continue
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


class _Packer(threading.local):
    """Each thread's own: making one takes as long as packing a small message."""

    def __init__(self) -> None:
        self.pack = msgpack.Packer(use_bin_type=True).pack


_PACKER = _Packer()


def pack(plain: Mapping[str, Any]) -> bytes:
    """A map as a msgpack frame."""
    packed: bytes = _PACKER.pack(plain)
    return packed


def pack_json(plain: Mapping[str, Any]) -> str:
    """A map as a JSON frame."""
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


# Maps and messages


def _is_of_a_game(hint: Any) -> bool:
    """Plain already, and nobody's here to look at: without being asked, cattrs looks at each value."""
    return hint in (Any, Plain, Plain | None)


def _left_out(kind: type) -> list[str]:
    """The fields that are not written while they have their defaults."""
    return [field.name for field in attrs.fields(kind) if LEFT_OUT in field.metadata]


def _make_converter(*, detailed: bool) -> Converter:
    converter = strict_converter(detailed=detailed, extra_fields=True)
    converter.register_unstructure_hook_func(_is_of_a_game, identity)

    @converter.register_unstructure_hook_factory(lambda hint: attrs.has(hint) and bool(_left_out(hint)))
    def _shortened(kind: type) -> Any:
        fields: dict[str, Any] = dict.fromkeys(_left_out(kind), override(omit_if_default=True))
        return make_dict_unstructure_fn(kind, converter, **fields)

    return converter


_CONVERTER = _make_converter(detailed=False)
_STRICT = _make_converter(detailed=True)
"""Takes twice as long and can say where something is wrong: for what the other one refuses."""


def read(plain: Mapping[str, Any], known: Mapping[str, type[Message]]) -> Message:
    """A message from a map; raises ProtocolError `unknown_type` or `bad_message`."""
    word = plain.get("type")
    if type(word) is not str:
        raise ProtocolError("bad_message", where="type", problem="must be text")
    kind = known.get(word)
    if kind is None:
        raise ProtocolError("unknown_type", type=word[:40])
    try:
        message: Message = (_READERS.get(kind) or _reader(kind))(plain, kind)
    except (Misfit, KeyError):
        return _read_closely(plain, kind)
    return message


_READERS: dict[type[Message], Callable[[Any, Any], Any]] = {}
"""The converter's own readers: every command is read, so by the shortest way."""


def _reader(kind: type[Message]) -> Callable[[Any, Any], Any]:
    reader = _READERS[kind] = _CONVERTER.get_structure_hook(kind)
    return reader


def read_part(plain: Any, kind: type[T]) -> T:
    """A message or a part of one, as results of commands hold them; raises ProtocolError `bad_message`."""
    try:
        return _CONVERTER.structure(plain, kind)
    except (Misfit, KeyError):
        return _read_closely(plain, kind)


def _read_closely(plain: Any, kind: type[T]) -> T:
    try:
        return _STRICT.structure(plain, kind)
    except (*INVALID, Misfit) as wrong:
        where, problem = fault(wrong)
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
