"""Games as an archive has them after kills, held against what players were told of them."""

import functools
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import attrs
import pytest
from support.server.returning_players import ReturningPlayer
from support.server.sockets import PATIENCE, Plain

from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Recorded
from parlour.engine.maps import to_map
from parlour.engine.match import Match, propose_again
from parlour.engine.secret import ALL, Seat, Viewer, project
from parlour.server.records.reading import read_header, read_line
from parlour.server.records.record import Header, JournalLine, entry
from parlour.server.records.verify import verify
from parlour.server.storage import library
from parlour.server.storage.archive import Archive
from parlour.server.storage.errors import NoSuchGame

Player = TypeVar("Player", bound=ReturningPlayer)
PARLOUR = str(Path(sys.executable).parent / "parlour")


@attrs.frozen
class JournaledGame:
    """A game as the archive has it."""

    header: Header
    lines: list[JournalLine]
    by: list[tuple[Any, ...] | None]
    """Whose command each line comes from: a name, an id, and in a house the node."""
    ended: bool

    @functools.cached_property
    def views(self) -> list[Any]:
        """What somebody would see who sees everything, after each line."""
        game = GAMES[self.header.game]
        options = game.read_options(self.header.options, self.header.seats)
        luck = Recorded([piece for line in self.lines for piece in entry(game, line).luck])
        match: Match[Any, Any, Any] = Match(game, self.header.seats, options, luck)
        views = []
        while len(match.journal) < len(self.lines):
            match.adopt(propose_again(match, entry(game, self.lines[len(match.journal)])))
            views.append(match.view)
        assert (match.outcome is not None) == self.ended
        return views

    def views_of(self, viewer: Viewer) -> list[Plain]:
        """All views that this viewer may have been given, in their order."""
        views = [to_map(project(view, viewer)) for view in self.views]
        return [*views, to_map(project(self.views[-1], ALL))] if self.ended else views


def games_at(archive: Archive, table: str) -> dict[int, JournaledGame]:
    """The games of one table, by their numbers."""
    games: dict[int, JournaledGame] = {}
    for number in range(1, 1000):
        try:
            header, lines, end = archive.record(f"{table}-{number}")
        except NoSuchGame:
            break
        by = [tuple(line.pop("by")) if "by" in line else None for line in lines]
        games[number] = JournaledGame(
            read_header(header), [read_line(line) for line in lines], by, end is not None
        )
    return games


def kept_moves(
    games: dict[int, JournaledGame],
    players: Sequence[Player],
    command: Callable[[Player, int], tuple[Any, ...]],
) -> dict[str, list[int]]:
    """The ids of each player's moves in the journal, in its order; every line is as it was sent.

    `command` says what stands behind the name where a line tells whose command it comes from.
    """
    people = {person.name: person for person in players}
    kept: dict[str, list[int]] = {name: [] for name in people}
    for number, game in games.items():
        for line, by in zip(game.lines, game.by, strict=True):
            assert (by is not None) == (line.cause in ("setup", "act"))
            if by is None:
                continue
            name, id, *_ = by
            person = people[name]
            sent = person.sent[id]
            assert (by[1:], sent.number) == (command(person, id), number)
            if line.cause == "setup":
                assert sent.word == "start"
                continue
            assert sent.word == "act"
            assert line.seat is not None and game.header.names[line.seat] == name
            rules = GAMES[game.header.game]
            assert rules.read_action(sent.fields["action"]) == rules.read_action(line.action)
            kept[name].append(id)
    assert sum(map(len, kept.values())) > 0
    return kept


def written(plain: Any) -> str:
    return json.dumps(plain, sort_keys=True)


def in_order(some: list[Plain], all: list[Plain]) -> bool:
    """Whether some views are among all of them in this order; the same one may have come several times."""
    rest, last = iter([written(view) for view in all]), None
    for view in map(written, some):
        if view != last and view not in rest:
            return False
        last = view
    return True


def views_are_those_of_the_journal(
    games: dict[int, JournaledGame], viewers: Sequence[ReturningPlayer]
) -> None:
    for number, game in games.items():
        for viewer in viewers:
            if viewer.plan.table == game.header.table and number in viewer.seen:
                names = game.header.names
                seat = Seat(names.index(viewer.name)) if viewer.name in names else None
                assert in_order(viewer.seen[number], game.views_of(seat)), (viewer.name, number)


def games_can_be_verified(path: str, names: set[str]) -> None:
    """Every finished game is sound, and there are some of each of these."""
    listed = library.games(path, pytest.fail)
    assert {game["game"] for game in listed} == names
    for game in listed:
        assert verify(library.find_record(path, game["id"])).sound
    shown = subprocess.run(
        [PARLOUR, "games", "--archive", path], capture_output=True, text=True, timeout=PATIENCE
    )
    assert shown.returncode == 0
    assert all(game["id"] in shown.stdout for game in listed)
