"""Openings of visits: Ann in the lobby, in a game against bots, or at a table with others without a page."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from playwright.async_api import Browser
from support.client.browsers import Visitor
from support.server.sockets import Caller

from parlour.client.language import ENGLISH as SAY
from parlour.server.app import ListeningServer


@contextlib.asynccontextmanager
async def visit(
    browser: Browser,
    server: ListeningServer,
    seed: object = 0,
    *,
    plays: str | None = None,
    noise: tuple[str, ...] = (),
    **window: Any,
) -> AsyncIterator[Visitor]:
    """Ann has come in; if she `plays` a game, against bots, it is her turn.

    At the end her console must be empty but for what has a word of `noise` in it.
    """
    ann = await Visitor.of(browser, server.url, seed, **window)
    await ann.come_in("Ann")
    if plays is not None:
        await ann.play_bot(plays)
        assert await ann.until_asked()
    yield ann
    assert [said for said in ann.console if not any(word in said for word in noise)] == []


async def deal(ann: Visitor, ben: Caller, *others: Caller, game: str = "balloon-cup", **rules: Any) -> str:
    """Ben opens a table, Ann sits down after the others, and it is dealt; the table."""
    seats = 2 + len(others)
    table = str((await ben.do("create_table", game=game, seats=seats, **rules))["table"])
    for each in others:
        await each.do("join", table=table)
    await ann.sit_down()
    await ann.button(SAY("table.get_ready")).click()
    for each in (ben, *others):
        await each.do("ready", table=table)
    while not all(chair and chair["ready"] for chair in ben.known(table)["info"]["chairs"]):
        await ben.event()
    await ben.do("start", table=table)
    return table


@contextlib.asynccontextmanager
async def practising(browser: Browser, server: ListeningServer, **window: Any) -> AsyncIterator[Visitor]:
    """Ann is asked in a race for practice against bots that take no time to react."""
    ben = await Caller(server.url, "Ben").connect()
    rules: dict[str, Any] = {"practice": True, "reaction": 0.0, "clocks": {"scramble": 60.0}}
    made = await ben.do("create_table", game="hurry-cup", seats=3, **rules)
    async with visit(browser, server, "practice", **window) as ann:
        await ann.sit_down()
        await ann.button(SAY("table.get_ready")).click()
        await ben.do("leave", table=made["table"])
        for _ in range(2):
            await ann.button(SAY("table.add_bot", level=SAY("bots.easy"))).click()
        await ann.button(SAY("table.start")).click()
        assert await ann.until_asked()
        yield ann
