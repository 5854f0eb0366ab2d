"""What is shown on the board before it is done is let go of without a trace."""

import re
from random import Random
from typing import Any

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import Visitor, serving
from support.client.visits import visit
from support.server.shared_bots import BotProcess

from parlour.client.bots.hint_maker import decision_of, make_hints
from parlour.client.language import ENGLISH as SAY
from parlour.server.lobby.hints import Thinker

pytestmark = pytest.mark.asyncio(loop_scope="session")

# Touched by `Visitor.touch`, which lets a second pass: a tap beside the last one, and within 0.6 s of it, is
# taken for that one's second half if it meets something else.
RAISED = "button.card[aria-pressed=true]"
MOVABLE = "button.cell.movable:not(.picked)"
HELD = "button.cell.picked"
WHERE_TO = re.compile(re.escape(SAY("web.where_to_with", card="CARD")).replace("CARD", ".+"))


async def preview(ann: Visitor) -> None:
    """Shows the best action of a hint on the board."""
    await ann.button(SAY("web.hint")).tap()
    await ann.button(SAY("web.hint_play")).wait_for()


def think_here(_: Thinker, decision: dict[str, Any], strategy: str) -> dict[str, Any]:
    """As the process of a server would."""
    ranked = make_hints(decision_of(decision), strategy, Random("hint"))
    return {"turn": decision["turn"], "ranked": ranked}


async def play_until_a_card_can_be_moved(ann: Visitor) -> None:
    """Plays on in a rematch if the game ends before both have played the cards that allow moves."""
    again = ann.button(SAY("table.rematch"))
    while True:
        if not await ann.until_asked():
            await again.click()
            await again.wait_for(state="detached")
        elif await ann.page.locator(MOVABLE).count() > 0:
            return
        else:
            await ann.move()


async def test_a_raised_card_lets_go_and_whoever_leaves_the_table_ends_a_preview(
    browser: Browser, bots: BotProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Thinker, "think", think_here)
    async with (
        serving(bots) as server,
        visit(browser, server, "previews", plays="Balloon Cup", has_touch=True) as ann,
    ):
        raised = ann.page.locator(RAISED)
        await preview(ann)
        assert await ann.touch(RAISED)
        await raised.wait_for(state="detached")
        await ann.button(SAY("web.hint_play")).wait_for(state="detached")
        await preview(ann)
        await ann.page.go_back()
        await ann.button(SAY("web.hint_play")).wait_for(state="detached")
        await ann.page.go_forward()
        assert await ann.until_asked()
        await raised.wait_for(state="detached")


async def test_a_card_of_the_grid_is_raised_and_let_go_by_touching_it_again(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server, visit(browser, server, "raised", has_touch=True) as ann:
        await ann.play_bot("Butterflies")
        await play_until_a_card_can_be_moved(ann)
        assert await ann.touch(MOVABLE)
        held = ann.page.locator(HELD)
        await expect(held).to_have_count(1)
        await ann.page.get_by_text(WHERE_TO).wait_for()
        assert await ann.touch(HELD)
        await held.wait_for(state="detached")
        await ann.page.get_by_text(WHERE_TO).wait_for(state="detached")
