"""Caches by identity: what was written of a value, for as long as the value lives on."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")
MOST: Final = 8192
"""How many written values are kept; then the oldest goes for each new one. To forget them all at once takes
ten milliseconds, and somebody's move would wait for it."""


def cached_by_identity(write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Writes a value once for as long as it lives on, the very same one: values never change."""
    found: OrderedDict[int, tuple[Any, Any]] = OrderedDict()

    def write_once(value: Any) -> Any:
        known = found.get(id(value))
        if known is not None and known[0] is value:
            return known[1]
        if len(found) >= MOST:
            found.popitem(last=False)
        written = write(value)
        found[id(value)] = value, written
        return written

    return write_once


_LASTING: dict[int, Any] = {}
"""By id: values that live as long as the program."""


def lasting(values: tuple[T, ...]) -> tuple[T, ...]:
    """Has what is written of these values kept: a game has made them once and uses them again and again."""
    _LASTING.update((id(value), value) for value in values)
    return values


def kept_if_lasting(write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Writes a lasting value once, and any other every time."""
    found: dict[int, Any] = {}

    def write_once(value: Any) -> Any:
        known = found.get(id(value))
        if known is None:
            known = write(value)
            if id(value) in _LASTING:
                found[id(value)] = known
        return known

    return write_once
