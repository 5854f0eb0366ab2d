"""Ratings with error bars (openskill), one list for each game, from one tournament to the next."""

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

import attrs
from openskill.models import BradleyTerryFull

from parlour.engine.errors import Malformed
from parlour.engine.plain import short_repr
from parlour.server.tournament.history import Name, Result
from parlour.server.tournament.means import NORMAL

# Of openskill's models this one keeps the order where places are shared: Plackett-Luce, its default, can rate
# a third place as high as a shared second. For two players both are the same.
_MODEL = BradleyTerryFull()


@attrs.frozen
class Rating:
    """How strong somebody is believed to be, and how sure that is."""

    mean: float = _MODEL.mu
    error: float = _MODEL.sigma
    games: int = 0

    @property
    def low(self) -> float:
        """The truth is in between 95 times in 100."""
        return self.mean - NORMAL * self.error

    @property
    def high(self) -> float:
        return self.mean + NORMAL * self.error


Ratings = Mapping[Name, Rating]
"""The ratings of one game. Players who are missing have played none."""


def after(ratings: Ratings, results: Iterable[Result]) -> dict[Name, Rating]:
    """The ratings once these games count too, taken by round, table and game, however they came in.

    Games that broke off tell nothing of strength, and neither do those to which somebody did not come or that
    everybody forfeited.
    """
    found = dict(ratings)
    for result in sorted(results, key=lambda result: (result.round, result.table, result.game)):
        if result.void or any(failure.kind == "absent" for failure in result.failures):
            continue
        if set(result.forfeits) == set(result.players):
            continue
        old = [found.get(name, Rating()) for name in result.players]
        teams = [[_MODEL.rating(mu=rating.mean, sigma=rating.error)] for rating in old]
        new = _MODEL.rate(teams, ranks=[float(place) for place in result.places])
        for name, before, (rated,) in zip(result.players, old, new, strict=True):
            found[name] = Rating(rated.mu, rated.sigma, before.games + 1)
    return found


def to_maps(ratings: Ratings) -> dict[str, dict[str, Any]]:
    """As plain maps, by name."""
    return {name: attrs.asdict(ratings[name]) for name in sorted(ratings)}


def from_maps(plain: Any) -> dict[Name, Rating]:
    """Raises Malformed with the path of what is wrong."""
    if not isinstance(plain, Mapping):
        raise Malformed("", f"must be a map, not {short_repr(plain)}")
    return {Name(name): _rating(str(name), given) for name, given in plain.items()}


def _rating(name: str, given: Any) -> Rating:
    if not isinstance(given, Mapping) or set(given) != {"mean", "error", "games"}:
        raise Malformed(name, f"must be a map of mean, error and games, not {short_repr(given)}")
    for part in ("mean", "error"):
        number = given[part]
        if type(number) not in (int, float) or not isfinite(number):
            raise Malformed(f"{name}.{part}", f"must be a number, not {short_repr(number)}")
    if given["error"] <= 0:
        raise Malformed(f"{name}.error", f"must be above 0, not {short_repr(given['error'])}")
    if type(given["games"]) is not int or given["games"] < 0:
        raise Malformed(f"{name}.games", f"must be a count, not {short_repr(given['games'])}")
    return Rating(float(given["mean"]), float(given["error"]), given["games"])


def strength(rating: Rating) -> int:
    """The lower bound of a rating, in hundredths: the order of a field at its start."""
    return round(100 * rating.low)
