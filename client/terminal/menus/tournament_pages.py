"""What is read in the tournament hall: tables that change while one looks, and the rules of a tournament."""

from collections.abc import Callable

from parlour.client.following import Followed
from parlour.client.language.safe import safe
from parlour.client.terminal.menus.menu import Reading
from parlour.client.terminal.player import Guest
from parlour.client.tournaments.tables import entrant_lines
from parlour.client.tournaments.texts import rules_lines


def read_live(guest: Guest, title: str, lines: Callable[[int], list[str]]) -> None:
    """Lines as they are, made anew whenever they are drawn."""
    guest.reading = Reading(title, (), lines)


def read_entrants(guest: Guest, now: Callable[[], Followed]) -> None:
    read_live(guest, guest.texts("hall.entrants"), lambda _: entrant_lines(now(), guest.texts))


def read_rules_of(guest: Guest, followed: Followed) -> None:
    paragraphs = [safe(line) for line in rules_lines(followed.rules, guest.texts)]
    guest.reading = Reading(guest.texts("hall.rules"), paragraphs)
