"""Tie-breaks by their names: what decides between those with the same points."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

import attrs

from parlour.server.tournament.history import History, Name, Pace, at_once
from parlour.server.tournament.rules import TieBreak


@attrs.frozen
class Field:
    """What tie-breaks look at."""

    history: History
    points: Counter[Name]
    """In halves, byes included."""


def buchholz(field: Field, name: Name, _: Collection[Name]) -> Fraction:
    """The points of all opponents; a bye counts as an opponent with the player's own points."""
    met = sum(field.points[other] for other in field.history.company.get(name, ()))
    return Fraction(met + field.history.byes[name] * field.points[name], 2)


def sonneborn_berger(field: Field, name: Name, _: Collection[Name]) -> Fraction:
    """The points of all opponents whom the player has beaten, and half of those of draws, game by game."""
    return Fraction(sum(halves * field.points[other] for other, halves in _against(field, name)), 4)


def head_to_head(field: Field, name: Name, tied: Collection[Name]) -> Fraction:
    """The points from games against those who are still level with the player."""
    return Fraction(sum(halves for other, halves in _against(field, name) if other in tied), 2)


def mean_place(field: Field, name: Name, _: Collection[Name]) -> Fraction:
    """The mean place in a game; players without a game come last."""
    places = [place for result, place in field.history.games.get(name, ()) if not result.void]
    if not places:
        return Fraction(1 + max((len(result.places) for result in field.history.results), default=0))
    return Fraction(sum(places), len(places))


BREAKS: dict[TieBreak, Callable[[Field, Name, Collection[Name]], Fraction]] = {
    "buchholz": buchholz,
    "sonneborn_berger": sonneborn_berger,
    "head_to_head": head_to_head,
    "mean_place": mean_place,
}
LESS_IS_BETTER: frozenset[TieBreak] = frozenset({"mean_place"})


def _against(field: Field, name: Name) -> list[tuple[Name, int]]:
    """For each game and each opponent in it, what the player got from him: two half points, one or none."""
    return [each for result, _ in field.history.games.get(name, ()) for each in result.against(name)]


def order(
    field: Field, names: Sequence[Name], breaks: Sequence[TieBreak], pace: Pace = at_once
) -> tuple[list[list[Name]], Mapping[Name, dict[TieBreak, Fraction]]]:
    """Names from the best down, those who stay level together, and everybody's value in each tie-break."""
    values: dict[Name, dict[TieBreak, Fraction]] = {name: {} for name in names}
    groups = _parted({name: Fraction(field.points[name]) for name in names}, upwards=False)
    for kind in breaks:
        parted = []
        for group in groups:
            found = {name: BREAKS[kind](field, name, group) for name in pace(group)}
            for name, value in found.items():
                values[name][kind] = value
            parted += _parted(found, upwards=kind in LESS_IS_BETTER)
        groups = parted
    return groups, values


def _parted(values: Mapping[Name, Fraction], *, upwards: bool) -> list[list[Name]]:
    by_value: dict[Fraction, list[Name]] = defaultdict(list)
    for name, value in values.items():
        by_value[value].append(name)
    return [sorted(by_value[value]) for value in sorted(by_value, reverse=not upwards)]
