"""Why a server is not reached or says no, in words for people."""

from collections.abc import Mapping
from typing import Any

from parlour.client.connection import Gone, Refused
from parlour.protocol.errors import CODES

OWN = {
    "unreachable": "nobody answers there",
    "bad_url": "that is no address of a server; one is like ws://192.168.1.7:21925",
    "certificate": "its certificate cannot be trusted",
    "turned_away": "it turned us away",
    "no_parlour_there": "that is no Parlour server",
    "replaced": "the same player has come in from elsewhere",
    "too_large": "what we sent was too long for it",
    "refused": "it hung up",
    "errors": "it took too much of what we sent for nonsense",
    "closed": "the connection is closed",
}
"""For reasons that are no error codes."""


def told(wrong: Gone | Refused) -> str:
    """One sentence, with the facts that came along."""
    if isinstance(wrong, Refused):
        return _sentence(wrong.code, _listed(wrong.facts))
    return _sentence(wrong.reason, wrong.told)


def _sentence(code: str, facts: str) -> str:
    meaning = CODES[code].meaning.rstrip(".") if code in CODES else OWN.get(code, code)
    text = f"{meaning[:1].lower()}{meaning[1:]}"
    return f"{text} ({facts})" if facts else text


def _listed(facts: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in facts.items())
