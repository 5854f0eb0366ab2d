"""Bots: they find a table, play to the end whatever they answer, and go on with those who stay."""

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from support.client.seated_player import table_info
from support.paths import ROOT
from support.server.sockets import PATIENCE, own_port

from parlour.client.bot import Bot, Choice, Played, play, play_games
from parlour.client.bots.random import RandomBot
from parlour.client.connection import Connection, Gone, Refused
from parlour.client.decision import Decision
from parlour.client.session import Session
from parlour.client.table_search import Wanted, best
from parlour.protocol import messages as m
from parlour.server.app import ListeningServer, running
from parlour.server.config import make
from parlour.server.storage import gate
from parlour.server.storage.change import Change
from parlour.server.storage.errors import NotStored
from parlour.server.storage.store import Done, NoStore
from parlour.server.tables.registry import Tables

README = (ROOT / "README.md").read_text(encoding="utf-8")
LOCAL = {"port": 0, "host": "127.0.0.1"}
BALLOON = Wanted("balloon-cup")


@pytest.fixture
async def server() -> AsyncIterator[ListeningServer]:
    async with running(make(LOCAL)) as ready:
        yield ready


async def two(
    server: ListeningServer, one: type[Bot], other: type[Bot] = RandomBot, games: int = 1
) -> list[Played]:
    """Two bots play each other; the results of the first."""
    first, second = await asyncio.gather(
        play_games(one, server.url, BALLOON, "One", games),
        play_games(other, server.url, BALLOON, "Two", games),
    )
    assert [played.result for played in first] == [played.result for played in second]
    return first


# What a bot is asked


class Curious(RandomBot):
    """Remembers what it was asked."""

    asked: list[Decision]

    def choose(self, decision: Decision) -> dict[str, Any]:
        self.asked.append(decision)
        return super().choose(decision)


async def test_a_decision_has_all_that_a_bot_may_know(server: ListeningServer) -> None:
    Curious.asked = []
    (played,) = await two(server, Curious)
    first, last = Curious.asked[0], Curious.asked[-1]
    assert {decision.game for decision in Curious.asked} == {"balloon-cup"}
    assert {decision.seat for decision in Curious.asked} == {played.seat}
    assert first.options["edition"] and first.view["hands"]
    assert first.count == len(list(first.every()))
    assert first.pick() in list(first.every())
    assert first.news and last.news[: len(first.news)] == first.news
    assert not last.news_missed
    assert [decision.turn for decision in Curious.asked] == list(range(1, len(Curious.asked) + 1))
    assert first.seconds_left is None


async def test_a_decision_counts_down_the_time_that_is_left(server: ListeningServer) -> None:
    Curious.asked = []
    async with Connection(server.url, Session(name="Ann")) as ann:
        clocks = m.Clocks(decision=600.0, bank=60.0)
        made = await ann.ask(m.CreateTable, game="balloon-cup", seats=2, clocks=clocks)
        await ann.ask(m.Ready, table=made["table"])
        bot = asyncio.create_task(play_games(Curious, server.url, BALLOON, "Two"))
        while ann.session.tables[made["table"]].info.chairs[1] is None:
            await ann.changed()
        await ann.ask(m.Start, table=made["table"])
        await ann.ask(m.Resign, table=made["table"])
        await bot
        for decision in Curious.asked:
            assert decision.seconds_left is not None and 500 < decision.seconds_left <= 660


# What a bot may answer


class Thinking(Bot):
    """Not async, and not quick: it runs in a thread of its own."""

    threads: set[int]

    def choose(self, decision: Decision) -> Mapping[str, Any]:
        self.threads.add(threading.get_ident())
        return decision.pick()


class Waiting(Bot):
    async def choose(self, decision: Decision) -> Mapping[str, Any]:
        await asyncio.sleep(0)
        return decision.pick()


async def test_a_bot_may_think_in_a_thread_or_wait_on_the_loop(server: ListeningServer) -> None:
    Thinking.threads = set()
    await two(server, Thinking, Waiting)
    assert Thinking.threads and threading.get_ident() not in Thinking.threads


