"""A server that is killed at random moments loses nothing that it said, does nothing twice, and goes on."""

import asyncio
import random
import signal
from pathlib import Path

import pytest
from support.server.databases import PostgresqlDatabase
from support.server.journaled_games import (
    JournaledGame,
    games_at,
    games_can_be_verified,
    kept_moves,
    views_are_those_of_the_journal,
)
from support.server.killed_servers import KilledServer
from support.server.returning_players import ReturningPlayer, TablePlan, Watcher, seat_players
from support.server.sockets import PATIENCE
from support.soak import count

from parlour.server.storage.archive import Archive

KILLS = {"sqlite": 25, "postgresql": count(6, 25)}
LONGEST_SLICE = 160
"""Messages to all players together between two kills."""


def some_rooms() -> list[tuple[TablePlan, float]]:
    """What is played, and how often the last player there ignores a question."""
    return [
        (TablePlan("balloon-cup", 2, {}), 0.0),
        (TablePlan("balloon-cup", 2, {"clocks": {"decision": 20.0, "bank": 5.0}, "public": False}), 0.0),
        (TablePlan("hurry-cup", 3, {"options": {"grab": "sealed"}}), 0.0),
        (TablePlan("hurry-cup", 4, {"clocks": {"decision": 0.5, "scramble": 0.5, "grace": 0.0}}), 0.1),
        (TablePlan("butterflies", 3, {"watching": "everything"}), 0.0),
    ]


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
    games_can_be_verified(server.archive, {plan.game for plan, _ in plans})


def everything_is_there_once(games: dict[int, JournaledGame], players: list[ReturningPlayer]) -> None:
    """What was acknowledged stands in the journal once, in order, as it was sent; and nothing else does."""
    kept = kept_moves(games, players, lambda _person, id: (id,))
    for person in players:
        said = [id for id, sent in person.sent.items() if sent.word == "act" and id in person.answers]
        assert kept[person.name] == [id for id in said if person.answers[id]["type"] == "ok"]


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
