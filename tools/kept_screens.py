"""Whole windows of the terminal client, kept as text in tests/client/screens/, and how these are written.

After a change that is meant: PYTHONPATH=tests .venv/bin/python -m tools.kept_screens
Then look at what `git diff` shows, as a player would.
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs
from support.client.seated_player import player_at, table_at

from parlour.client.boards.text import plain
from parlour.client.language import LANGUAGES, Texts
from parlour.client.table import Table
from parlour.client.terminal.screen import Screen
from parlour.protocol import messages as m

FOLDER = Path(__file__).parent.parent / "tests" / "client" / "terminal" / "kept"
GAMES: Mapping[str, tuple[int, int]] = {"balloon-cup": (14, 2), "hurry-cup": (60, 4), "butterflies": (14, 2)}
"""How many beats into the game, and how many play."""
SMALL, LARGE = (80, 24), (120, 40)
RESULT = m.Result((1,), (2, 1), "forfeit", None, (None, None), None)


@attrs.frozen
class Window:
    """A moment at a table, in a window."""

    told: str
    table: Table
    size: tuple[int, int] = SMALL
    language: str = "en"
    ascii: bool = False
    keys: Sequence[str] = ()
    """That are pressed first."""

    def lines(self) -> list[str]:
        player, _ = player_at(self.table, Texts(self.language))
        screen = Screen(player, self.ascii)
        screen.lines(*self.size)
        for key in self.keys:
            screen.press(key)
        return [plain(line) for line in screen.lines(*self.size)]

    def text(self) -> str:
        width, height = self.size
        return "".join(f"{line}\n" for line in [f"==== {self.told}, {width}x{height}", *self.lines()])


def windows(game: str) -> list[Window]:
    """One who is asked, in both sizes and every language; halfway; a spectator; after giving up."""
    beat, seats = GAMES[game]

    def table() -> Table:
        return table_at(game, beat, seats)

    watched = attrs.evolve(table(), seat=None, question=None)
    over = attrs.evolve(table(), question=None, awaited=(), result=RESULT)
    over = attrs.evolve(over, info=attrs.evolve(over.info, stage="finished"))
    return [
        Window("asked", table()),
        Window("asked", table(), LARGE),
        Window("asked, in ASCII", table(), ascii=True),
        Window("halfway", table(), keys=("right", "enter")),
        Window("typed what is not there", table(), keys=("x", "y", "z", "enter")),
        Window("watching", watched),
        Window("given up", over, LARGE),
        Window("asked after time has played", attrs.evolve(table(), hurried=True)),
        *[Window(f"asked, {each}", table(), language=each) for each in LANGUAGES if each != "en"],
    ]


async def text(game: str) -> str:
    return "\n".join(window.text() for window in windows(game))


def path(game: str) -> Path:
    return FOLDER / f"{game}.txt"


async def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        path(game).write_text(await text(game), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
