"""Which goals are met, and whether one may be by the next card, from what everybody sees.

Clients ask about goals only then. It works on public words, so that whoever draws the game need not know the
rule of rows.
"""

from collections.abc import Collection, Iterable, Sequence

from parlour.engine.butterflies.public import COLOURS, ROW, SPECIES, At

_WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


def may_be_met(cards: Sequence[tuple[str, At]], goals: Iterable[str | None]) -> bool:
    """Whether a goal lacks one card of its row, or none; if all are face down, they may be any."""
    words = {word for word in goals if word is not None} or {*COLOURS, *SPECIES}
    return any(_in_a_row(_of(word, cards), ROW - 1) for word in words)


def rows_there(cards: Sequence[tuple[str, At]]) -> frozenset[str]:
    """The colours and species of which a whole row is there; webbed cards are to be left out."""
    return frozenset(word for word in (*COLOURS, *SPECIES) if _in_a_row(_of(word, cards), ROW))


def _of(word: str, cards: Sequence[tuple[str, At]]) -> Collection[At]:
    return {at for card, at in cards if word in card.split("-")}


def _in_a_row(cells: Collection[At], least: int) -> bool:
    """Whether so many of the places of some row are taken."""
    for x, y in cells:
        for right, down in _WAYS:
            for first in range(1 - ROW, 1):
                places = range(first, first + ROW)
                row = [(x + right * place, y + down * place) for place in places]
                if sum(at in cells for at in row) >= least:
                    return True
    return False
