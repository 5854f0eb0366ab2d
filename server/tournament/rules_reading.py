"""Rules of a tournament from TOML or a plain map: strictly, and with errors that name the field."""

import datetime
from collections.abc import Mapping
from typing import Any

import attrs

from parlour.engine.catalogue import GAMES
from parlour.engine.errors import BadOptions, Malformed
from parlour.engine.maps import read
from parlour.engine.plain import short_repr
from parlour.protocol.clocks import check_clocks
from parlour.protocol.errors import ProtocolError
from parlour.protocol.messages import Clocks
from parlour.server.toml import read_toml
from parlour.server.tournament.rules import (
    CLOCKS,
    MOST_ENTRANTS,
    Entry,
    Failures,
    Format,
    Rules,
    TieBreak,
    Worth,
)

MOST_ROUNDS = 400
MOST_GAMES = 120
NAME_LENGTH = 60
SEED_LENGTH = 64
LAST_SECOND = 253402300799
"""Of the year 9999: no calendar tells a later one."""


class BadRules(Malformed):
    """Rules of a tournament that cannot be: `where` names the field."""


_PARTS: dict[str, Any] = {
    "name": str,
    "game": str,
    "format": Format,
    "seed": str,
    "seats": int,
    "rounds": int | None,
    "games": int,
    "entry": Entry,
    "failures": Failures,
    "starts": int | None,
    "tables": int,
    "bye": Worth,
    "replays": int,
    "tie_breaks": tuple[TieBreak, ...],
}
_CLOCKS = {field.name for field in attrs.fields(Clocks)}


def from_toml(text: str) -> Rules:
    """Raises BadRules, for what is no TOML too."""
    try:
        given = read_toml(text)
    except ValueError as wrong:
        raise BadRules("", str(wrong)) from None
    return make(given)


def make(given: Any) -> Rules:
    """Rules from a plain map; raises BadRules with the path of what is wrong."""
    if not isinstance(given, Mapping):
        raise BadRules("", f"must be a map, not {short_repr(given)}")
    known = {field.name for field in attrs.fields(Rules)}
    for name in given:
        if name not in known:
            raise BadRules(str(name)[:40], f"is not a field here; there are {', '.join(sorted(known))}")
    for name in ("name", "game", "format", "seed"):
        if name not in given:
            raise BadRules(name, "is missing")
    parts = {
        name: read(hint, _plain(name, given[name]), name, BadRules)
        for name, hint in _PARTS.items()
        if name in given
    }
    rules = Rules(**{"games": parts.get("seats", 2), **parts})
    _check(rules)
    return attrs.evolve(
        rules,
        options=_options(given.get("options", {}), rules),
        clocks=_clocks(given["clocks"]) if "clocks" in given else rules.clocks,
    )


def _plain(name: str, value: Any) -> Any:
    """TOML has times of its own, which are no plain values."""
    if name != "starts":
        return value
    try:
        time = datetime.datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise BadRules(name, f"must be a time like 2030-05-01T19:00:00Z, not {short_repr(value)}") from None
    if not isinstance(time, datetime.datetime):
        return time
    if time.tzinfo is None:
        raise BadRules(name, "must say where: end it with Z or with an offset like +02:00")
    return int(time.timestamp())


def _check(rules: Rules) -> None:
    for where, text, longest in (
        ("name", rules.name, NAME_LENGTH),
        ("seed", rules.seed, SEED_LENGTH),
        *[(f"entry.names.{number}", name, NAME_LENGTH) for number, name in enumerate(rules.entry.names)],
    ):
        if len(text) > longest or not text.isprintable() or not text.strip():
            raise BadRules(where, f"must be 1 to {longest} letters on one line")
    if rules.game not in GAMES:
        raise BadRules("game", f"must be one of {', '.join(sorted(GAMES))}, not {short_repr(rules.game)}")
    if rules.seats not in GAMES[rules.game].seats:
        allowed = ", ".join(map(str, GAMES[rules.game].seats))
        raise BadRules("seats", f"must be one of {allowed} in this game, not {rules.seats}")
    _check_format(rules)
    entry = rules.entry
    for where, value, least, most in (
        ("games", rules.games, 1, MOST_GAMES),
        ("rounds", rules.rounds, 1, MOST_ROUNDS),
        ("tables", rules.tables, 1, 1000),
        ("replays", rules.replays, 0, 10),
        ("starts", rules.starts, 0, LAST_SECOND),
        ("entry.least", entry.least, 2, MOST_ENTRANTS),
        ("entry.most", entry.most, entry.least, MOST_ENTRANTS),
        ("entry.late", entry.late, 0, MOST_ROUNDS),
        ("failures.strikes", rules.failures.strikes, 1, 100),
    ):
        if value is not None and not least <= value <= most:
            raise BadRules(where, f"must be a whole number from {least} to {most}, not {value}")
    if rules.games % rules.seats:
        raise BadRules(
            "games",
            f"must be a multiple of the {rules.seats} seats, so that everybody sits everywhere equally often",
        )
    if (entry.who == "named") != bool(entry.names):
        raise BadRules("entry.names", 'go with who = "named", and only with it')
    if len(set(rules.tie_breaks)) < len(rules.tie_breaks):
        raise BadRules("tie_breaks", "must not name one twice")


def _check_format(rules: Rules) -> None:
    if rules.format == "knockout" and rules.seats != 2:
        raise BadRules("format", "must be round_robin or swiss for more than two seats")
    if rules.format == "knockout" and rules.rounds is not None:
        raise BadRules("rounds", "follow from the field in a knockout: leave them out")
    if rules.format != "swiss" and rules.entry.late:
        raise BadRules("entry.late", "must be 0: only a swiss tournament takes late entries")


def _options(given: Any, rules: Rules) -> dict[str, Any]:
    try:
        return GAMES[rules.game].options.read(given, rules.seats).plain()
    except BadOptions as wrong:
        where = wrong.where if wrong.where == "options" else f"options.{wrong.where}"
        raise BadRules(where, wrong.problem) from None


def _clocks(given: Any) -> Clocks:
    if not isinstance(given, Mapping):
        raise BadRules("clocks", f"must be a map, not {short_repr(given)}")
    for name, value in given.items():
        if name not in _CLOCKS:
            raise BadRules(f"clocks.{name}", f"is not a field here; there are {', '.join(sorted(_CLOCKS))}")
        if name == "late":
            if value not in ("stand_in", "forfeit"):
                raise BadRules("clocks.late", f"must be one of stand_in, forfeit, not {short_repr(value)}")
        elif type(value) not in (int, float) and not (name == "decision" and value is None):
            raise BadRules(f"clocks.{name}", f"must be seconds, not {short_repr(value)}")
    times: dict[str, Any] = {
        name: float(value) if type(value) is int else value for name, value in given.items()
    }
    clocks = attrs.evolve(CLOCKS, **times)
    try:
        check_clocks(clocks, 0.0)
    except ProtocolError as wrong:
        raise BadRules(str(wrong.facts["where"]), str(wrong.facts["problem"])) from None
    return clocks
