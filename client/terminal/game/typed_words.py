"""What somebody types against what can be chosen: which choices fit, which are near."""

import difflib
from collections.abc import Sequence

from parlour.client.terminal.keyboard import narrow, same_place

NEAR = 3
ALIKE = 0.15
"""What is less like it than this is not near."""
_LEFT_OUT = str.maketrans(dict.fromkeys(",:()（），：", " "))


def folded(text: str) -> str:
    """Without what people leave out when they type: case, commas, brackets, doubled spaces."""
    return " ".join(narrow(text).casefold().translate(_LEFT_OUT).split())


def fits(words: str, typed: str) -> bool:
    """Whether each typed word begins one of the words, each a different one.

    Keys of another layout count by their places.
    """
    left = folded(words).split()
    for piece in folded(typed).split():
        found = next((word for word in left if word.startswith((piece, same_place(piece)))), None)
        if found is None:
            return False
        left.remove(found)
    return True


def fitting(offered: Sequence[Sequence[str]], typed: str) -> list[int]:
    """The numbers of the choices that fit; each choice may be told in several ways. The exact ones win."""
    said = {folded(typed), same_place(folded(typed))}
    exact = [number for number, ways in enumerate(offered) if said & set(map(folded, ways))]
    return exact or [number for number, ways in enumerate(offered) if any(fits(way, typed) for way in ways)]


def led_by(offered: Sequence[Sequence[str]], typed: str) -> tuple[int, str] | None:
    """The one choice that the first words name, and the words after them, which belong to later steps."""
    return next(((numbers[0], rest) for numbers, rest in splits(offered, typed) if len(numbers) == 1), None)


def splits(offered: Sequence[Sequence[str]], typed: str) -> list[tuple[list[int], str]]:
    """The choices that the first words may name, and the words after them, which belong to later steps.

    One pair for each number of first words that name any; the most words come first.
    """
    pieces = folded(typed).split()
    found = [(fitting(offered, " ".join(pieces[:size])), size) for size in range(len(pieces), 0, -1)]
    return [(numbers, " ".join(pieces[size:])) for numbers, size in found if numbers]


def begins_whole(offered: Sequence[Sequence[str]], typed: str) -> bool:
    """Whether the first words are all the words of a choice, and not only the beginnings of some."""
    said = f"{folded(typed)} "
    return any(said.startswith(f"{folded(way)} ") for ways in offered for way in ways)


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
