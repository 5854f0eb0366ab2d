"""Checks the files of a folder that only show what follows from its JSON: tables as CSV, and the report.

Their words and layout change from build to build. Files of this build must be just what it would write again.
Files of another build are checked for their facts only: everybody's rank and points in the report, and in the
tables all columns that both builds have.
"""

import csv
import html
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from itertools import zip_longest
from pathlib import Path
from typing import Any

from parlour.protocol.version import build
from parlour.server.tournament.export import files as export
from parlour.server.tournament.export.faults import Fault, both
from parlour.server.tournament.export.folder import BadFolder, content
from parlour.server.tournament.export.tables import UTF_8

_GENERATOR = re.compile(r'<meta name="generator" content="([^"]*)">')
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
_MUST_HAVE = ("rank", "name", "points")
Rows = list[list[str]]


def writer(folder: Path) -> str | None:
    """The build that wrote report and tables; None if the report does not say. Raises BadFolder."""
    found = _GENERATOR.search(content(folder, export.REPORT).decode(errors="replace"))
    return None if found is None else html.unescape(found[1])


def is_by_another_build(folder: Path) -> bool:
    """Whether only the facts of these files can be checked; raises BadFolder."""
    return writer(folder) != build()


# Tables


def check_tables(folder: Path, right: Mapping[str, str], another: bool) -> Iterator[Fault]:
    """Compares the tables with what they should be; raises BadFolder for what is no CSV."""
    for name in (export.STANDINGS_CSV, export.CROSSTABLE_CSV):
        actual, expected = _rows(folder, name), _read(right[name])
        if another and name == export.STANDINGS_CSV:
            actual, expected = _shared(actual, expected)
        for at, (row, other) in enumerate(zip_longest(actual, expected), 1):
            if row is None or other is None or len(row) != len(other):
                yield Fault(name, f"{at}", "line", both(_line(row), _line(other)))
                continue
            for cell, rightly in zip(row, other, strict=True):
                loosely = another and name == export.CROSSTABLE_CSV and _NUMBER.match(rightly)
                if not (_numbers(cell) == _numbers(rightly) if loosely else _same(cell, rightly)):
                    yield Fault(name, f"{at}", "line", both(cell, rightly))


def _rows(folder: Path, name: str) -> Rows:
    try:
        return _read(content(folder, name).decode())
    except (UnicodeDecodeError, csv.Error) as wrong:
        raise BadFolder("BadFile", str(folder / name), f"is not CSV: {wrong}") from None


def _read(text: str) -> Rows:
    return list(csv.reader(io.StringIO(text.removeprefix(UTF_8), newline="")))


def _shared(actual: Rows, expected: Rows) -> tuple[Rows, Rows]:
    """Reduces both to the columns that both have, and those that standings must have."""

    def only(rows: Rows) -> Rows:
        at = [rows[0].index(name) if rows and name in rows[0] else None for name in columns]
        return [
            [row[place] if place is not None and place < len(row) else "" for place in at] for row in rows
        ]

    columns = [name for name in (expected or [[]])[0] if name in _MUST_HAVE or (actual and name in actual[0])]
    return only(actual), only(expected)


def _line(row: Sequence[str] | None) -> str | None:
    return None if row is None else ",".join(row)


def _numbers(cell: str) -> list[float]:
    """Points and games of a crosstable's cell, whatever stands between them."""
    return [float(each) for each in _NUMBER.findall(cell)]


def _same(cell: str, other: str) -> bool:
    return cell == other or (_value(cell) is not None and _value(cell) == _value(other))


def _value(cell: str) -> float | None:
    return float(cell) if _NUMBER.fullmatch(cell) else None


# The report


class _Page(HTMLParser):
    """The rows of all tables of a page, as text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: Rows = []
        self._within = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag == "tr":
            self.rows.append([])
            self._within = False
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
            self._within = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr"):
            self._within = False

    def handle_data(self, data: str) -> None:
        if self._within:
            self.rows[-1][-1] += data


def check_report(folder: Path, standings: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    """Checks that the report of another build has everybody's rank and points, in order; raises BadFolder."""
    try:
        rows = iter(_Page(content(folder, export.REPORT).decode(errors="replace")).rows)
    except AssertionError as wrong:  # how Python's parser refuses declarations that it does not know
        raise BadFolder("BadFile", str(folder / export.REPORT), f"is not HTML: {wrong}") from None
    for each in standings:
        if not any(_has_standing(cells, each) for cells in rows):
            facts = {name: each[name] for name in _MUST_HAVE}
            yield Fault(export.REPORT, "", "not_shown", facts)
            return


def _has_standing(cells: Sequence[str], standing: Mapping[str, Any]) -> bool:
    """Whether a row of a table shows a standing; it may have more columns, and marks behind the name."""
    rank, name, points = (standing[each] for each in _MUST_HAVE)
    at = [place for place, cell in enumerate(cells) if cell == name or cell.startswith(f"{name} ")]
    values = [_value(cell.strip()) for cell in cells]
    return any(rank in values[:place] and points in values[place:] for place in at)
