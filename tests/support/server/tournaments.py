"""Small makers for tests of tournaments: fields, rules, and whole tournaments played by chance."""

import random
from collections.abc import Callable, Sequence

import attrs

from parlour.server.tournament.history import History, Name, Pairing, Result
from parlour.server.tournament.pairing import pairings
from parlour.server.tournament.points import Entrant
from parlour.server.tournament.rules import Rules

GAMES = {2: "balloon-cup", 3: "hurry-cup", 4: "hurry-cup", 5: "hurry-cup", 6: "hurry-cup"}


def rules(format_: str = "swiss", seats: int = 2, rounds: int | None = None, **more: object) -> Rules:
    given = {"name": "Cup", "game": GAMES[seats], "format": format_, "seed": "lots", "games": seats, **more}
    return Rules(**given, seats=seats, rounds=rounds)  # type: ignore[arg-type]


def field(size: int) -> list[Entrant]:
    return [Entrant(Name(f"bot-{number:03}")) for number in range(size)]


def result(round_: int, table: int, game: int, players: Sequence[str], places: Sequence[int]) -> Result:
    return Result(round_, table, game, tuple(map(Name, players)), tuple(places))


def by_chance(luck: random.Random, draws: float = 0.2) -> Callable[[Sequence[Name]], list[int]]:
    """Places that anybody may get; sometimes two share one."""

    def places(players: Sequence[Name]) -> list[int]:
        order = list(range(1, len(players) + 1))
        luck.shuffle(order)
        return [1] * len(players) if luck.random() < draws else order

    return places


def played(pairing: Pairing, games: int, places: Callable[[Sequence[Name]], list[int]]) -> tuple[Result, ...]:
    """All games of a round."""
    return tuple(
        result(pairing.round, table.number, game, seated, places(seated))
        for table in pairing.tables
        for game in range(games)
        for seated in [table.seating(game)]
    )


def after(history: History, pairing: Pairing, results: Sequence[Result]) -> History:
    return History((*history.rounds, pairing), (*history.results, *results))


def tournament(
    entrants: Sequence[Entrant],
    under: Rules,
    luck: random.Random,
    *,
    leaving: float = 0.0,
) -> tuple[History, list[Entrant]]:
    """Plays to the end; after each round everybody leaves with this probability."""
    history, entrants, places = History(), list(entrants), by_chance(luck)
    while (pairing := pairings(history, entrants, under)) is not None:
        history = after(history, pairing, played(pairing, under.games, places))
        entrants = [
            attrs.evolve(entrant, gone=entrant.gone or luck.random() < leaving) for entrant in entrants
        ]
    return history, entrants
