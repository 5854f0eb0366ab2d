"""In a running game: what was missed, time that was up, the browser's Back, idle taps."""

import random

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import Visitor, serving
from support.server.sockets import Caller, move_on

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIZES = "[...document.querySelectorAll('.hands, .tiles')].map((each) => each.offsetHeight)"


async def test_a_game_tells_what_was_missed_asks_before_it_is_left_and_stays_in_its_place(
    browser: Browser,
) -> None:
    async with serving() as server:
        ann = await Visitor.of(browser, server.url, "during")
        await ann.come_in("Ann")
        ben = await Caller(server.url, "Ben").connect()
        clocks = {"decision": 8.0}
        table = (
            await ben.do("create_table", game="balloon-cup", seats=2, clocks=clocks, options={"first": 0})
        )["table"]
        await ann.sit_down()
        await ann.button(SAY("table.get_ready")).click()
        await ben.do("ready", table=table)
        while not all(chair and chair["ready"] for chair in ben.known(table)["info"]["chairs"]):
            await ben.event()
        await ben.do("start", table=table)
        for _ in range(2):  # nobody plays: time does, for both
            turn = ben.known(table)["awaited"]
            move_on(9.0)
            while ben.known(table)["awaited"] == turn:
                await ben.event()
        story = ann.page.get_by_role("region", name=SAY("web.your_turn"))
        await story.get_by_text(SAY("play.time_up")).wait_for()
        await ann.page.reload()
        await story.get_by_text("played").first.wait_for()
        await ann.page.get_by_role("button", name=SAY("web.story")).click()
        told = ann.page.get_by_role("dialog")
        await told.get_by_text(SAY("play.time_up_for", who="Ben")).first.wait_for()

        await ann.page.go_back()
        await expect(told).to_have_count(0)
        await ann.page.go_back()
        await told.get_by_text(SAY("web.sure_lobby")).wait_for()
        assert await ann.faults() == []
        await ann.button(SAY("menu.no")).click()
        await expect(told).to_have_count(0)

        await (
            ann.page.get_by_role("region", name=SAY("web.board"))
            .get_by_role("button")
            .first.click(force=True)
        )
        await ann.page.get_by_role("status").filter(has_text="Tile 1").first.wait_for()
        sizes = await ann.page.evaluate(SIZES)
        toast = ann.page.get_by_role("status").filter(has_text="Tile 1").first
        await toast.click()
        await ben.act(table, random.Random(1))
        assert await ann.until_asked()
        assert await ann.page.evaluate(SIZES) == sizes
        await (await ann.fitting()).click()
        await ann.places.first.click()
        await ann.page.get_by_text(f"{SAY('play.waiting')} Ben").wait_for()
        assert await ann.page.locator(".toast").count() == 0  # what is done needs no explanation
        await ann.page.go_back()
        await ann.button(SAY("menu.yes")).click()
        await ann.button(SAY("lobby.new")).wait_for()
        assert ann.console == []
