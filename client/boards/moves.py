"""How the actions of a game are put into words, ranked, typed and touched. Without a game's own words, the
words of the wire do."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from parlour.client.boards.text import Line
from parlour.client.language import Texts
from parlour.client.legal import Action, Pattern

Plain = Mapping[str, Any]
Wanted = Mapping[str, Any]
"""Fields that an action is to have, with their values."""


@attrs.frozen
class MoveContext:
    """What words need to know: which game, which viewer, and who sits where."""

    game: str
    me: int | None
    names: Sequence[str]
    view: Plain
    texts: Texts
    spoken: bool = False
    """Whether cards are told in whole words instead of letters."""
    typed: bool = False
    """Whether it is what may be typed: a place without what lies around it."""


Write = Callable[[Any, Plain, MoveContext], Line]
"""A field's value as words; the other fields that are told with it come second."""


def _no_order(_fields: Plain, _context: "MoveContext") -> Any:
    return 0


def _no_preference(_fields: Plain) -> Any:
    return None


def _no_warning(_action: Action, _legal: Sequence[Pattern], _context: "MoveContext") -> str:
    return ""


def _no_reason(_action: Action, _context: "MoveContext") -> str:
    return ""


def _no_word(_word: str) -> Sequence[tuple[str, Any]]:
    return ()


def _ask_all(_view: Plain, legal: Sequence[Pattern]) -> tuple[Pattern, ...]:
    return tuple(legal)


@attrs.frozen
class Moves:
    """What a game says about its actions. Fields are by their names, kinds are the `type` of an action."""

    fields: Mapping[str, Write] = attrs.field(factory=dict)
    """How values are written; those of other fields stand as they travel."""
    whole: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    """By kind: the fields that are told of a whole action though it has no other like it."""
    order: Callable[[Plain, MoveContext], Any] = _no_order
    """Where among others of their kind these fields stand, as something to compare."""
    seldom: tuple[str, ...] = ()
    """Kinds that stand behind the others: what is meant most often comes first."""
    harmless: tuple[str, ...] = ()
    """Kinds that use nothing up: pointed at before all others."""
    costly: tuple[str, ...] = ()
    """Kinds that use something up, or cannot be taken back: never pointed at by themselves."""
    preferred: Callable[[Plain], Any] = _no_preference
    """How good it is to point at these fields, as something to compare; None where there is no telling."""
    places: tuple[str, ...] = ()
    """Fields that nobody would have settled behind their back."""
    warning: Callable[[Action, Sequence[Pattern], MoveContext], str] = _no_warning
    """What is asked before an action that nobody should send by accident; all that was legal comes second."""
    reason: Callable[[Action, MoveContext], str] = _no_reason
    """What an action is good for, in the words of the game, for hints; empty where nothing is to be said."""
    quiet: Mapping[str, Action] = attrs.field(factory=dict)
    """What the switch that keeps quiet answers, by phase."""
    unasked: Callable[[Plain, Sequence[Pattern]], tuple[Pattern, ...]] = _ask_all
    """The patterns in this view, with the fields settled that nobody needs to be asked about now."""
    things: Mapping[str, Callable[[str, MoveContext], Sequence[Wanted]]] = attrs.field(factory=dict)
    """What a touch of something on the board may mean, by kind of thing; the likeliest first."""
    meant: Callable[[str], Sequence[tuple[str, Any]]] = _no_word
    """The fields and values that a typed word may stand for, legal or not."""


def as_sent(value: Any) -> str:
    """A value as it travels, without brackets and quotation marks."""
    if isinstance(value, list | tuple):
        return ",".join(map(as_sent, value))
    return value if isinstance(value, str) else json.dumps(value)


def word_of(key: str, value: Any, texts: Texts) -> Line:
    """The text of this key, or else the value itself."""
    return [("", texts(key) if texts.has(key) else str(value).replace("_", " "))]


def number(word: str, field: str) -> list[tuple[str, Any]]:
    """What a typed number may stand for."""
    return [(field, int(word))] if word.isdecimal() and len(word) <= 2 else []
