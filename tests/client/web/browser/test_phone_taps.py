"""On a phone one tap never uses anything up: the first one shows it, the second one does it."""

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import Visitor, serving
from support.server.shared_bots import BotProcess

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")

HONK = SAY("moves.hurry-cup.honk")


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
        await ann.button(HONK).tap()
        assert await ann.faults() == []
        await ann.button(f"✓ {HONK}").tap()
        await expect(ann.page.get_by_text(SAY("hurry.practice.look"))).to_be_visible()
        assert ann.console == []
