"""Bridges: the cards whose lifting splits the others, and the parts that are left.

Cards are numbers from 0 and sets of cards are numbers with a bit for each, as in grid.py.
"""

from collections.abc import Sequence

from parlour.engine.butterflies.cards import BIT


def bridges(near: Sequence[int]) -> dict[int, list[int]]:
    """By bridge, the sets of cards that its lifting leaves, given by card the set of those beside it.

    Tarjan's articulation points: walk the cards in depth; a card splits off what was met behind it if nothing
    there is beside a card on the way to it. Tips, cards beside one other only, need no walk.
    """
    size = len(near)
    tips = 0
    for bit, beside in zip(BIT, near, strict=False):
        if not beside & (beside - 1):
            tips |= bit
    everything = (1 << size) - 1
    unmet = everything & ~tips
    if not unmet:
        return {}
    card = first = unmet.bit_length() - 1
    unmet ^= BIT[first]
    way: list[int] = []
    on_the_way = 0
    behind = list(BIT[:size])
    touched = list(near)
    parts: dict[int, list[int]] = {}
    while True:
        ahead = near[card] & unmet
        if ahead:
            bit = ahead & -ahead
            unmet ^= bit
            on_the_way |= BIT[card]
            way.append(card)
            card = bit.bit_length() - 1
            continue
        ahead = near[card] & tips
        if ahead:
            behind[card] |= ahead
            if card not in parts:
                parts[card] = []
            while ahead:
                bit = ahead & -ahead
                parts[card].append(bit)
                ahead ^= bit
        if not way:
            break
        before = way.pop()
        on_the_way ^= BIT[before]
        if touched[card] & on_the_way:
            touched[before] |= touched[card]
        elif before in parts:
            parts[before].append(behind[card])
        else:
            parts[before] = [behind[card]]
        behind[before] |= behind[card]
        card = before
    for card, split in parts.items():
        if card != first:
            split.append(everything ^ BIT[card] ^ sum(split))
    if first in parts and len(parts[first]) == 1:
        del parts[first]
    return parts
