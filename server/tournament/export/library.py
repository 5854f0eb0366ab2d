"""Tournaments for the commands that make, export or check one: files and plain maps in, plain maps out.

Whatever can go wrong is a `Refused` with a word for it and the facts; sentences are made in the client.
"""

import contextlib
import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from parlour.engine.errors import Malformed
from parlour.protocol.version import PROTOCOL, build
from parlour.server.records.reading import read_record
from parlour.server.records.record import Record, without_by
from parlour.server.storage.archive import Archive
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.library import Refused
from parlour.server.toml import read_toml
from parlour.server.tournament import events
from parlour.server.tournament.events import read_line
from parlour.server.tournament.export import derived as export_derived
from parlour.server.tournament.export import files as export
from parlour.server.tournament.export import folder as export_folder
from parlour.server.tournament.export import verify as export_verify
from parlour.server.tournament.export.facts import FinishedTournament, Spot, public_lines, state
from parlour.server.tournament.history import Result
from parlour.server.tournament.rules_reading import BadRules, make
from parlour.server.tournament.state import NotAllowed

Draw = Callable[[export.Facts, str], str]


@contextlib.contextmanager
def _errors_as_refused(**facts: Any) -> Iterator[None]:
    try:
        yield
    except ArchiveError as wrong:
        raise Refused(type(wrong).__name__, **attrs.asdict(wrong)) from None
    except export_folder.BadFolder as wrong:
        where = {"where": "", "problem": wrong.reason} if wrong.kind == "BadFile" else {}
        raise Refused(wrong.kind, path=wrong.path, reason=wrong.reason, **where) from None
    except (Malformed, NotAllowed) as wrong:
        raise Refused("BadTournament", problem=str(wrong), **facts) from None


# Rules


def read_rules(text: str) -> dict[str, Any]:
    """Reads rules from TOML, and adds a seed if there is none; raises Refused `BadRules`."""
    try:
        given = read_toml(text)
    except ValueError as wrong:
        raise Refused("BadRules", where="", line=None, problem=str(wrong)) from None
    try:
        return make({"seed": secrets.token_hex(8), **given}).plain()
    except BadRules as wrong:
        line = line_of(text, wrong.where)
        raise Refused("BadRules", where=wrong.where, line=line, problem=wrong.problem) from None


def line_of(text: str, where: str) -> int | None:
    """The line that sets a field, or else the line where its section begins."""
    section, _, name = where.rpartition(".")
    found, here = None, ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#")[0].strip()
        if words.startswith("["):
            here = words.strip("[] ")
            found = number if here == section and section else found
        elif words.partition("=")[0].strip() in (where, name if here == section else where):
            return number
    return found


# Finished tournaments


def find_tournament(archive_path: str, which: str) -> FinishedTournament:
    """Finds a tournament of an archive by its id, in any case; raises Refused unless it is over."""
    with (
        _errors_as_refused(path=archive_path, tournament=which),
        Archive.open(archive_path, readonly=True) as archive,
    ):
        known = archive.tournaments()
        found = next((id for id in known if id.lower() == which.lower()), None)
        if found is None:
            there = ", ".join(known) or "-"
            raise Refused("NoTournament", path=archive_path, tournament=which, known=there)
        lines = [str(each["line"]) for each in archive.happenings(found)]
        records = {}
        for result in _results(lines):
            if result.replay is not None:
                header, journal, end = archive.record(result.replay)
                records[_spot(result)] = read_record(header, list(map(without_by, journal)), end)
        return _check_over(
            FinishedTournament(found, build(), PROTOCOL, tuple(public_lines(lines)), records), archive_path
        )


def replays(where: str, id: str, log: list[str]) -> list[str]:
    """Lists the games of a tournament by the lines of its log."""
    with _errors_as_refused(path=where, tournament=id):
        return [result.replay for result in _results(log) if result.replay is not None]


def assemble(
    where: str, id: str, build: str, log: list[str], replays: Mapping[str, Any]
) -> FinishedTournament:
    """Makes a tournament from the log and the replays that a server has sent."""
    with _errors_as_refused(path=where, tournament=id):
        records: dict[Spot, Record] = {
            _spot(result): read_record(
                *[replays[result.replay][part] for part in ("header", "journal", "end")]
            )
            for result in _results(log)
            if result.replay is not None
        }
        return _check_over(FinishedTournament(id, build, PROTOCOL, tuple(log), records), where)


def _results(lines: list[str]) -> list[Result]:
    return [event.result for event in map(read_line, lines) if isinstance(event, events.GameFinished)]


def _spot(result: Result) -> Spot:
    return result.round, result.table, result.game


def _check_over(found: FinishedTournament, path: str) -> FinishedTournament:
    if state(found.lines).phase != "finished":
        raise Refused("NotOver", path=path, tournament=found.id)
    for result in _results(list(found.lines)):
        if result.replay is None and not (result.void or result.forfeits):
            raise Refused("NotKept", path=path, tournament=found.id)
    return found


# Folders


def check_free(folder: str) -> None:
    """Raises Refused if the folder is there already."""
    with _errors_as_refused():
        export_folder.check_free(Path(folder))


def write_folder(tournament: FinishedTournament, folder: str, draw: Draw, language: str) -> int:
    """Writes all files, the report in a language, and returns the number of games."""
    with _errors_as_refused(path=folder, tournament=tournament.id):
        facts = export.facts(tournament)
        files = {**export.files(tournament), export.REPORT: draw(facts, language)}
        export_folder.write(Path(folder), files)
    return len(tournament.records)


def verdict(folder: str, draw: Draw) -> dict[str, Any]:
    """Verifies a folder; what was found, as a map."""
    with _errors_as_refused(path=folder, tournament=""):
        fault = export_verify.verify(Path(folder), draw)
        if fault is not None:
            return {"fault": attrs.asdict(fault, recurse=False)}
        found = export_verify.read(Path(folder))[0]
        another = export_derived.is_by_another_build(Path(folder))
    counted = {"games": len(found.records), "entrants": len(state(found.lines).entrants)}
    return {"fault": None, **counted, "another_build": another}
