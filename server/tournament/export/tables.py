"""Standings and crosstable of a folder as CSV: the same as in its JSON, for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from parlour.machine.output import printable

Plain = Mapping[str, Any]
_RANGE = ("mean", "low", "high")
_FORMULA = tuple("=+-@＝＋－＠")
"""What a spreadsheet would work out instead of showing it; some read the wide ones like the others."""
UTF_8 = "\ufeff"
"""Without this mark in front, Excel takes names for letters of its own code page."""


def standings_csv(rows: Sequence[Plain]) -> str:
    return _csv([list(_flat(rows[0])) if rows else [], *[list(_flat(row).values()) for row in rows]])


def _flat(row: Plain) -> dict[str, Any]:
    """A line of the standings with a name for each column: `share_low`, `failures_late`."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if not isinstance(value, Mapping):
            found[name] = value
        elif "mean" in value:
            found |= {name if part == "mean" else f"{name}_{part}": value[part] for part in _RANGE}
        else:
            found |= {part if name == "tie_breaks" else f"{name}_{part}": value[part] for part in value}
    return found


def crosstable_csv(cross: Plain) -> str:
    """A line for each entrant: the points from games with each other one, and how many those were."""
    names, cells = cross["names"], cross["cells"]
    rows: list[list[Any]] = [["", *names]]
    for one in names:
        met = cells.get(one, {})
        row = [_cross(met[other]) if other in met else "" for other in names]
        rows.append([one, *row])
    return _csv(rows)


def _cross(cell: Plain) -> str:
    """In a form that no spreadsheet takes for a date, as it does `1/2`."""
    return f"{cell['points']:g} of {cell['games']}"


def _csv(rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    text.write(UTF_8)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return _harmless(value) if isinstance(value, str) else value


def _harmless(text: str) -> str:
    shown = printable(text)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown
