"""What has happened in a tournament so far: who was paired with whom, who had a bye, how games ended."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Literal, NewType, Protocol, TypeVar

import attrs

Name = NewType("Name", str)
Pair = tuple[Name, Name]
"""Two entrants, in the order of the alphabet."""
FailureKind = Literal["late", "crashed", "illegal", "absent"]
Stake = Literal["", "final", "third"]
T = TypeVar("T")


class Pace(Protocol):
    """How long work goes through its items: in one go, or with pauses in which others are served."""

    def __call__(self, items: Iterable[T], /) -> Iterable[T]: ...


def at_once(items: Iterable[T], /) -> Iterable[T]:
    return items


@attrs.frozen
class PairedTable:
    """Who plays together in a round. They sit as listed in the first game, by `seating` in the others."""

    number: int
    players: tuple[Name, ...]
    stake: Stake = ""
    """What a table of a knockout is played for."""

    def seating(self, game: int) -> tuple[Name, ...]:
        """Who sits on which seat: everybody moves on by one with every game."""
        by = game % len(self.players)
        return self.players[-by:] + self.players[:-by] if by else self.players


@attrs.frozen
class Pairing:
    """One round: its tables, and who has none."""

    round: int
    tables: tuple[PairedTable, ...]
    byes: tuple[Name, ...] = ()


@attrs.frozen
class Failure:
    """A player was late, crashed, absent or sent an illegal action; the rules say what follows."""

    name: Name
    kind: FailureKind
    times: int = 1


@attrs.frozen
class Result:
    """How one game ended: by seat, who sat there and which place it got."""

    round: int
    table: int
    game: int
    """Counted from 0, as the deals are that all tables of the round share."""
    players: tuple[Name, ...]
    places: tuple[int, ...]
    failures: tuple[Failure, ...] = ()
    forfeits: tuple[Name, ...] = ()
    """Players who lost by rule and not on the board; their places come last."""
    void: bool = False
    """The game could not be finished, through no player's fault: everybody shares the first place."""
    spare: int | None = None
    """The number of the other deal on which it was played again after it had broken off."""
    replay: str | None = None
    """The id of its record in the archive; None if it was not dealt, or nothing is stored."""
    moves: tuple[int, ...] = ()
    """By seat: decisions that its player took."""
    thinking: tuple[float, ...] = ()
    """By seat: seconds for all of them, without the way to and from the server."""

    @property
    def deal(self) -> int:
        return self.game if self.spare is None else self.spare

    @property
    def halves(self) -> tuple[int, ...]:
        """By seat, in half points: two for everybody beaten, one for everybody with the same place."""
        return tuple(sum(halves for _, halves in self.against(name)) for name in self.players)

    def against(self, name: Name) -> list[tuple[Name, int]]:
        """What a player got from each of the others, in half points: nothing after a forfeit."""
        if name in self.forfeits:
            return [(other, 0) for other in self.players if other != name]
        mine = self.places[self.players.index(name)]
        return [
            (other, 2 if mine < theirs else int(mine == theirs))
            for other, theirs in zip(self.players, self.places, strict=True)
            if other != name
        ]

    def place(self, name: Name) -> int:
        """A player's place; those who forfeit have the last one, even if all do."""
        return len(self.players) if name in self.forfeits else self.places[self.players.index(name)]


def pair(one: Name, other: Name) -> Pair:
    return (one, other) if one < other else (other, one)


def pairs(players: Iterable[Name]) -> Iterator[Pair]:
    """Everybody with everybody else."""
    return combinations(sorted(players), 2)


@attrs.frozen
class History:
    """All rounds paired and all games finished so far."""

    rounds: tuple[Pairing, ...] = ()
    results: tuple[Result, ...] = ()

    @cached_property
    def met(self) -> Counter[Pair]:
        """How often two have been at one table."""
        return Counter(
            both for round_ in self.rounds for table in round_.tables for both in pairs(table.players)
        )

    @cached_property
    def byes(self) -> Counter[Name]:
        """How often each had no table."""
        return Counter(name for round_ in self.rounds for name in round_.byes)

    @cached_property
    def halves(self) -> Counter[Name]:
        """Half points from games alone."""
        won: Counter[Name] = Counter()
        for result in self.results:
            for name, halves in zip(result.players, result.halves, strict=True):
                won[name] += halves
        return won

    @cached_property
    def games(self) -> Mapping[Name, Sequence[tuple[Result, int]]]:
        """By name: the games of a player, each with the place in it."""
        found: dict[Name, list[tuple[Result, int]]] = {}
        for result in self.results:
            for name in result.players:
                found.setdefault(name, []).append((result, result.place(name)))
        return found

    @cached_property
    def company(self) -> Mapping[Name, Sequence[Name]]:
        """By name: all opponents of a player, once for each round."""
        found: dict[Name, list[Name]] = {}
        for round_ in self.rounds:
            for table in round_.tables:
                for name in table.players:
                    found.setdefault(name, []).extend(other for other in table.players if other != name)
        return found
