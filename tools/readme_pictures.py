"""The pictures of the README: the real screens of three games, with the real styles, as SVG files.

After a change that is meant: PYTHONPATH=tests .venv/bin/python -m tools.readme_pictures
"""

from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from prompt_toolkit.styles import Attrs, merge_styles
from support.client.seated_player import player_at, table_at

from parlour.client.boards.style import STYLE
from parlour.client.boards.text import Line, columns
from parlour.client.terminal.app import OWN
from parlour.client.terminal.screen import Screen

FOLDER = Path(__file__).parent.parent / "pictures"
GAMES: Mapping[str, tuple[int, int]] = {"balloon-cup": (14, 2), "hurry-cup": (60, 4), "butterflies": (14, 2)}
"""How many beats into the game, and how many play."""
WIDTH, HEIGHT = 80, 24
COLUMN, ROW = 8.4, 17
INK, PAPER = "#d8d8d8", "#16181d"
COLOURS = {
    "ansiblack": "#16181d",
    "ansired": "#c4453a",
    "ansigreen": "#4f9e4f",
    "ansiyellow": "#d0a92c",
    "ansiblue": "#3f6fc4",
    "ansimagenta": "#a552a5",
    "ansicyan": "#3aa0a8",
    "ansiwhite": "#f2f2f2",
    "ansigray": "#b0b0b0",
    "ansibrightblack": "#7d838f",
    "ansibrightblue": "#6f9bf0",
}
STYLES = merge_styles([STYLE, OWN])


def _colour(name: str | None, usual: str) -> str:
    return COLOURS.get(name or "", usual)


def _piece(at: float, row: int, style: str, text: str) -> list[str]:
    """One run of text, with what is behind it; each letter keeps to its column in any font."""
    look: Attrs = STYLES.get_attrs_for_style_str(style)
    ink, paper = _colour(look.color, INK), _colour(look.bgcolor, PAPER)
    if look.reverse:
        ink, paper = paper, ink
    wide = columns([(style, text)]) * COLUMN
    drawn = []
    if paper != PAPER:
        drawn.append(f'<rect x="{at:.1f}" y="{row * ROW}" width="{wide:.1f}" height="{ROW}" fill="{paper}"/>')
    if text.strip():
        bold = ' font-weight="bold"' if look.bold else ""
        line = ' text-decoration="underline"' if look.underline else ""
        place = f'x="{at:.1f}" y="{row * ROW + 13}" textLength="{wide:.1f}"'
        drawn.append(f'<text {place} fill="{ink}"{bold}{line} xml:space="preserve">{escape(text)}</text>')
    return drawn


def svg(lines: list[Line]) -> str:
    width, height = WIDTH * COLUMN, HEIGHT * ROW
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {width + 16:.0f} {height + 16}" '
        'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
        f'<rect x="-8" y="-8" width="{width + 16:.0f}" height="{height + 16}" rx="6" fill="{PAPER}"/>',
    ]
    for row, line in enumerate(lines):
        at = 0.0
        for style, text in line:
            drawn += _piece(at, row, style, text)
            at += columns([(style, text)]) * COLUMN
    return "\n".join([*drawn, "</svg>", ""])


def frame(game: str) -> str:
    beat, seats = GAMES[game]
    player, _ = player_at(table_at(game, beat, seats))
    return svg(Screen(player).lines(WIDTH, HEIGHT))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        (FOLDER / f"{game}.svg").write_text(frame(game), encoding="utf-8")


if __name__ == "__main__":
    main()
