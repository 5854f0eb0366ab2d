"""What somebody types against what can be chosen: how well it fits, which choices are near."""

import difflib
import enum
import functools
import re
from collections.abc import Sequence

from parlour.client.terminal.keyboard import narrow, same_place

NEAR = 3
ALIKE = 0.15
"""What is less like it than this is not near."""
_LEFT_OUT = str.maketrans({**dict.fromkeys(",:()（），：", " "), "ё": "е"})
_CELL = re.compile(r"(?<![\w-])(-?\d+)\s*,\s*(-?\d+)(?!\w)")
Group = tuple[str, ...]
"""A word, or the two numbers of a cell, which stand together and in their order."""


class Fit(enum.IntEnum):
    """How well typed words fit those of a choice; the worst of them decides."""

    NOT = 0
    UNFINISHED = 1
    """A number or a cell lacks its end: it is not that one yet, and may become it."""
    BEGUN = 2
    """Each typed word begins a word of the choice."""
    WHOLE = 3
    """Each typed word is a word of the choice."""
    EXACT = 4
    """And the choice has no other words."""


def folded(text: str) -> str:
    """Without what people leave out when they type: case, commas, brackets, doubled spaces."""
    return " ".join(narrow(text).casefold().translate(_LEFT_OUT).split())


@functools.lru_cache(maxsize=4096)
def _groups(way: str) -> tuple[Group, ...]:
    found: list[Group] = []
    end = 0
    text = narrow(way)
    for cell in _CELL.finditer(text):
        found += [(word,) for word in folded(text[end : cell.start()]).split()]
        found.append((cell[1], cell[2]))
        end = cell.end()
    return (*found, *((word,) for word in folded(text[end:]).split()))


def fit(way: str, typed: Sequence[str], ordered: bool = False) -> Fit:
    """How well folded words fit; each counts for a different word, and numbers stand in the order typed.

    So do all words, where it is asked for. Keys of another layout count by their places.
    """
    groups = _groups(way)
    found = _fit(groups, tuple(typed), frozenset(), -1, ordered)
    return Fit.EXACT if found is Fit.WHOLE and len(typed) == sum(map(len, groups)) else found


def _fit(
    groups: Sequence[Group], typed: Sequence[str], used: frozenset[int], last: int, ordered: bool
) -> Fit:
    """The best fit of words with groups that are not used, and of what has an order only with later ones."""
    if not typed:
        return Fit.WHOLE
    best = Fit.NOT
    for place, group in enumerate(groups):
        has_order = ordered or _is_number(group[0])
        if place in used or (has_order and place < last):
            continue
        here = _fit_group(group, typed)
        if here <= best:
            continue
        rest = typed[len(group) :]
        best = max(best, min(here, _fit(groups, rest, used | {place}, place if has_order else last, ordered)))
        if best is Fit.WHOLE:
            break
    return best


def _fit_group(group: Group, typed: Sequence[str]) -> Fit:
    """How well the first words fit a group; a cell that lacks its end may only be the last."""
    if len(group) == 1:
        return max(_fit_word(group[0], piece) for piece in (typed[0], same_place(typed[0])))
    said = typed[: len(group)]
    if tuple(said) == group:
        return Fit.WHOLE
    *before, last = said
    lacks_end = len(typed) <= len(group) and group[len(before)].startswith(last)
    return Fit.UNFINISHED if lacks_end and tuple(before) == group[: len(before)] else Fit.NOT


def _fit_word(word: str, piece: str) -> Fit:
    if word == piece:
        return Fit.WHOLE
    if not word.startswith(piece):
        return Fit.NOT
    # 1 is not 13, nor is r1 r13; but r may stand for it.
    return Fit.UNFINISHED if _is_number(f"{piece[-1]}0") and word[len(piece)].isdigit() else Fit.BEGUN


def _is_number(word: str) -> bool:
    return word.removeprefix("-").isdigit()


def fitting(offered: Sequence[Sequence[str]], typed: str) -> list[int]:
    """The numbers of the choices that fit; each choice may be told in several ways. The exact ones win."""
    words = folded(typed).split()
    fits = [max(fit(way, words) for way in ways) for ways in offered]
    least = Fit.EXACT if Fit.EXACT in fits else Fit.UNFINISHED
    return [number for number, each in enumerate(fits) if each >= least]


def nearest(offered: Sequence[Sequence[str]], typed: str) -> list[int]:
    """The numbers of the choices most like what was typed; the first ones if nothing is like it."""
    likeness = {
        number: max(_like(folded(way), folded(typed)) for way in ways) for number, ways in enumerate(offered)
    }
    close = sorted(
        (number for number in likeness if likeness[number] > ALIKE), key=lambda each: -likeness[each]
    )
    return close[:NEAR] or list(range(min(NEAR, len(offered))))


def _like(way: str, typed: str) -> float:
    """From 0 to 1; to begin alike counts as much as all the rest."""
    same = [one == other for one, other in zip(way, typed, strict=False)]
    begun = (same.index(False) if False in same else len(same)) / max(1, len(typed))
    return (begun + difflib.SequenceMatcher(None, way, typed).ratio()) / 2
