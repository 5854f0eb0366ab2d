"""The page at every table: races in windows of their own, games by keys alone, and somebody who is away."""

import asyncio
import re

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import Visitor, serving
from support.server.sockets import Caller

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_four_drivers_in_windows_of_their_own_play_a_race(browser: Browser) -> None:
    async with serving() as server:
        names = ("Ann", "Ben", "Cleo", "Dora")
        drivers = [await Visitor.of(browser, server.url, name, has_touch=name == "Ann") for name in names]
        ann, ben, *others = drivers
        await ann.come_in("Ann")
        await ann.button(SAY("lobby.new")).click()
        await ann.page.get_by_role("button", name="Hurry' Cup").click()
        await ann.page.get_by_label(SAY("web.seats")).select_option(SAY("new.seats", count=4))
        finish = ann.page.get_by_label(SAY("options.hurry-cup.finish.name"))
        await finish.select_option(SAY("options.hurry-cup.finish.first"))
        await ann.button(SAY("new.open")).click()
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
            await expect(each.page.get_by_text(SAY("web.fair"))).to_be_visible()
        assert [each.console for each in drivers] == [[], [], [], []]
        assert await ann.faults() == []


async def test_butterflies_is_played_by_keys_alone(browser: Browser) -> None:
    async with serving(bots=1) as server:
        ann = await Visitor.of(browser, server.url, "keys")
        await ann.come_in("Ann")
        await ann.play_bot("Butterflies")
        await ann.play_by_keys(12)
        assert await ann.until_asked()
        assert await ann.faults() == []
        await ann.play_by_itself()
        await expect(ann.page.get_by_text(SAY("web.fair"))).to_be_visible()
        assert ann.console == []


async def test_a_race_for_practice_explains_each_step(browser: Browser) -> None:
    async with serving(bots=1) as server:
        ann = await Visitor.of(browser, server.url, "practice")
        await ann.come_in("Ann")
        await ann.play_bot(SAY("start.practice", game="Hurry' Cup"))
        assert await ann.until_asked()
        await expect(ann.page.get_by_text(SAY("hurry.practice.horn"))).to_be_visible()
        await ann.page.get_by_role("button", name=SAY("hurry.token.helmet"), exact=True).click()
        await expect(ann.page.get_by_role("status").filter(has_text="helmet").last).to_be_visible()
        assert (await ann.faults(), ann.console) == ([], [])


async def test_a_bot_plays_for_somebody_who_is_away(browser: Browser) -> None:
    async with serving(bots=1) as server:
        ann = await Visitor.of(browser, server.url, "away")
        await ann.come_in("Ann")
        await ann.button(SAY("lobby.new")).click()
        await ann.page.get_by_role("button", name="Balloon Cup").click()
        wind = ann.page.get_by_label(SAY("options.balloon-cup.wind.name"))
        await wind.select_option(SAY("options.values.on"))
        await ann.button(SAY("new.open")).click()
        await expect(ann.page.get_by_text(SAY("options.unusual", options="Wind: on"))).to_be_visible()
        ben = await Caller(server.url, "Ben").connect()
        table = (await ben.do("list_tables"))["tables"][0]["table"]
        await ben.do("join", table=table)
        await ben.do("ready", table=table)
        await ann.button(SAY("table.get_ready")).click()
        await ann.button(SAY("table.start")).click()
        await ben.drop(rudely=True)
        await expect(ann.page.get_by_text(re.compile(r"Ben lost the connection \d:\d\d ago"))).to_be_visible()
        await ann.button(SAY("play.menu")).click()
        await ann.button(SAY("absence.put_in", name="Ben", level=SAY("bots.easy"))).click()
        await expect(
            ann.page.get_by_text(re.compile(r"\w+ plays for Ben, who has been away"))
        ).to_be_visible()
        await ann.play(2)
        await ann.button(SAY("play.menu")).click()
        assert await ann.faults() == []
        await ann.page.get_by_role("button", name=re.compile("^Wait for Ben without")).click()
        await expect(ann.page.get_by_text(re.compile("Ben lost the connection"))).to_be_visible()
        assert ann.console == []