class ForgetfulStore(NoStore):
    """Refuses every third change, once a game is on."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.puts = tables, 0

    def put(self, change: Change, done: Done) -> None:  # noqa: ARG002
        self.puts += any(table.stage == "playing" for table in self.tables.by_id.values())
        done(NotStored("memory", "SQLITE_FULL") if self.puts % 3 == 2 else None)


async def test_what_the_server_could_not_store_is_sent_again(
    server: ListeningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "AGAIN_AFTER", 0.0)
    tables = server.lobby.tables
    tables.store = store = ForgetfulStore(tables)
    await two(server, RandomBot)
    assert store.puts > 20


class Wrong(Bot):
    """Gives one wrong answer after the other."""

    thread = False
    given = 0

    def choose(self, decision: Decision) -> Choice:
        answers: list[Any] = [
            {"type": "fly"},
            {"type": "play", "card": "red-99", "tile": 1, "side": 0},
            {**decision.pick(), "note": "please"},
            None,
            {"type": object()},
            "play",
            {"type": "play", "card": "x" * 9000},
        ]
        Wrong.given += 1
        answer: Choice = answers[Wrong.given % len(answers)]
        return answer


class Broken(Bot):
    def choose(self, decision: Decision) -> Choice:
        raise RuntimeError(f"no idea\nabout {decision.phase}")


class Fruitless(Bot):
    def choose(self, decision: Decision) -> Choice:
        return next(action for action in decision.every() if action["type"] == "fly")


@pytest.mark.parametrize("bot", [Wrong, Broken, Fruitless])
async def test_wrong_answers_are_written_down_and_the_game_goes_on(
    bot: type[Bot], server: ListeningServer, caplog: pytest.LogCaptureFixture
) -> None:
    await two(server, bot)
    lines = [record.getMessage() for record in caplog.records if record.name == "parlour.bot"]
    assert lines
    assert all("\n" not in line for line in lines)
    if bot is Broken:
        assert re.match(r"failed turn=1 .*test_bot\.py:\d+: RuntimeError: no idea about play", lines[0])
    elif bot is Fruitless:
        assert re.match(r"failed turn=1 .*test_bot\.py:\d+: .*StopIteration", lines[0])
    else:
        assert {line.split()[0] for line in lines} == {"failed", "illegal", "bad_action"}


class Late(RandomBot):
    """Thinks about its first question until its time is up."""

    thread = True
    asked: threading.Event
    overslept: threading.Event

    def choose(self, decision: Decision) -> dict[str, Any]:
        if decision.turn == 1:
            self.asked.set()
            assert self.overslept.wait(PATIENCE)
        return super().choose(decision)


PLAYED_OUT = ("trophies", "locked")
"""The ends of Balloon Cup, but for giving up: now and then random players leave no card that fits."""


async def test_an_answer_that_comes_too_late_is_dropped_and_the_next_question_answered(
    server: ListeningServer, caplog: pytest.LogCaptureFixture
) -> None:
    Late.asked, Late.overslept = threading.Event(), threading.Event()
    async with (
        Connection(server.url, Session(name="Ann")) as ann,
        Connection(server.url, Session(name="Ben")) as ben,
    ):
        made = await ann.ask(m.CreateTable, game="balloon-cup", seats=2, clocks=m.Clocks(decision=600.0))
        id = made["table"]
        await ben.ask(m.Join, table=id)
        for player in (ann, ben):
            await player.ask(m.Ready, table=id)
        await ann.ask(m.Start, table=id)
        person, late = [
            asyncio.create_task(play(RandomBot(), ann, id)),
            asyncio.create_task(play(Late(), ben, id)),
        ]
        assert await asyncio.to_thread(Late.asked.wait, PATIENCE)
        server.lobby.tables.tick(server.gateway.now() + 700.0)
        while (question := ben.session.tables[id].question) is not None and question.turn == 1:
            await ben.changed()
        Late.overslept.set()
        played = await late
        assert await person is not None
    assert played is not None and played.result.reason in PLAYED_OUT
    said = [record.getMessage() for record in caplog.records if record.name == "parlour.bot"]
    assert said == [f"late table={id} turn=1"]


# Finding a table


async def test_bots_that_come_at_one_moment_find_each_other(server: ListeningServer) -> None:
    bots = [play_games(RandomBot, server.url, BALLOON, f"Bot {number}", 2) for number in range(6)]
    results = await asyncio.gather(*bots)
    assert [len(games) for games in results] == [2] * 6
    assert server.lobby.tables.by_id == {}


def test_bots_prefer_the_table_that_lacks_the_fewest_players() -> None:
    """Two who wait together stay, so that one who is alone must come to them."""
    session = Session(name="Ann")
    chair = m.Chair("Bot", True, True, True, False, False, None)
    session.lobby = {
        id: table_info(
            "race", 3, "gathering", table=id, host="Bot", chairs=(*[chair] * seated, *[None] * free)
        )
        for id, seated, free in (("A", 1, 2), ("B", 2, 1), ("C", 1, 2))
    }
    assert [info.table for info in best(Connection("", session), "race")] == ["B", "A", "C"]


async def test_bots_do_not_wait_at_the_table_of_a_host_who_is_away(server: ListeningServer) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann:
        made = await ann.ask(m.CreateTable, game="balloon-cup", seats=2)
    async with asyncio.timeout(60):
        await two(server, RandomBot)
    assert list(server.lobby.tables.by_id) == [made["table"]]


async def test_a_bot_that_is_told_to_end_gets_up_first(server: ListeningServer) -> None:
    words = ["-m", "parlour.client.cli.main", "bot", server.url, "--game", "balloon-cup"]
    process = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=subprocess.PIPE)
    async with Connection(server.url, Session(name="Ann")) as ann, asyncio.timeout(60):
        await ann.ask(m.WatchLobby, on=True)
        while not ann.session.lobby:
            await ann.changed()
        process.terminate()
        await process.communicate()
    assert server.lobby.tables.by_id == {}


@pytest.mark.parametrize(("game", "seats"), [("hurry-cup", 4), ("butterflies", 3)])
async def test_bots_play_the_other_games_too(game: str, seats: int, server: ListeningServer) -> None:
    wanted = Wanted(game, seats=seats)
    bots = [play_games(RandomBot, server.url, wanted, f"Bot {number}", 2) for number in range(seats)]
    for games in await asyncio.gather(*bots):
        assert [len(played.names) for played in games] == [seats, seats]


async def test_a_bot_sits_down_at_a_persons_table_before_one_of_its_own(server: ListeningServer) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann:
        bot = asyncio.create_task(play_games(RandomBot, server.url, BALLOON, "One"))
        await ann.ask(m.WatchLobby, on=True)
        while not ann.session.lobby:
            await ann.changed()
        made = await ann.ask(m.CreateTable, game="balloon-cup", seats=2)
        table = ann.session.tables[made["table"]]
        while table.info.chairs[1] is None:
            await ann.changed()
        assert table.info.chairs[1].name == "One"
        await ann.ask(m.Ready, table=table.id)
        await ann.ask(m.Start, table=table.id)
        await ann.ask(m.Leave, table=table.id)
        (played,) = await bot
    assert played.won


async def test_a_bot_joins_a_private_table_by_its_code(server: ListeningServer) -> None:
    async with Connection(server.url, Session(name="Ann")) as ann:
        made = await ann.ask(m.CreateTable, game="balloon-cup", seats=2, public=False)
        bot = play_games(RandomBot, server.url, Wanted("balloon-cup", code=made["code"]), "One")
        running_bot = asyncio.create_task(bot)
        table = ann.session.tables[made["table"]]
        while table.info.chairs[1] is None:
            await ann.changed()
        running_bot.cancel()
        await asyncio.gather(running_bot, return_exceptions=True)
        while table.info.chairs[1] is not None:
            await ann.changed()


@pytest.mark.parametrize(
    ("wanted", "code"),
    [(Wanted("chess"), "no_such_game"), (Wanted("balloon-cup", "NOWHERE"), "no_such_table")],
)
async def test_a_wish_that_cannot_be_met_is_refused(
    wanted: Wanted, code: str, server: ListeningServer
) -> None:
    with pytest.raises(Refused) as refused:
        await play_games(RandomBot, server.url, wanted, "One")
    assert refused.value.code == code


async def test_a_bot_outlives_a_server_that_has_forgotten_it(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.server.app.BACK_AFTER", 0.05)
    with own_port() as port:
        async with running(make({**LOCAL, "port": port})) as first:
            one = asyncio.create_task(play_games(RandomBot, first.url, BALLOON, "One"))
            while not first.lobby.tables.by_id:
                await asyncio.sleep(0)
        async with running(make({**LOCAL, "port": port})) as second:
            other = await play_games(RandomBot, second.url, BALLOON, "Two")
            assert [played.result for played in await one] == [played.result for played in other]
    assert any(record.getMessage().startswith("forgotten") for record in caplog.records)


async def test_a_bot_without_a_server_says_so() -> None:
    with pytest.raises(Gone):
        await play_games(RandomBot, "ws://127.0.0.1:1", BALLOON, "One")


# The README


async def test_the_bot_of_the_readme_plays_a_whole_game(server: ListeningServer) -> None:
    (code,) = [
        block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "import Bot" in block
    ]
    assert len(code.splitlines()) <= 15
    (url,) = re.findall(r"ws://[^\"]+", code)
    code = code.replace(url, server.url)
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=subprocess.PIPE)
    await play_games(RandomBot, server.url, BALLOON, "One")
    out, _ = await process.communicate()
    assert process.returncode == 0
    assert out.decode().startswith("[Played(")
