"""Frames that no honest client sends: valid messages, damaged at every level, and plain garbage."""

import json
import random
import struct
from typing import Any

import msgpack

from parlour.protocol.codec import DEPTH

Plain = dict[str, Any]
NUMBERS = (
    -1,
    0,
    1,
    2,
    7,
    255,
    2**31,
    2**53 - 1,
    2**53,
    -(2**53),
    2**63 - 1,
    2**64 - 1,
    0.5,
    -0.0,
    1e308,
    5e-324,
)
ODD = (float("nan"), float("inf"), -float("inf"))
WORDS = (
    "",
    " ",
    "type",
    "ping",
    "null",
    "x" * 300,
    "é",
    "\u202e",
    "\x00",
    "🎈" * 40,
    "Ｆｕｌｌ",
    "a\u0301" * 20,
    "../../etc",
    "{}",
    "%s%n",
)


def nested(depth: int, rng: random.Random) -> Any:
    thing: Any = 1
    kinds = rng.getrandbits(depth)
    for level in range(depth):
        thing = [thing] if kinds >> level & 1 else {"a": thing}
    return thing


def junk(rng: random.Random) -> Any:
    """Any value at all."""
    match rng.randrange(12):
        case 0 | 1 | 2:
            return rng.choice(NUMBERS)
        case 3 | 4 | 5:
            return rng.choice(WORDS)
        case 6:
            return rng.choice((None, True, False))
        case 7:
            return rng.choice(([], {}, [1], [None, "x"], {"type": "x"}, {"one_of": [1, 2]}, [[]] * 50))
        case 8:
            return nested(rng.choice((2, 14, 15, 16, 17, 40, 400)), rng)
        case 9:
            return rng.choice(ODD)
        case 10:
            return rng.choice((b"\xff\xfe", b"", msgpack.ExtType(5, b"abc"), msgpack.Timestamp(1, 2)))
        case _:
            return rng.getrandbits(rng.randrange(1, 64))


def places(thing: Any) -> list[tuple[Any, ...]]:
    """The paths to everything inside, down to a little deeper than any frame may go."""
    found: list[tuple[Any, ...]] = []
    open: list[tuple[tuple[Any, ...], Any]] = [((), thing)]
    while open:
        path, thing = open.pop()
        steps = thing.items() if type(thing) is dict else enumerate(thing) if type(thing) is list else ()
        for step, part in steps:
            found.append((*path, step))
            if part.__class__ in (dict, list) and len(path) <= DEPTH:
                open.append((found[-1], part))
    return found


def _holder(thing: Any, path: tuple[Any, ...]) -> Any:
    for step in path[:-1]:
        thing = thing[step]
    return thing


def damage(plain: Plain, rng: random.Random) -> Plain:
    """The message with something replaced, missing, added, renamed or exchanged."""
    message: Plain = msgpack.unpackb(msgpack.packb(plain))  # a copy to the bottom
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        paths = places(message)
        if not paths:
            return message
        deep = [path for path in paths if len(path) > 1]
        path = rng.choice(deep if deep and rng.random() < 0.7 else paths)
        holder, step = _holder(message, path), path[-1]
        match rng.randrange(7):
            case 0 | 1 | 2:
                holder[step] = junk(rng)
            case 3:
                del holder[step]
            case 4 if isinstance(holder, dict):
                holder[rng.choice(("extra", "type", "id", "", "x" * 50, "seat", 7, "é"))] = junk(rng)
            case 5 if isinstance(holder, dict) and isinstance(step, str):
                holder[step[::-1]] = holder.pop(step)
            case _:
                other = rng.choice(paths)
                theirs = _holder(message, other)
                try:
                    holder[step], theirs[other[-1]] = theirs[other[-1]], holder[step]
                except (KeyError, IndexError, TypeError):
                    return message
                if path[: len(other)] == other or other[: len(path)] == path:
                    return dict(plain, type=junk(rng))  # one inside the other would make a ring
    return message


def garble(frame: bytes, rng: random.Random) -> bytes:
    """Bytes that were cut, changed, doubled or never meant anything."""
    data = bytearray(frame)
    match rng.randrange(6):
        case 0:
            return bytes(data[: rng.randrange(len(data) + 1)])
        case 1:
            for _ in range(rng.randrange(1, 5)):
                data[rng.randrange(len(data))] = rng.randrange(256)
        case 2:
            place = rng.randrange(len(data) + 1)
            data[place:place] = rng.randbytes(rng.randrange(1, 9))
        case 3:
            return bytes(data + data)
        case 4:
            return rng.randbytes(rng.randrange(0, 80))
        case _:
            # A length that promises far more than there is.
            return (
                rng.choice((b"\xdd", b"\xdf", b"\xdb", b"\xc6")) + struct.pack(">I", 2**32 - 1) + bytes(data)
            )
    return bytes(data)


def doubled(plain: Plain) -> bytes:
    """A map in which one key stands twice."""
    packed: bytes = msgpack.packb(plain)
    pairs = b"".join(msgpack.packb(key) + msgpack.packb(part) for key, part in plain.items())
    return (
        bytes([0x80 | (len(plain) + 1)]) + msgpack.packb("id") + msgpack.packb(1) + pairs if packed else b""
    )


def pack_anything(plain: Plain) -> bytes:
    """As msgpack, whatever is in it: some values have no msgpack form and become text."""
    packed: bytes = msgpack.packb(plain, default=str)
    return packed


def as_text(plain: Plain, rng: random.Random) -> str:
    text = json.dumps(plain, default=str, ensure_ascii=rng.random() < 0.5, skipkeys=True)
    match rng.randrange(8):
        case 0:
            return text[: rng.randrange(len(text) + 1)]
        case 1:
            place = rng.randrange(len(text) + 1)
            return (
                text[:place]
                + rng.choice(('"', "\\ud800", "{", "NaN", "1e999", "\x00", "9" * 5000))
                + text[place:]
            )
        case 2:
            return rng.choice(("", "[]", "null", "[" * 2000, "{}", '{"type": 1, "type": 2}', text + text))
        case _:
            return text


def hostile(plain: Plain, rng: random.Random, text: bool) -> bytes | str:
    """One frame out of a valid message; now and then the message as it is."""
    kind = rng.random()
    if text:
        return as_text(damage(plain, rng) if kind < 0.7 else plain, rng)
    if kind < 0.72:
        return pack_anything(damage(plain, rng))
    if kind < 0.94:
        return garble(pack_anything(plain), rng)
    if kind < 0.96:
        return doubled(plain)
    return pack_anything(plain)
