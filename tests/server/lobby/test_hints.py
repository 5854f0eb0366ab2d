"""Hints for clients without strategies: what one would play, where that is allowed."""

from random import Random
from typing import Any

from support.results import check_result
from support.server.sockets import Caller, gather, open_server


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
