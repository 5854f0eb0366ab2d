"""What somebody may have meant who typed what is not legal now: the words of each game, legal or not."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour.client.boards.balloon_cup import news as balloon_words
from parlour.client.boards.butterflies import grid as butterfly_grid
from parlour.client.boards.hurry_cup.panel import PAWN_LETTERS
from parlour.client.legal import Action, Pattern, every
from parlour.client.terminal.game.choosing import with_fields
from parlour.engine.balloon_cup import public as balloon
from parlour.engine.butterflies import public as butterflies

_CELL = re.compile(r"(-?\d{1,3})[, ]+(-?\d{1,3})")
MOST_TRIED = 200
"""Patterns that are looked through for one to put the meant value into."""


def _balloon(word: str) -> list[tuple[str, Any]]:
    cards = [card for card in balloon.CARDS if word in (balloon_words.short(card).casefold(), card)]
    return [("card", cards[0])] if cards else _number(word, "tile")


def _hurry(word: str) -> list[tuple[str, Any]]:
    pawns = [pawn for pawn, letter in PAWN_LETTERS.items() if word in (letter.casefold(), pawn)]
    return [("pawn", pawns[0])] if pawns else _number(word, "steps")


def _butterflies(word: str) -> list[tuple[str, Any]]:
    if cell := _CELL.fullmatch(word):
        return [(name, [int(cell[1]), int(cell[2])]) for name in ("at", "to", "from")]
    cards = [card for card in butterflies.CARDS if word in (butterfly_grid.short(card).casefold(), card)]
    return [("card", card) for card in cards]


def _number(word: str, field: str) -> list[tuple[str, Any]]:
    return [(field, int(word))] if word.isdecimal() and len(word) <= 2 else []


MEANT: Mapping[str, Callable[[str], list[tuple[str, Any]]]] = {
    "balloon-cup": _balloon,
    "hurry-cup": _hurry,
    "butterflies": _butterflies,
}


def meant(game: str, typed: str, legal: Sequence[Pattern]) -> Action | None:
    """A whole action with what was typed in it, for the server to say what is wrong with it.

    Never one that is legal: it takes a value that no legal action has.
    """
    whole = typed.strip().casefold()
    for word in dict.fromkeys([whole, *whole.split()]):
        for field, value in MEANT[game](word) if game in MEANT else ():
            action = _with(field, value, legal)
            if action is not None:
                return action
    return None


def _with(field: str, value: Any, legal: Sequence[Pattern]) -> Action | None:
    if with_fields(legal, {field: value}):
        return None
    fitting = (pattern for pattern in legal[:MOST_TRIED] if field in pattern)
    return next(({**next(every([pattern])), field: value} for pattern in fitting), None)
