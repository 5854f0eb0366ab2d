"""Every screen on a phone, a tablet and a wide window, in light and dark: nobody is kept out."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import Visitor, serving
from support.server.shared_bots import BotProcess
from support.server.sockets import Caller

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIGHTS = [(360, 740, "light"), (768, 1024, "dark"), (1440, 900, "light")]
"""Width, height and colours."""


@pytest.mark.parametrize(("width", "height", "scheme"), SIGHTS)
async def test_every_screen_is_usable_by_everybody(
    browser: Browser, bots: BotProcess, tmp_path: Path, width: int, height: int, scheme: str
) -> None:
    viewport = {"width": width, "height": height}
    async with serving(bots, archive=str(tmp_path / "parlour.db")) as server:
        ben = await Caller(server.url, "Ben").connect()
        rules = {"name": "<b>Cup</b>", "game": "butterflies", "format": "swiss", "seed": "snow"}
        await ben.do("create_tournament", rules=rules)
        ann = await Visitor.of(browser, server.url, width, viewport=viewport, color_scheme=scheme)
        faults: dict[str, list[str]] = {}

        async def look(screen: str) -> None:
            faults[screen] = await ann.faults()

        await ann.page.goto(ann.url)
        await expect(ann.page.get_by_label(SAY("start.type_name"))).to_have_value(re.compile(r"Guest \d+"))
        await look("door")
        await ann.come_in("Ann")
        await ann.button(SAY("lobby.new")).wait_for()
        await look("lobby")
        await ann.button(SAY("lobby.new")).click()
        await ann.page.get_by_role("button", name="Balloon Cup").click()
        await ann.button(SAY("new.open")).wait_for()
        await look("new table")
        await ann.button(SAY("new.open")).click()
        await ann.button(SAY("table.get_ready")).wait_for()
        await look("gathering")
        await ann.button(SAY("menu.back")).click()
        await ann.play_bot()
        assert await ann.until_asked()
        await look("game")
        await (await ann.fitting()).click()
        await look("card chosen")
        await ann.button(SAY("play.menu")).click()
        await ann.page.get_by_role("dialog").wait_for()
        await look("menu")
        for title in (SAY("menu.rules"), SAY("web.story")):
            await ann.button(title).last.click()
            await look(title)
            await ann.button(SAY("web.close")).click()
            await ann.button(SAY("play.menu")).click()
        await ann.button(SAY("play.resign")).click()
        await look("sure?")
        await ann.button(SAY("menu.yes")).click()
        await ann.button(SAY("table.rematch")).wait_for()
        await look("result")
        await ann.look()  # the end of a game does not take a tap that was on its way
        await ann.button(SAY("web.to_lobby")).click()
        await ann.button(SAY("lobby.replays")).click()
        await ann.button(SAY("web.look")).wait_for()
        await look("list of replays")
        await ann.button(SAY("web.look")).click()
        await ann.page.get_by_role("slider").wait_for()
        await look("replay")
        await ann.page.goto(f"{ann.url}/#stats")
        await ann.page.get_by_text(f"{SAY('stats.won')} 0%").wait_for()
        await look("numbers")
        await ann.page.goto(f"{ann.url}/#tournaments")
        await ann.page.get_by_text("<b>Cup</b>").wait_for()
        await look("list of tournaments")
        await ann.button(SAY("web.look")).click()
        await ann.page.get_by_role("heading", name="<b>Cup</b>").wait_for()
        await look("tournament")
        assert {screen: found for screen, found in faults.items() if found} == {}
        assert ann.console == []
