"""What opens over any place: the keys, the rules of a game with a table's options, and a question."""

from collections.abc import Callable, Mapping
from typing import Any

from parlour.client.boards.catalogue import board_of
from parlour.client.terminal.menus.menu import Item, Menu, Reading
from parlour.client.terminal.player import Guest

HELP = ("menus", "moves", "typing", "scramble", "keys", "chat", "mouse", "connection", "marks")


def read_help(guest: Guest) -> None:
    paragraphs = [guest.texts(f"help.{part}") for part in HELP]
    guest.reading = Reading(guest.texts("help.title"), paragraphs)


def read_rules(guest: Guest, game: str, options: Mapping[str, Any]) -> None:
    key = f"game.{game}"
    title = guest.texts(key) if guest.texts.has(key) else game
    guest.reading = Reading(title, board_of(game).rules(options, guest.texts))


def sure(guest: Guest, question: str, do: Callable[[], None]) -> None:
    """Opens a question before what cannot be taken back."""

    def yes() -> None:
        guest.close()
        do()

    texts = guest.texts
    items = [Item(texts("menu.no"), guest.close, "n"), Item(texts("menu.yes"), yes, "y")]
    guest.open(lambda: Menu(texts("menu.sure"), items, [question], guest.close))
