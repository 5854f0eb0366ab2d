"""Scores without the luck of the deal: each result against the mean of that seat on that deal."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from parlour.server.tournament.history import Name, Pace, Result, at_once
from parlour.server.tournament.means import Mean, mean

Share = Fraction
"""What a game brought of what it could have: 1 for a win, a half for the average, 0 for the last place."""
SHARE, ADJUSTED = (0.0, 1.0), (-1.0, 1.0)
"""Between what a mean of shares, and one of shares less par, can be."""
Spot = tuple[int, int, int]
"""A round, a deal and a seat."""


def shares(result: Result) -> tuple[Share, ...]:
    """By seat."""
    most = 2 * (len(result.players) - 1)
    return tuple(Fraction(halves, most) for halves in result.halves)


def par(results: Iterable[Result], pace: Pace = at_once) -> dict[Spot, Share]:
    """By seat and deal: the mean over all tables, if there are two whose game was played to its end."""
    made: dict[Spot, list[Share]] = defaultdict(list)
    for result in pace(results):
        if not result.void and not result.forfeits:
            for seat, share in enumerate(shares(result)):
                made[result.round, result.deal, seat].append(share)
    return {spot: sum(of, Fraction()) / len(of) for spot, of in pace(made.items()) if len(of) > 1}


def _turn(result: Result) -> tuple[int, int, int]:
    """Games in which everybody at a table had every seat once: they belong together."""
    return result.round, result.table, result.game // len(result.players)


def plain(results: Sequence[Result], pace: Pace = at_once) -> dict[Name, Mean]:
    """By name: the mean share of a game. Its error counts whole turns of all seats, not single games, among
    which a good seat would look like a good player."""
    return _means(((result, shares(result)) for result in results if not result.void), *SHARE, pace)


def adjusted(results: Sequence[Result], pace: Pace = at_once) -> dict[Name, Mean]:
    """By name: the mean of shares less par. A forfeit counts for who forfeits, not for the others."""
    usual = par(results, pace)
    found = []
    for result in pace(results):
        spots = [(result.round, result.deal, seat) for seat in range(len(result.players))]
        if not result.void and all(spot in usual for spot in spots):
            over = [share - usual[spot] for share, spot in zip(shares(result), spots, strict=True)]
            found.append((result, over))
    return _means(found, *ADJUSTED, pace, only_forfeits=True)


def _means(
    found: Iterable[tuple[Result, Sequence[Share]]],
    least: float,
    most: float,
    pace: Pace,
    *,
    only_forfeits: bool = False,
) -> dict[Name, Mean]:
    turns: Mapping[Name, dict[tuple[int, int, int], list[Share]]] = defaultdict(lambda: defaultdict(list))
    for result, values in pace(found):
        for name, value in zip(result.players, values, strict=True):
            if not only_forfeits or not result.forfeits or name in result.forfeits:
                turns[name][_turn(result)].append(value)
    return {
        name: mean((float(sum(values, Fraction()) / len(values)) for values in by_turn.values()), least, most)
        for name, by_turn in pace(turns.items())
    }
