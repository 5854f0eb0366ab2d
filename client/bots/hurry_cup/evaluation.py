"""What a place on the road is worth in Hurry' Cup: how many more rounds a car needs from there.

Worked out from the finish backwards, for a driver who has no tokens, gets the better of two dice, and stops
where the rest of the road is shortest, which is not always as far as he could go.
"""

import functools

from parlour.client.bots.hurry_cup.by_road import by_road
from parlour.engine.hurry_cup.road import Road, closed, detours, entered, reach
from parlour.engine.hurry_cup.track import FINISH

DICE = range(1, 7)
STUCK = 40.0
"""Rounds, for a car that no die would move: more than any race has."""


class Rest:
    """The rest of a road, with oil somewhere on it, for a driver without tokens."""

    def __init__(self, road: Road, oil: int | None) -> None:
        self.road, self.oil = road, oil
        self.left = rounds_left(road, oil)
        self._after: dict[int, float] = {}

    def after_drive(self, car: int, fuel: int, speed: int) -> float:
        """The rounds that are left after a drive without tokens, in tens of speed."""
        key = (car * 8 + fuel) * 16 + speed
        found = self._after.get(key)
        if found is None:
            most = reach(closed(self.road, speed, self.oil), car, fuel)
            found = self._after[key] = min(self.left[car + 1 : car + most + 1], default=self.left[car])
        return found

    def after_detour(self, car: int, fuel: int, speed: int) -> float | None:
        """The same for the best drive that leaves the road; None if there is none."""
        road, left = self.road, self.left
        shut = closed(road, speed, self.oil)
        ends = [
            left[entered(road, car, steps, leaves)[-1]]
            for leaves, least, most in detours(road, shut, car, fuel)
            for steps in range(least, most + 1)
        ]
        return min(ends, default=None)


rest_of = by_road(Rest)


@functools.lru_cache(maxsize=256)
def rounds_left(road: Road, oil: int | None) -> tuple[float, ...]:
    """By section, 0 to the finish: the rounds that are still expected."""
    found = [0.0] * (FINISH + 1)
    for car in range(FINISH - 1, -1, -1):
        moved = stays = 0.0
        for accelerator in DICE:
            best = [_best(road, oil, found, car, fuel, fuel + accelerator) for fuel in DICE]
            for one in best:
                for other in best:
                    if one is None and other is None:
                        stays += 1
                    else:
                        moved += min([value for value in (one, other) if value is not None])
        weight = 6 * 36.0
        found[car] = STUCK if stays == weight else (weight + moved) / (weight - stays)
    return tuple(found)


def _best(road: Road, oil: int | None, left: list[float], car: int, fuel: int, speed: int) -> float | None:
    most = reach(closed(road, speed, oil), car, fuel)
    return min(left[car + 1 : car + most + 1], default=None)
