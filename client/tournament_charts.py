"""The charts of a tournament's report, as SVG text: ranges, bars, and curves with error bars."""

from collections.abc import Iterator, Sequence

import attrs

WIDTH, ROW, LABEL, AXIS = 640, 22, 170, 24
SMALL, LOW = 200, 96
"""Width and height of one of many small curves."""
EDGE = 8
TICKS = 5


@attrs.frozen
class Range:
    """A value that is known so well: it may be anywhere from low to high."""

    middle: float
    low: float | None = None
    high: float | None = None

    def ends(self) -> tuple[float, float]:
        low = self.middle if self.low is None else self.low
        return low, self.middle if self.high is None else self.high


@attrs.frozen
class Scale:
    """From values to places on a line of some length."""

    least: float
    most: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = (self.most - self.least) or 1.0
        return round(self.start + (value - self.least) / span * (self.end - self.start), 1)


def limits(ranges: Sequence[Range]) -> tuple[float, float]:
    """All of them with some air around."""
    low = min((each.ends()[0] for each in ranges), default=0.0)
    high = max((each.ends()[1] for each in ranges), default=1.0)
    air = (high - low) * 0.04 or 0.5
    return low - air, high + air


def steps(least: float, most: float) -> list[float]:
    """Round numbers within, some few of them."""
    span = most - least
    size = 10.0**-6
    while span / size > TICKS:
        size *= 2.5 if f"{size:e}".startswith("2") else 2
    first = int(least // size) + 1
    return [round(at * size, 6) for at in range(first, first + TICKS + 1) if at * size <= most]


def escaped(text: str) -> str:
    """Text as it may stand anywhere in HTML or SVG, whoever wrote it."""
    for letter, word in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        text = text.replace(letter, word)
    return text


def ranges(rows: Sequence[tuple[str, Range | None]], title: str, least: float, most: float) -> str:
    """A line for each name: its middle as a dot, its range as a bar; a line down in the middle."""
    scale, mark = Scale(least, most, LABEL + EDGE, WIDTH - EDGE), (least + most) / 2
    height = len(rows) * ROW + AXIS
    parts = [_grid(value, scale(value), height - AXIS) for value in steps(least, most)]
    parts.append(f'<line class="mark" x1="{scale(mark)}" x2="{scale(mark)}" y1="0" y2="{height - AXIS}"/>')
    for at, (name, each) in enumerate(rows):
        y = at * ROW + ROW // 2
        parts.append(f'<text x="{LABEL}" y="{y + 4}" text-anchor="end">{escaped(name)}</text>')
        if each is not None:
            low, high = map(scale, each.ends())
            parts.append(f'<line class="bar" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>')
            parts.append(f'<circle cx="{scale(each.middle)}" cy="{y}" r="4"/>')
    return _svg(WIDTH, height, title, parts)


def bars(rows: Sequence[tuple[str, float, str]], title: str) -> str:
    """A line for each name: a bar as long as its value, with the value in words behind it."""
    scale = Scale(0.0, max((value for _, value, _ in rows), default=0.0), LABEL + EDGE, WIDTH - 110)
    parts = []
    for at, (name, value, words) in enumerate(rows):
        y, end = at * ROW, scale(value)
        parts.append(f'<text x="{LABEL}" y="{y + 15}" text-anchor="end">{escaped(name)}</text>')
        width = round(end - scale.start, 1)
        parts.append(f'<rect x="{scale.start}" y="{y + 4}" width="{width}" height="{ROW - 8}"/>')
        parts.append(f'<text x="{end + 6}" y="{y + 15}">{escaped(words)}</text>')
    return _svg(WIDTH, len(rows) * ROW + 4, title, parts)


def curve(points: Sequence[Range], within: tuple[float, float], title: str) -> str:
    """One point for each round with its error bar; all curves of a page have one scale."""
    across = Scale(0, max(len(points) - 1, 1), 30, SMALL - EDGE)
    up = Scale(*within, LOW - EDGE, EDGE)
    parts = []
    for value in steps(*within):
        parts.append(f'<line class="grid" x1="30" x2="{SMALL - EDGE}" y1="{up(value)}" y2="{up(value)}"/>')
        parts.append(f'<text class="tick" x="26" y="{up(value) + 3}" text-anchor="end">{value:g}</text>')
    for at, each in enumerate(points):
        low, high = map(up, each.ends())
        parts.append(f'<line class="bar" x1="{across(at)}" x2="{across(at)}" y1="{low}" y2="{high}"/>')
    line = " ".join(f"{across(at)},{up(each.middle)}" for at, each in enumerate(points))
    parts.append(f'<polyline points="{line}"/>')
    parts += [f'<circle cx="{across(at)}" cy="{up(each.middle)}" r="2.5"/>' for at, each in enumerate(points)]
    return _svg(SMALL, LOW, title, parts)


def _grid(value: float, x: float, height: int) -> str:
    line = f'<line class="grid" x1="{x}" x2="{x}" y1="0" y2="{height}"/>'
    return f'{line}<text class="tick" x="{x}" y="{height + 16}" text-anchor="middle">{value:g}</text>'


def _svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    told = escaped(title)
    return "\n".join(_lines(width, height, told, parts))


def _lines(width: int, height: int, title: str, parts: Sequence[str]) -> Iterator[str]:
    yield f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{title}">'
    yield f"<title>{title}</title>"
    yield from parts
    yield "</svg>"
