"""What is shown on the board before it is done is let go of without a trace."""

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import Visitor, serving
from support.server.shared_bots import BotProcess

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def preview(ann: Visitor) -> None:
    """Shows the best action of a hint on the board."""
    await ann.button(SAY("play.menu")).tap()
    await ann.button(SAY("web.hint")).tap()
    await ann.page.locator("dialog button.advice").first.tap()
    await expect(ann.page.get_by_text(SAY("web.confirm"))).to_be_visible()


async def test_a_raised_card_lets_go_and_whoever_leaves_the_table_ends_a_preview(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server:
        ann = await Visitor.of(browser, server.url, "previews", has_touch=True)
        await ann.come_in("Ann")
        await ann.play_bot("Balloon Cup")
        assert await ann.until_asked()
        raised = ann.page.locator("button.card[aria-pressed=true]")
        await preview(ann)
        await raised.tap()
        await expect(raised).to_have_count(0)
        await expect(ann.page.get_by_text(SAY("web.confirm"))).to_have_count(0)
        await preview(ann)
        await ann.page.go_back()
        await expect(ann.page.get_by_text(SAY("web.confirm"))).to_have_count(0)
        await ann.page.go_forward()
        assert await ann.until_asked()
        await expect(raised).to_have_count(0)
        assert ann.console == []


async def test_a_card_of_the_grid_is_raised_and_let_go_by_touching_it_again(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server:
        ann = await Visitor.of(browser, server.url, "raised", has_touch=True)
        await ann.come_in("Ann")
        await ann.play_bot("Butterflies")
        movable = ann.page.locator("button.cell.movable:not(.picked)")
        while await ann.until_asked() and await movable.count() == 0:
            await ann.move()
        await movable.first.tap()
        held = ann.page.locator("button.cell.picked")
        await expect(held).to_have_count(1)
        await expect(ann.page.get_by_text(SAY("web.where_to"))).to_be_visible()
        await held.tap()
        await expect(held).to_have_count(0)
        await expect(ann.page.get_by_text(SAY("web.where_to"))).to_have_count(0)
        assert ann.console == []
