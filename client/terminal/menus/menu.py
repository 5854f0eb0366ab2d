"""What a place offers: a menu of things to do, a line to be typed, a text to be read. No screen in it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

Callback = Callable[[], None]


@attrs.frozen
class Item:
    """One thing that can be done here."""

    words: str
    do: Callback
    key: str = ""
    """The one key that does it at once."""
    about: str = ""
    """Explained while it is pointed at."""
    facts: Mapping[str, Any] = attrs.field(factory=dict)
    """What it is about, in words of the wire: for scripts, which read no prose."""
    instead_of: str = ""
    """The words of an item from which the pointer comes over as soon as this one is there."""
    letter: str = ""
    """Another key, a letter of the player's language; it counts before the place of a key."""


@attrs.frozen
class Menu:
    """A menu: lines to read, and things to do."""

    title: str
    items: Sequence[Item]
    about: Sequence[str] = ()
    back: Callback | None = None
    name: str = ""
    """The same in every language, for scripts."""


@attrs.frozen
class Prompt:
    """A line that somebody is asked to type."""

    words: str
    done: Callable[[str], None]
    given: str = ""
    name: str = ""
    """The same in every language, for scripts."""


@attrs.frozen
class Reading:
    """Paragraphs to be read: help, or rules; or lines for a width, made anew whenever they are drawn."""

    title: str
    paragraphs: Sequence[str]
    live: Callable[[int], Sequence[str]] | None = None
