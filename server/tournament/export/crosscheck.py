"""Whether the events of a tournament and the records of its games agree.

A record that was changed has wrong hashes. If the hashes were made anew, the change is found where the rest
of the folder says the same thing once more: who played, at which table, when, and with which build.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import attrs

from parlour.engine.maps import to_map
from parlour.engine.secret import Seat
from parlour.server.records.record import Record, game_id
from parlour.server.tournament import events
from parlour.server.tournament.export import files as export
from parlour.server.tournament.export.facts import FinishedTournament, Spot
from parlour.server.tournament.export.faults import Fault, both
from parlour.server.tournament.history import Result
from parlour.server.tournament.state import Tournament

DAY = 24 * 60 * 60 * 1000
AWRY = DAY
"""Milliseconds by which times may contradict each other: a server's clock is corrected now and then."""
STANDSTILL = 31 * DAY
"""Nobody waits longer for a server that is down with a game begun, or a tournament about to start."""

MOST_DIGITS = 9
"""Of a part of a version that is taken for a number."""


@attrs.define
class Chronicle:
    """Goes through the events, and remembers what the records are compared with."""

    tournament: FinishedTournament
    begun: dict[Spot, int] = attrs.field(factory=dict)
    """The last event by which a game was dealt."""
    _after: dict[Spot, int] = attrs.field(factory=dict)
    """When, by the record of another game, a game was dealt at the earliest."""
    _tables: set[str] = attrs.field(factory=set)
    _latest: int = 0
    _check_in: tuple[int, int] | None = None
    """The event of the last check-in with an end of its own, and that end."""
    _at_once: bool = False
    """No game is over yet, and nobody has paused: then the first one followed upon check-in."""

    def follow(self, at: int, event: events.Event, before: Tournament, now: Tournament) -> Iterator[Fault]:
        match event:
            case events.CheckInOpened(until=until):
                self._check_in = None if until is None else (at, until * 1000)
                self._at_once = True
            case events.Paused():
                self._at_once = False
            case events.Left(name, "strikes") if name not in before.struck_out():
                yield _impossible(at, "no_strikes", name=name)
            case events.RoundPaired() if out := before.struck_out():
                yield _impossible(at, "struck_out", name=out[0])
            case events.GameBegun():
                yield from self._check_begun(at, event, before)
            case events.GameFinished(result):
                yield from self._check_finished(at, result, now)

    def _check_begun(self, at: int, event: events.GameBegun, before: Tournament) -> Iterator[Fault]:
        """A game is played on the deal of its number; after it broke off, on another that nobody has seen."""
        used = {each.spare for games in before.begun.values() for each in games}
        fresh = event.spare is not None and event.spare >= before.rules.games and event.spare not in used
        again = (event.table, event.game) in before.begun
        if not (fresh if again else event.spare is None):
            yield _impossible(at, "other_deal", spare=event.spare)
        if event.at in self._tables:
            yield _impossible(at, "table_used", table=event.at)
        self._tables.add(event.at)
        spot = (event.round, event.table, event.game)
        self.begun[spot], self._after[spot] = at, self._latest

    def _check_finished(self, at: int, result: Result, now: Tournament) -> Iterator[Fault]:
        spot, where = (result.round, result.table, result.game), f"events.{at}"
        record, file = self.tournament.records.get(spot), export.game_file(spot)
        dealt = now.begun.get((result.table, result.game), ())
        if record is None:
            yield from _not_played(result, where, file)
        else:
            yield from _played(record, result, now, where, file)
        if (record is not None or result.void) and not dealt:
            yield Fault(export.TOURNAMENT, where, "not_begun", {"file": file})
            return
        spare = dealt[-1].spare if record is not None or result.void else None
        if result.spare != spare:
            yield Fault(export.TOURNAMENT, f"{where}.result.spare", "differs", both(result.spare, spare))
        if record is not None:
            table = record.header.table
            if dealt[-1].at != table:
                begun = f"events.{self.begun[spot]}.at"
                yield Fault(export.TOURNAMENT, begun, "differs", both(dealt[-1].at, table))
            yield from self._times(spot, record, file)
            self._latest, self._at_once = max(self._latest, record.end.ended), False

    def _times(self, spot: Spot, record: Record, file: str) -> Iterator[Fault]:
        started, ended = record.header.started, record.end.ended
        took = record.lines[-1].at if record.lines else 0
        yield from _within(file, "end.ended", ended, started + took - AWRY, started + took + STANDSTILL)
        yield from _within(file, "header.started", started, self._after[spot] - AWRY)
        if self._check_in is not None:
            at, until = self._check_in
            least = started - STANDSTILL if self._at_once else None
            yield from _within(export.TOURNAMENT, f"events.{at}.until", until, least, started + AWRY)


