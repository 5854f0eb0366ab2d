"""Whether a tournament's folder is right: every game is replayed, all else computed again."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from parlour.engine.errors import Malformed
from parlour.engine.maps import from_map, to_map
from parlour.engine.plain import short_repr
from parlour.protocol.version import PROTOCOL
from parlour.server.records import replay_file
from parlour.server.records.record import Record
from parlour.server.records.verify import verify as verify_game
from parlour.server.tournament import deals, events
from parlour.server.tournament.export import derived as export_derived
from parlour.server.tournament.export import files as export
from parlour.server.tournament.export.crosscheck import Chronicle, strangers, updates
from parlour.server.tournament.export.facts import FinishedTournament, Spot, folded
from parlour.server.tournament.export.faults import Fault, both, difference
from parlour.server.tournament.export.folder import BadFolder, content, names
from parlour.server.tournament.state import NotAllowed, Tournament

Draw = Callable[[export.Facts, str], str]
"""Draws the report again in a language: the client has the texts."""
_LANGUAGE = re.compile(rb'<html lang="([a-z]{2})"')


@attrs.frozen
class _Game:
    """The entries of `games` in tournament.json."""

    file: str
    round: int
    table: int
    game: int
    head: str


def read(folder: Path) -> tuple[FinishedTournament, dict[str, Any]]:
    """Reads the tournament in a folder, and its main file as a map; raises BadFolder or Malformed."""
    plain = _json(folder, export.TOURNAMENT)
    if plain.get("format") != export.FORMAT:
        raise Malformed("format", f"must be {export.FORMAT}, the format that this build reads")
    for name, kind in (
        ("tournament", str),
        ("build", str),
        ("protocol", int),
        ("events", list),
        ("games", list),
    ):
        if type(plain.get(name)) is not kind:
            raise Malformed(name, f"must be there, and not {short_repr(plain.get(name))}")
    if not 1 <= plain["protocol"] <= PROTOCOL:
        raise Malformed("protocol", f"must be one that this build knows, up to {PROTOCOL}")
    listed = [_within(f"games.{at}", from_map, _Game, each) for at, each in enumerate(plain["games"])]
    spots: dict[Spot, Record] = {}
    for at, game in enumerate(listed):
        spot = (game.round, game.table, game.game)
        if spot in spots or game.file != export.game_file(spot):
            raise Malformed(f"games.{at}", "must be the file of a game that is not listed yet")
        try:
            spots[spot] = replay_file.read(content(folder, game.file, replay_file.LARGEST_FILE))
        except Malformed as wrong:
            raise BadFolder("BadFile", str(folder / game.file), str(wrong)) from None
    lines = tuple(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in plain["events"])
    return FinishedTournament(plain["tournament"], plain["build"], plain["protocol"], lines, spots), plain


def verify(folder: Path, draw: Draw) -> Fault | None:
    """Finds the first fault, games first; raises BadFolder for what cannot be read at all."""
    try:
        tournament, plain = read(folder)
    except Malformed as wrong:
        raise BadFolder("BadFile", str(folder / export.TOURNAMENT), str(wrong)) from None
    for checked in (
        _games(tournament),
        _events(tournament),
        _compare_files(folder, tournament, plain, draw),
        _check_names(folder, tournament),
    ):
        found = next(checked, None)
        if found is not None:
            return found
    return None


def _games(tournament: FinishedTournament) -> Iterator[Fault]:
    """Checks each game by its own rules, luck and hash."""
    for spot, record in tournament.records.items():
        for fault in verify_game(record).faults:
            yield Fault(export.game_file(spot), "", "game", {"fault": attrs.asdict(fault, recurse=False)})


def _events(tournament: FinishedTournament) -> Iterator[Fault]:
    """Checks each event by the rules of a tournament, and against the games."""
    at, now, chronicle = -1, None, Chronicle(tournament)
    try:
        for at, (event, before, now) in enumerate(folded(tournament.lines)):
            where = f"events.{at}"
            match event:
                case events.RoundPaired(pairing):
                    right = before.next_round() if before is not None else None
                    if pairing != right:
                        yield Fault(export.TOURNAMENT, where, "pairing", both(to_map(pairing), to_map(right)))
                case events.RoundFinished(round=number):
                    yield from _deals(tournament, now, number)
            if before is not None:
                yield from chronicle.follow(at, event, before, now)
    except NotAllowed as wrong:
        facts = {"why": wrong.code, "facts": to_map(dict(wrong.facts))}
        yield Fault(export.TOURNAMENT, f"events.{at + 1}", "not_allowed", facts)
    except Malformed as wrong:
        yield Fault(export.TOURNAMENT, f"events.{at + 1}", "malformed", {"problem": str(wrong)})
    if now is None or now.phase != "finished":
        yield Fault(export.TOURNAMENT, "events", "unfinished", {"phase": None if now is None else now.phase})
    yield from strangers(tournament, chronicle.begun)
    yield from updates(tournament, chronicle.begun)


def _deals(tournament: FinishedTournament, now: Tournament, number: int) -> Iterator[Fault]:
    """Checks that each game of a round was played on the deal that the round's secret gives."""
    pairing, secret = now.history.rounds[number - 1], now.revealed[number - 1]
    nonces = now.deal_nonces(pairing)
    for result in now.history.results:
        record = tournament.records.get((result.round, result.table, result.game))
        if result.round == number and record is not None:
            right = deals.deal(secret, nonces, number, result.deal).key.hex()
            file = export.game_file((result.round, result.table, result.game))
            if record.end.secret != right:
                yield Fault(file, "end.secret", "deal", both(record.end.secret, right))
            if any(nonce is not None for nonce in record.header.nonces):
                yield Fault(file, "header.nonces", "deal", both(record.header.nonces, None))


