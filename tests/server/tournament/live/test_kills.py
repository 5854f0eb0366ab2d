"""A server that is killed in mid-tournament again and again: nothing is lost, and nothing is played twice."""

import asyncio
import random
from pathlib import Path

import pytest
from support.server.killed_servers import KilledServer
from support.server.returning_tournament import Returning, Steward
from support.server.running_tournaments import eventually
from support.server.sockets import PATIENCE
from support.soak import count

from parlour.server.records.verify import verify
from parlour.server.storage import library
from parlour.server.storage.archive import Archive
from parlour.server.tournament import deals, events, lifecycle
from parlour.server.tournament.history import History
from parlour.server.tournament.pairing import pairings

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
    nothing_is_lost_or_played_twice(server.archive, steward)
    assert "Traceback" not in server.log.read_text(encoding="utf-8")


def nothing_is_lost_or_played_twice(path: str, steward: Steward) -> None:
    with Archive.open(path, readonly=True) as archive:
        (id,) = archive.tournaments()
        lines = [each["line"] for each in archive.happenings(id)]
        assert set(archive.ratings("balloon-cup")) == {f"Bot-{number}" for number in range(SIZE)}
    assert id == steward.tournament
    state = lifecycle.recovered(lines)
    assert state.phase == "finished"
    results = {(one.round, one.table, one.game): one for one in state.history.results}
    assert len(results) == len(state.history.results) == 2 * SIZE // 2 * 2
    assert set(steward.told) == set(results)
    dealt = [event for event in map(events.read_line, lines) if isinstance(event, events.GameBegun)]
    assert len(dealt) == len(results)
    # What was paired before each round is what would be paired now.
    before: History = History()
    for round_ in state.history.rounds:
        assert pairings(before, state.present(), state.rules) == round_
        own = tuple(one for one in state.history.results if one.round == round_.round)
        before = History((*before.rounds, round_), (*before.results, *own))
    kept = {game["id"]: game for game in library.games(str(path), pytest.fail)}
    assert set(kept) == {one.replay for one in results.values()}
    for one in results.values():
        assert one.replay is not None
        record = library.find_record(str(path), one.replay)
        assert verify(record).sound
        assert (record.header.names, record.end.places) == (one.players, one.places)
        secret = state.revealed[one.round - 1]
        nonces = state.deal_nonces(state.history.rounds[one.round - 1])
        assert record.end.secret == deals.deal(secret, nonces, one.round, one.deal).key.hex()
        acted = [sum(line.cause == "act" and line.seat == seat for line in record.lines) for seat in (0, 1)]
        assert list(one.moves) == acted
