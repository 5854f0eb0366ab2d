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
        await ann.page.get_by_text(SAY("tournaments.you_missed", name="Cup")).first.wait_for()
        await expect(ann.button(SAY("tournaments.check_in"))).to_have_count(0)
        # Who did not check in is told to all; the message goes where the reader goes, until it is read.
        await ann.page.get_by_text(SAY("tournaments.absentees", names="Ann")).wait_for()
        await ann.button(SAY("tournaments.enter")).click()
        await ann.page.get_by_text(SAY("tournaments.you_there")).wait_for()
