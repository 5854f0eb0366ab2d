"""Replay files, `NAME.parlour.json`: records as JSON text that people can read, a line for each entry."""

import json
from collections.abc import Mapping
from typing import Any

from parlour.engine.errors import Malformed
from parlour.engine.plain import is_number, short_repr
from parlour.machine.output import printable_json
from parlour.server.records.reading import read_record
from parlour.server.records.record import Record, end_map, header_map, line_map

SUFFIX = ".parlour.json"
LARGEST_FILE = 8 * 1024 * 1024
"""Bytes; the longest championship takes a tenth of it."""
DEPTH = 12
PARTS = ("header", "journal", "end")
_HUGE = 10**18


class _Twice(dict[str, Any]):
    """A map that has a key twice; the error is raised when the path to it is known."""

    name: str

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__()
        for name, value in pairs:
            if name in self:
                self.name = name
            self[name] = value


def write(record: Record) -> str:
    """Writes the text of a file."""
    journal = ",\n".join(f"  {_compact(line_map(line))}" for line in record.lines)
    header = ",\n".join(f'  "{name}": {_compact(value)}' for name, value in header_map(record.header).items())
    end = _compact(end_map(record.end))
    return f'{{\n "header": {{\n{header}\n }},\n "journal": [\n{journal}\n ],\n "end": {end}\n}}\n'


def _compact(plain: Any) -> str:
    return printable_json(plain)


def read(text: bytes) -> Record:
    """Reads the record in a file; raises Malformed with the line and column, or the path, of the fault."""
    plain = _parse(text)
    if not isinstance(plain, Mapping) or not set(PARTS) & set(plain):
        raise Malformed("", f"is no replay: must be a map of {', '.join(PARTS)}")
    _check(plain, "", 1)
    for part in PARTS:
        if part not in plain:
            raise Malformed(part, "is missing")
    for part in plain:
        if part not in PARTS:
            raise Malformed(part, "is not a field here")
    return read_record(*[plain[part] for part in PARTS])


def _parse(text: bytes) -> Any:
    if len(text) > LARGEST_FILE:
        raise Malformed("", f"is too large for a replay: more than {LARGEST_FILE} bytes")
    try:
        return json.loads(text.decode("utf-8-sig"), object_pairs_hook=_map, parse_int=_whole)
    except UnicodeDecodeError as wrong:
        raise Malformed(f"byte {wrong.start}", "is not UTF-8 text") from None
    except json.JSONDecodeError as wrong:
        raise Malformed(f"line {wrong.lineno}, column {wrong.colno}", f"is not JSON: {wrong.msg}") from None
    except RecursionError:
        raise Malformed("", f"is nested deeper than {DEPTH}") from None


def _map(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Twice(pairs)


def _whole(digits: str) -> int:
    """Reads a number; for thousands of digits Python's own error would name no place."""
    return int(digits) if len(digits) <= 17 else _HUGE


def _check(plain: Any, where: str, depth: int) -> None:
    """Refuses what JSON allows and a record does not."""
    if depth > DEPTH:
        raise Malformed(where, f"is nested deeper than {DEPTH}")
    if isinstance(plain, _Twice):
        raise Malformed(where, f"has the field {short_repr(plain.name)} twice")
    if type(plain) is float or (type(plain) is int and not is_number(plain)):
        raise Malformed(where, "must be a whole number between -2^53 and 2^53")
    children = plain.items() if isinstance(plain, dict) else enumerate(plain) if type(plain) is list else ()
    for name, child in children:
        _check(child, f"{where}.{name}" if where else str(name), depth + 1)
