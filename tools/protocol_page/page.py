"""PROTOCOL.md as data: its sections, tables and fenced blocks, and those that are written by a program."""

import re
from collections.abc import Callable
from pathlib import Path

import attrs

PATH = Path(__file__).parent.parent.parent / "PROTOCOL.md"
_GENERATED = re.compile(r"(<!-- (\w+): ([\w-]+) -->\n```\w+\n)(.*?)(```\n)", re.DOTALL)
_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def text() -> str:
    return PATH.read_text(encoding="utf-8")


def headings(page: str, level: int) -> list[str]:
    plain = _FENCED.sub("", page)
    return re.findall(rf"^{'#' * level} (.+)$", plain, re.MULTILINE)


def section(page: str, heading: str, level: int = 2) -> str:
    """What stands under a heading, up to the next one of its level or above."""
    found = re.search(
        rf"^{'#' * level} {re.escape(heading)}\n(.*?)(?=^#{{1,{level}}} |\Z)", page, re.DOTALL | re.MULTILINE
    )
    if found is None:
        raise LookupError(f"the page has no heading {heading!r} of level {level}")
    return found[1]


def tables(part: str) -> list[list[dict[str, str]]]:
    """Every table, as rows by the words of its head; `\\|` is a bar inside a cell."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", part + "\n", re.MULTILINE):
        lines = [_cells(line) for line in block.strip().split("\n")]
        found.append([dict(zip(lines[0], cells, strict=True)) for cells in lines[2:]])
    return found


def table(part: str) -> list[dict[str, str]]:
    """The only table."""
    (found,) = tables(part)
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def words(cell: str) -> list[str]:
    """The words in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def blocks(part: str, language: str) -> list[str]:
    """The fenced blocks in a language."""
    return [body for kind, body in _FENCED.findall(part) if kind == language]


@attrs.frozen
class Generated:
    """A block that a program writes."""

    kind: str
    name: str
    body: str


def generated(page: str) -> list[Generated]:
    return [Generated(kind, name, body) for _, kind, name, body, _ in _GENERATED.findall(page)]


def filled(page: str, write: Callable[[str, str], str]) -> str:
    """The page with each generated block written anew."""
    return _GENERATED.sub(lambda found: f"{found[1]}{write(found[2], found[3])}{found[5]}", page)
