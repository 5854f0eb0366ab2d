"""Games that one has played on this server: the list, and watching one again."""

import contextlib
import json
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from parlour.client.language.safe import safe
from parlour.client.terminal.menus.menu import Item, Menu
from parlour.client.terminal.player import Guest
from parlour.machine.programs import PARLOUR, command_line
from parlour.protocol import messages as m

Show = Callable[[list[str]], Awaitable[None]]
"""Runs a command that shows a replay where the player looks."""


async def look_back(guest: Guest) -> None:
    """Asks what was played, and opens the list."""
    games = (await guest.ask(m.Played))["games"]
    guest.open(lambda: played(guest, games))


def played(guest: Guest, games: list[Mapping[str, Any]]) -> Menu:
    texts = guest.texts
    items = [_game(guest, game) for game in games]
    back = Item(texts("menu.back"), guest.close, "q")
    about = [] if games else [texts("replays.none")]
    return Menu(texts("replays.title"), [*items, back], about, guest.close)


def _game(guest: Guest, game: Mapping[str, Any]) -> Item:
    texts = guest.texts
    names = [safe(name) for name in game["names"]]
    key = f"game.{game['game']}"
    told = texts(key) if texts.has(key) else safe(game["game"])
    words = texts("replays.game", game=told, names=texts.listed(names))
    return Item(words, lambda: guest.do(_watch(guest, str(game["id"]))), about=texts("replays.about"))


async def _watch(guest: Guest, id: str) -> None:
    replay = (await guest.ask(m.Replay, game=id))["replay"]
    with _written(replay) as path:
        name = guest.settings.name
        seat = name if name in replay["header"]["names"] else "spectator"
        viewer = ("replay", str(path), "--as", seat, "--lang", guest.texts.language)
        await guest.show(command_line(PARLOUR, *viewer))


@contextlib.contextmanager
def _written(replay: Any) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="parlour-") as folder:
        path = Path(folder) / "game.parlour.json"
        path.write_text(json.dumps(replay), encoding="utf-8")
        yield path
