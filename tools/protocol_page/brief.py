"""Messages in a transcript: the fields that matter there, and an ellipsis for the rest."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from tools.protocol_page.stage import Said

GAP = "…"
ALWAYS = ("type", "id", "seq")
SHOWN: dict[str, tuple[str, ...]] = {
    "welcome": ("version", "you", "token", "last_id", "tables"),
    "snapshot": ("seat", "code", "info.stage"),
    "table_changed": ("info.stage",),
    "update": ("news", "awaited", "question.turn", "question.phase", "question.legal", "result"),
    "ok": ("result",),
    "error": ("code", "facts"),
    "goodbye": ("reason",),
    "chat": ("line",),
}
"""Besides what a transcript asks for."""


def brief(plain: dict[str, Any], shown: Sequence[str]) -> str:
    """JSON with only these paths; `legal[:1]` shows the first entry of a list."""
    cuts = {}
    paths = []
    for path in (*ALWAYS, *SHOWN.get(plain["type"], ()), *shown):
        cut = re.fullmatch(r"(.*)\[:(\d+)\]", path)
        if cut is not None:
            path = cut[1]
            cuts[path] = int(cut[2])
        paths.append(path)
    return _dict(plain, "", paths, cuts)


def _dict(plain: dict[str, Any], at: str, paths: Sequence[str], cuts: dict[str, int]) -> str:
    parts = []
    for key, value in plain.items():
        path = f"{at}{key}"
        if path in paths:
            parts.append(f"{json.dumps(key)}: {_whole(value, cuts.get(path))}")
        elif any(wanted.startswith(f"{path}.") for wanted in paths):
            inner = _dict(value, f"{path}.", paths, cuts) if isinstance(value, dict) else _whole(value, None)
            parts.append(f"{json.dumps(key)}: {inner}")
    if len(parts) < len(plain):
        parts.append(GAP)
    return "{" + ", ".join(parts) + "}"


def _whole(value: Any, most: int | None) -> str:
    if most is None or not isinstance(value, list) or len(value) <= most:
        return json.dumps(value, ensure_ascii=False)
    return "[" + ", ".join([json.dumps(part, ensure_ascii=False) for part in value[:most]] + [GAP]) + "]"


def rendered(lines: Sequence[Said], shown: Sequence[str]) -> str:
    """A transcript as it stands in the page."""
    width = max([len(line.who) for line in lines], default=0)
    told: list[str] = []
    for line in lines:
        if line.arrow == "#":
            told.append(f"\n# {line.plain}" if told else f"# {line.plain}")
        else:
            told.append(f"{line.who:<{width}} {line.arrow} {_FORMS[line.arrow](line.plain, shown)}")
    return "\n".join(told) + "\n"


_FORMS: dict[str, Callable[[Any, Sequence[str]], str]] = {
    "<": brief,
    ">": lambda plain, _: json.dumps(plain, ensure_ascii=False),
    "x": lambda text, _: str(text),
}
