"""Hurry' Cup in a browser: a race in four windows, a race for practice, and taps that come too late."""

import asyncio

import pytest
from playwright.async_api import Browser
from support.client.browsers import TURN, Visitor, serving
from support.server.shared_bots import BotProcess
from support.server.sockets import Caller

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_four_drivers_in_windows_of_their_own_play_a_race(browser: Browser) -> None:
    async with serving() as server:
        names = ("Ann", "Ben", "Cleo", "Dora")
        drivers = [await Visitor.of(browser, server.url, name, has_touch=name == "Ann") for name in names]
        ann, ben, *others = drivers
        await ann.come_in("Ann")
        finish = {SAY("options.hurry-cup.finish.name"): SAY("options.hurry-cup.finish.first")}
        await ann.open_table("Hurry' Cup", choose={SAY("web.seats"): SAY("new.seats", count=4), **finish})
        for each, name in zip(drivers[1:], names[1:], strict=True):
            await each.come_in(name)
            await each.sit_down()
        for each in drivers:
            await each.button(SAY("table.get_ready")).click()
        await ann.button(SAY("table.start")).click()

        async def touch() -> None:
            await ann.play(6)
            await ann.play_by_itself()

        async def press() -> None:
            await ben.play_by_keys(9)
            await ben.play_by_itself()

        async with asyncio.TaskGroup() as group:
            for driving in (touch(), press(), *[each.play_by_itself() for each in others]):
                group.create_task(driving)
        for each in drivers:
            await each.page.get_by_text(SAY("web.fair")).wait_for()
        assert [each.console for each in drivers] == [[], [], [], []]
        assert await ann.faults() == []


async def test_a_race_for_practice_explains_each_step(browser: Browser, bots: BotProcess) -> None:
    async with serving(bots) as server:
        ann = await Visitor.of(browser, server.url, "practice")
        await ann.come_in("Ann")
        await ann.play_bot(SAY("start.practice", game="Hurry' Cup"))
        assert await ann.until_asked()
        await ann.page.get_by_text(SAY("hurry.practice.horn")).wait_for()
        await ann.page.get_by_role("button", name=SAY("hurry.token.helmet"), exact=True).click()
        await ann.page.get_by_role("status").filter(has_text="helmet").last.wait_for()
        assert (await ann.faults(), ann.console) == ([], [])


async def test_a_tap_that_was_meant_for_a_scramble_chooses_nothing_after_it(browser: Browser) -> None:
    async with serving() as server:
        ann = await Visitor.of(browser, server.url, "late")
        await ann.come_in("Ann")
        others = [await Caller(server.url, name).connect() for name in ("Ben", "Cleo")]
        host = others[0]
        clocks = {"scramble": 1.0}
        table = (await host.do("create_table", game="hurry-cup", seats=3, clocks=clocks))["table"]
        await others[1].do("join", table=table)
        await ann.sit_down()
        # Whatever can be tapped is tapped in the moment in which it appears.
        await ann.page.evaluate(HASTY)
        await ann.button(SAY("table.get_ready")).click()
        for each in others:
            await each.do("ready", table=table)
        while not all(chair and chair["ready"] for chair in host.known(table)["info"]["chairs"]):
            await host.event()
        await host.do("start", table=table)
        await ann.until("document.querySelector('.hand .pawn') !== null")
        assert await ann.page.evaluate(TURN)
        await ann.until_other_than(await ann.text())
        assert ann.console == []


HASTY = """() => {
  const seen = new Set();
  new MutationObserver(() => {
    for (const each of document.querySelectorAll(".hand .pawn")) {
      if (!seen.has(each)) each.click();
      seen.add(each);
    }
  }).observe(document.getElementById("page"), { childList: true, subtree: true });
}"""
