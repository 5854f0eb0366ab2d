"""What happens in a world, line by line, for somebody who wants to know why a guarantee was broken.

Times are seconds since the world began. Tables and tournaments are called A, B and so on, in the order in
which they are met; `Ann/3` is Ann on the third line that anybody has opened.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.simulation.line import Line
    from tools.simulation.loop import Agenda

LEGEND = """\
A name with + is ready, ~ is played for, x has given up, and one in brackets is away; - is a free seat.
#7 is the id of a command, and 5: the number of an event.
"""
CODE = 6
"""Letters of a tournament's id, and of a table's code."""
FEW = 60
"""Letters of a value that are shown."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ID = re.compile(r"\b[A-Z2-9]{6}(?:[A-Z2-9]{4})?(?:-\d+)*\b")


class Story:
    """Tells each event with its time: who, what, and the fields that count."""

    def __init__(self, agenda: "Agenda", say: Callable[[str], None] = print) -> None:
        self._agenda, self._say, self._began = agenda, say, agenda.now
        self._called: dict[str, str] = {}
        say(LEGEND)

    def tell(self, who: str, what: str, message: Any = "", line: "Line | None" = None) -> None:
        name = who if line is None else f"{who}/{line.number}"
        text = f"{self._agenda.now - self._began:8.3f}  {name:<12} {what} {in_words(message)}".rstrip()
        self._say(ID.sub(self._call, text))

    def _call(self, found: re.Match[str]) -> str:
        """The short name of a table, of its game or of a tournament; codes of tables stay as they are."""
        id, dash, rest = found[0].partition("-")
        if id not in self._called:
            if len(id) == CODE and "tournament" not in found.string:
                return found[0]
            self._called[id] = LETTERS[len(self._called) % len(LETTERS)]
        return self._called[id] + dash + rest


def in_words(message: Any) -> str:
    """A message in a few words."""
    if not isinstance(message, dict):
        return str(message)
    word = message.get("type", "a message without a type")
    parts = [str(word)]
    if message.get("id") is not None:
        parts.append(f"#{message['id']}")
    if "seq" in message:
        parts.append(f"{message['seq']}:")
    return " ".join([*parts, *_fields(message)])


def _fields(message: dict[str, Any]) -> list[str]:
    said = (FIELDS[name](value) if name in FIELDS else _plain(name, value) for name, value in message.items())
    return [each for each in said if each]


def _info(value: dict[str, Any]) -> str:
    if "chairs" not in value:
        return f"{value.get('phase')}, round {value.get('round')}"
    chairs = ", ".join(_chair(chair) for chair in value["chairs"])
    game = f" game {value['number']}" if value["number"] > 1 else ""
    return f"{value['stage']}{game} [{chairs}]"


def _chair(chair: dict[str, Any] | None) -> str:
    if chair is None:
        return "-"
    marks = {"ready": "+", "stand_in": "~", "left": "x"}
    said = chair["name"] + "".join(mark for name, mark in marks.items() if chair[name])
    return said if chair["here"] else f"({said})"


def _view(value: dict[str, Any] | None) -> str:
    if value is None or "told" not in value:
        return ""
    taken = f", taken {value['taken']}" if any(value["taken"]) else ""
    return f"{len(value['told'])} told{taken}, to act {value['to_act']}"


def _result(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    if "places" in value:
        return f"OVER: places {value['places']} by {value.get('reason', 'the rules')}"
    return ", ".join(_fields(value))


def _plain(name: str, value: Any) -> str:
    if value is None or value is False or isinstance(value, (list, dict)):
        return ""
    text = name if value is True else f"{name} {value}"
    return text if len(text) <= FEW else f"{text[:FEW]}..."


def _nothing(_value: Any) -> str:
    return ""


FIELDS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(
        ("type", "id", "seq", "version", "minor", "server", "client", "now", "heartbeat"), _nothing
    ),
    **dict.fromkeys(("clock", "news", "awaited", "chat"), _nothing),
    "info": _info,
    "view": _view,
    "result": _result,
    "table": lambda value: f"table {value}" if value else "",
    "token": lambda value: f"token ...{value[-4:]}" if value else "",
    "tables": lambda value: (
        "tables " + " ".join(map(str, value)) if value and isinstance(value[0], str) else ""
    ),
    "question": lambda value: f"-> turn {value['turn']} {value['phase']}" if value else "",
    "action": lambda value: " ".join(map(str, value.values())) if value else "",
    "line": lambda value: f"{value['name']}: {value['text']}" if isinstance(value, dict) else "",
    "entrant": lambda value: str(value["name"]),
    "round": lambda value: f"round {value['round']}" if isinstance(value, dict) else f"round {value}",
    "snapshot": lambda value: "by a snapshot" if value else "by its events",
}
