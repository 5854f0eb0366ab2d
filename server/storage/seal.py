"""The sum that every stored map carries, so that a map that is read is the one that was written.

SQLite finds a page whose order is broken, but not a byte of a map, a name or a number that has changed. The
sum is behind the map, in the same value of the file, and counts what the map belongs to as well: a line that
turns up in another game, or at another place of its own, is as wrong as one that has changed.
"""

import hashlib

LENGTH = 8
"""Bytes of BLAKE2b. It is against bad disks: whoever can write to the file can write a sum too."""


def seal(kind: int, key: str, number: int | None, table: str | None, packed: bytes) -> bytes:
    """Adds the sum to a map, which stands in a row of `bulk_insert` with these other values."""
    place = f"{kind}\0{key}\0{number}\0{table}\0".encode(errors="surrogatepass")
    return packed + hashlib.blake2b(place + packed, digest_size=LENGTH).digest()


def unseal(kind: int, key: str, number: int | None, table: str | None, sealed: bytes) -> bytes | None:
    """Returns the map without its sum, or None if anything of it is not as it was written."""
    # A damaged file may have a number or a text where a map was.
    if type(sealed) is not bytes:
        return None
    packed = sealed[:-LENGTH]
    return packed if seal(kind, key, number, table, packed) == sealed else None
