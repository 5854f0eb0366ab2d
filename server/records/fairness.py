"""Luck that players can check: a secret that is committed to before the deal, mixed with what they add."""

import hashlib
import re
from collections.abc import Sequence

from parlour.protocol.errors import ProtocolError

NONCE_LENGTH = 64
_NONCE = re.compile(r"[!-~]{1,64}")


def commitment(secret: bytes) -> str:
    """What is published before the deal: SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


def seed(secret: bytes, nonces: Sequence[str | None]) -> bytes:
    """The key of the game's chance: SHA-256 of the secret and, seat by seat, a newline and its nonce."""
    mixed = hashlib.sha256(secret)
    for nonce in nonces:
        mixed.update(b"\n" + (nonce or "").encode("ascii"))
    return mixed.digest()


def clean_nonce(nonce: str) -> str:
    """Printable ASCII without blanks, so that any language has the same bytes; raises `bad_message`."""
    if not _NONCE.fullmatch(nonce):
        raise ProtocolError("bad_message", where="nonce", problem=f"must be 1 to {NONCE_LENGTH} of ! to ~")
    return nonce
