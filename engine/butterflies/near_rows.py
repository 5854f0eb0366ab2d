"""Whether a goal may be met by the next card, from what everybody sees: clients need not ask before that.

It works on public words, so that whoever draws the game need not know the rule of rows.
"""

from collections.abc import Collection, Iterable, Sequence

from parlour.engine.butterflies.public import COLOURS, ROW, SPECIES, At

_WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


def may_be_met(cards: Sequence[tuple[str, At]], goals: Iterable[str | None]) -> bool:
    """Whether a goal lacks one card of its row, or none; if all are face down, they may be any."""
    words = {word for word in goals if word is not None} or {*COLOURS, *SPECIES}
    return any(_lacks_one({at for card, at in cards if word in card.split("-")}) for word in words)


def _lacks_one(cells: Collection[At]) -> bool:
    """Whether all but one of some places in a row are taken."""
    for x, y in cells:
        for right, down in _WAYS:
            for first in range(1 - ROW, 1):
                places = range(first, first + ROW)
                row = [(x + right * place, y + down * place) for place in places]
                if sum(at in cells for at in row) >= ROW - 1:
                    return True
    return False
