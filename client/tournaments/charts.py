"""The charts of a report's page: names are text of the page, so that they wrap and can be read on a phone."""

from collections.abc import Iterator, Sequence
from math import ceil, floor

import attrs

from parlour.machine.output import printable

TICKS = 5
HAIR = 1e-9
SMALL, LOW = 176, 116
"""Width and height of one of many small curves: two of them stand side by side on a phone."""
LEFT, EDGE, FOOT = 26, 8, 20
MOST_ROUNDS = 8
"""So many have room for their numbers below a curve."""
STYLE = """
.chart { display: grid; grid-template-columns: fit-content(min(14rem, 36%)) minmax(0, 1fr) auto;
  max-width: 48rem; font-size: .85rem; line-height: 1.2; }
.chart .who { text-align: right; padding: .2rem 0; overflow-wrap: anywhere; align-self: center; }
.chart .told { align-self: center; white-space: nowrap; }
.chart .line { position: relative; min-height: 1.4rem; margin: 0 .9rem; }
.chart svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.curve { width: 100%; height: auto; max-width: 15rem; display: block; }
svg .tick { font-size: 11px; fill: var(--faint); }
svg circle, svg rect { fill: var(--one); } svg .bar { stroke: var(--one); stroke-width: 2; opacity: .55; }
svg polyline { fill: none; stroke: var(--one); stroke-width: 1.5; }
svg .grid { stroke: var(--line); } svg .axis { stroke: var(--faint); }
svg .mark { stroke: var(--faint); stroke-dasharray: 4 3; }
.curves { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 47%), 1fr)); gap: 1rem; }
figure { margin: 0; display: flex; flex-direction: column; justify-content: space-between; }
figcaption { overflow-wrap: anywhere; line-height: 1.3; }
"""


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
    """Round numbers from least to most, some few of them."""
    span = most - least
    size = 10.0**-6
    while span / size > TICKS:
        size *= 2.5 if f"{size:e}".startswith("2") else 2
    # An end that is a round number itself belongs to it, though division may put it a hair beside.
    first, last = ceil(least / size - HAIR), floor(most / size + HAIR)
    return [round(at * size, 6) for at in range(first, last + 1)]


def escaped(text: str) -> str:
    """Text as it may stand anywhere in HTML or SVG, whoever wrote it."""
    text = printable(text)
    for letter, word in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        text = text.replace(letter, word)
    return text


def named(name: str) -> str:
    """A name as HTML, whichever way it is written, beside text that goes the other way."""
    return f"<bdi>{escaped(name)}</bdi>"


def fixed(value: float, digits: int) -> str:
    """With so many digits, so that points stand below points, and a minus as wide as a digit."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def ranges(rows: Sequence[tuple[str, Range | None]], least: float, most: float, digits: int = 3) -> str:
    """A line for each name: its middle as a dot, its range as a bar; a line down where the average is."""
    across, mark = Scale(least, most, 0.0, 100.0), (least + most) / 2
    behind = [*_grid(steps(least, most), across), _down("mark", across(mark))]

    def line(each: Range | None) -> str:
        if each is None:
            return _line(behind, "–")
        low, high = map(across, each.ends())
        bar = f'<line class="bar" x1="{low}%" x2="{high}%" y1="50%" y2="50%"/>'
        dot = f'<circle cx="{across(each.middle)}%" cy="50%" r="4"/>'
        return _line([*behind, bar, dot], range_text(each, digits))

    return _chart([(name, line(each), "") for name, each in rows], steps(least, most), across)


def range_text(each: Range, digits: int) -> str:
    """`0.612 (0.500 … 0.724)`."""
    middle = fixed(each.middle, digits)
    if each.low is None or each.high is None:
        return middle
    return f"{middle} ({fixed(each.low, digits)} … {fixed(each.high, digits)})"


def bars(rows: Sequence[tuple[str, float, str]]) -> str:
    """A line for each name: a bar as long as its value on the scale below, and some words behind it."""
    most = max((value for _, value, _ in rows), default=0.0)
    across = Scale(0.0, most, 0.0, 100.0)
    behind = _grid(steps(0.0, most), across)

    def line(value: float) -> str:
        bar = f'<rect x="0" y="20%" width="{across(value)}%" height="60%"/>'
        return _line([*behind, bar], fixed(value, 1))

    return _chart([(name, line(value), words) for name, value, words in rows], steps(0.0, most), across)


def curve(points: Sequence[Range], within: tuple[float, float], title: str) -> str:
    """One point for the start and each round with its error bar; all curves of a page have one scale."""
    across = Scale(0, max(len(points) - 1, 1), LEFT + EDGE, SMALL - EDGE)
    up = Scale(*within, LOW - FOOT, EDGE)
    parts = []
    for value in steps(*within):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{SMALL}" y1="{up(value)}" y2="{up(value)}"/>')
        told = _minus(value)
        parts.append(f'<text class="tick" x="{LEFT - 4}" y="{up(value) + 4}" text-anchor="end">{told}</text>')
    parts.append(f'<line class="axis" x1="{LEFT}" x2="{SMALL}" y1="{LOW - FOOT}" y2="{LOW - FOOT}"/>')
    for at in range(0, len(points), -(-len(points) // MOST_ROUNDS) or 1):
        parts.append(f'<text class="tick" x="{across(at)}" y="{LOW - 6}" text-anchor="middle">{at}</text>')
    for at, each in enumerate(points):
        low, high = map(up, each.ends())
        parts.append(f'<line class="bar" x1="{across(at)}" x2="{across(at)}" y1="{low}" y2="{high}"/>')
    line = " ".join(f"{across(at)},{up(each.middle)}" for at, each in enumerate(points))
    parts.append(f'<polyline points="{line}"/>')
    parts += [f'<circle cx="{across(at)}" cy="{up(each.middle)}" r="2.5"/>' for at, each in enumerate(points)]
    head = f'<svg class="curve" viewBox="0 0 {SMALL} {LOW}" role="img" aria-label="{escaped(title)}">'
    return "\n".join([head, *parts, "</svg>"])


def _chart(rows: Sequence[tuple[str, str, str]], scale: Sequence[float], across: Scale) -> str:
    def cells() -> Iterator[str]:
        for name, line, words in rows:
            yield f'<div class="who">{named(name)}</div>{line}<div class="told">{escaped(words)}</div>'

    numbers = [
        f'<text class="tick" x="{across(value)}%" y="14" text-anchor="middle">{_minus(value)}</text>'
        for value in scale
    ]
    axis = f'<div></div><div class="line"><svg aria-hidden="true">{"".join(numbers)}</svg></div><div></div>'
    return "\n".join(['<div class="chart">', *cells(), axis, "</div>"])


def _line(parts: Sequence[str], title: str) -> str:
    told = escaped(title)
    svg = f'<svg role="img" aria-label="{told}"><title>{told}</title>{"".join(parts)}</svg>'
    return f'<div class="line">{svg}</div>'


def _grid(scale: Sequence[float], across: Scale) -> list[str]:
    return [_down("grid", across(value)) for value in scale]


def _down(kind: str, x: float) -> str:
    return f'<line class="{kind}" x1="{x}%" x2="{x}%" y1="0" y2="100%"/>'


def _minus(value: float) -> str:
    return f"{value + 0.0:g}".replace("-", "−")
