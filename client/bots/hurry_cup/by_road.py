"""What is worked out for a road, once for as long as the road is driven on."""

from collections.abc import Callable
from typing import TypeVar

from parlour.engine.hurry_cup.road import Road

T = TypeVar("T")
MOST = 64
"""Of each kind; then all are forgotten."""


def by_road(make: Callable[[Road, int | None], T]) -> Callable[[Road, int | None], T]:
    """Makes a value once for each road, with oil somewhere on it.

    By the identity of the road: it is long to hash, and playouts look at one again and again.
    """
    found: dict[tuple[int, int | None], tuple[Road, T]] = {}

    def of(road: Road, oil: int | None) -> T:
        key = (id(road), oil)
        known = found.get(key)
        if known is not None and known[0] is road:
            return known[1]
        if len(found) >= MOST:
            found.clear()
        made = make(road, oil)
        found[key] = road, made
        return made

    return of
