"""On a phone one tap honks, for a clock runs; other tokens need a second tap, and not a hasty one."""

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import Visitor, serving
from support.client.visits import practising
from support.server.shared_bots import BotProcess

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")

HONK, QUIET = (SAY(f"web.moves.hurry-cup.{move}") for move in ("honk", "quiet"))
HELMET = SAY("moves.hurry-cup.helmet")
LARGE = {HONK: 56, HELMET: 44}
"""Pixels: one of two that a clock runs for is found without looking."""
AT = """(now) => {
  Object.defineProperty(MouseEvent.prototype, "timeStamp", { configurable: true, get: () => now });
  performance.now = () => now;
}"""
"""All taps from now on come at this moment."""
FREE_PAWN = "document.querySelector('.hand .pawn[aria-disabled=false]') !== null"


async def tap_hastily(ann: Visitor, name: str) -> None:
    """Three taps at one moment at the spot of a button."""
    box = await ann.button(name).bounding_box()
    assert box is not None and box["height"] >= LARGE[name]
    for _ in range(3):
        await ann.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


async def test_one_tap_honks_and_taps_after_it_take_and_open_nothing(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server, practising(browser, server, has_touch=True) as ann:
        await ann.page.get_by_text(SAY("hurry.practice_first.aim")).wait_for()
        await ann.page.evaluate(AT, 10**6)
        await tap_hastily(ann, HONK)
        await ann.page.get_by_text(SAY("hurry.practice.look")).wait_for()
        await ann.until(FREE_PAWN)
        await ann.page.evaluate(AT, 10**6 + 2000)
        pawn = await ann.cards.first.bounding_box()
        assert pawn is not None
        for _ in range(3):
            await ann.page.touchscreen.tap(pawn["x"] + 20, pawn["y"] + 20)
        await ann.until("document.querySelector('.hand .pawn') === null")
        await ann.page.touchscreen.tap(pawn["x"] + 20, pawn["y"] + 20)
        assert await ann.page.get_by_role("dialog").count() == 0
        await ann.page.set_viewport_size({"width": 1200, "height": 800})
        await ann.page.get_by_label(SAY("lobby.say")).fill("phew")
        await ann.button(SAY("web.send")).tap()  # what is said takes no pawn
        await ann.page.get_by_role("log").get_by_text("phew").wait_for()
        await ann.page.set_viewport_size({"width": 360, "height": 740})
        await ann.page.evaluate(AT, 10**6 + 3000)
        await ann.page.go_back()
        await ann.button(SAY("menu.yes")).tap()
        await ann.button(SAY("lobby.new")).wait_for()
        assert await ann.faults() == []
        await ann.page.get_by_role(
            "button", name=SAY("lobby.go_back", game="Hurry' Cup", names="")[:-2]
        ).tap()
        await ann.until("document.querySelector('.road') !== null")


async def test_a_helmet_is_put_on_by_a_second_tap_that_is_not_hasty(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server, practising(browser, server, has_touch=True) as ann:
        await ann.button(SAY("web.got_it")).tap()
        await expect(ann.page.get_by_role("note")).to_have_count(0)
        await ann.page.evaluate(AT, 10**6)
        await ann.button(QUIET).tap()
        await ann.until(FREE_PAWN)
        await ann.page.evaluate(AT, 10**6 + 1000)
        await ann.cards.first.tap()
        await ann.button(HELMET).wait_for()
        await ann.page.evaluate(AT, 10**6 + 2000)
        await ann.button(HELMET).tap()
        await ann.page.get_by_text(SAY("web.confirm")).wait_for()
        await ann.button(SAY("web.let_go")).tap()
        await ann.page.get_by_text(SAY("web.confirm")).wait_for(state="detached")
        await ann.page.evaluate(AT, 10**6 + 3000)
        await tap_hastily(ann, HELMET)
        await ann.button(f"✓ {HELMET}").wait_for()
        await ann.page.evaluate(AT, 10**6 + 4000)
        await ann.button(f"✓ {HELMET}").tap()
        # It is not told of what follows: the turn may be over, if there is nothing left to choose.
        await ann.button(SAY("hurry.token.helmet")).wait_for(state="detached")
        await expect(ann.page.get_by_role("note")).to_have_count(0)
        assert await ann.faults() == []
