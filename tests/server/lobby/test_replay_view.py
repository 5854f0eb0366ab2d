"""A game that was played, shown through somebody's eyes to clients that have no rules."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.results import check_result
from support.server.sockets import Caller, gather, open_server

from parlour.engine.catalogue import GAMES
from parlour.server.records.views import MOST


async def seen(caller: Caller, game: str, eyes: int | None) -> list[dict[str, Any]]:
    """All entries, page by page."""
    found: list[dict[str, Any]] = []
    while True:
        page = await caller.do("replay_view", game=game, eyes=eyes, first=len(found), count=MOST)
        found += check_result("replay_view", page)["entries"]
        if len(found) == page["total"]:
            return found
        assert len(page["entries"]) == MOST


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_shown_as_each_seat_was_told_it(game: str, tmp_path: Path) -> None:
    async with open_server(archive=str(tmp_path / "parlour.db")) as server:
        seats = min(GAMES[game].seats)
        table, people = await gather(server.url, game, [Caller] * seats)
        ann = people[0]
        views: list[Any] = [ann.known(table)["view"]]
        rng = Random(game)
        result = None
        while result is None:
            before = [person.memories[table].seq for person in people]
            for person in people:
                await person.act(table, rng)
            if [person.memories[table].seq for person in people] == before:
                await ann.event()
            views.append(ann.known(table)["view"])
            for person in people[1:]:
                await person.do("ping")
            result = ann.known(table)["result"]
        (played,) = (await ann.do("played"))["games"]
        mine = await seen(ann, played["id"], 0)
        told = [entry["view"] for entry in mine]
        assert [view for view in views if view not in told][:-1] == []
        assert [entry["news"] for entry in mine] != [[] for _ in mine]
        everything = await seen(ann, played["id"], None)
        assert everything[-1]["view"] == ann.known(table)["view"]
        assert len(everything) == len(mine)


async def test_what_is_not_there_and_what_is_not_ones_own_are_refused_alike(tmp_path: Path) -> None:
    async with open_server(archive=str(tmp_path / "parlour.db")) as server:
        table, people = await gather(server.url, "balloon-cup", [Caller, Caller])
        await people[1].do("resign", table=table)
        wes = await Caller(server.url, "Wes").connect()
        game = (await people[0].do("played"))["games"][0]["id"]

        async def refused(who: Caller, **fields: Any) -> str:
            answer = await who.answer(await who.send("replay_view", **{"game": game, **fields}))
            assert answer["type"] == "error"
            return f"{answer['code']} {answer['facts'].get('where', '')}".strip()

        assert await refused(wes) == await refused(people[0], game="T-9") == "no_such_replay"
        assert await refused(people[0], eyes=2) == "bad_message eyes"
        assert await refused(people[0], first=-1) == "bad_message first"
        assert await refused(people[0], count=MOST + 1) == "bad_message count"
        beyond = await people[0].do("replay_view", game=game, first=10_000)
        assert beyond["entries"] == [] and beyond["total"] > 0
