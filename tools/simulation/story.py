"""What happens in a world, line by line, for somebody who wants to know why a guarantee was broken."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.simulation.line import Line
    from tools.simulation.loop import Agenda

SHOWN = {"result", "action", "tables"}
HIDDEN = {"type", "version", "minor", "server", "client"}


class Story:
    """Tells each event with its time: who, what, and the fields that count."""

    def __init__(self, agenda: "Agenda", say: Callable[[str], None] = print) -> None:
        self._agenda, self._say = agenda, say

    def tell(self, who: str, what: str, message: Any = "", line: "Line | None" = None) -> None:
        number = f" {line.number}" if line is not None else ""
        self._say(f"{self._agenda.now:10.4f} {who:>8}{number:<3} {what} {brief(message)}".rstrip())


def brief(message: Any) -> str:
    """A message in a few words."""
    if not isinstance(message, dict):
        return str(message)
    parts = [str(message.get("type", "?"))]
    for name, value in message.items():
        if name == "info":
            chairs = ",".join(_chair(chair) for chair in value.get("chairs", ()))
            parts.append(
                f"{value.get('stage') or value.get('phase')} number={value.get('number')} [{chairs}]"
            )
        elif name == "question" and value is not None:
            parts.append(f"asked turn={value['turn']} {value['phase']}")
        elif name == "view" and value is not None and "told" in value:
            parts.append(f"told={len(value['told'])} taken={value['taken']} to_act={value['to_act']}")
        elif name == "result" and isinstance(value, dict) and "places" in value:
            parts.append(f"places={value['places']} {value['reason']}")
        elif name not in HIDDEN and (type(value) in (str, int, bool) or (name in SHOWN and value)):
            parts.append(f"{name}={_short(value)}")
    return " ".join(parts)


def _chair(chair: dict[str, Any] | None) -> str:
    if chair is None:
        return "-"
    marks = {"here": "", "ready": "+", "stand_in": "~", "left": "x"}
    said = "".join(mark for name, mark in marks.items() if chair[name])
    return f"{chair['name']}{said}{'' if chair['here'] else '(away)'}"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 48 else f"{text[:45]}..."
