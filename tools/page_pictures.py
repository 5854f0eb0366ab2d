"""The pictures of the page: real games in a real browser, on a phone and on a wide screen, as WebP files.

After a change that is meant: PYTHONPATH=tests .venv/bin/python -m tools.page_pictures
"""

import asyncio
import base64
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from playwright.async_api import Browser
from support.client.browsers import Visitor, open_browser, serving
from support.server.shared_bots import bot_process

from parlour.client.language import ENGLISH as SAY

FOLDER = Path(__file__).parent.parent / "pictures"
PHONE = {"width": 360, "height": 740}
WIDE = {"width": 1280, "height": 800}
QUALITY = 82
"""Of WebP, in percent: below it letters begin to blur."""


async def main() -> None:
    async with open_browser() as browser, bot_process() as bots:
        for name, take in PICTURES.items():
            async with serving(bots) as server:
                await take(browser, server.url, FOLDER / f"page-{name}.webp")


async def balloon_cup(browser: Browser, url: str, path: Path) -> None:
    anna = await _visitor(browser, url, "balloons", PHONE)
    await anna.play_bot("Balloon Cup")
    await anna.play(7)
    await anna.until_asked()
    await (await anna.fitting()).tap()
    await _take(anna, path)


async def hurry_cup(browser: Browser, url: str, path: Path) -> None:
    anna = await _visitor(browser, url, "cars", PHONE)
    await _race(anna)
    await _take(anna, path)


async def wide(browser: Browser, url: str, path: Path) -> None:
    anna = await _visitor(browser, url, "wide", WIDE, color_scheme="dark")
    await _race(anna)
    await _take(anna, path)


async def butterflies(browser: Browser, url: str, path: Path) -> None:
    anna = await _visitor(browser, url, "butterflies", PHONE)
    await anna.play_bot("Butterflies")
    await anna.play(6)
    await anna.until_asked()
    await anna.cards.first.tap()
    await _take(anna, path)


async def _visitor(browser: Browser, url: str, seed: str, size: Mapping[str, int], **more: Any) -> Visitor:
    settings = {"viewport": size, "has_touch": True, "device_scale_factor": 2, **more}
    anna = await Visitor.of(browser, url, seed, **settings)
    await anna.come_in("Anna")
    return anna


async def _race(anna: Visitor) -> None:
    """A race of four, up to a moment in which a pawn is to be grabbed."""
    await anna.open_table("Hurry' Cup", choose={SAY("web.seats"): SAY("new.seats", count=4)})
    for place in (2, 3, 4):
        await anna.button(SAY("table.add_bot", level=SAY("bots.medium"))).click()
        await anna.page.get_by_role("listitem").filter(has_text=f"{place} Bot").wait_for()
    await anna.button(SAY("table.get_ready")).click()
    await anna.button(SAY("table.start")).click()
    await anna.play(10)
    while await anna.until_asked() and not await anna.page.locator(".hand .pawn").count():
        await anna.move()


async def _take(anna: Visitor, path: Path) -> None:
    devtools = await anna.context.new_cdp_session(anna.page)
    taken = await devtools.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    path.write_bytes(base64.b64decode(taken["data"]))
    await anna.context.close()


PICTURES: Mapping[str, Callable[[Browser, str, Path], Awaitable[None]]] = {
    "balloon-cup": balloon_cup,
    "hurry-cup": hurry_cup,
    "butterflies": butterflies,
    "wide": wide,
}

if __name__ == "__main__":
    asyncio.run(main())
