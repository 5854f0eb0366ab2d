"""What is wrong with an archive or a replay file, in words: from the facts of the server's error."""

from collections.abc import Mapping
from typing import Any

from parlour.client.language import ENGLISH, Texts

Facts = Mapping[str, Any]
DAMAGES = ("empty", "short")
"""What can be told more closely than as broken."""


def said(kind: str, facts: Facts, texts: Texts = ENGLISH) -> str:
    """One line that names the file, what is wrong with it, and what to do.

    `kind` is the name of the error's class, or the word for it in the server's library.
    """
    if not texts.has(f"archive.{kind}"):
        return texts("archive.unknown", path=facts["path"], kind=kind)
    more = {"Held": _holder, "Damaged": _damage, "BadFile": _place, "BadGame": _place, "Ambiguous": _among}
    worked_out = more[kind](facts, texts) if kind in more else {}
    return texts(f"archive.{kind}", **{**facts, **worked_out})


def _holder(facts: Facts, texts: Texts) -> Facts:
    known = facts["pid"] is not None
    told = [texts("archive.process", pid=facts["pid"]) if known else texts("archive.another_process")]
    told += [texts("archive.host", host=facts["host"])] if facts["host"] else []
    told += [texts("archive.since", since=facts["since"])] if facts["since"] else []
    return {"holder": " ".join(told)}


def _damage(facts: Facts, texts: Texts) -> Facts:
    problem = facts["problem"] if facts["problem"] in DAMAGES else "broken"
    return {"damage": texts(f"archive.damage.{problem}")}


def _place(facts: Facts, _: Texts) -> Facts:
    return {"problem": f"{facts['where']}: {facts['problem']}" if facts["where"] else facts["problem"]}


def _among(facts: Facts, _: Texts) -> Facts:
    return {"one": facts["among"][0], "two": facts["among"][1]}
