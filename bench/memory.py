"""The memory of the page: its heap and its elements after each of 20 games against a built-in bot.

Each game is played to its end at a table of its own. All is counted in the lobby, which looks the same after
each of them, once garbage is collected. The browser compiles nothing: V8 goes on with that for dozens of
games, and made the heap a tenth larger though the page held nothing more.
"""

import asyncio

from playwright.async_api import CDPSession, Page

from bench.server import verdict
from bench.web import PHONE, browsing, until
from parlour.client.language import ENGLISH as SAY
from parlour.client.web.files import page_files
from parlour.server.app import running
from parlour.server.config import make
from parlour.server.limits import Limits

GAMES = 20
SETTLED = 5
"""So many games warm the page up: what it keeps for ever is there by then."""
BAR = 1.1
"""What the page may hold after the last game, in terms of that after the settling ones."""
LONGEST = 340.0
INTERPRETED = "--js-flags=--no-sparkplug --no-maglev --no-opt"
COLLECTIONS = 3
"""What one lets go of may be all that held on to something else."""

PLAYING = """(() => {
  if (document.querySelector(".result") !== null) return true;
  const some = document.querySelectorAll(
    "dialog button, .hand button:not(.dim), .words button, .board button[aria-disabled=false]"
  );
  if (document.querySelector(".asks.mine") !== null) some[Math.floor(Math.random() * some.length)]?.click();
  return false;
})()"""
"""Clicks on something that can be chosen; true once the game is over."""


async def held(devtools: CDPSession) -> tuple[float, int]:
    """Megabytes of the heap that are in use, and how many nodes the page has."""
    for _ in range(COLLECTIONS):
        await devtools.send("HeapProfiler.collectGarbage")
    heap = await devtools.send("Runtime.getHeapUsage")
    nodes = await devtools.send("Memory.getDOMCounters")
    return heap["usedSize"] / 1e6, nodes["nodes"]


async def play(page: Page) -> None:
    """A game against an easy bot, from the lobby and back to it."""
    begin = page.get_by_role("button", name=SAY("web.against_bots"), exact=True)
    await begin.click()
    await page.get_by_label(SAY("web.bots")).select_option(SAY("bots.easy"))
    await page.get_by_role("button", name="Balloon Cup").first.click()
    await until(page, PLAYING)
    # By a key: a tap so soon after the end would be taken for one that was meant for the game.
    await page.get_by_role("button", name=SAY("table.leave"), exact=True).press("Enter")
    await begin.wait_for()


async def measure() -> None:
    config = make({"host": "127.0.0.1", "port": 0, "bots": 1})
    limits = Limits(commands_per_second=5000.0, burst=5000)
    async with (
        asyncio.timeout(LONGEST),
        running(config, limits, page_files()) as server,
        browsing(INTERPRETED) as browser,
    ):
        page = await browser.new_page(viewport=PHONE, reduced_motion="reduce", locale="en-GB")
        devtools = await page.context.new_cdp_session(page)
        await page.goto(server.url.replace("ws", "http", 1))
        await page.get_by_role("button", name=SAY("web.enter"), exact=True).click()
        print(f"{'games':>5} {'heap MB':>8} {'nodes':>6}")
        told = []
        for game in range(1, GAMES + 1):
            await play(page)
            told.append(await held(devtools))
            if game in (1, SETTLED) or game % 5 == 0:
                print(f"{game:5} {told[-1][0]:8.2f} {told[-1][1]:6}")
        heap, nodes = (told[-1][part] / told[SETTLED - 1][part] for part in (0, 1))
        print(f"heap {heap:.2f}, nodes {nodes:.2f} of those after {SETTLED} games; bar {BAR}:", end=" ")
        print(verdict(max(heap, nodes) <= BAR))


def main() -> None:
    print(f"memory of the page over {GAMES} games")
    asyncio.run(measure())
