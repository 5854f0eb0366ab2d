"""What is wrong with an archive or a replay file, in words: from the facts of the server's error."""

from collections.abc import Callable, Mapping
from typing import Any

from parlour.client.language import ENGLISH, Texts

Facts = Mapping[str, Any]
DAMAGES = ("empty", "short")
"""What can be told more closely than as broken."""
OWN_REASONS = (
    *("closed", "linked", "moved", "away", "denied", "taken", "astray", "doubt", "encoding"),
    *("full", "readonly", "busy", "ioerr"),
)
SQLITE_REASONS = ("full", "readonly", "cantopen", "busy", "locked", "ioerr")
"""Names of SQLite's for which there are words: SQLITE_FULL, SQLITE_IOERR_WRITE and so on."""


def error_text(kind: str, facts: Facts, texts: Texts = ENGLISH) -> str:
    """One line that names the file, what is wrong with it, and what to do.

    `kind` is the name of the error's class, or the word for it in the server's library.
    """
    if not texts.has(f"archive.{kind}"):
        return texts("archive.unknown", path=facts["path"], kind=kind)
    worked_out = _MORE[kind](facts, texts) if kind in _MORE else {}
    return texts(f"archive.{kind}", **{**facts, **worked_out})


def _reason(facts: Facts, texts: Texts) -> Facts:
    """The system's words as they are; SQLite's names are not for people."""
    reason = str(facts["reason"])
    if reason in OWN_REASONS:
        return {"reason": texts(f"archive.reason.{reason}")}
    if not reason.startswith("SQLITE_"):
        return {"reason": reason}
    known = reason.split("_")[1].lower()
    return {"reason": texts(f"archive.reason.{known if known in SQLITE_REASONS else 'other'}")}


def _holder(facts: Facts, texts: Texts) -> Facts:
    known = facts["pid"] is not None
    told = [texts("archive.process", pid=facts["pid"]) if known else texts("archive.another_process")]
    told += [texts("archive.host", host=facts["host"])] if facts["host"] else []
    told += [texts("archive.since", since=facts["since"])] if facts["since"] else []
    return {"holder": " ".join(told)}


def _damage(facts: Facts, texts: Texts) -> Facts:
    problem = facts["problem"] if facts["problem"] in DAMAGES else "broken"
    if facts["part"] is None:
        return {"damage": texts(f"archive.damage.{problem}")}
    part = texts(f"archive.part.{facts['part']}", key=facts["key"])
    return {"damage": texts("archive.damage.changed", part=part)}


def _address(facts: Facts, texts: Texts) -> Facts:
    return {"flaw": texts(f"archive.address.{facts['flaw']}")}


def _place(facts: Facts, _: Texts) -> Facts:
    return {"problem": f"{facts['where']}: {facts['problem']}" if facts["where"] else facts["problem"]}


def _among(facts: Facts, _: Texts) -> Facts:
    return {"one": facts["among"][0], "two": facts["among"][1]}


_MORE: Mapping[str, Callable[[Facts, Texts], Facts]] = {
    "Held": _holder,
    "NodeTaken": _holder,
    "BadAddress": _address,
    "Damaged": _damage,
    "Unreadable": _reason,
    "Unwritable": _reason,
    "NotStored": _reason,
    "BadFile": _place,
    "BadGame": _place,
    "Ambiguous": _among,
}
"""Facts that are words already, by the kind of error."""