def _compare_files(
    folder: Path, tournament: FinishedTournament, plain: Mapping[str, Any], draw: Draw
) -> Iterator[Fault]:
    """Compares all other files with what follows from events and games."""
    found = export.facts(tournament)
    rightly = export.tables(found)
    yield from difference(export.TOURNAMENT, plain, json.loads(rightly[export.TOURNAMENT]))
    for name in (export.STANDINGS, export.CROSSTABLE):
        yield from difference(name, _json(folder, name), json.loads(rightly[name]))
    another = export_derived.is_by_another_build(folder)
    yield from export_derived.check_tables(folder, rightly, another)
    if another:
        yield from export_derived.check_report(folder, found.standings)
        return
    drawn = content(folder, export.REPORT)
    language = _LANGUAGE.search(drawn)
    yield from _line_by_line(export.REPORT, drawn, draw(found, language[1].decode() if language else "en"))


def _line_by_line(file: str, actual: bytes, right: str) -> Iterator[Fault]:
    lines, others = actual.split(b"\n"), right.encode().split(b"\n")
    for at in range(max(len(lines), len(others))):
        one = lines[at].decode(errors="replace") if at < len(lines) else None
        other = others[at].decode() if at < len(others) else None
        if one != other:
            yield Fault(file, f"{at + 1}", "line", both(one, other))


def _check_names(folder: Path, tournament: FinishedTournament) -> Iterator[Fault]:
    """Finds files that do not belong in the folder."""
    known = {*export.files(tournament), export.REPORT}
    for name in names(folder):
        if name not in known:
            yield Fault(name, "", "not_ours")


def _within(where: str, reader: Callable[..., Any], *given: Any) -> Any:
    try:
        return reader(*given)
    except Malformed as wrong:
        raise Malformed(f"{where}.{wrong.where}".rstrip("."), wrong.problem) from None


def _json(folder: Path, name: str) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise Malformed("", "has a field twice")
        return found

    def refuse(word: str) -> Any:
        raise Malformed("", f"has {word}, which is no number")

    try:
        plain = json.loads(
            content(folder, name).decode("utf-8-sig"), object_pairs_hook=once, parse_constant=refuse
        )
    except Malformed as wrong:
        raise BadFolder("BadFile", str(folder / name), str(wrong)) from None
    except (ValueError, RecursionError) as wrong:
        raise BadFolder("BadFile", str(folder / name), f"is not JSON: {wrong}") from None
    if not isinstance(plain, dict):
        raise BadFolder("BadFile", str(folder / name), "must be a map")
    return plain
