"""Finished games for the commands that list, show, check or export them: paths in, plain maps out.

Whatever can go wrong is a `Refused` with a word for it and the facts; sentences are made in the client.
"""

import contextlib
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from parlour.engine.catalogue import GAMES
from parlour.engine.errors import Malformed
from parlour.engine.game import Game
from parlour.engine.maps import tagged, to_map
from parlour.engine.match import Beat
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import ALL, Seat, Viewer, project
from parlour.server.records.reading import read_record
from parlour.server.records.record import Record, end_map, game_id, header_map, line_map, without_by
from parlour.server.records.replay import Contradiction, game_of, replay
from parlour.server.records.replay_file import LARGEST_FILE, SUFFIX, read, write
from parlour.server.records.stats import statistics
from parlour.server.records.verify import verify
from parlour.server.storage.archive import Archive
from parlour.server.storage.errors import ArchiveError

LISTED = ("id", "game", "names", "bots", "places", "winners", "reason", "started", "ended")


class Refused(Exception):
    """`kind` is a word of ours or the name of an ArchiveError, whose fields are the facts then."""

    def __init__(self, kind: str, **facts: Any) -> None:
        super().__init__(kind, facts)
        self.kind = kind
        self.facts = facts


@contextlib.contextmanager
def _archive(path: str, readonly: bool = True) -> Iterator[Archive]:
    try:
        # Whoever adds a game sees that it is there: a database that could lose it is no danger.
        with Archive.open(path, readonly=readonly, unsafe=True) as archive:
            yield archive
    except ArchiveError as wrong:
        raise Refused(type(wrong).__name__, **attrs.asdict(wrong)) from None


def known_games() -> tuple[str, ...]:
    """The names in the catalogue."""
    return tuple(GAMES)


def _refuse_damage(facts: dict[str, Any]) -> None:
    raise Refused("Damaged", **facts)


def games(
    archive_path: str, damaged: Callable[[dict[str, Any]], None] = _refuse_damage
) -> list[dict[str, Any]]:
    """Lists finished games in the order of their ends; of one that is damaged, `damaged` gets the facts."""
    with _archive(archive_path) as archive:
        rows = archive.finished(damaged=lambda wrong: damaged(attrs.asdict(wrong)))
    return [{name: getattr(row, name) for name in LISTED} for row in rows]


def stats(archive_paths: Sequence[str], game: str | None = None) -> dict[str, Any]:
    """The statistics (stats.py) of all games of these archives, or of one kind; one that is in two of them
    counts once."""
    found = {}
    for path in archive_paths:
        with _archive(path) as archive:
            found.update({(row.id, row.started): row for row in archive.finished()})
    rows = [row for row in found.values() if game is None or row.game == game]
    return attrs.asdict(statistics(sorted(rows, key=lambda row: row.ended)))


def find_record(archive_path: str, which: str) -> Record:
    """Finds a game by its id, in any case of letters, or by the beginning of it."""
    with _archive(archive_path) as archive:
        ids = [row.id for row in archive.finished() if row.id.lower().startswith(which.lower())]
        exact = [id for id in ids if id.lower() == which.lower()]
        if len(ids) > 1 and not exact:
            raise Refused("Ambiguous", path=archive_path, game=which, among=ids)
        found = (exact or ids or [which])[0]
        header, lines, end = archive.record(found)
    if end is None:
        raise Refused("Unfinished", path=archive_path, game=found)
    try:
        return read_record(header, list(map(without_by, lines)), end)
    except Malformed as wrong:
        raise Refused(
            "BadGame", path=archive_path, game=found, where=wrong.where, problem=wrong.problem
        ) from None


def read_file(path: str) -> Record:
    try:
        if stat.S_IFMT(Path(path).stat().st_mode) not in (stat.S_IFREG, stat.S_IFDIR):
            # Opening a pipe would wait for a writer. For a folder the system has an error of its own.
            raise Refused("NotAFile", path=path)
        with Path(path).open("rb") as file:
            return read(file.read(LARGEST_FILE + 1))
    except OSError as wrong:
        raise Refused("NoFile", path=path, reason=wrong.strerror) from None
    except Malformed as wrong:
        raise Refused("BadFile", path=path, where=wrong.where, problem=wrong.problem) from None


