"""Check-in of a tournament in a browser: whoever misses it is told, and may come in late."""

import json
import re

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import serving
from support.client.visits import visit
from support.server.shared_bots import BotProcess
from support.server.sockets import Caller

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_whoever_misses_check_in_is_told_and_may_come_in_late(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server, visit(browser, server, "late") as ann:
        ben, cara = [await Caller(server.url, name).connect() for name in ("Ben", "Cara")]
        entry = {"late": 2}
        rules = {"name": "Cup", "game": "balloon-cup", "format": "swiss", "seed": "snow", "entry": entry}
        created = await ben.do("create_tournament", rules=rules)
        which = {"tournament": created["tournament"]}
        await ben.do("steer", **which, to="open")
        for caller in (ben, cara):
            await caller.do("enter", **which)
        await ann.page.goto(f"{ann.url}/#tournament/{which['tournament']}")
        await ann.button(SAY("tournaments.enter")).click()
        await ann.page.get_by_text(SAY("tournaments.you")).wait_for()
        await ben.do("steer", **which, to="start")
        await ann.button(SAY("tournaments.check_in")).wait_for()
        left = ann.page.get_by_role("timer")
        ends = re.escape(SAY("web.check_in_left", time="TIME")).replace("TIME", r"(0:5\d|1:00)")
        await expect(left).to_have_text(re.compile(rf"^\s*{ends}$"))
        before = await left.inner_text()
        await ann.until(f"document.querySelector('[role=timer]').innerText !== {json.dumps(before)}")
        for caller in (ben, cara):
            await caller.do("check_in", **which, nonce=caller.name)
        await ben.do("steer", **which, to="start")
        missed = SAY("tournaments.you_missed", name="Cup")
        await ann.page.get_by_role("status").get_by_text(missed).wait_for()
        await expect(ann.button(SAY("tournaments.check_in"))).to_have_count(0)
        # It is read: elsewhere it is not told again.
        await ann.button(SAY("web.close")).click()
        await ann.page.get_by_role("status").get_by_text(missed).wait_for(state="detached")
        # Who did not check in is told to all; the message goes where the reader goes, until it is read.
        await ann.page.get_by_text(SAY("tournaments.absentees", names="Ann")).wait_for()
        await ann.button(SAY("tournaments.enter")).click()
        await ann.page.get_by_text(SAY("tournaments.you_there")).wait_for()


MISSED = json.dumps({"tournament": "gone", "name": "Old cup"})
MENU = SAY("play.menu")


async def test_check_in_is_asked_over_a_game_before_what_was_missed(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server, visit(browser, server, "busy") as ann:
        ben = await Caller(server.url, "Ben").connect()
        rules = {"name": "Cup", "game": "balloon-cup", "format": "swiss", "seed": "snow"}
        which = {"tournament": (await ben.do("create_tournament", rules=rules))["tournament"]}
        await ben.do("steer", **which, to="open")
        await ann.button(SAY("lobby.new")).wait_for()  # her token is kept
        await ann.page.evaluate(f"localStorage['parlour.missed'] = {json.dumps(MISSED)}")
        await ann.page.goto(f"{ann.url}/?again#tournament/{which['tournament']}")
        await ann.button(SAY("tournaments.enter")).click()
        await ann.page.get_by_text(SAY("tournaments.you")).wait_for()
        missed = ann.page.get_by_role("status").get_by_text(SAY("tournaments.you_missed", name="Old cup"))
        await missed.wait_for()
        await ann.page.goto(f"{ann.url}/?again#bots")
        await ann.page.get_by_role("button", name="Balloon Cup").first.click()
        await ann.button(MENU).wait_for()
        await missed.wait_for()
        # Neither the one nor the other lies over what a game has in its corner.
        await ann.button(MENU).click(trial=True)
        await ann.button(SAY("web.hint")).click(trial=True)
        await ben.do("steer", **which, to="start")
        await ann.page.get_by_text(SAY("web.check_in_over", name="Cup")).wait_for()
        await ann.button(MENU).click(trial=True)
        await ann.button(SAY("tournaments.check_in")).click()
        await ann.button(SAY("tournaments.check_in")).wait_for(state="detached")
        await ann.look()
        await ann.button(SAY("web.close")).click()
        await ann.button(MENU).click()
