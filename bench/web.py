"""The page in a real browser: what a first visit loads, how soon there is a board, how soon a tap is seen.

Somebody plays Balloon Cup in Chromium against a lean player, beside people at 32 tables. In the end others
load the whole page again and again, and the people's moves with that and without it take turns.
"""

import asyncio
import contextlib
import gzip
import shutil
import statistics
import sys
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import msgpack
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from bench.child import Child, kill_after
from bench.players import LONGEST_WAIT, Crowd, GamePlayer
from bench.server import verdict
from parlour.client.web.files import page_files

TABLES = 32
THINK = 0.25
"""Seconds that people at these tables think: 120 moves a second in all, ten times as many as real ones."""
SIZE_BAR = 250_000
"""Bytes of a first visit, as they travel."""
BOARD_BAR = 1.5
"""Seconds from navigation to the first board, with nothing in the cache."""
TAP_BAR = 100.0
"""Milliseconds from a tap to the own board changed: p95."""
LOAD_BAR = 1.5
"""The p99 of people's moves while the page is loaded, in terms of that without."""
VISITS = 50
"""Loads of the page in a second, each of all its files."""
BOARDS = 8
TAPS = 60
ROUNDS = 8
SLICE = 2.0
LONGEST = 240.0
PHONE: Any = {"width": 360, "height": 740}
PAUSES = 0.05
"""Seconds that the other player thinks, so that a tap is never one of two moves at once."""

BOARD = "document.querySelector('.board .tile') !== null"
ASKED = "document.querySelector('.asks.mine') !== null && document.querySelector('.card') !== null"
TAP = """async () => {
  const cards = [...document.querySelectorAll(".card")];
  for (const card of cards) {
    card.click();
    await new Promise(requestAnimationFrame);
    const place = document.querySelector(".place.lit");
    const word = document.querySelector(".words button.main");
    if (place === null && word === null) continue;
    const text = (part) => document.querySelector(part)?.textContent; // after the end there is no hand
    const told = () => text(".board") + text(".hand");
    const before = told();
    const changed = new Promise((done) => {
      const look = () => told() !== before && (seen.disconnect(), done());
      const seen = new MutationObserver(look);
      seen.observe(document.getElementById("page"), { childList: true, characterData: true, subtree: true });
    });
    const began = performance.now();
    (place ?? word).click();
    await changed;
    await new Promise((done) => setTimeout(done)); // the page draws just before a frame: this is after it
    return performance.now() - began;
  }
  document.querySelector(".words button")?.click();
  return null;
}"""
"""Plays some card, and gives the milliseconds from the tap that sends it to the frame after the answer. It is
told of changes: looking again and again would be work that is none of the page's."""


def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        sys.exit("web: there is no chromium on this machine")
    return found


class Opponent(GamePlayer):
    """Makes a table, deals when the other one is ready, and moves after a moment."""

    def opened(self) -> None:
        hello = {"type": "hello", "versions": [1], "client": "bench", "name": "Opponent", "bot": True}
        self.send(msgpack.packb(hello))

    def send_move(self, move: dict[str, Any]) -> None:
        asyncio.get_running_loop().call_later(PAUSES, super().send_move, move)

    def on_ok(self, message: dict[str, Any]) -> None:
        if message["result"] is not None and "table" in message["result"]:
            self.table = message["result"]["table"]

    def on_table_changed(self, message: dict[str, Any]) -> None:
        info = message["info"]
        ready = info["stage"] == "gathering" and all(chair and chair["ready"] for chair in info["chairs"])
        if ready and self.started < info["number"]:
            self.started = info["number"]
            self.say(type="start", table=self.table)

    def on_update(self, message: dict[str, Any]) -> None:
        """The other one asks for the next game."""
        if message["result"] is None:
            super().on_update(message)

    def on_lobby_gone(self, message: dict[str, Any]) -> None:
        """The other one has left."""


