"""What a place on the road with these tokens is worth in Hurry' Cup: the rounds that are still needed.

By dynamic programming from the finish backwards, over sections and sets of tokens, with the expectation over
the dice: a driver gets the better of two dice, or the best of all if he honks, and uses one token a round
where it saves most.
"""

import functools

from parlour.client.bots.hurry_cup.by_road import by_road
from parlour.client.bots.hurry_cup.evaluation import DICE, STUCK, rest_of
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup.road import Road, closed, reach
from parlour.engine.hurry_cup.track import FINISH

CHANCE = 8
"""The second chance, above the three trumps."""
SETS = 16
TWO_DICE = (11 / 36, 9 / 36, 7 / 36, 5 / 36, 3 / 36, 1 / 36)
"""How likely each of six values, best first, is the best of two."""
ALL_DICE = tuple((left**4 - (left - 1) ** 4) / 6**4 for left in range(6, 0, -1))
"""The same for four dice."""
Table = list[list[float]]
"""By set of tokens and section."""


def tokens(kit: int) -> int:
    """The set of a kit: trumps and the second chance."""
    return kit & k.EVERY_TRUMP | (CHANCE if kit & k.SECOND_CHANCE else 0)


@functools.lru_cache(maxsize=64)
def prospects(road: Road) -> Table:
    """By set of tokens and section: the rounds that are still expected on a road without oil."""
    found: Table = [[0.0] * (FINISH + 2) for _ in range(SETS)]
    # Whoever stays gets a second chance: sets with one come first.
    order = [*range(CHANCE, SETS), *range(CHANCE)]
    for car in range(FINISH - 1, -1, -1):
        free = [[reach(closed(road, speed, None), car, fuel) for speed in range(13)] for fuel in range(7)]
        for held in order:
            found[held][car] = _expected(found, free, car, held)
    return found


def _expected(found: Table, free: list[list[int]], car: int, held: int) -> float:
    """One more round and what is left after it; a car that stays is where it was."""
    here = found[held | CHANCE][car] if not held & CHANCE else found[held][car + 1] + 0.6
    for _ in range(2):
        sum_ = 0.0
        for accelerator in DICE:
            values = sorted([_with(found, free, car, held, fuel, accelerator, here) for fuel in DICE])
            quiet = sum([share * value for share, value in zip(TWO_DICE, values, strict=True)])
            if held & k.HORN:
                left = held ^ k.HORN
                values = sorted([_plain(found, free, car, left, fuel, accelerator, here) for fuel in DICE])
                quiet = min(
                    quiet, sum([share * value for share, value in zip(ALL_DICE, values, strict=True)])
                )
            sum_ += quiet
        expected = min(STUCK, 1 + sum_ / len(DICE))
        if not held & CHANCE:
            break
        here = expected
    return expected


def _plain(
    found: Table, free: list[list[int]], car: int, held: int, fuel: int, accelerator: int, here: float
) -> float:
    """What a die is worth without a token."""
    most = free[fuel][fuel + accelerator]
    return min(found[held][car + 1 : car + most + 1], default=here)


def _with(
    found: Table, free: list[list[int]], car: int, held: int, fuel: int, accelerator: int, here: float
) -> float:
    """What a die is worth with the token that helps most."""
    most = free[fuel][fuel + accelerator]
    best = min(found[held][car + 1 : car + most + 1], default=here)
    if held & k.NITRO and most == fuel and car + fuel < FINISH:
        best = min(best, found[held ^ k.NITRO][car + fuel + 1])
    if held & k.HELMET:
        far = free[fuel][fuel]
        best = min(best, min(found[held ^ k.HELMET][car + 1 : car + far + 1], default=here))
    if held & CHANCE and best > found[held][min(FINISH, car + 3)]:
        again = [_plain(found, free, car, held ^ CHANCE, other, accelerator, here) for other in DICE]
        best = min(best, sum(again) / len(again))
    return best


class Prospect:
    """The same with oil on the road and bonuses in the kit."""

    def __init__(self, road: Road, oil: int | None) -> None:
        self.road, self.oil = road, oil
        table = prospects(road)
        if oil is not None:
            dry, wet = rest_of(road, None).left, rest_of(road, oil).left
            slower = [with_ - without for with_, without in zip(wet, dry, strict=True)]
            table = [[value + more for value, more in zip(row, [*slower, 0.0], strict=True)] for row in table]
        self._table = table
        self._values: dict[int, list[float]] = {}

    def of(self, kit: int) -> list[float]:
        """By section: the rounds that are left with this kit."""
        found = self._values.get(kit)
        if found is None:
            row = self._table[tokens(kit)]
            bonuses = sum([value for bonus, value in enumerate(BONUS_VALUES) if kit & k.BONUS_BIT[bonus]])
            if kit & k.BONUS_BIT[k.ASSIST] and not kit >> k.SPENT & k.EVERY_TRUMP:
                bonuses *= 0.8
            found = [left - bonuses * min(1.0, max(0.0, left - 1) / FAR) for left in row]
            self._values[kit] = found
        return found


BONUS_VALUES = (0.3, 0.45, 0.4, 0.2, 0.35, -0.55)
"""Rounds that each bonus saves, far from the finish: detour, boost, assist, oil, swap, empty tank."""
FAR = 6.0
"""Rounds to go at which bonuses have their full worth."""
prospect_of = by_road(Prospect)
