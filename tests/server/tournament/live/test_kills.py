"""A server that is killed in mid-tournament again and again: nothing is lost, and nothing is played twice."""

import asyncio
import random
from pathlib import Path

import pytest
from support.server.kept_tournament import kept_tournament
from support.server.killed_servers import KilledServer
from support.server.returning_tournament import Returning, Steward
from support.server.running_tournaments import eventually
from support.server.sockets import PATIENCE
from support.soak import count

KILLS = 14
SIZE = 4
LONGEST_SLICE = 250
"""Messages to everybody together between two kills."""


@pytest.mark.parametrize("run", range(count(1, 6)))
async def test_a_tournament_goes_on_after_14_kills_as_if_there_had_been_none(
    run: int, tmp_path: Path
) -> None:
    rng = random.Random(14 + run)
    async with KilledServer(tmp_path) as server, asyncio.timeout(2 * PATIENCE), asyncio.TaskGroup() as group:
        steward = Steward(server, "Olga", SIZE, {"format": "round_robin", "rounds": 2})
        entrants = [Returning(server, f"Bot-{number}", steward) for number in range(SIZE)]
        lives = [group.create_task(each.live()) for each in (steward, *entrants)]
        for kill in range(KILLS):
            await server.start()
            # The first few while everybody enters, one of them at once.
            await server.hears(rng.randrange(8) if kill < 4 else rng.randrange(LONGEST_SLICE))
            await server.kill()
        await server.start()
        await eventually(lambda: steward.over)
        for life in lives:
            life.cancel()
    assert all(each.done.count("enter") == each.done.count("check_in") == 1 for each in entrants)
    tournament = kept_tournament(server.archive, {each.name for each in entrants}, SIZE * 2)
    assert (tournament.id, set(steward.told)) == (steward.tournament, tournament.results)
    assert tournament.dealt == len(tournament.results)
    assert "Traceback" not in server.log.read_text(encoding="utf-8")
