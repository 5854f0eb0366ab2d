"""What somebody may have meant who typed what is not legal now: the words of the game, legal or not."""

from collections.abc import Iterator, Sequence
from typing import Any

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.moves import Wanted
from parlour.client.legal import Action, Pattern, every
from parlour.client.terminal.game.selection import with_fields
from parlour.client.terminal.keyboard import narrow, same_place

MOST_TRIED = 200
"""Patterns that are looked through for one to put the meant value into."""


def meant(game: str, typed: str, legal: Sequence[Pattern]) -> Action | None:
    """A whole action with what was typed in it, for the server to say what is wrong with it.

    Never one that is legal: it takes a value that no legal action has.
    """
    for field, value in _meanings(game, typed):
        action = wrong_with({field: value}, legal)
        if action is not None:
            return action
    return None


def said(game: str, typed: str, action: Action) -> set[str]:
    """The fields of the action that were typed; what stands in the others was filled in."""
    return {field for field, value in _meanings(game, typed) if action.get(field) == value}


def _meanings(game: str, typed: str) -> Iterator[tuple[str, Any]]:
    whole = narrow(typed).strip().casefold()
    words = [whole, *whole.split()]
    for word in dict.fromkeys([*words, *map(same_place, words)]):
        yield from board_of(game).moves.meant(word)


def wrong_with(wanted: Wanted, legal: Sequence[Pattern]) -> Action | None:
    """A whole action with these fields, if no legal one has them."""
    if with_fields(legal, wanted):
        return None
    fitting = (pattern for pattern in legal[:MOST_TRIED] if wanted.keys() <= pattern.keys())
    return next(({**next(every([pattern])), **wanted} for pattern in fitting), None)
