"""Whether a tournament's folder is right: every game is played again, all else worked out anew."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from parlour.engine.errors import Malformed, shown
from parlour.engine.maps import from_map, to_map
from parlour.server import replay_file
from parlour.server.record import Record, game_id
from parlour.server.tournament import deals, events, export
from parlour.server.tournament.export_facts import Kept, Spot, folded
from parlour.server.tournament.export_folder import BadFolder, content, names
from parlour.server.tournament.history import Result
from parlour.server.tournament.rules import Rules
from parlour.server.tournament.state import NotAllowed, Tournament
from parlour.server.verify import verify as verify_game

Draw = Callable[[export.Facts, str], str]
"""Draws the report again in a language: its words are the client's."""
_LANGUAGE = re.compile(rb'<html lang="([a-z]{2})"')


@attrs.frozen
class Fault:
    """What is wrong in a folder: in which file, at which entry, and the facts that words for it need."""

    file: str
    where: str
    code: str
    facts: Mapping[str, Any] = attrs.field(factory=dict)


@attrs.frozen
class _Game:
    """The entries of `games` in tournament.json."""

    file: str
    round: int
    table: int
    game: int
    head: str


def read(folder: Path) -> tuple[Kept, dict[str, Any]]:
    """What a folder is made of, and all that its main file says; raises BadFolder or Malformed."""
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
            raise Malformed(name, f"must be there, and not {shown(plain.get(name))}")
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
    return Kept(plain["tournament"], plain["build"], plain["protocol"], lines, spots), plain


def verify(folder: Path, draw: Draw) -> Fault | None:
    """The first fault, games first; raises BadFolder for what cannot be read at all."""
    try:
        kept, plain = read(folder)
    except Malformed as wrong:
        raise BadFolder("BadFile", str(folder / export.TOURNAMENT), str(wrong)) from None
    for checked in (_games(kept), _events(kept), _compared(folder, kept, plain, draw), _listed(folder, kept)):
        found = next(checked, None)
        if found is not None:
            return found
    return None


def _games(kept: Kept) -> Iterator[Fault]:
    """Each game by its own rules, luck and hash."""
    for spot, record in kept.records.items():
        for fault in verify_game(record).faults:
            yield Fault(export.game_file(spot), "", "game", {"fault": attrs.asdict(fault, recurse=False)})


def _events(kept: Kept) -> Iterator[Fault]:
    """Each event by the rules of a tournament, and by the games."""
    at, now = -1, None
    try:
        for at, (event, before, now) in enumerate(folded(kept.lines)):
            where = f"events.{at}"
            match event:
                case events.RoundPaired(pairing):
                    right = before.next_round() if before is not None else None
                    if pairing != right:
                        yield Fault(
                            export.TOURNAMENT, where, "pairing", _both(to_map(pairing), to_map(right))
                        )
                case events.GameFinished(result):
                    yield from _result(kept, now.rules, result, where)
                case events.RoundFinished(round=number):
                    yield from _deals(kept, now, number)
    except NotAllowed as wrong:
        facts = {"why": wrong.code, "facts": to_map(dict(wrong.facts))}
        yield Fault(export.TOURNAMENT, f"events.{at + 1}", "not_allowed", facts)
    except Malformed as wrong:
        yield Fault(export.TOURNAMENT, f"events.{at + 1}", "malformed", {"problem": str(wrong)})
    if now is None or now.phase != "finished":
        yield Fault(export.TOURNAMENT, "events", "unfinished", {"phase": None if now is None else now.phase})


def _result(kept: Kept, rules: Rules, result: Result, where: str) -> Iterator[Fault]:
    spot = (result.round, result.table, result.game)
    record, file = kept.records.get(spot), export.game_file(spot)
    if record is None:
        yield from _not_played(result, where, file)
        return
    header, out = record.header, {line.seat for line in record.lines if line.cause == "leave"}
    left = tuple(name for seat, name in enumerate(result.players) if seat in out)
    for name, told, right in (
        ("header.game", header.game, rules.game),
        ("header.names", header.names, result.players),
        ("header.options", header.options, rules.options),
        ("header.table", game_id(header), result.replay),
    ):
        if told != right:
            yield Fault(file, name, "differs", _both(to_map(told), to_map(right)))
    for name, said, so in (("places", result.places, record.end.places), ("forfeits", result.forfeits, left)):
        if said != so:
            yield Fault(export.TOURNAMENT, f"{where}.result.{name}", "result", _both(said, so))


