"""What a player reads about a tournament: tables that change while they are read, and its rules."""

from collections.abc import Callable

from parlour.client.following import Followed
from parlour.client.language.safe import safe
from parlour.client.terminal.menus.menu import Reading
from parlour.client.terminal.player import Player
from parlour.client.tournaments.tables import entrant_lines
from parlour.client.tournaments.texts import rules_lines


def read_live(player: Player, title: str, lines: Callable[[int], list[str]]) -> None:
    """Opens lines that are made again whenever they are drawn."""
    player.reading = Reading(title, (), lines)


def read_entrants(player: Player, now: Callable[[], Followed]) -> None:
    read_live(player, player.texts("tournaments.entrants"), lambda _: entrant_lines(now(), player.texts))


def read_rules_of(player: Player, followed: Followed) -> None:
    paragraphs = [safe(line) for line in rules_lines(followed.rules, player.texts)]
    player.reading = Reading(player.texts("tournaments.rules"), paragraphs)
