"""A tournament in the middle of its life as a client knows it, for tests of what is drawn of it."""

from typing import Any

from parlour.client.following import Followed
from parlour.protocol import messages as m
from parlour.protocol.codec import write_part

ID = "LEAGUE"
RULES: dict[str, Any] = {
    "name": "Sunday league",
    "game": "balloon-cup",
    "format": "swiss",
    "seed": "a seed",
    "seats": 2,
    "rounds": 3,
    "games": 2,
    "options": {},
    "clocks": {"decision": 20.0, "bank": 0.0, "scramble": 12.0, "grace": 60.0, "late": "stand_in"},
    "entry": {"who": "both", "names": [], "least": 2, "most": 64, "late": 2, "missed": "none"},
    "failures": {"late": "default", "crashed": "loss", "illegal": "loss", "absent": "strike", "strikes": 3},
    "starts": None,
    "tables": 16,
    "bye": "half",
    "replays": 2,
    "tie_breaks": [],
}


def info(phase: str = "running", **more: Any) -> m.TournamentInfo:
    usual: dict[str, Any] = {
        "tournament": ID,
        "name": "Sunday league",
        "game": "balloon-cup",
        "format": "swiss",
        "seats": 2,
        "phase": phase,
        "organiser": "Anna",
        "entrants": 4,
        "checked_in": 4,
        "round": 2,
        "rounds": 3,
        "starts": None,
        "published": None,
    }
    return m.TournamentInfo(**{**usual, **more})


def mean(middle: float) -> m.Mean:
    return m.Mean(4, middle, 0.05, middle - 0.1, middle + 0.1)


def standing(rank: int, name: str, points: float) -> m.Standing:
    breaks = {"buchholz": 3.0}
    return m.Standing(rank, name, points, 4, 2, 0, breaks, mean(0.5), mean(-0.1), 0, name == "Zoë")


def result(round_: int, table: int, game: int, *players: str) -> m.GameResult:
    places, none = tuple(range(1, len(players) + 1)), (0,) * len(players)
    return m.GameResult(
        round_, table, game, game, players, places, (), (), False, None, none, tuple(map(float, none))
    )


def followed(
    phase: str = "running", names: tuple[str, ...] = ("Anna", "Ben", "Zoë", "王芳"), **more: Any
) -> Followed:
    """After the first round, in the middle of the second."""
    entrants = [m.Entrant(name, name != "Anna", 1, name == "Zoë", True, None, 0) for name in names]
    pairs = [names[at : at + 2] for at in range(0, len(names) - 1, 2)]
    tables = tuple(m.PairedTable(number, pair, "") for number, pair in enumerate(pairs, 1))
    crosses = [m.Cross(one, other, 2, 1.5) for one in names for other in names if one != other]
    usual: dict[str, Any] = {
        "seq": 1,
        "info": info(phase),
        "rules": RULES,
        "entrants": tuple(entrants),
        "rounds": (m.Round(1, tables, (), "0" * 64), m.Round(2, tables, ("Emma",), None)),
        "results": (result(2, 1, 0, *pairs[0]),),
        "standings": tuple(standing(rank, name, 4.5 - rank) for rank, name in enumerate(names, 1)),
        "crosstable": tuple(crosses),
        "ratings": tuple(m.Rating(name, 25.0, 4.0, 17.0, 33.0, 4) for name in names),
    }
    return Followed.of(write_part(m.Picture(**{**usual, **more})))
