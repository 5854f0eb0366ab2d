"""What is wrong with a tournament's folder, in words: where, and what should stand there."""

import json
from collections.abc import Mapping
from typing import Any

from parlour.client.language import Texts
from parlour.client.record_words import fault_words

Plain = Mapping[str, Any]
SHORT = 60
"""Letters of a value that is quoted."""


def fault_line(fault: Plain, texts: Texts) -> str:
    """`NOT RIGHT. standings.json, standings.1.points: is 3.5, and must be 3.0`."""
    where = fault["file"]
    if fault["where"]:
        key = "tournament.fault.in_line" if fault["code"] == "line" else "tournament.fault.at"
        where = texts(key, file=fault["file"], where=fault["where"])
    return texts(
        "tournament.fault.found", where=where, problem=_problem(fault["code"], fault["facts"], texts)
    )


def _problem(code: str, facts: Plain, texts: Texts) -> str:
    match code:
        case "game":
            return fault_words(facts["fault"], texts)
        case "not_allowed":
            more = ", ".join(f"{name} {value}" for name, value in facts["facts"].items())
            why = facts["why"].replace("_", " ")
            return texts("tournament.fault.not_allowed", why=f"{why}: {more}" if more else why)
        case "differs" | "pairing" | "result" | "deal" | "line":
            quoted = {name: _quoted(facts[name]) for name in ("told", "right")}
            return texts(f"tournament.fault.{code}", **quoted)
        case _:
            return texts(f"tournament.fault.{code}", **facts)


def _quoted(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"
