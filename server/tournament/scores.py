"""Standings and the crosstable as data: points, tie-breaks, and means with their errors."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import attrs

from parlour.server.tournament import knockout
from parlour.server.tournament.history import History, Name, Pace, at_once
from parlour.server.tournament.luck import adjusted, plain
from parlour.server.tournament.means import Mean
from parlour.server.tournament.pairing import seeded
from parlour.server.tournament.points import Entrant, totals
from parlour.server.tournament.rules import Rules
from parlour.server.tournament.tie_breaks import Field, order

NONE = Mean(0, None)


@attrs.frozen
class Standing:
    """One line of the standings."""

    rank: int
    """Shared by those whom no tie-break tells apart."""
    name: Name
    points: float
    games: int
    wins: int
    """First places, shared ones too if not everybody shares them."""
    byes: int
    tie_breaks: Mapping[str, float]
    share: Mean
    """Of what games could bring: a half is the average."""
    adjusted: Mean
    """The same against par, without the luck of the deal: 0 is the average."""
    strikes: int
    gone: bool


@attrs.frozen
class Cell:
    """Two entrants in the crosstable: how many games they had together, and what one got from the other."""

    games: int
    points: float


def standings(
    history: History, entrants: Sequence[Entrant], rules: Rules, pace: Pace = at_once
) -> list[Standing]:
    """From the first place down. The order in which results came in changes nothing."""
    points = totals(history, entrants, rules)
    names = sorted(entrant.name for entrant in entrants)
    groups, values = order(Field(history, points), names, rules.breaks(), pace)
    if rules.format == "knockout":
        groups = _by_stage(history, entrants, rules)
    shares, over = plain(history.results, pace), adjusted(history.results, pace)
    by_name = {entrant.name: entrant for entrant in entrants}
    byes, struck = history.byes, strikes(history, rules)
    found: list[Standing] = []
    for group in groups:
        rank = len(found) + 1
        for name in pace(group):
            games = [both for both in history.games.get(name, ()) if not both[0].void]
            found.append(
                Standing(
                    rank=rank,
                    name=name,
                    points=points[name] / 2,
                    games=len(games),
                    wins=sum(place == 1 and set(result.places) != {1} for result, place in games),
                    byes=byes[name],
                    tie_breaks={kind: float(value) for kind, value in values[name].items()},
                    share=shares.get(name, NONE),
                    adjusted=over.get(name, NONE),
                    strikes=struck.get(name, 0),
                    gone=by_name[name].gone,
                )
            )
    return found


def _by_stage(history: History, entrants: Sequence[Entrant], rules: Rules) -> list[list[Name]]:
    field = seeded(entrants, rules)
    here = {entrant.name for entrant in entrants if not entrant.gone}
    reached = knockout.ranking(knockout.stages(field, here, history, rules.replays), field)
    return [sorted(name for name in field if reached[name] == at) for at in sorted(set(reached.values()))]


def strikes(history: History, rules: Rules) -> dict[Name, int]:
    """Games with a failure for which the rules give a strike: one game, one strike."""
    counted: dict[Name, int] = defaultdict(int)
    for result in history.results:
        for name in {
            failure.name for failure in result.failures if getattr(rules.failures, failure.kind) == "strike"
        }:
            counted[name] += 1
    return dict(counted)


def crosstable(history: History, pace: Pace = at_once) -> dict[Name, dict[Name, Cell]]:
    """By one and other: what one got in games with the other. Nobody is there who played no game."""
    games: dict[tuple[Name, Name], list[int]] = defaultdict(list)
    for result in pace(history.results):
        if result.void:
            continue
        for one in result.players:
            for other, halves in result.against(one):
                games[one, other].append(halves)
    table: dict[Name, dict[Name, Cell]] = {}
    for one, other in pace(sorted(games)):
        got = games[one, other]
        table.setdefault(one, {})[other] = Cell(len(got), sum(got) / 2)
    return table
