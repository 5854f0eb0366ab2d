"""JSON for readers: on one line if it fits, else a level is opened."""

import json
from typing import Any

WIDTH = 108


def pretty(value: Any, indent: int = 0) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= WIDTH or not isinstance(value, dict | list) or not value:
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {pretty(part, indent + 2)}" for key, part in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + "\n" + " " * indent + "}"
    return "[\n" + _packed([pretty(part, indent + 2) for part in value], inner) + "\n" + " " * indent + "]"


def _packed(parts: list[str], inner: str) -> str:
    """As many to a line as fit."""
    lines = [inner + parts[0]]
    for part in parts[1:]:
        if "\n" not in part and len(lines[-1]) + len(part) + 2 <= WIDTH:
            lines[-1] += f", {part}"
        else:
            lines[-1] += ","
            lines.append(inner + part)
    return "\n".join(lines)
