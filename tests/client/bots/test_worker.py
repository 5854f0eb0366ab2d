"""The process of built-in bots, started by a real server and by hand."""

import asyncio
import contextlib
import json
import os
import signal
import ssl
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.processes import children
from support.server.certificate import certificate
from support.server.sockets import Caller, dial, generous_limits, open_server
from websockets.exceptions import InvalidStatus

from parlour.client.bot import play
from parlour.client.bots import STRATEGIES
from parlour.client.bots.random import RandomBot
from parlour.client.bots.worker import Order
from parlour.client.connection import Connection
from parlour.client.session import Session
from parlour.machine.programs import BOT_WORKER, command_line
from parlour.protocol import messages as m
from parlour.protocol.strategies import STRATEGIES as OFFERED
from parlour.server.app import ListeningServer, running
from parlour.server.config import make
from parlour.server.wire.listening import private_way
from parlour.server.wire.outbox import Outbox

WORKER = command_line(BOT_WORKER)


@pytest.fixture
async def server() -> AsyncIterator[ListeningServer]:
    async with running(make({"port": 0, "host": "127.0.0.1", "bots": 1})) as ready:
        yield ready


async def with_bots(ann: Connection, game: str, seats: int) -> str:
    """A table of Ann's with bots on all other seats, who are there."""
    made = await ann.ask(m.CreateTable, game=game, seats=seats, reaction=0.0)
    id = str(made["table"])
    for _ in range(seats - 1):
        await ann.ask(m.AddBot, table=id)
    await ann.ask(m.Ready, table=id)
    table = ann.session.tables[id]
    while not all(chair is not None and chair.here and chair.ready for chair in table.info.chairs):
        await ann.changed()
    return id


async def gone(server: ListeningServer) -> None:
    """Until no bot is connected any more."""
    while any(session.built_in for session in server.lobby.tables.sessions.values()):
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(("game", "seats"), [("balloon-cup", 2), ("hurry-cup", 4), ("butterflies", 3)])
async def test_a_person_plays_a_whole_game_with_built_in_bots(
    game: str, seats: int, server: ListeningServer, capfd: pytest.CaptureFixture[str]
) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann, asyncio.timeout(60):
        id = await with_bots(ann, game, seats)
        await ann.ask(m.Start, table=id)
        played = await play(RandomBot(), ann, id)
        assert played is not None
        assert len(played.names) == seats
        await ann.ask(m.Leave, table=id)
        await gone(server)
    assert capfd.readouterr() == ("", "")


async def test_bots_stay_for_a_rematch_and_go_when_the_table_is_cleared(server: ListeningServer) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann, asyncio.timeout(60):
        id = await with_bots(ann, "balloon-cup", 2)
        for _ in range(2):
            await ann.ask(m.Ready, table=id)
            await ann.ask(m.Start, table=id)
            assert await play(RandomBot(), ann, id) is not None
            await ann.ask(m.Rematch, table=id)
        assert ann.session.tables[id].info.number == 3
        await ann.ask(m.Leave, table=id)
        await gone(server)


async def test_a_bot_that_is_sent_away_makes_room_for_another(server: ListeningServer) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann, asyncio.timeout(60):
        id = await with_bots(ann, "balloon-cup", 2)
        await ann.ask(m.Kick, table=id, seat=1)
        await gone(server)
        await ann.ask(m.AddBot, table=id)
        await ann.ask(m.Start, table=id)
        assert await play(RandomBot(), ann, id) is not None


async def test_bots_whose_lines_break_come_back_and_finish(server: ListeningServer) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann, asyncio.timeout(60):
        id = await with_bots(ann, "balloon-cup", 2)
        await ann.ask(m.Start, table=id)
        (bot,) = [session for session in server.lobby.tables.sessions.values() if session.built_in]
        line = bot.peer
        assert isinstance(line, Outbox)
        line.abort(4004, "")
        played = await play(RandomBot(), ann, id)
        assert played is not None and played.result.reason != "forfeit"
        assert bot.peer is not line


async def test_built_in_bots_are_no_connections_of_their_network_and_keep_nobody_out() -> None:
    async with contextlib.AsyncExitStack() as stack, asyncio.timeout(60):
        server = await stack.enter_async_context(open_server(generous_limits(connections_each=3), bots=1))
        people = [Connection(server.url, Session(name=name)) for name in ("Ann", "Bob", "Cleo")]
        for person in people:
            await stack.enter_async_context(person)
            await with_bots(person, "hurry-cup", 6)
        bots = [session for session in server.lobby.tables.sessions.values() if session.built_in]
        assert len(bots) == 15 and all(bot.peer is not None for bot in bots)
        with pytest.raises(InvalidStatus):
            await dial(server.url)