def _impossible(at: int, why: str, **facts: Any) -> Fault:
    return Fault(export.TOURNAMENT, f"events.{at}", "not_allowed", {"why": why, "facts": facts})


def _within(
    file: str, where: str, actual: int, least: int | None, most: int | None = None
) -> Iterator[Fault]:
    if least is not None and actual < least:
        yield Fault(file, where, "early", both(actual, least))
    if most is not None and actual > most:
        yield Fault(file, where, "late", both(actual, most))


def _played(record: Record, result: Result, now: Tournament, where: str, file: str) -> Iterator[Fault]:
    header, out = record.header, {line.seat for line in record.lines if line.cause == "leave"}
    left = tuple(name for seat, name in enumerate(result.players) if seat in out)
    bots = tuple(now.entrants[name].bot for name in result.players)
    for name, actual, right in (
        ("header.game", header.game, now.rules.game),
        ("header.names", header.names, result.players),
        ("header.bots", header.bots, bots),
        ("header.options", header.options, now.rules.options),
        ("header.table", game_id(header), result.replay),
    ):
        if actual != right:
            yield Fault(file, name, "differs", both(to_map(actual), to_map(right)))
    for name, given, played in (
        ("places", result.places, record.end.places),
        ("forfeits", result.forfeits, left),
    ):
        if given != played:
            yield Fault(export.TOURNAMENT, f"{where}.result.{name}", "result", both(given, played))
    acted = Counter(line.seat for line in record.lines if line.cause == "act")
    moves = tuple(acted[Seat(seat)] for seat in range(len(result.players)))
    if result.moves and result.moves != moves:
        yield Fault(export.TOURNAMENT, f"{where}.result.moves", "differs", both(result.moves, moves))
    if result.void:
        yield Fault(export.TOURNAMENT, f"{where}.result.void", "differs", both(True, False))


def _not_played(result: Result, where: str, file: str) -> Iterator[Fault]:
    """Without a record there is nothing but places that somebody lost before the deal, or that all share."""
    if result.replay is not None or not (result.void or result.forfeits):
        yield Fault(export.TOURNAMENT, where, "no_game", {"file": file})
    there = sum(name not in result.forfeits for name in result.players)
    right = tuple(there + 1 if name in result.forfeits else 1 for name in result.players)
    if result.places != right:
        yield Fault(export.TOURNAMENT, f"{where}.result.places", "differs", both(result.places, right))


def strangers(tournament: FinishedTournament, begun: Collection[Spot]) -> Iterator[Fault]:
    """Records of games that no event deals."""
    for spot in tournament.records:
        if spot not in begun:
            yield Fault(export.game_file(spot), "", "not_ours")


# Builds


def updates(tournament: FinishedTournament, begun: Mapping[Spot, int]) -> Iterator[Fault]:
    """A server may be updated in mid-tournament: from game to game builds and protocols only go up.

    The folder's own build is no bound, for an archive can be exported by an older one.
    """
    program, _ = _version(tournament.build)
    last: Record | None = None
    for spot in sorted(tournament.records, key=lambda spot: begun.get(spot, 0)):
        record, file = tournament.records[spot], export.game_file(spot)
        header, (name, version) = record.header, _version(record.header.build)
        if name != program:
            yield Fault(file, "header.build", "differs", both(header.build, tournament.build))
        if not 1 <= header.protocol <= tournament.protocol:
            yield Fault(file, "header.protocol", "differs", both(header.protocol, tournament.protocol))
        if last is not None:
            if version < _version(last.header.build)[1]:
                yield Fault(file, "header.build", "update", both(header.build, last.header.build))
            if header.protocol < last.header.protocol:
                yield Fault(file, "header.protocol", "update", both(header.protocol, last.header.protocol))
        last = record


def _version(build: str) -> tuple[str, tuple[int, ...]]:
    """`parlour 0.1.0` as a program and the numbers of its version, as far as these are numbers."""
    program, _, version = build.rpartition(" ")
    numbers: list[int] = []
    for part in version.split("."):
        if not (part.isascii() and part.isdigit() and len(part) <= MOST_DIGITS):
            break
        numbers.append(int(part))
    return program, tuple(numbers)
