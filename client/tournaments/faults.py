"""What is wrong with a tournament's folder, in words: where, and what should stand there."""

import itertools
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from parlour.client.boards.records import fault_words
from parlour.client.language import Texts
from parlour.client.tournaments.texts import phase_name

Plain = Mapping[str, Any]
SHORT = 60
"""Letters of a value that is quoted."""
BEFORE = 12
"""Of these, how many before the first that is wrong."""


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
            known = dict(facts["facts"])
            if "phase" in known:
                known["phase"] = phase_name(known["phase"], texts)
            why = texts.or_else(f"tournament.why.{facts['why']}", facts["why"].replace("_", " "), **known)
            return texts("tournament.fault.not_allowed", why=why)
        case "early" | "late":
            told, right = _moment(facts["told"]), _moment(facts["right"])
            return texts(f"tournament.fault.{code}", told=told, right=right)
        case "differs" | "pairing" | "result" | "deal" | "line" | "update":
            told, right = _quoted(facts["told"], facts["right"])
            return texts(f"tournament.fault.{code}", told=told, right=right)
        case _:
            return texts(f"tournament.fault.{code}", **facts)


def _moment(milliseconds: int) -> str:
    """`2026-11-16 15:04:01 UTC`, if there is such a moment."""
    try:
        return f"{datetime.fromtimestamp(milliseconds // 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return str(milliseconds)


def _quoted(*values: Any) -> list[str]:
    """Values that differ, cut to where they do."""
    quoted = [json.dumps(value, ensure_ascii=False) for value in values]
    alike = len(list(itertools.takewhile(lambda letters: len(set(letters)) == 1, zip(*quoted, strict=False))))
    start = max(0, alike - BEFORE) if max(map(len, quoted)) > SHORT else 0
    return [_cut(text, start) for text in quoted]


def _cut(text: str, start: int) -> str:
    rest = f"…{text[start:]}" if start else text
    return rest if len(rest) <= SHORT else f"{rest[: SHORT - 1]}…"
