"""What a grid of Butterflies is worth: windows of four cells in a line that may still become a row of a goal.

A window that holds another card than the goal's, or a webbed one, is blocked. All others count by how many of
the goal's cards they have. Goals are numbers, 0 to 3 the colours and 4 to 7 the species; each has a weight:
what it means to whoever looks or, for a goal of an opponent, how likely it is his.
"""

from collections.abc import Mapping, Sequence

from parlour.engine.butterflies.cards import WEB
from parlour.engine.butterflies.cells import ALONG
from parlour.engine.butterflies.public import ROW

COUNTED = (0.0, 0.3, 2.0, 14.0, 100.0)
"""By the goal's cards in a window: what it is worth."""
WINDOWS: tuple[tuple[int, ...], ...] = tuple(
    tuple(step * (place - back) for place in range(ROW)) for step in ALONG for back in range(ROW)
)
"""All windows with a cell, as steps from it."""
Weights = Sequence[float]


def colour_goal(card: int) -> int:
    return card & 3


def species_goal(card: int) -> int:
    return 4 + (card >> 2 & 3)


def gain(cards: Mapping[int, int], cell: int, card: int, weights: Weights) -> float:
    """What a card is worth to the windows through a free cell: what it brings nearer, less what it blocks."""
    colour, species = card & 3, 4 + (card >> 2 & 3)
    sum_ = 0.0
    for window in WINDOWS:
        # A goal that all cards of the window have; None once there are two.
        colour_there = species_there = -1
        count = 0
        for step in window:
            there = cards.get(cell + step)
            if there is None or not step:
                continue
            if there >= WEB:
                count = -1
                break
            count += 1
            if colour_there != -2:
                mine = there & 3
                colour_there = mine if colour_there in (-1, mine) else -2
            if species_there != -2:
                mine = 4 + (there >> 2 & 3)
                species_there = mine if species_there in (-1, mine) else -2
        if count < 0:
            continue
        if not count:
            sum_ += COUNTED[1] * (weights[colour] + weights[species])
            continue
        for alike, own in ((colour_there, colour), (species_there, species)):
            if alike == own:
                sum_ += (COUNTED[count + 1] - COUNTED[count]) * weights[own]
            elif alike >= 0:
                sum_ -= COUNTED[count] * weights[alike]
    return sum_


def webbed(cards: Mapping[int, int], cell: int, weights: Weights) -> float:
    """What a web on the card of this cell would change: all windows through it are lost to everybody."""
    card = cards[cell]
    rest = {place: other for place, other in cards.items() if place != cell}
    return -gain(rest, cell, card & 15, weights) - _open_without(rest, cell, weights)


def _open_without(cards: Mapping[int, int], cell: int, weights: Weights) -> float:
    """What the windows through a free cell are worth as they are."""
    sum_ = 0.0
    for window in WINDOWS:
        there = [cards[cell + step] for step in window if step and cell + step in cards]
        if not there or any(card >= WEB for card in there):
            continue
        for goal_of in (colour_goal, species_goal):
            goals = {goal_of(card) for card in there}
            if len(goals) == 1:
                sum_ += COUNTED[len(there)] * weights[goals.pop()]
    return sum_
