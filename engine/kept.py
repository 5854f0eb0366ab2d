"""What was written of a value, kept for as long as the value lives on."""

from collections.abc import Callable
from typing import Any, Final

KEPT: Final = 8192
"""How many written values are kept; then all are forgotten, which costs less than to know the oldest."""


def kept(write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Writes a value once for as long as it lives on, the very same one: values never change."""
    found: dict[int, tuple[Any, Any]] = {}

    def write_once(value: Any) -> Any:
        known = found.get(id(value))
        if known is not None and known[0] is value:
            return known[1]
        if len(found) >= KEPT:
            found.clear()
        written = write(value)
        found[id(value)] = value, written
        return written

    return write_once
