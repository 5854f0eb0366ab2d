"""On a phone one tap never uses anything up, nor do hasty ones at one spot, and these open nothing either."""

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import Visitor, serving
from support.server.shared_bots import BotProcess

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")

HONK = SAY("moves.hurry-cup.honk")
AT = """(now) => {
  Object.defineProperty(MouseEvent.prototype, "timeStamp", { configurable: true, get: () => now });
}"""
"""All taps from now on come at this moment."""


async def test_a_horn_is_honked_by_the_second_tap_and_practice_begins_with_the_aim(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server:
        ann = await Visitor.of(browser, server.url, "taps", has_touch=True)
        await ann.come_in("Ann")
        await ann.play_bot(SAY("start.practice", game="Hurry' Cup"))
        assert await ann.until_asked()
        await expect(ann.page.get_by_text(SAY("hurry.practice_first.aim"))).to_be_visible()
        await ann.button(HONK).tap()
        await expect(ann.page.get_by_text(SAY("web.confirm"))).to_be_visible()
        await ann.button(SAY("web.let_go")).tap()
        await expect(ann.page.get_by_text(SAY("web.confirm"))).to_have_count(0)
        assert await ann.faults() == []
        box = await ann.button(HONK).bounding_box()
        assert box is not None
        spot = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await ann.page.evaluate(AT, 10**6)
        for _ in range(3):
            await ann.page.touchscreen.tap(*spot)
        await expect(ann.button(f"✓ {HONK}")).to_be_visible()
        await ann.page.evaluate(AT, 10**6 + 1000)
        await ann.page.touchscreen.tap(*spot)
        await expect(ann.page.get_by_text(SAY("hurry.practice.look"))).to_be_visible()
        await ann.page.evaluate(AT, 10**6 + 2000)
        pawn = await ann.cards.first.bounding_box()
        assert pawn is not None
        for _ in range(3):
            await ann.page.touchscreen.tap(pawn["x"] + 20, pawn["y"] + 20)
        await ann.until("document.querySelector('.hand .pawn') === null")
        await ann.page.touchscreen.tap(pawn["x"] + 20, pawn["y"] + 20)
        assert await ann.page.get_by_role("dialog").count() == 0
        await ann.page.go_back()
        await ann.button(SAY("menu.yes")).tap()
        await ann.button(SAY("lobby.new")).wait_for()
        assert await ann.faults() == []
        await ann.page.get_by_role(
            "button", name=SAY("lobby.go_back", game="Hurry' Cup", names="")[:-2]
        ).tap()
        await ann.until("document.querySelector('.road') !== null")
        assert ann.console == []
