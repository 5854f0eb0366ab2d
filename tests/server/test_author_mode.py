"""`--test` and `--chaos`: servers for whoever writes a client."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from random import Random

import pytest
from support.server.sockets import PATIENCE, Caller
from websockets.exceptions import ConnectionClosed

from parlour.client.bot import Played, play_games
from parlour.client.bots.random import RandomBot
from parlour.client.connection import Connection
from parlour.client.session import Session
from parlour.client.table_search import Wanted
from parlour.protocol import messages as m
from parlour.server import app
from parlour.server.author_mode import GRACE, HERE
from parlour.server.chaos import Chaos, Plan
from parlour.server.config import BadConfig, Config


@contextlib.asynccontextmanager
async def served(config: Config) -> AsyncIterator[str]:
    """A server as `parlour serve` runs it, until the context is closed."""
    there: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    running = asyncio.create_task(app.run(config, lambda ready: there.set_result(ready.url)))
    try:
        await asyncio.wait({running, there}, return_when=asyncio.FIRST_COMPLETED)
        yield there.result() if there.done() else await running  # type: ignore[misc]
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


TEST = Config(port=0, test=True, bots=0)


async def first_table(config: Config) -> tuple[str, str]:
    """The id and the commitment of the first table."""
    async with served(config) as url, Connection(url, Session(name="Ann")) as ann:
        made = await ann.ask(m.CreateTable, game="balloon-cup", seats=2)
        while (table := ann.session.tables.get(made["table"])) is None:
            await ann.changed()
        return table.id, table.info.commitment


async def test_deals_are_the_same_with_every_start() -> None:
    assert await first_table(TEST) == await first_table(TEST)


async def test_without_it_they_are_not() -> None:
    usual = Config(host=HERE, port=0, hidden=True, bots=0)
    assert await first_table(usual) != await first_table(usual)


async def test_nobody_is_waited_for_long_and_limits_are_high() -> None:
    async with served(TEST) as url, Connection(url, Session(name="Ann")) as ann:
        for _ in range(30):
            made = await ann.ask(m.CreateTable, game="balloon-cup", seats=2)
        while (table := ann.session.tables.get(made["table"])) is None:
            await ann.changed()
        assert table.info.clocks.grace == GRACE


async def test_it_is_for_this_machine_alone() -> None:
    async with served(TEST) as url:
        assert url.startswith(f"ws://{HERE}:")
    with pytest.raises(BadConfig, match="this machine alone"):
        await app.run(Config(host="0.0.0.0", port=0, test=True), lambda _: None)


@pytest.mark.parametrize("text", ["", ":2", "tea:0", "tea:6", "tea:hot"])
def test_a_plan_for_chaos_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(BadConfig, match="SEED:LEVEL"):
        Plan.read(text)


# Chaos


async def pings_until_cut(seed: str) -> int:
    """How many answers come before the line is cut."""
    count = 0
    async with served(Config(port=0, chaos=seed, bots=0)) as url:
        caller = await Caller(url, "Ann").connect()
        with contextlib.suppress(ConnectionClosed):
            while True:
                await caller.do("ping")
                count += 1
    return count


async def test_a_seed_cuts_at_the_same_place_again() -> None:
    seeds = (f"{number}:1" for number in range(100_000))
    early, later = [
        next(seed for seed in seeds if least < Plan.read(seed).cut_after(1) < least + 200)
        for least in (1500, 2500)
    ]
    found = [await pings_until_cut(seed) for seed in (early, early, later)]
    assert found[0] == found[1] < found[2]


async def test_games_are_played_to_their_ends_through_cuts_and_restarts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "parlour.chaos")
    # Whoever is cut off before the first welcome has no token, and could not come back.
    plan = next(
        plan
        for plan in map(Plan, map(str, range(100_000)))
        if 5_000 < plan.cut_after(1) < 15_000 < plan.cut_after(2) and 20_000 < plan.restart_after(1) < 60_000
    )

    async def play(url: str, name: str) -> list[Played]:
        return await play_games(lambda: RandomBot(Random(name)), url, Wanted("butterflies"), name)

    config = Config(port=0, chaos=f"{plan.seed}:{plan.level}", bots=0)
    async with served(config) as url, asyncio.timeout(PATIENCE):
        ann, bob = await asyncio.gather(play(url, "Ann"), play(url, "Bob"))
    assert ann[0].result == bob[0].result
    assert "cut connection" in caplog.text and "restart number" in caplog.text


async def test_a_restart_is_asked_for_by_what_has_passed() -> None:
    chaos = Chaos(Plan("tea"))
    chaos._left = 10.0

    async def shout(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"x" * 20)
        await writer.drain()
        writer.close()

    echo = await asyncio.start_server(shout, HERE, 0)
    async with chaos.listening(HERE, 0), echo:
        chaos.stand_before(HERE, echo.sockets[0].getsockname()[1])
        _, writer = await asyncio.open_connection(*chaos.ports[0])
        await asyncio.wait_for(chaos.restart.wait(), PATIENCE)
        writer.close()
