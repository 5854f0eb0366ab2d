"""What opens over any place: the keys, the rules of a game with a table's options, and a question."""

from collections.abc import Callable, Mapping
from typing import Any

from parlour.client.boards.catalogue import board_of
from parlour.client.terminal.menus.menu import Item, Menu, Reading
from parlour.client.terminal.player import Player

HELP = ("menus", "moves", "typing", "scramble", "keys", "chat", "mouse", "connection", "marks")


def read_help(player: Player) -> None:
    paragraphs = [player.texts(f"help.{part}") for part in HELP]
    player.reading = Reading(player.texts("help.title"), paragraphs)


def read_rules(player: Player, game: str, options: Mapping[str, Any]) -> None:
    key = f"game.{game}"
    title = player.texts(key) if player.texts.has(key) else game
    player.reading = Reading(title, board_of(game).rules(options, player.texts))


def sure(player: Player, question: str, do: Callable[[], None]) -> None:
    """Opens a question before what cannot be taken back."""

    def yes() -> None:
        player.close()
        do()

    texts = player.texts
    items = [Item(texts("menu.no"), player.close, "n"), Item(texts("menu.yes"), yes, "y")]
    player.open(lambda: Menu(texts("menu.sure"), items, [question], player.close))
