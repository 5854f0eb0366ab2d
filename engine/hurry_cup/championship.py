"""Places in a race, points for it, and the standings of a championship."""

from parlour.engine.hurry_cup.public import POINTS_FOR_FINISHING
from parlour.engine.hurry_cup.track import FINISH


def race_places(cars: tuple[int, ...], finished: tuple[int, ...]) -> tuple[int, ...]:
    """Cars that are home in their order, then by section; equal sections share the place."""
    return tuple(
        [
            finished.index(seat) + 1 if seat in finished else 1 + sum(other > car for other in cars)
            for seat, car in enumerate(cars)
        ]
    )


def points(cars: tuple[int, ...]) -> tuple[int, ...]:
    """For each car the sections between it and the last, and more for coming home."""
    last = min(cars)
    return tuple([car - last + (POINTS_FOR_FINISHING if car == FINISH else 0) for car in cars])


def standings(points_: tuple[int, ...], wins: tuple[int, ...]) -> tuple[int, ...]:
    """Places by points, then by races won; who is equal in both shares the place."""
    scores = list(zip(points_, wins, strict=True))
    return tuple([1 + sum(other > score for other in scores) for score in scores])


def first_starter(starter: int, race: int, round_: int, seats: int) -> int:
    """Who started the first race: each race and each round is started one seat further to the left."""
    return (starter - (race - 1) - (round_ - 1)) % seats
