"""Drawing lots: an order that depends on a tournament's seed and the names, and on nothing else."""

import hashlib
from collections.abc import Iterable

from parlour.engine.chance import Seeded
from parlour.server.tournament.history import Name


def lots(seed: str, names: Iterable[Name], about: str = "") -> list[Name]:
    """Orders names as nobody can foresee without the seed; other names do not change the order of these."""
    return sorted(names, key=lambda name: (_digest(seed, about, name), name))


def chance(seed: str, about: str) -> Seeded:
    return Seeded(_digest(seed, about))


def _digest(seed: str, *parts: str) -> bytes:
    key = hashlib.sha256(seed.encode()).digest()
    # Each part with its length: no two lists of parts have the same bytes.
    message = b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)
    return hashlib.blake2b(message, key=key, digest_size=32).digest()
