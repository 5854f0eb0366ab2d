"""Games that the player has played on this server: the list, and watching one again."""

import contextlib
import json
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from parlour.client.boards.stats import moment
from parlour.client.language import Texts
from parlour.client.language.safe import safe
from parlour.client.table import Table
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
    items = [_game(player, game) for game in games if player.own_name in game["names"]]
    back = Item(texts("menu.back"), player.close, "q")
    about = [] if items else [texts("replays.none")]
    return Menu(texts("replays.title"), [*items, back], about, player.close, "played")


def _game(player: Player, game: Mapping[str, Any]) -> Item:
    texts = player.texts
    key = f"game.{game['game']}"
    told = texts(key) if texts.has(key) else safe(game["game"])
    seat = list(game["names"]).index(player.own_name)
    others = [safe(name) for place, name in enumerate(game["names"]) if place != seat]
    words = texts(
        "replays.game",
        when=moment(game["ended"]),
        game=told,
        others=texts.listed(others),
        result=_result(game, seat, texts),
    )
    facts = {"id": game["id"], "game": game["game"], "places": list(game["places"]), "seat": seat}
    return Item(
        words, lambda: player.do(_watch(player, str(game["id"]))), about=texts("replays.about"), facts=facts
    )


def _result(game: Mapping[str, Any], seat: int, texts: Texts) -> str:
    """How it ended for a seat."""
    why = texts.or_else(f"reason.{game['reason']}", safe(game["reason"]).replace("_", " "))
    seats = len(game["names"])
    if not game["winners"]:
        return texts("replays.drawn", why=why)
    if seat in game["winners"]:
        return texts("replays.won", why=why)
    if len({*game["places"]}) == 2 and 2 * len(game["winners"]) == seats:  # two players, or two teams
        return texts("replays.lost", why=why)
    return texts("replays.place", place=game["places"][seat], count=seats, why=why)


async def watch_last(player: Player, table: Table) -> None:
    """Shows the game that has just ended at a table."""
    games = (await player.ask(m.Played))["games"]
    names = [chair.name if chair is not None else "" for chair in table.chairs]
    same = (each for each in games if each["game"] == table.info.game and list(each["names"]) == names)
    game = next(same, None)
    if game is None:
        player.notice = player.texts("over.not_kept")
    else:
        await _watch(player, str(game["id"]))


async def _watch(player: Player, id: str) -> None:
    replay = (await player.ask(m.Replay, game=id))["replay"]
    with _written(replay) as path:
        seat = player.own_name if player.own_name in replay["header"]["names"] else "spectator"
        viewer = ("replay", str(path), "--as", seat, "--lang", player.texts.language)
        await player.show(command_line(PARLOUR, *viewer))


@contextlib.contextmanager
def _written(replay: Any) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="parlour-") as folder:
        path = Path(folder) / "game.parlour.json"
        path.write_text(json.dumps(replay), encoding="utf-8")
        yield path