def _not_played(result: Result, where: str, file: str) -> Iterator[Fault]:
    """Without a record there is nothing but places that somebody lost before the deal, or that all share."""
    if result.replay is not None or not (result.void or result.forfeits):
        yield Fault(export.TOURNAMENT, where, "no_game", {"file": file})
    there = sum(name not in result.forfeits for name in result.players)
    right = tuple(there + 1 if name in result.forfeits else 1 for name in result.players)
    if result.places != right:
        yield Fault(export.TOURNAMENT, f"{where}.result.places", "differs", _both(result.places, right))


def _deals(kept: Kept, now: Tournament, number: int) -> Iterator[Fault]:
    """Once a round's secret is told: each of its games was played on the deal that it gives."""
    pairing, secret = now.history.rounds[number - 1], now.told[number - 1]
    nonces = now.deal_nonces(pairing)
    for result in now.history.results:
        record = kept.records.get((result.round, result.table, result.game))
        if result.round == number and record is not None:
            right = deals.deal(secret, nonces, number, result.deal).key.hex()
            file = export.game_file((result.round, result.table, result.game))
            if record.end.secret != right:
                yield Fault(file, "end.secret", "deal", _both(record.end.secret, right))
            if any(nonce is not None for nonce in record.header.nonces):
                yield Fault(file, "header.nonces", "deal", _both(record.header.nonces, None))


def _compared(folder: Path, kept: Kept, plain: Mapping[str, Any], draw: Draw) -> Iterator[Fault]:
    """All files with facts against what follows from events and games."""
    found = export.facts(kept)
    rightly = export.tables(found)
    yield from _difference(export.TOURNAMENT, plain, json.loads(rightly[export.TOURNAMENT]))
    for name in (export.STANDINGS, export.CROSSTABLE):
        yield from _difference(name, _json(folder, name), json.loads(rightly[name]))
    for name, right in rightly.items():
        yield from _line_by_line(name, content(folder, name), right)
    drawn = content(folder, export.REPORT)
    language = _LANGUAGE.search(drawn)
    yield from _line_by_line(export.REPORT, drawn, draw(found, language[1].decode() if language else "en"))


def _listed(folder: Path, kept: Kept) -> Iterator[Fault]:
    """Nothing is in the folder that does not belong there."""
    known = {*export.files(kept), export.REPORT}
    for name in names(folder):
        if name not in known:
            yield Fault(name, "", "not_ours")


def _difference(file: str, told: Any, right: Any, where: str = "") -> Iterator[Fault]:
    """The places at which two values differ, from the first on."""
    if isinstance(told, dict) and isinstance(right, dict):
        for name in (*right, *(name for name in told if name not in right)):
            inner = f"{where}.{name}" if where else str(name)
            if name not in told or name not in right:
                yield Fault(file, inner, "differs", _both(told.get(name), right.get(name)))
            else:
                yield from _difference(file, told[name], right[name], inner)
    elif isinstance(told, list) and isinstance(right, list) and len(told) == len(right):
        for at, (one, other) in enumerate(zip(told, right, strict=True)):
            yield from _difference(file, one, other, f"{where}.{at}")
    elif type(told) is not type(right) or told != right:
        yield Fault(file, where, "differs", _both(told, right))


def _line_by_line(file: str, told: bytes, right: str) -> Iterator[Fault]:
    lines, others = told.split(b"\n"), right.encode().split(b"\n")
    for at in range(max(len(lines), len(others))):
        one = lines[at].decode(errors="replace") if at < len(lines) else None
        other = others[at].decode() if at < len(others) else None
        if one != other:
            yield Fault(file, f"{at + 1}", "line", _both(one, other))


def _both(told: Any, right: Any) -> dict[str, Any]:
    return {"told": told, "right": right}


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
        plain = json.loads(content(folder, name).decode(), object_pairs_hook=once, parse_constant=refuse)
    except Malformed as wrong:
        raise BadFolder("BadFile", str(folder / name), str(wrong)) from None
    except (ValueError, RecursionError) as wrong:
        raise BadFolder("BadFile", str(folder / name), f"is not JSON: {wrong}") from None
    if not isinstance(plain, dict):
        raise BadFolder("BadFile", str(folder / name), "must be a map")
    return plain
