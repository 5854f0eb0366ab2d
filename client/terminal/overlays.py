"""What can be read over any place: the keys, and the rules of a game with a table's options."""

from collections.abc import Mapping
from typing import Any

from parlour.client.language.rules import rules
from parlour.client.terminal.guest import Guest
from parlour.client.terminal.menu import Reading

HELP = ("menus", "moves", "typing", "scramble", "keys", "chat", "mouse", "connection", "marks")


def read_help(guest: Guest) -> None:
    paragraphs = [guest.texts(f"help.{part}") for part in HELP]
    guest.reading = Reading(guest.texts("help.title"), paragraphs)


def read_rules(guest: Guest, game: str, options: Mapping[str, Any]) -> None:
    key = f"game.{game}"
    title = guest.texts(key) if guest.texts.has(key) else game
    guest.reading = Reading(title, rules(game, options, guest.texts))
