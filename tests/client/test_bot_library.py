"""What `parlour.client` promises to whoever writes a bot: names, a log, a connection that may break."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

import parlour.client
from parlour.client import Bot, Decision
from parlour.client.bot import play_games
from parlour.client.bots.random import RandomBot
from parlour.client.cli.relay import Relay
from parlour.client.table_search import Wanted
from parlour.server.app import ListeningServer, running
from parlour.server.config import make

BALLOON = Wanted("balloon-cup")


@pytest.fixture
async def server() -> AsyncIterator[ListeningServer]:
    async with running(make({"port": 0, "host": "127.0.0.1"})) as ready:
        yield ready


class Easygoing(Bot):
    def choose(self, decision: Decision) -> Any:
        return decision.pick()


def test_all_that_a_bot_needs_has_its_name_in_the_package() -> None:
    for name in parlour.client.__all__:
        assert getattr(parlour.client, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Butler'"):
        parlour.client.Butler  # type: ignore[attr-defined]  # noqa: B018


async def test_a_bot_plays_on_through_unknown_messages_and_a_lost_connection(
    server: ListeningServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "parlour.bot")
    relay = Relay(server.url, junk=True, break_after=5)
    async with relay.open() as url, asyncio.timeout(60):
        first, second = await asyncio.gather(
            play_games(Easygoing, url, BALLOON, "One"), play_games(RandomBot, server.url, BALLOON, "Two")
        )
    assert [played.result for played in first] == [played.result for played in second]
    activity = relay.activity
    assert (activity.connections, activity.came_back, activity.broken) == (2, True, [])
    assert activity.answers > 5 and set(activity.errors) <= {"stale", "not_asked"}


async def test_a_bot_says_in_the_log_what_it_played(
    server: ListeningServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "parlour.bot")
    (played,), _ = await asyncio.gather(
        play_games(Easygoing, server.url, BALLOON, "One"), play_games(RandomBot, server.url, BALLOON, "Two")
    )
    lines = [record.getMessage() for record in caplog.records if record.name == "parlour.bot"]
    moves = [line for line in lines if line.startswith("played table=")]
    assert len(moves) > 10 and "{'type': " in moves[0]
    ends = [line for line in lines if line.startswith("over table=")]
    assert len(ends) == 2 and all(f"reason={played.result.reason}" in line for line in ends)


async def test_a_bot_without_a_name_can_come_twice(server: ListeningServer) -> None:
    def both() -> list[bool]:
        return [parlour.client.run(Easygoing, server.url, game="balloon-cup")[0].won for _ in range(2)]

    async with asyncio.timeout(60):
        # The rival may get a game against one who has just got up, so it must not count its own.
        rival = asyncio.create_task(play_games(RandomBot, server.url, BALLOON, "Two", 50))
        results = await asyncio.to_thread(both)
        rival.cancel()
        await asyncio.wait([rival])
    assert len(results) == 2
