"""What somebody types against what can be chosen: which entries fit, which are near."""

import difflib
from collections.abc import Sequence

NEAR = 3
_LEFT_OUT = str.maketrans(dict.fromkeys(",:()（），：", " "))


def folded(text: str) -> str:
    """Without what people leave out when they type: case, commas, brackets, doubled spaces."""
    return " ".join(text.casefold().translate(_LEFT_OUT).split())


def fits(words: str, typed: str) -> bool:
    """Whether each typed word begins one of the words, each a different one."""
    left = folded(words).split()
    for piece in folded(typed).split():
        found = next((word for word in left if word.startswith(piece)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def fitting(offered: Sequence[Sequence[str]], typed: str) -> list[int]:
    """The numbers of the entries that fit; each entry may be told in several ways. The exact ones win."""
    exact = [number for number, ways in enumerate(offered) if folded(typed) in map(folded, ways)]
    return exact or [number for number, ways in enumerate(offered) if any(fits(way, typed) for way in ways)]


def led_by(offered: Sequence[Sequence[str]], typed: str) -> tuple[int, str] | None:
    """The one entry that the first words name, and the words after them, which belong to later steps."""
    pieces = folded(typed).split()
    for size in range(len(pieces), 0, -1):
        found = fitting(offered, " ".join(pieces[:size]))
        if len(found) == 1:
            return found[0], " ".join(pieces[size:])
    return None


def nearest(offered: Sequence[Sequence[str]], typed: str) -> list[int]:
    """The numbers of the entries most like what was typed; the first ones if nothing is like it."""
    ways = [(folded(way), number) for number, each in enumerate(offered) for way in each]
    close = difflib.get_close_matches(folded(typed), [way for way, _ in ways], n=NEAR * 2, cutoff=0.3)
    found = [number for way in close for told, number in ways if told == way]
    return list(dict.fromkeys(found))[:NEAR] or list(range(min(NEAR, len(offered))))