@contextlib.asynccontextmanager
async def browsing(*flags: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", *flags])
        try:
            yield browser
        finally:
            await browser.close()


async def until(page: Page, holds: str) -> None:
    """Waits, and if it is in vain says what the page shows instead."""
    look = f"const look = () => ({holds}) ? done() : setTimeout(look, 5);"
    try:
        async with asyncio.timeout(LONGEST_WAIT):
            await page.evaluate(f"new Promise((done) => {{ {look} look(); }})")
    except TimeoutError:
        shown = await page.inner_text("body")
        sys.exit(f"web: after {LONGEST_WAIT:g} s this does not hold: {holds}; the page says {shown!r}")


class Visit:
    """Somebody with a browser, at the table of the opponent."""

    def __init__(self, browser: Browser, port: int) -> None:
        self.browser = browser
        self.url = f"http://127.0.0.1:{port}/"
        self.opponents = Crowd(Opponent, port)
        self.loaded: dict[str, int] = {}
        self.context: BrowserContext
        self.page: Page

    async def begin(self) -> None:
        """Comes in for the first time, and sits down."""
        await self.opponents.connect(1)
        self.opponents.playing = True
        self.opponents.players[0].begin()
        self.context = await self.browser.new_context(viewport=PHONE)
        self.page = await self.context.new_page()
        self.page.on("requestfinished", lambda request: self.loads.append(request))
        self.loads: list[Any] = []
        await self.page.goto(self.url)
        await self.page.get_by_role("textbox").fill("Bench")
        await self.page.keyboard.press("Enter")
        await self.page.locator(".tablecard .main").click()
        await self.page.get_by_role("button", name="I am ready").click()
        await until(self.page, BOARD)
        for request in self.loads:
            sizes = await request.sizes()
            self.loaded[request.url] = sizes["responseBodySize"] + sizes["responseHeadersSize"]

    async def boards(self) -> list[float]:
        """Seconds from navigation to the board, each time with an empty cache."""
        found = []
        kept = await self.context.storage_state()
        for _ in range(BOARDS):
            await self.context.close()
            self.context = await self.browser.new_context(viewport=PHONE, storage_state=kept)
            self.page = await self.context.new_page()
            await self.page.goto(self.url, wait_until="commit")
            await until(self.page, BOARD)
            found.append(await self.page.evaluate("performance.now()") / 1000)
        return found

    async def taps(self) -> list[float]:
        found: list[float] = []
        while len(found) < TAPS:
            over = "document.querySelector('.result .main') !== null"
            await until(self.page, f"({ASKED}) || ({over})")
            if await self.page.evaluate(over):
                # By a key: a tap so soon after the end would be taken for one that was meant for the game.
                await self.page.get_by_role("button", name="Play again").press("Enter")
                await until(self.page, ASKED)
            took = await self.page.evaluate(TAP)
            if took is not None:
                found.append(took)
        return found


async def load_page(port: int, paths: list[str], stop: asyncio.Event) -> int:
    """Loads the files of a visit so many times a second, each over its own connection, as a browser does."""
    loop, loads = asyncio.get_running_loop(), 0
    running: set[asyncio.Task[None]] = set()
    began = loop.time()

    async def one(path: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: gzip\r\n\r\n"
        writer.write(request.encode())
        await reader.read()
        writer.close()

    while not stop.is_set():
        for path in paths:
            task = asyncio.create_task(one(path))
            running.add(task)
            task.add_done_callback(running.discard)
        loads += 1
        await asyncio.sleep(max(0.0, began + loads / VISITS - loop.time()))
    await asyncio.gather(*running)
    return loads


async def beside(port: int, paths: list[str], people: Child) -> tuple[list[Any], list[Any], int]:
    calm, busy, loads = [], [], 0
    for number in range(ROUNDS):
        show(f"the page is loaded: round {number + 1} of {ROUNDS}")
        calm.append(await asyncio.to_thread(people.ask, seconds=SLICE))
        stop = asyncio.Event()
        loading = asyncio.create_task(load_page(port, paths, stop))
        busy.append(await asyncio.to_thread(people.ask, seconds=SLICE))
        stop.set()
        loads += await loading
    return calm, busy, loads


def show(text: str) -> None:
    print(f"\rweb: {text:60}", end="", file=sys.stderr, flush=True)


async def measure(port: int, people: Child) -> None:
    async with browsing() as browser:
        show("a first visit")
        visit = Visit(browser, port)
        await visit.begin()
        files, size = len(visit.loaded), sum(visit.loaded.values())
        show("boards")
        boards = await visit.boards()
        show("taps")
        playing = asyncio.create_task(asyncio.to_thread(people.ask, seconds=1.0))
        taps: list[float] = []
        while len(taps) < TAPS:
            more = asyncio.create_task(visit.taps())
            while not more.done():
                await playing
                playing = asyncio.create_task(asyncio.to_thread(people.ask, seconds=1.0))
            taps += more.result()
        await playing
    taps.sort()
    p95 = taps[int(len(taps) * 0.95)]
    calm, busy, loads = await beside(port, [urlsplit(url).path for url in visit.loaded], people)
    print(f"\r{'':70}\r", end="", file=sys.stderr)
    zipped = sum(len(gzip.compress(each, mtime=0)) for each in page_files().values())
    bar(
        f"a first visit loads {files} files",
        f"{size / 1e3:.0f} kB",
        f"{SIZE_BAR / 1e3:g} kB",
        size <= SIZE_BAR,
    )
    print(f"  with all boards and languages {zipped / 1e3:.0f} kB")
    told = f"median {statistics.median(boards):.2f} s, worst {max(boards):.2f} s"
    bar("first board, nothing cached", told, f"{BOARD_BAR:g} s", max(boards) <= BOARD_BAR)
    told = f"median {statistics.median(taps):.0f} ms, p95 {p95:.0f} ms"
    bar(f"tap to board, {TABLES} tables play", told, f"{TAP_BAR:g} ms", p95 <= TAP_BAR)
    ratio = statistics.median([more["p99"] / less["p99"] for less, more in zip(calm, busy, strict=True)])
    late = [1e3 * statistics.median([each["p99"] for each in found]) for found in (calm, busy)]
    told = f"p99 {late[0]:.1f} ms -> {late[1]:.1f} ms, {ratio:.2f} times"
    bar(f"loaded {loads / ROUNDS / SLICE:.0f} times a second", told, f"{LOAD_BAR:g}", ratio <= LOAD_BAR)


def bar(what: str, found: str, most: str, holds: bool) -> None:
    print(f"{what:34} {found:32} <= {most}: {verdict(holds)}")


def main() -> None:
    children: list[Child] = []
    watchdog = kill_after(LONGEST, children)
    with Child("bench.our_server") as server:
        port = server.hello["port"]
        with Child("bench.thinking", "people at leisure", str(port), str(TABLES), str(THINK)) as people:
            children += [server, people]
            asyncio.run(measure(port, people))
    watchdog.cancel()


if __name__ == "__main__":
    main()
