"""A finished tournament with all its games, and standings, ratings and crosstable as plain maps."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import fsum
from typing import Any, get_args

import attrs

from parlour.server.records.record import Record
from parlour.server.tournament import events
from parlour.server.tournament.events import binary, read_line
from parlour.server.tournament.history import FailureKind, Name, Result
from parlour.server.tournament.lifecycle import after, announced
from parlour.server.tournament.means import Mean
from parlour.server.tournament.ratings import Rating, Ratings, from_maps
from parlour.server.tournament.ratings import after as rated
from parlour.server.tournament.scores import Standing, crosstable, standings
from parlour.server.tournament.state import NotAllowed, Tournament

KINDS: tuple[FailureKind, ...] = get_args(FailureKind)
Spot = tuple[int, int, int]
"""A round, a table and a game, all as results count them."""


@attrs.frozen
class FinishedTournament:
    """A tournament and the records of its games: all that its folder is made from."""

    id: str
    build: str
    protocol: int
    lines: tuple[str, ...]
    """Its public events."""
    records: Mapping[Spot, Record]


def public_lines(lines: Iterable[str]) -> list[str]:
    """Leaves out the lines of private events."""
    return [line for line in lines if not isinstance(read_line(line), events.PRIVATE)]


def folded(lines: Iterable[str]) -> Iterator[tuple[events.Event, Tournament | None, Tournament]]:
    """Each event with the tournament before and after it; raises NotAllowed or Malformed."""
    now: Tournament | None = None
    for line in lines:
        before, event = now, read_line(line)
        now = announced(event) if before is None else _after(before, event)
        yield event, before, now


def _after(before: Tournament, event: events.Event) -> Tournament:
    """Applies an event as a server does, but without the start of the chain of secrets, which is private."""
    if isinstance(event, events.CheckInOpened) and before.secret is None and before.phase == "registration":
        return attrs.evolve(
            before, phase="check_in", cause="", published=binary("published", event.published)
        )
    return after(before, event)


def state(lines: Iterable[str]) -> Tournament:
    """The state after all lines; raises NotAllowed or Malformed."""
    steps = [now for _, _, now in folded(lines)]
    if not steps:
        raise NotAllowed("not_announced")
    return steps[-1]


def ratings_before(lines: Iterable[str]) -> dict[Name, Rating]:
    """Reads the ratings before the tournament from its last event; raises Malformed."""
    for line in reversed(list(lines)):
        event = read_line(line)
        if isinstance(event, events.Finished):
            return from_maps(event.ratings)
    return {}


# As plain maps


def number(value: float | None) -> float | None:
    """Rounds to so few digits that every machine computes the same ones."""
    return None if value is None else round(value, 6) + 0.0


def standing_maps(tournament: Tournament, ratings: Ratings) -> list[dict[str, Any]]:
    """From the first place down."""
    field = list(tournament.entrants.values())
    bots = {entrant.name: entrant.bot for entrant in field}
    failed, thought = failures(tournament.history.results), thinking(tournament.history.results)
    lost = Counter(name for result in tournament.history.results for name in result.forfeits)

    def row(standing: Standing) -> dict[str, Any]:
        name = standing.name
        return {
            "rank": standing.rank,
            "name": name,
            "bot": bots[name],
            "points": standing.points,
            "games": standing.games,
            "wins": standing.wins,
            "byes": standing.byes,
            "tie_breaks": {kind: number(value) for kind, value in standing.tie_breaks.items()},
            "share": _mean(standing.share),
            "adjusted": _mean(standing.adjusted),
            "rating": _rating(ratings.get(name, Rating())),
            "thinking": thought.get(name),
            "failures": {kind: failed[name, kind] for kind in KINDS},
            "forfeits": lost[name],
            "strikes": standing.strikes,
            "gone": standing.gone,
        }

    return [row(standing) for standing in standings(tournament.history, field, tournament.rules)]


def _mean(mean: Mean) -> dict[str, Any]:
    middle, low, high = map(number, (mean.mean, mean.low, mean.high))
    return {"turns": mean.count, "mean": middle, "low": low, "high": high}


def _rating(rating: Rating) -> dict[str, Any]:
    middle, low, high = map(number, (rating.mean, rating.low, rating.high))
    return {"mean": middle, "low": low, "high": high, "games": rating.games}


def failures(results: Iterable[Result]) -> Counter[tuple[Name, FailureKind]]:
    """Counts how often each player failed in which way."""
    counted: Counter[tuple[Name, FailureKind]] = Counter()
    for result in results:
        for failure in result.failures:
            counted[failure.name, failure.kind] += failure.times
    return counted


def thinking(results: Iterable[Result]) -> dict[Name, dict[str, Any]]:
    """By name: seconds of thought in all games, the way to the server left out, and for how many moves."""
    moves: Counter[Name] = Counter()
    times: dict[Name, list[float]] = defaultdict(list)
    for result in results:
        for name, count, took in zip(result.players, result.moves, result.thinking, strict=False):
            moves[name] += count
            times[name].append(took)
    return {name: {"moves": moves[name], "seconds": number(fsum(took))} for name, took in times.items()}


def cross_map(tournament: Tournament, order: Iterable[str]) -> dict[str, Any]:
    """The crosstable, its names in the order of the standings."""
    cells = crosstable(tournament.history)
    names = list(order)
    return {
        "names": names,
        "cells": {
            one: {
                other: attrs.asdict(cells[Name(one)][Name(other)])
                for other in names
                if other in cells[Name(one)]
            }
            for one in names
            if one in cells
        },
    }


def curves(tournament: Tournament, before: Ratings) -> list[dict[str, dict[str, Any]]]:
    """Everybody's rating at the start and after each round."""
    now: Ratings = {name: before.get(name, Rating()) for name in sorted(tournament.entrants)}
    points = [now]
    for round_ in tournament.history.rounds:
        now = rated(now, [one for one in tournament.history.results if one.round == round_.round])
        points.append(now)
    return [{name: _rating(ratings[Name(name)]) for name in sorted(ratings)} for ratings in points]


def last_ratings(tournament: Tournament, before: Ratings) -> dict[Name, Rating]:
    """The ratings after all games."""
    return rated(before, tournament.history.results)
