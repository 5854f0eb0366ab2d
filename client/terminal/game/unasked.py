"""Fields that nobody needs to be asked about now, so that a move takes no more steps than it must."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from parlour.client.boards.butterflies.grid import COLOURS, SPECIES
from parlour.client.legal import Pattern
from parlour.engine.butterflies import public as butterflies

View = Mapping[str, Any]
Cell = tuple[int, int]
_WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


def unasked(game: str, view: View, legal: Sequence[Pattern]) -> tuple[Pattern, ...]:
    """The patterns, with what is not worth a question settled: a goal that no card could meet now.

    Whoever wants to declare it all the same has an action of its own for that.
    """
    if game != "butterflies" or _near(view):
        return tuple(legal)
    return tuple({**pattern, "declare": None} if _may_be_left_out(pattern) else pattern for pattern in legal)


def _may_be_left_out(pattern: Pattern) -> bool:
    field = pattern.get("declare")
    return isinstance(field, Mapping) and None in field.get("one_of", ())


def _near(view: View) -> bool:
    """Whether a goal may lack one card of its row, or none; one that is face down may be any."""
    goals = [word for goals in view["goals"] for word in goals.values()]
    words = {word for word in goals if word is not None} or {*COLOURS, *SPECIES}
    return any(_lacks_one(_cells(view, word)) for word in words)


def _cells(view: View, word: str) -> set[Cell]:
    return {(each["at"][0], each["at"][1]) for each in view["grid"] if word in each["card"].split("-")}


def _lacks_one(cells: Collection[Cell]) -> bool:
    """Whether all but one of some places in a row are taken."""
    for x, y in cells:
        for right, down in _WAYS:
            for first in range(1 - butterflies.ROW, 1):
                places = range(first, first + butterflies.ROW)
                row = [(x + right * place, y + down * place) for place in places]
                if sum(at in cells for at in row) >= butterflies.ROW - 1:
                    return True
    return False
