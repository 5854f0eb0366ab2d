"""Replays a recorded game by the rules, entry by entry, with luck from its own secret and nonces."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import attrs

from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.errors import BadOptions, IllegalAction, Malformed
from parlour.engine.game import Game
from parlour.engine.maps import to_map
from parlour.engine.match import Beat, Entry, Match, propose_again
from parlour.server.records.fairness import seed
from parlour.server.records.record import Header, JournalLine, Record, entry

Part = Literal["header", "journal", "end"]
Code = Literal[
    "game",
    "seats",
    "options",
    "commitment",
    "action",
    "illegal",
    "differs",
    "missing",
    "time",
    "unfinished",
    "result",
    "hash",
    "head",
]


@attrs.frozen
class Fault:
    """What is wrong, and where: `entry` counts the journal from 0."""

    part: Part
    entry: int | None
    code: Code
    facts: Mapping[str, Any] = attrs.field(factory=dict)


class Contradiction(Exception):
    """A record that does not follow from the rules."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


def game_of(header: Header) -> Game[Any, Any, Any]:
    """Finds the game; raises Contradiction if it is unknown, or not for so many seats."""
    if header.game not in GAMES:
        raise Contradiction(Fault("header", None, "game", {"game": header.game, "known": sorted(GAMES)}))
    game = GAMES[header.game]
    if header.seats not in game.seats:
        raise Contradiction(Fault("header", None, "seats", {"seats": header.seats, "known": game.seats}))
    return game


def replay(record: Record) -> Iterator[Beat[Any, Any]]:
    """Yields every entry with the state after it and its news; raises Contradiction at the first fault."""
    header, end = record.header, record.end
    game = game_of(header)
    try:
        options = game.read_options(header.options, header.seats)
    except BadOptions as wrong:
        raise Contradiction(
            Fault("header", None, "options", {"where": wrong.where, "problem": wrong.problem})
        ) from None
    source = Seeded(seed(bytes.fromhex(end.secret), header.nonces))
    match: Match[Any, Any, Any] = Match(game, header.seats, options, source)
    while len(match.journal) < len(record.lines):
        yield from _next_beats(match, record.lines)
    outcome = match.outcome
    if outcome is None:
        raise Contradiction(Fault("end", None, "unfinished"))
    for field in ("winners", "places", "reason"):
        _compare("end", None, field, getattr(outcome, field), getattr(end, field), "result")


def _next_beats(match: Match[Any, Any, Any], lines: tuple[JournalLine, ...]) -> tuple[Beat[Any, Any], ...]:
    """Replays the next line, and compares what follows by the rules with the lines that are there."""
    first = len(match.journal)
    try:
        proposal = propose_again(match, _entry_at(match, lines, first))
    except IllegalAction as wrong:
        facts = {"why": wrong.code, "facts": to_map(dict(wrong.facts))}
        raise Contradiction(Fault("journal", first, "illegal", facts)) from None
    for place, beat in enumerate(proposal.beats, first):
        if place == len(lines):
            raise Contradiction(Fault("journal", place, "missing", {"cause": beat.entry.cause}))
        recorded = _entry_at(match, lines, place)
        for field in ("cause", "seat", "action", "luck"):
            _compare("journal", place, field, getattr(beat.entry, field), getattr(recorded, field), "differs")
    match.adopt(proposal)
    return proposal.beats


def _entry_at(match: Match[Any, Any, Any], lines: tuple[JournalLine, ...], place: int) -> Entry[Any]:
    """Reads the entry at a place; raises Contradiction if its number, time, seat or action is wrong."""
    line = lines[place]
    _compare("journal", place, "number", place, line.number, "differs")
    if place and line.at < lines[place - 1].at:
        raise Contradiction(Fault("journal", place, "time", {"at": line.at, "before": lines[place - 1].at}))
    if line.seat is not None and line.seat >= match.seats:
        raise Contradiction(Fault("journal", place, "seats", {"seats": match.seats, "seat": line.seat}))
    try:
        return entry(match.game, line)
    except Malformed as wrong:
        facts = {"where": wrong.where, "problem": wrong.problem}
        raise Contradiction(Fault("journal", place, "action", facts)) from None


def _compare(part: Part, place: int | None, field: str, right: Any, actual: Any, code: Code) -> None:
    if right != actual:
        facts = {"field": field, "right": to_map(right), "told": to_map(actual)}
        raise Contradiction(Fault(part, place, code, facts))
