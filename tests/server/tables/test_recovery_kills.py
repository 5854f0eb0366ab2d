"""A server that is killed at random moments loses nothing that it said, does nothing twice, and goes on."""

import asyncio
import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest
from support.server.databases import PostgresqlDatabase
from support.server.killed_servers import KilledServer
from support.server.returning_players import ReturningPlayer, TablePlan, Watcher, seat_players
from support.server.sockets import PATIENCE, Plain
from support.soak import count

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

KILLS = {"sqlite": 25, "postgresql": count(6, 25)}
LONGEST_SLICE = 160
"""Messages to all players together between two kills."""
PARLOUR = str(Path(sys.executable).parent / "parlour")


def some_rooms() -> list[tuple[TablePlan, float]]:
    """What is played, and how often the last player there ignores a question."""
    return [
        (TablePlan("balloon-cup", 2, {}), 0.0),
        (TablePlan("balloon-cup", 2, {"clocks": {"decision": 20.0, "bank": 5.0}, "public": False}), 0.0),
        (TablePlan("hurry-cup", 3, {"options": {"grab": "sealed"}}), 0.0),
        (TablePlan("hurry-cup", 4, {"clocks": {"decision": 0.5, "scramble": 0.5, "grace": 0.0}}), 0.1),
        (TablePlan("butterflies", 3, {"watching": "everything"}), 0.0),
    ]


@attrs.frozen
class JournaledGame:
    """A game as the archive has it."""

    header: Header
    lines: list[JournalLine]
    by: list[tuple[str, int] | None]
    ended: bool

    def views_of(self, viewer: Viewer) -> list[Plain]:
        """All views that this viewer may have been given, in their order."""
        game = GAMES[self.header.game]
        options = game.read_options(self.header.options, self.header.seats)
        luck = Recorded([piece for line in self.lines for piece in entry(game, line).luck])
        match: Match[Any, Any, Any] = Match(game, self.header.seats, options, luck)
        views = []
        while len(match.journal) < len(self.lines):
            match.adopt(propose_again(match, entry(game, self.lines[len(match.journal)])))
            views.append(to_map(project(match.view, viewer)))
        assert (match.outcome is not None) == self.ended
        if self.ended:
            views.append(to_map(project(match.view, ALL)))
        return views


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


@pytest.mark.parametrize("kind", KILLS)
@pytest.mark.parametrize("run", range(count(1, 6)))
async def test_nothing_that_was_acknowledged_is_lost_doubled_or_changed_by_many_kills(
    run: int, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    rng, plans, kills, place = random.Random(25 + run), some_rooms(), KILLS[kind], None
    if kind == "postgresql":
        place = PostgresqlDatabase(request.getfixturevalue("postgresql_cluster")).place
    async with (
        KilledServer(tmp_path, place) as server,
        asyncio.timeout(3 * PATIENCE),
        asyncio.TaskGroup() as group,
    ):
        people, watchers = [], []
        for number, (plan, ignores) in enumerate(plans):
            people += seat_players(
                server, plan, [f"P{number}{seat}" for seat in range(plan.seats)], number, ignores
            )
            if plan.settings.get("public", True):
                watchers.append(Watcher(server, f"W{number}", number, plan))
        lives = [group.create_task(person.live()) for person in people + watchers]
        for _ in range(kills):
            await server.start()
            await server.hears(rng.choice([0, rng.randrange(LONGEST_SLICE), rng.randrange(LONGEST_SLICE)]))
            await server.kill()
        for person in people:
            person.plan.last, person.ignores = True, 0.0
        await server.start()
        await asyncio.gather(*[person.until_over() for person in people])
        for life in lives:
            life.cancel()
        await asyncio.gather(*[person.looks_again() for person in people])
        assert await server.end(signal.SIGTERM) == 0
    assert server.kills == kills
    assert server.log.read_text(encoding="utf-8") == ""
    assert sum(person.returns for person in people) > kills
    with Archive.open(server.archive, readonly=True) as archive:
        for plan, _ in plans:
            assert plan.table is not None
            games = games_at(archive, plan.table)
            players = [person for person in people if person.plan is plan]
            everything_is_there_once(games, players)
            views_are_those_of_the_journal(games, [*players, *watchers])
            check_chat(players)
    games_can_be_verified(server.archive, plans)


def everything_is_there_once(games: dict[int, JournaledGame], players: list[ReturningPlayer]) -> None:
    """What was acknowledged stands in the journal once, in order, as it was sent; and nothing else does."""
    people = {person.name: person for person in players}
    kept: dict[str, list[int]] = {name: [] for name in people}
    for number, game in games.items():
        for line, by in zip(game.lines, game.by, strict=True):
            assert (by is not None) == (line.cause in ("setup", "act"))
            if by is None:
                continue
            name, id = by
            sent = people[name].sent[id]
            assert sent.number == number
            if line.cause == "setup":
                assert sent.word == "start"
                continue
            assert sent.word == "act"
            assert line.seat is not None and game.header.names[line.seat] == name
            rules = GAMES[game.header.game]
            assert rules.read_action(sent.fields["action"]) == rules.read_action(line.action)
            kept[name].append(id)
    for name, person in people.items():
        said = [id for id, sent in person.sent.items() if sent.word == "act" and id in person.answers]
        assert kept[name] == [id for id in said if person.answers[id]["type"] == "ok"]
    assert sum(map(len, kept.values())) > 0


def views_are_those_of_the_journal(games: dict[int, JournaledGame], viewers: list[ReturningPlayer]) -> None:
    for number, game in games.items():
        for viewer in viewers:
            if viewer.plan.table == game.header.table and number in viewer.seen:
                names = game.header.names
                seat = Seat(names.index(viewer.name)) if viewer.name in names else None
                assert in_order(viewer.seen[number], game.views_of(seat)), (viewer.name, number)


def check_chat(players: list[ReturningPlayer]) -> None:
    """Every line that was acknowledged, once, and each player's in their order."""
    for listener in players:
        for talker in players:
            heard = [line["text"] for line in listener.known_here["chat"] if line["name"] == talker.name]
            sent = [
                sent.fields["text"]
                for id, sent in talker.sent.items()
                if sent.word == "say" and talker.answers[id]["type"] == "ok"
            ]
            assert heard == sent


def games_can_be_verified(path: str, plans: list[tuple[TablePlan, float]]) -> None:
    listed = library.games(path, pytest.fail)
    assert {game["game"] for game in listed} == {plan.game for plan, _ in plans}
    for game in listed:
        assert verify(library.find_record(path, game["id"])).sound
    shown = subprocess.run(
        [PARLOUR, "games", "--archive", path], capture_output=True, text=True, timeout=PATIENCE
    )
    assert shown.returncode == 0
    assert all(game["id"] in shown.stdout for game in listed)
