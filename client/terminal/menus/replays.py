"""Games that the player has played on this server: the list, and watching one again."""

import contextlib
import json
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from parlour.client.language.safe import safe
from parlour.client.terminal.menus.menu import Item, Menu
from parlour.client.terminal.player import Player
from parlour.machine.programs import PARLOUR, command_line
from parlour.protocol import messages as m

Show = Callable[[list[str]], Awaitable[None]]
"""Runs a command that shows a replay on the player's terminal."""


async def look_back(player: Player) -> None:
    """Asks for the played games, and opens the list."""
    games = (await player.ask(m.Played))["games"]
    player.open(lambda: played(player, games))


def played(player: Player, games: list[Mapping[str, Any]]) -> Menu:
    texts = player.texts
    items = [_game(player, game) for game in games]
    back = Item(texts("menu.back"), player.close, "q")
    about = [] if games else [texts("replays.none")]
    return Menu(texts("replays.title"), [*items, back], about, player.close)


def _game(player: Player, game: Mapping[str, Any]) -> Item:
    texts = player.texts
    names = [safe(name) for name in game["names"]]
    key = f"game.{game['game']}"
    told = texts(key) if texts.has(key) else safe(game["game"])
    words = texts("replays.game", game=told, names=texts.listed(names))
    return Item(words, lambda: player.do(_watch(player, str(game["id"]))), about=texts("replays.about"))


async def _watch(player: Player, id: str) -> None:
    replay = (await player.ask(m.Replay, game=id))["replay"]
    with _written(replay) as path:
        name = player.settings.name
        seat = name if name in replay["header"]["names"] else "spectator"
        viewer = ("replay", str(path), "--as", seat, "--lang", player.texts.language)
        await player.show(command_line(PARLOUR, *viewer))


@contextlib.contextmanager
def _written(replay: Any) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="parlour-") as folder:
        path = Path(folder) / "game.parlour.json"
        path.write_text(json.dumps(replay), encoding="utf-8")
        yield path
