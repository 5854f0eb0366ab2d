"""PROTOCOL.md and docs/protocol/ as data: sections, links, tables, fenced blocks and generated ones."""

import functools
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import attrs

ROOT = Path(__file__).parent.parent.parent
PATH = ROOT / "PROTOCOL.md"
TRANSCRIPTS = ROOT / "docs" / "protocol"
"""The folder of the long transcripts, one page for each theme."""
_GENERATED = re.compile(r"(<!-- (\w+): ([\w-]+) -->\n```\w+\n)(.*?)(```\n)", re.DOTALL)
_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def text() -> str:
    return PATH.read_text(encoding="utf-8")


def paths() -> list[Path]:
    """The page, and those of the long transcripts."""
    return [PATH, *sorted(TRANSCRIPTS.glob("*.md"))]


def texts() -> str:
    """All pages, one after the other."""
    return "\n".join(path.read_text(encoding="utf-8") for path in paths())


def first_part(page: str) -> str:
    """What an author reads first: all before the first appendix."""
    return page[: page.index("\n## Appendix ") + 1]


@functools.cache
def _marks(page: str) -> tuple[tuple[int, int, str], ...]:
    """Where each heading begins, its level and its title; a line of a fenced block is none."""
    fenced = [(block.start(), block.end()) for block in _FENCED.finditer(page)]
    return tuple(
        (found.start(), len(found[1]), found[2])
        for found in re.finditer(r"^(#{1,6}) (.+)$", page, re.MULTILINE)
        if not any(start < found.start() < end for start, end in fenced)
    )


def headings(page: str, level: int) -> list[str]:
    return [title for _, found, title in _marks(page) if found == level]


def section(page: str, heading: str, level: int = 2) -> str:
    """What stands under a heading, up to the next one of its level or above."""
    marks = _marks(page)
    for number, (start, found, title) in enumerate(marks):
        if (found, title) == (level, heading):
            ends = [end for end, other, _ in marks[number + 1 :] if other <= level]
            return page[page.index("\n", start) + 1 : ends[0] if ends else len(page)]
    raise LookupError(f"the page has no heading {heading!r} of level {level}")


def anchors(page: str) -> set[str]:
    """What links to headings can be, as GitHub makes them: a title that comes again gets a number."""
    found: set[str] = set()
    seen: Counter[str] = Counter()
    for _, _, title in _marks(page):
        anchor = re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        found.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return found


def links(page: str) -> list[tuple[str, str]]:
    """The path and the anchor of each link; either may be empty."""
    plain = _FENCED.sub("", page)
    return re.findall(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)", plain)


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
