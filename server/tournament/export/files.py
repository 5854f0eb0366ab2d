"""The files of a tournament's folder, and the text of each."""

import json
from collections.abc import Mapping
from typing import Any

import attrs

from parlour.engine.maps import to_map
from parlour.machine.output import printable_json
from parlour.server.records import replay_file
from parlour.server.tournament.export.facts import (
    FinishedTournament,
    Spot,
    cross_map,
    curves,
    last_ratings,
    ratings_before,
    standing_maps,
    state,
)
from parlour.server.tournament.export.tables import crosstable_csv, standings_csv
from parlour.server.tournament.state import Tournament

FORMAT = 1
TOURNAMENT, STANDINGS, CROSSTABLE = "tournament.json", "standings.json", "crosstable.json"
STANDINGS_CSV, CROSSTABLE_CSV, REPORT = "standings.csv", "crosstable.csv", "report.html"
GAMES = "games"


@attrs.frozen
class Facts:
    """What the files of a folder say, but for its games: all of it follows from its events."""

    tournament: Mapping[str, Any]
    standings: list[dict[str, Any]]
    crosstable: Mapping[str, Any]


def game_file(spot: Spot) -> str:
    """The file of a game: people count games from 1."""
    round_, table, game = spot
    return f"{GAMES}/round-{round_:02}-table-{table:02}-game-{game + 1:02}{replay_file.SUFFIX}"


def facts(tournament: FinishedTournament) -> Facts:
    """Raises NotAllowed or Malformed for lines that are no tournament."""
    now, before = state(tournament.lines), ratings_before(tournament.lines)
    rows = standing_maps(now, last_ratings(now, before))
    cross = cross_map(now, [row["name"] for row in rows])
    return Facts(
        {**_tournament(tournament, now), "ratings": curves(now, before), **_bulk(tournament)}, rows, cross
    )


def _tournament(tournament: FinishedTournament, now: Tournament) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "tournament": tournament.id,
        "build": tournament.build,
        "protocol": tournament.protocol,
        "phase": now.phase,
        "rules": now.rules.plain(),
        "published": None if now.published is None else now.published.hex(),
        "secrets": [secret.hex() for secret in now.revealed],
        "entrants": [
            {**to_map(entrant), "nonce": now.nonces.get(entrant.name)} for entrant in now.entrants.values()
        ],
    }


def _bulk(tournament: FinishedTournament) -> dict[str, Any]:
    """What fills most of the file, at its end."""
    return {
        "games": [
            {
                "file": game_file(spot),
                **dict(zip(("round", "table", "game"), spot, strict=True)),
                "head": tournament.records[spot].end.head,
            }
            for spot in sorted(tournament.records)
        ],
        "events": [json.loads(line) for line in tournament.lines],
    }


def files(tournament: FinishedTournament) -> dict[str, str]:
    """Every file by its name, but for the report, whose words are made by the client."""
    found = facts(tournament)
    games = {
        game_file(spot): replay_file.write(tournament.records[spot]) for spot in sorted(tournament.records)
    }
    return {**tables(found), **games}


def tables(found: Facts) -> dict[str, str]:
    """The files with facts."""
    return {
        TOURNAMENT: _by_lines(found.tournament),
        STANDINGS: _by_lines({"standings": found.standings}),
        STANDINGS_CSV: standings_csv(found.standings),
        CROSSTABLE: _by_lines(found.crosstable),
        CROSSTABLE_CSV: crosstable_csv(found.crosstable),
    }


def _by_lines(plain: Mapping[str, Any]) -> str:
    """A map as JSON: each part in a line, of lists and maps of maps each entry."""
    parts = []
    for name, value in plain.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = ",\n".join(f"  {_compact(each)}" for each in value)
            parts.append(f" {_compact(name)}: [\n{text}\n ]")
        elif isinstance(value, dict) and value and all(isinstance(each, dict) for each in value.values()):
            text = ",\n".join(f"  {_compact(key)}: {_compact(each)}" for key, each in value.items())
            parts.append(f" {_compact(name)}: {{\n{text}\n }}")
        else:
            parts.append(f" {_compact(name)}: {_compact(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _compact(plain: Any) -> str:
    return printable_json(plain, allow_nan=False)
