"""Bridges: the cards whose lifting splits the others, and the parts that are left.

Cards are numbers from 0 and sets of cards are numbers with a bit for each, as in grid.py.
"""

from collections.abc import Sequence

from parlour.engine.butterflies.cards import BIT


def bridges(near: Sequence[int]) -> dict[int, list[int]]:
    """By bridge, the sets of cards that its lifting leaves, given by card the set of those beside it.

    Branches are cut off first, from their tips inwards. In what is left, if anything is, Tarjan's
    articulation points: walk the cards in depth; a card splits off what was met behind it if nothing there is
    beside a card on the way to it.
    """
    everything = (1 << len(near)) - 1
    near = [*near]
    behind = list(BIT[: len(near)])
    parts: dict[int, list[int]] = {}
    unmet = everything
    tips = [card for card, beside in enumerate(near) if not beside & (beside - 1)]
    for card in tips:
        unmet ^= BIT[card]
        if near[card]:
            before = near[card].bit_length() - 1
            parts.setdefault(before, []).append(behind[card])
            behind[before] |= behind[card]
            near[before] = beside = near[before] ^ BIT[card]
            if beside and not beside & (beside - 1):
                tips.append(before)
    card = first = unmet.bit_length() - 1 if unmet else tips[-1]
    unmet &= ~BIT[first]
    way: list[int] = []
    on_the_way = 0
    touched = near.copy()
    while True:
        ahead = near[card] & unmet
        if ahead:
            bit = ahead & -ahead
            unmet ^= bit
            on_the_way |= BIT[card]
            way.append(card)
            card = bit.bit_length() - 1
            continue
        if not way:
            break
        before = way.pop()
        on_the_way ^= BIT[before]
        if touched[card] & on_the_way:
            touched[before] |= touched[card]
        else:
            parts.setdefault(before, []).append(behind[card])
        behind[before] |= behind[card]
        card = before
    for card, split in parts.items():
        if card != first:
            split.append(everything ^ BIT[card] ^ sum(split))
    if first in parts and len(parts[first]) == 1:
        del parts[first]
    return parts
