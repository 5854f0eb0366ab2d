"""Hints for clients without strategies: what one would play, where that is allowed."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.results import check_result
from support.server.sockets import Caller, gather, generous_limits, open_server

from parlour.engine.secret import Seat
from parlour.machine.programs import THINKER, command_line
from parlour.protocol.errors import ProtocolError
from parlour.server.lobby import hints
from parlour.server.lobby.hints import Thinker
from parlour.server.tables.table import Table


async def answer(who: Caller, table: str, **fields: Any) -> dict[str, Any]:
    return await who.answer(await who.send("hint", table=table, **fields))


async def test_a_hint_is_an_action_that_may_be_played() -> None:
    async with open_server() as server:
        table, people = await gather(server.url, "balloon-cup", [Caller, Caller], options={"first": 0})
        ann = people[0]
        question = ann.known(table)["question"]
        found = check_result("hint", await ann.do("hint", table=table, strategy="greedy"))
        assert found["turn"] == question["turn"]
        best = found["ranked"][0]
        await ann.do("act", table=table, turn=question["turn"], action=best["action"])


async def test_hints_are_for_whoever_is_asked_at_a_table_that_allows_them() -> None:
    async with open_server() as server:
        table, people = await gather(server.url, "balloon-cup", [Caller, Caller], options={"first": 0})
        assert (await answer(people[1], table))["code"] == "not_asked"
        assert (await answer(people[0], table, strategy="oracle"))["code"] == "no_such_bot"
        wes = await Caller(server.url, "Wes").connect()
        assert (await answer(wes, table))["code"] == "not_seated"
        await people[0].act(table, Random(1))
    async with open_server() as server:
        table, people = await gather(
            server.url, "balloon-cup", [Caller, Caller], options={"first": 0}, hints=False
        )
        assert (await answer(people[0], table))["code"] == "not_allowed"


async def test_only_a_few_hints_wait_for_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def think(_: Thinker, decision: dict[str, Any], _strategy: str) -> dict[str, Any]:
        go_on.wait()
        return {"turn": decision["turn"], "ranked": []}

    monkeypatch.setattr(Thinker, "think", think)
    async with open_server(generous_limits()) as server:
        table, people = await gather(server.url, "balloon-cup", [Caller, Caller], options={"first": 0})
        ann = people[0]
        asked = [await ann.send("hint", table=table) for _ in range(hints.MOST_WAITING + 1)]
        try:
            refused = await ann.answer(asked[-1])
        finally:
            go_on.set()
        assert (refused["code"], refused["retry_after"] > 0) == ("busy", True)
        for id in asked[:-1]:
            assert (await ann.answer(id))["type"] == "ok"


class Listener(Caller):
    """A client that keeps the news of its game."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(url, name)
        self.news: list[Any] = []

    async def receive(self) -> dict[str, Any]:
        message = await super().receive()
        if message["type"] == "update":
            self.news += message["news"]
        return message


async def test_a_hint_is_made_with_the_news_that_its_player_got() -> None:
    async with open_server() as server:
        table, people = await gather(server.url, "butterflies", [Listener, Listener], options={"first": 0})
        ann, ben = people
        assert isinstance(ann, Listener)
        at = server.lobby.tables.by_id[table]
        rng = Random(1)
        for _ in range(2):  # a rematch has news of its own
            while len(ann.news) < 6 or await asked(people, at) is not ann:
                await (await asked(people, at)).act(table, rng)
            decision = hints.decision_at(at, ann.known(table)["seat"])
            assert (decision["news"], decision["news_missed"]) == (ann.news, False)
            await ben.do("resign", table=table)
            await ann.do("rematch", table=table)
            for person in people:
                await person.do("ready", table=table, nonce="again")
            ann.news.clear()
            await ann.do("start", table=table)


async def asked(people: Sequence[Caller], table: Table) -> Caller:
    """Whose turn it is, once that player knows."""
    assert table.live_game is not None
    seat = min(table.live_game.match.awaited)
    question, name = table.live_game.question(seat), table.player_at(seat).name
    person = next(person for person in people if person.name == name)
    while (person.known(table.id)["question"] or {}).get("turn") != (question and question.turn):
        await person.event()
    return person


FOR_EVER = """
import sys
sys.stdin.readline()
open(sys.argv[1], "w").close()
sys.stdin.read()
"""
"""A thinker that makes a file, which may be a pipe, and then comes to no end."""


async def test_a_thinker_ends_with_its_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    monkeypatch.setattr(hints, "command_line", lambda _: [sys.executable, "-c", FOR_EVER, str(begun)])
    thinker = Thinker()
    thinking = asyncio.create_task(asyncio.to_thread(thinker.think, {"turn": 1}, "greedy"))
    await asyncio.to_thread(begun.read_bytes)  # ends when the thinker has opened it and closed it
    thinker.end()
    with pytest.raises(ProtocolError, match="busy"):
        await thinking
    with pytest.raises(ProtocolError, match="busy"):
        thinker.think({"turn": 2}, "greedy")


async def test_a_thinker_ends_when_whoever_asked_is_killed() -> None:
    async with open_server() as server:
        table, people = await gather(server.url, "balloon-cup", [Caller, Caller], options={"first": 0})
        assert people[0].known(table)["question"] is not None
        decision = hints.decision_at(server.lobby.tables.by_id[table], Seat(0))
    order = json.dumps({"strategy": "search:600s", "decision": decision})
    pipe = subprocess.PIPE
    with subprocess.Popen(command_line(THINKER), stdin=pipe, stdout=pipe, text=True) as process:
        said, _ = process.communicate(f"{order}\n")  # ends its stdin
    assert (said, process.returncode) == ("", 1)