async def test_all_bots_of_a_worker_that_was_killed_are_started_again_and_finish() -> None:
    before = children(os.getpid())
    async with contextlib.AsyncExitStack() as stack, asyncio.timeout(60):
        server = await stack.enter_async_context(open_server(bots=1))
        people = [Connection(server.url, Session(name=name)) for name in ("Ann", "Bob")]
        tables = []
        for person in people:
            await stack.enter_async_context(person)
            tables.append(await with_bots(person, "butterflies", 3))
            await person.ask(m.Start, table=tables[-1])
        (worker,) = set(children(os.getpid())) - set(before)
        os.kill(worker, signal.SIGKILL)
        for person, table in zip(people, tables, strict=True):
            played = await play(RandomBot(), person, table)
            assert played is not None and played.result.reason != "forfeit"


async def test_a_bot_plays_for_somebody_who_is_away_to_the_end(server: ListeningServer) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann, asyncio.timeout(60):
        async with Connection(server.url, Session(name="Bob")) as bob:
            id = str((await ann.ask(m.CreateTable, game="balloon-cup", seats=2, reaction=0.0))["table"])
            await bob.ask(m.Join, table=id)
            for player in (ann, bob):
                await player.ask(m.Ready, table=id)
            await ann.ask(m.Start, table=id)
        table = ann.session.tables[id]
        while (chair := table.info.chairs[1]) is None or chair.here:
            await ann.changed()
        name = (await ann.ask(m.Substitute, table=id, seat=1))["name"]
        played = await play(RandomBot(), ann, id)
        assert played is not None and played.result.reason != "forfeit"
        assert played.names == ("Ann", "Bob")
        assert {seat for by in table.chosen_by.values() for seat in by.items()} == {(1, name)}
        await gone(server)


async def test_who_does_not_know_the_secret_does_not_come_in_by_the_way_of_the_bots() -> None:
    async with open_server(generous_limits(connections_each=1)) as server, private_way(server.gateway) as url:
        await Caller(server.url, "Ann").connect()
        assert (await Caller(url, "Bot").connect()).welcome["you"]["name"] == "Bot"
        for wrong in ("/", "/healthz", f"{urlsplit(url).path}x", "/%C3%A9"):
            with pytest.raises(InvalidStatus) as refused:
                await dial(urlsplit(url)._replace(path=wrong).geturl())
            assert refused.value.response.status_code == 404


async def test_built_in_bots_reach_a_server_that_made_its_own_certificate(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    trust = ssl.create_default_context(cafile=cert)
    config = make({"port": 0, "host": "127.0.0.1", "cert": cert, "key": key})
    async with contextlib.AsyncExitStack() as stack, asyncio.timeout(60):
        server = await stack.enter_async_context(running(config))
        ann = Connection(server.url, Session(name="Ann"), trust=trust)
        await stack.enter_async_context(ann)
        id = await with_bots(ann, "balloon-cup", 2)
        await ann.ask(m.Start, table=id)
        assert await play(RandomBot(), ann, id) is not None


def test_every_strategy_that_the_server_offers_is_there() -> None:
    assert tuple(STRATEGIES) == OFFERED


def worked(lines: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*WORKER, *arguments], input=lines, capture_output=True, text=True, timeout=60)


def test_lines_that_are_no_orders_are_told_in_one_line_each() -> None:
    order = {"url": "ws://127.0.0.1:1/secret", "token": "secret-token", "table": "T", "strategy": "chess"}
    asked = worked(f"{{\n[]\n{json.dumps(order)}\n{json.dumps({'token': 'secret-token'})}\n")
    assert (asked.returncode, asked.stdout) == (0, "")
    assert asked.stderr.splitlines() == [
        "ERROR parlour.worker order refused: is not JSON",
        "ERROR parlour.worker order refused: must have a url, a token, a table and a strategy",
        "ERROR parlour.worker order refused: there is no strategy 'chess'",
        "ERROR parlour.worker order refused: must have a url, a token, a table and a strategy",
    ]


def test_a_worker_without_orders_ends_with_its_stdin() -> None:
    asked = worked("")
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, "", "")


def test_a_worker_takes_no_words_for_they_would_be_seen_by_all_programs_here() -> None:
    asked = worked("", "ws://127.0.0.1:1/secret")
    assert (asked.returncode, asked.stderr) == (2, "usage: python -m parlour.client.bots.worker\n")


def test_an_order_names_its_strategy() -> None:
    order = Order.read('{"url": "ws://h", "token": "t", "table": "T", "strategy": "random"}')
    assert order == Order("ws://h", "t", "T", RandomBot)


async def test_a_worker_survives_a_bot_that_the_server_does_not_know(server: ListeningServer) -> None:
    pipe = asyncio.subprocess.PIPE
    worker = await asyncio.create_subprocess_exec(*WORKER, stdin=pipe, stdout=pipe, stderr=pipe)
    assert worker.stdin is not None
    order = json.dumps({"url": server.url, "token": "nobody's", "table": "T", "strategy": "random"})
    refused = 0.0
    for expected in (1.0, 2.0):
        worker.stdin.write(f"{order}\n".encode())
        while refused < expected:
            await asyncio.sleep(0.01)
            facts = {"code": "bad_token"}
            refused = server.gateway.metrics.registry.get_sample_value("parlour_errors_total", facts) or 0.0
    assert worker.returncode is None
    worker.stdin.close()
    out, err = await worker.communicate()
    assert (worker.returncode, out, err) == (0, b"", b"")