def text(record: Record) -> str:
    return write(record)


def write_file(record: Record, path: str | None) -> str:
    """Writes a new file, never over an existing one, and returns its path."""
    path = path if path is not None else f"{game_id(record.header)}{SUFFIX}"
    try:
        with Path(path).open("x", encoding="utf-8", newline="\n") as file:
            file.write(write(record))
    except FileExistsError:
        raise Refused("FileThere", path=path) from None
    except OSError as wrong:
        raise Refused("NoFile", path=path, reason=wrong.strerror) from None
    return path


def add(archive_path: str, record: Record) -> str:
    """Adds a record to the archive and returns its id there."""
    header, lines = record.header, [line_map(line) for line in record.lines]
    id, end = game_id(header), end_map(record.end)
    with _archive(archive_path, readonly=False) as archive:
        archive.add_record(id, header.table, header_map(header), lines, end, header.names)
    return id


def verdict(record: Record, head: str | None = None) -> dict[str, Any]:
    """Verifies a record; what was found, as a map."""
    found = verify(record, head)
    return {
        "faults": [_fault(fault) for fault in found.faults],
        "head": found.head,
        "authenticated": found.authenticated,
        "entries": len(record.lines),
    }


def _fault(fault: Any) -> dict[str, Any]:
    return attrs.asdict(fault, recurse=False)


@attrs.frozen
class ReplayedGame:
    """A game that was replayed: every entry as any viewer sees it."""

    record: Record
    _game: Game[Any, Any, Any]
    _beats: Sequence[Beat[Any, Any]]

    def scene(self, place: int, eyes: int | str | None) -> dict[str, Any]:
        """An entry's news and the view after it, for a seat, for None (a spectator), or for `all`."""
        beat = self._beats[place]
        viewer: Viewer = Seat(eyes) if isinstance(eyes, int) else ALL if eyes == "all" else None
        return {
            "view": to_map(project(self._game.view(beat.state), viewer)),
            "news": [tagged(project(piece, viewer)) for piece in beat.news],
            "cause": beat.entry.cause,
            "seat": beat.entry.seat,
            "substitute": self.record.lines[place].substitute,
        }

    def awaited(self, place: int) -> list[int]:
        """The seats that are asked after an entry."""
        return sorted(self._game.awaited(self._beats[place].state))

    def decision(self, place: int, seat: int) -> dict[str, Any]:
        """What a seat was asked after an entry, as its bot would have been."""
        state = self._beats[place].state
        deadline = self._game.deadline(state)
        view = self.scene(place, seat)["view"]
        return {
            "game": self._game.name,
            "options": view["options"],
            "seat": seat,
            "view": view,
            "legal": choices_to_map(self._game.legal(state, Seat(seat))),
            "news": [piece for before in range(place + 1) for piece in self.scene(before, seat)["news"]],
            "news_missed": False,
            "phase": deadline.phase if deadline is not None else "",
            "scramble": deadline is not None and deadline.scramble,
            "turn": place,
            "seq": place,
            "until": None,
        }

    def next_action(self, place: int, seat: int) -> dict[str, Any] | None:
        """The seat's next action that was its own, not one of its clock."""
        for beat in self._beats[place + 1 :]:
            if beat.entry.seat == seat and beat.entry.action is not None:
                return tagged(beat.entry.action)
        return None


def replay_record(record: Record) -> ReplayedGame:
    """Replays a record; raises Refused `Contradiction`, with the fault as a map, where the rules differ."""
    try:
        return ReplayedGame(record, game_of(record.header), list(replay(record)))
    except Contradiction as found:
        raise Refused("Contradiction", fault=_fault(found.fault)) from None
