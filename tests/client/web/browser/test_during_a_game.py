"""In a running game: what was missed, time that was up, the browser's Back, idle taps."""

import random

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import serving
from support.client.visits import deal, visit
from support.server.sockets import Caller, move_on

from parlour.client.language import ENGLISH as SAY
from parlour.client.legal import count, nth

pytestmark = pytest.mark.asyncio(loop_scope="session")
SHORT = 4.0
"""Seconds for a decision, where several of them pass."""
SIZES = "[...document.querySelectorAll('.hands, .tiles')].map((each) => each.offsetHeight)"


async def test_a_game_tells_what_was_missed_asks_before_it_is_left_and_stays_in_its_place(
    browser: Browser,
) -> None:
    async with serving() as server, visit(browser, server, "during") as ann:
        ben = await Caller(server.url, "Ben").connect()
        table = await deal(ann, ben, clocks={"decision": 8.0}, options={"first": 0})
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
        await told.wait_for(state="detached")
        await ann.page.go_back()
        await told.get_by_text(SAY("web.sure_lobby")).wait_for()
        assert await ann.faults() == []
        await ann.button(SAY("menu.no")).click()
        await told.wait_for(state="detached")

        await (
            ann.page.get_by_role("region", name=SAY("web.board"))
            .get_by_role("button")
            .first.click(force=True)
        )
        await ann.page.get_by_role("status").filter(has_text="Tile 1").first.wait_for()
        sizes = await ann.page.evaluate(SIZES)
        toast = ann.page.get_by_role("status").filter(has_text="Tile 1").first
        await toast.click()
        await ann.cards.first.click()
        waits = ann.page.locator(".toast").get_by_text(f"{SAY('play.waiting')} Ben")
        await waits.wait_for()
        answered = ben.known(table)["question"]
        await ben.act(table, random.Random(1))
        assert await ann.until_asked()
        await waits.wait_for(state="detached")  # that is no longer so
        assert await ann.page.evaluate(SIZES) == sizes
        await ann.look()
        await (await ann.fitting()).click()
        await ann.places.first.click()
        await ann.page.get_by_text(f"{SAY('play.waiting')} Ben").wait_for()
        assert await ann.page.locator(".toast").count() == 0  # what is done needs no explanation
        await ann.page.go_back()
        await ann.button(SAY("menu.yes")).click()
        await ann.button(SAY("lobby.new")).wait_for()
        while ben.known(table)["question"] in (None, answered):
            await ben.event()
        await ben.act(table, random.Random(1))
        await ann.page.go_back()
        assert await ann.until_asked()
        await ann.page.evaluate("location.hash = '#replay/GONE'")  # somebody's address
        await told.get_by_text(SAY("web.sure_elsewhere")).wait_for()
        await ann.button(SAY("menu.yes")).click()
        await ann.button(SAY("web.stats")).or_(ann.page.get_by_text(SAY("replays.none"))).wait_for()
        await ben.do("resign", table=table)
        await ann.page.get_by_role("status").filter(has_text="Balloon Cup: ").first.wait_for()


PATIENT = """() => {
  const real = setTimeout;
  const longer = (wait) => (wait > 250 && wait < 1000 ? 10 ** 6 : wait);
  window.setTimeout = (done, wait, ...more) => real(done, longer(wait), ...more);
}"""
"""What was done stays to be seen until somebody taps."""


async def test_what_others_do_is_shown_by_itself_and_a_tap_brings_the_board_up_to_date(
    browser: Browser,
) -> None:
    async with (
        serving() as server,
        visit(browser, server, "shown", reduced_motion="no-preference", has_touch=True) as ann,
    ):
        ben = await Caller(server.url, "Ben").connect()
        await ann.page.evaluate(PATIENT)
        table = await deal(ann, ben, options={"first": 0})
        deck = ann.page.locator("[data-id=deck]")  # everybody draws a card after playing one

        async def ben_plays() -> None:
            while (question := ben.known(table)["question"]) is None:
                await ben.event()
            last = nth(question["legal"], count(question["legal"]) - 1)  # where no tile is completed by it
            await ben.do("act", table=table, turn=question["turn"], action=last)
            while ben.known(table)["question"] is not None:
                await ben.event()

        async def until_both_have_played() -> str:
            """Ann sees what she has done at once; what Ben has done waits, but she is asked."""
            before = str(await deck.text_content())
            await ann.look()
            await (await ann.fitting()).tap()
            await ann.places.last.tap()
            await expect(deck).not_to_have_text(before)
            shown = str(await deck.text_content())
            await ben_plays()
            assert await ann.until_asked()
            await expect(deck).to_have_text(shown)
            return shown

        await ben_plays()
        assert await ann.until_asked()
        shown = await until_both_have_played()
        await ann.page.locator(".board").tap()
        await expect(deck).not_to_have_text(shown)
        await ann.page.locator(".toast").wait_for(state="detached")  # it was meant for what stood there
        shown = await until_both_have_played()
        card = await ann.fitting()
        await ann.look()
        await card.tap()  # what is under the thumb is the newest
        await expect(deck).not_to_have_text(shown)
        await expect(card).to_have_attribute("aria-pressed", "true")


async def oversleep(ben: Caller, table: str, seat: int) -> None:
    """Plays for Ben, and lets time pass for the other seat until it is played for."""
    while not ben.known(table)["info"]["chairs"][seat]["stand_in"]:
        if ben.known(table)["question"] is not None:
            await ben.act(table, random.Random(1))
            continue
        view = ben.known(table)["view"]
        move_on(SHORT + 0.1)
        while ben.known(table)["view"] is view:
            await ben.event()


async def until_back(ben: Caller, table: str, seat: int) -> None:
    while ben.known(table)["info"]["chairs"][seat]["stand_in"]:
        await ben.event()


async def test_whoever_is_played_for_has_the_seat_back_by_a_button_or_by_going_back(browser: Browser) -> None:
    async with serving() as server, visit(browser, server, "played-for") as ann:
        ben = await Caller(server.url, "Ben").connect()
        table = await deal(ann, ben, clocks={"decision": SHORT}, options={"first": 0})

        told = ann.page.get_by_text(SAY("absence.own"))
        await oversleep(ben, table, 1)
        await told.wait_for()
        assert await ann.faults() == []
        await ann.look()
        await ann.button(SAY("absence.own_back")).click()
        await until_back(ben, table, 1)
        await told.wait_for(state="detached")

        await ann.page.go_back()
        await ann.button(SAY("menu.yes")).click()
        await ann.button(SAY("lobby.new")).wait_for()
        await oversleep(ben, table, 1)
        await ann.button(SAY("web.go_back")).first.click()
        await until_back(ben, table, 1)
        await ann.page.get_by_role("region", name=SAY("web.board")).wait_for()
        await told.wait_for(state="detached")
