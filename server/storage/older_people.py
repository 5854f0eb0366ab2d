"""People as older archives have them: one map for what a name is to the house and for what it was answered.

Each function takes a name and its sealed map. A damaged one stays as it is, and is found when it is read.
"""

from typing import Any

import msgpack

from parlour.server.storage.change import PERSON, SESSION
from parlour.server.storage.seal import seal, unseal

ANSWERED = ("last_id", "answers", "owed")
"""What belongs to the session of a name at a node."""


def person_in(name: str, sealed: bytes) -> bytes:
    """The map without what belongs to a session, sealed again."""
    plain = _read(name, sealed)
    if plain is None:
        return sealed
    kept = {key: value for key, value in plain.items() if key not in (*ANSWERED, "played")}
    return seal(PERSON, name, None, None, msgpack.packb(kept))


def session_in(name: str, sealed: bytes) -> bytes | None:
    """What belongs to the session at a server alone, sealed; None if there is nothing."""
    plain = _read(name, sealed) or {}
    found = {key: plain[key] for key in ANSWERED if key in plain}
    return seal(SESSION, name, None, "", msgpack.packb(found)) if found else None


def kept_in(name: str, sealed: bytes) -> int:
    """Whether the name is its owner's for good: one that was stored before this was noted is."""
    return int(bool((_read(name, sealed) or {}).get("played", True)))


def _read(name: str, sealed: bytes) -> dict[str, Any] | None:
    packed = unseal(PERSON, name, None, None, sealed)
    if packed is None:
        return None
    try:
        plain = msgpack.unpackb(packed, strict_map_key=False)
    except (ValueError, msgpack.UnpackException):
        return None
    return plain if isinstance(plain, dict) else None
