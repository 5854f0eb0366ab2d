"""The board of a game that has none of its own yet: its view and news, as maps, listed line by line."""

import json
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.room import LEAST, Room, in_ascii
from parlour.client.boards.text import Line
from parlour.client.language import ENGLISH, Texts


def draw(
    view: Mapping[str, Any],
    me: int | None,  # noqa: ARG001
    names: Sequence[str],  # noqa: ARG001
    room: Room = LEAST,
    legal: Sequence[Mapping[str, Any]] = (),  # noqa: ARG001
    chosen: Mapping[str, Any] | None = None,  # noqa: ARG001
    texts: Texts = ENGLISH,  # noqa: ARG001
) -> list[Line]:
    """Each field of the view's map that holds anything, wrapped; the longest last, where a screen ends."""
    column = max(map(len, view), default=0) + 3
    entries: list[list[Line]] = []
    for field, value in view.items():
        if _empty(value):
            continue
        written = json.dumps(value, ensure_ascii=False).replace('"', "")
        first, *others = textwrap.wrap(written, max(room.width - column - 1, 1)) or [""]
        entry: list[Line] = [[("class:name", f" {field}".ljust(column)), ("", first)]]
        entry.extend([("", " " * column + other)] for other in others)
        entries.append(entry)
    lines = [line for entry in sorted(entries, key=len) for line in entry]
    return [in_ascii(line) for line in lines] if room.ascii else lines


def _empty(value: Any) -> bool:
    """Null, false, and lists and maps of nothing else; 0 is a number like any other."""
    if isinstance(value, Mapping):
        return all(map(_empty, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_empty, value))
    return value is None or value is False


def words(
    news: Mapping[str, Any],
    names: Sequence[str],
    texts: Texts = ENGLISH,  # noqa: ARG001
    me: int | None = None,  # noqa: ARG001
) -> str:
    """The kind of the news and its fields: `Card drawn: seat Anna, card red-7.`"""
    kind = str(news["type"]).replace("_", " ").capitalize()
    told = [f"{field} {_field_text(field, value, names)}" for field, value in news.items() if field != "type"]
    return f"{kind}: {', '.join(told)}." if told else f"{kind}."


def _field_text(field: str, value: Any, names: Sequence[str]) -> str:
    if field == "seat" and type(value) is int and 0 <= value < len(names):
        return names[value]
    return json.dumps(value, ensure_ascii=False).replace('"', "")
