"""Maps put together from parts that were packed apart, so that what many frames share is packed once.

msgpack writes a map as a header with its size and then its entries, one after the other.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgpack

_PACKER = msgpack.Packer(use_bin_type=True)
part: Callable[[Any], bytes] = _PACKER.pack
"""Packs anything that has a place in a message."""


def entries(plain: Mapping[str, Any]) -> bytes:
    """The entries of a map without its header."""
    packed: bytes = _PACKER.pack(plain)
    size = len(plain)
    return packed[1:] if size < 16 else packed[3 if size < 65536 else 5 :]


def map_header(size: int) -> bytes:
    """What stands before so many entries."""
    header: bytes = _MAPS[size] if size < 16 else _PACKER.pack_map_header(size)
    return header


def list_header(size: int) -> bytes:
    """What stands before so many parts."""
    header: bytes = _LISTS[size] if size < 16 else _PACKER.pack_array_header(size)
    return header


def map_of(size: int, *some: bytes) -> bytes:
    """A map of so many entries."""
    return b"".join((map_header(size), *some))


def list_of(parts: Sequence[bytes]) -> bytes:
    """A list of packed parts."""
    return b"".join((list_header(len(parts)), *parts))


_MAPS = [bytes((0x80 | size,)) for size in range(16)]
_LISTS = [bytes((0x90 | size,)) for size in range(16)]
NOTHING = part(None)
