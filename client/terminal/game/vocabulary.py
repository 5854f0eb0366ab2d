"""What somebody may have meant who typed what is not legal now: the words of the game, legal or not."""

from collections.abc import Sequence
from typing import Any

from parlour.client.boards.catalogue import board_of
from parlour.client.legal import Action, Pattern, every
from parlour.client.terminal.game.selection import with_fields

MOST_TRIED = 200
"""Patterns that are looked through for one to put the meant value into."""


def meant(game: str, typed: str, legal: Sequence[Pattern]) -> Action | None:
    """A whole action with what was typed in it, for the server to say what is wrong with it.

    Never one that is legal: it takes a value that no legal action has.
    """
    whole = typed.strip().casefold()
    for word in dict.fromkeys([whole, *whole.split()]):
        for field, value in board_of(game).moves.meant(word):
            action = _with(field, value, legal)
            if action is not None:
                return action
    return None


def _with(field: str, value: Any, legal: Sequence[Pattern]) -> Action | None:
    if with_fields(legal, {field: value}):
        return None
    fitting = (pattern for pattern in legal[:MOST_TRIED] if field in pattern)
    return next(({**next(every([pattern])), field: value} for pattern in fitting), None)
