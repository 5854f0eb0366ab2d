"""Luck that players can check: the server commits to a secret before the deal, and mixes in their nonces."""

import functools
import hashlib
import re
from collections.abc import Sequence

from parlour.protocol.errors import ProtocolError

NONCE_LENGTH = 64
_NONCE = re.compile(r"[!-~]{1,64}")


@functools.lru_cache(maxsize=1024)
def commitment(secret: bytes) -> str:
    """Hashes the secret with SHA-256, in hex, to be published before the deal."""
    return hashlib.sha256(secret).hexdigest()


def seed(secret: bytes, nonces: Sequence[str | None]) -> bytes:
    """Makes the seed of the game's luck: SHA-256 of the secret and, seat by seat, a newline and its nonce."""
    mixed = hashlib.sha256(secret)
    for nonce in nonces:
        mixed.update(b"\n" + (nonce or "").encode("ascii"))
    return mixed.digest()


def clean_nonce(nonce: str) -> str:
    """Accepts printable ASCII without blanks: the same bytes in any language; raises `bad_message`."""
    if not _NONCE.fullmatch(nonce):
        raise ProtocolError("bad_message", where="nonce", problem=f"must be 1 to {NONCE_LENGTH} of ! to ~")
    return nonce
