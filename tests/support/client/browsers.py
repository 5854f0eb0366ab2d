"""A real browser that somebody plays in: finds things by their roles and names, as a person does."""

import asyncio
import contextlib
import json
import random
import shutil
from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Any

from playwright.async_api import Browser, BrowserContext, Locator, Page, async_playwright, expect
from support.client import node
from support.leaving_out import leave_out
from support.server.shared_bots import BotProcess, SharedBots
from support.server.sockets import generous_limits, open_server

from parlour.client.language import ENGLISH as SAY
from parlour.client.web.files import page_files
from parlour.server.app import ListeningServer

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""The first has no windows, and opens a page in a third of the time."""
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
PAGE = page_files()
PATIENCE = 30_000
"""Milliseconds; nothing is expected to take that long."""
expect.set_options(timeout=PATIENCE)  # `wait_for` is quicker: it looks again after 20 ms, `expect` after 100
TURN = "document.title.startsWith('▶')"
NOTHING: Mapping[str, str] = MappingProxyType({})
AFTERWARDS = json.dumps([SAY("table.rematch"), SAY("tournaments.standings")])
OVER = f"[...document.querySelectorAll('button')].some((each) => {AFTERWARDS}.includes(each.textContent))"
"""Where a game has ended it can be played again, or its tournament be looked at."""


def chromium() -> str:
    """The browser of this machine, or the test is left out."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        leave_out("there is no chromium: the page was not opened in a browser")
    return found


@contextlib.asynccontextmanager
async def open_browser(*more: str) -> AsyncIterator[Browser]:
    path = chromium()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=[*QUIET, *more])
        try:
            yield browser
        finally:
            await browser.close()


@contextlib.asynccontextmanager
async def serving(
    bots: BotProcess | None = None, page: Mapping[str, bytes] = PAGE, **settings: Any
) -> AsyncIterator[ListeningServer]:
    """A server with the page, under whose limits nobody is held back, and which deals the same every time."""
    luck = random.Random("cards").randbytes
    workers = None if bots is None else SharedBots(bots)
    async with open_server(generous_limits(), luck, page, workers, **settings) as server:
        yield server


def cut(server: ListeningServer, name: str) -> None:
    """Cuts somebody's line."""
    peer = server.lobby.tables.sessions[name].peer
    assert peer is not None
    peer.abort(1006, "cut")  # type: ignore[attr-defined]


class Visitor:
    """Somebody with a tab of their own; what the console says is kept."""

    def __init__(self, context: BrowserContext, page: Page, url: str, seed: object = 0) -> None:
        self.context, self.page, self.url = context, page, url
        self.luck = random.Random(str(seed))
        self.touches = False
        self.console: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda wrong: self.console.append(str(wrong)))

    @classmethod
    async def of(cls, browser: Browser, url: str, seed: object = 0, **settings: Any) -> "Visitor":
        given = {"viewport": {"width": 360, "height": 740}, "reduced_motion": "reduce", "locale": "en-GB"}
        context = await browser.new_context(**{**given, **settings})
        visitor = cls(context, await context.new_page(), url.replace("ws", "http", 1), seed)
        visitor.touches = bool(settings.get("has_touch"))
        return visitor

    # Things on the page

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def cards(self) -> Locator:
        return self.page.get_by_role("group", name=SAY("web.hand")).get_by_role("button")

    async def fitting(self) -> Locator:
        """A card that fits somewhere."""
        fits = (
            self.page.get_by_role("group", name=SAY("web.hand")).get_by_role("button", disabled=False).first
        )
        return self.page.locator(f"[data-id='{await fits.get_attribute('data-id')}']")

    @property
    def places(self) -> Locator:
        """Where the chosen card may go."""
        return self.page.get_by_role("region", name=SAY("web.board")).get_by_role("button", disabled=False)

    @property
    def choices(self) -> Locator:
        return self.page.get_by_role("group", name=SAY("web.choices")).get_by_role("button")

    # What somebody does

    async def come_in(self, name: str, path: str = "/") -> None:
        await self.page.goto(f"{self.url}{path}", wait_until="commit")
        door = f"document.body?.innerText.includes({json.dumps(SAY('start.type_name'))})"
        await self.until(door)
        await self.page.get_by_label(SAY("start.type_name")).fill(name)
        await (
            self.page.get_by_role("button", name=SAY("web.enter"))
            .or_(self.page.get_by_role("button", name=SAY("web.enter_code", code="")))
            .click()
        )
        # The page has gone to its first screen: an address that is given before that may be overtaken by it.
        await self.until(f"!{door} && location.hash.length > 1")

    async def open_table(self, game: str = "Balloon Cup", choose: Mapping[str, str] = NOTHING) -> None:
        """From the lobby to a table of one's own; chooses by the labels of what can be chosen."""
        await self.button(SAY("lobby.new")).click()
        await self.page.get_by_role("button", name=game).click()
        for label, value in choose.items():
            await self.page.get_by_label(label).select_option(value)
        await self.button(SAY("new.open")).click()

    async def play_bot(self, game: str = "Balloon Cup") -> None:
        """Two taps from the lobby to a game."""
        await self.button(SAY("web.against_bots")).click()
        await self.page.get_by_label(SAY("web.bots")).select_option(SAY("bots.easy"))
        await self.page.get_by_role("button", name=game).first.click()

    async def sit_down(self) -> None:
        """At the only table of the lobby."""
        tables = self.page.get_by_role("region", name=SAY("web.tables"))
        await tables.get_by_role("button", name=SAY("web.sit")).click()
        # The lobby's line for talk looks like the table's: whoever writes at once would talk to everybody.
        await self.button(SAY("table.get_ready")).wait_for()

    async def until_asked(self) -> bool:
        """Whether it is our turn; False if the game is over."""
        # Told by the same look: in a scramble a turn may be gone before anybody looks again.
        return await self.until(f"{TURN} ? 'turn' : {OVER} && 'over'") == "turn"

    async def until(self, holds: str, patience: float | None = PATIENCE / 1000) -> object:
        """The value of an expression as soon as it is true. Playwright's own way would need a page that
        evaluates texts."""
        waiting = f"new Promise((done) => ({WATCHING})(() => ({holds}), done))"
        async with asyncio.timeout(patience):
            return await self.page.evaluate(waiting)

    async def text(self) -> str:
        return str(await self.page.evaluate("document.querySelector('main').innerText"))

    async def until_other_than(self, before: str) -> None:
        await self.until(f"document.querySelector('main').innerText !== {json.dumps(before)}")

    async def touch(self, *groups: str) -> str | None:
        """Touches one thing of the first group that has any, as a finger would; gives that group."""
        # Rather the last than the first: the longest way, the later choice.
        found = await self.page.evaluate(SOMEWHERE, [groups, 1 - self.luck.random() ** 2])
        if found is None:
            return None
        x, y, group = found
        await (self.page.touchscreen.tap(x, y) if self.touches else self.page.mouse.click(x, y))
        return groups[int(group)]

    async def spread_fingers(self, by: float) -> None:
        """Two fingers on the board draw apart, sideways."""
        box = await self.page.get_by_role("region", name=SAY("web.board")).bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        fingers = await self.context.new_cdp_session(self.page)
        for kind, half in (
            ("touchStart", 40.0),
            ("touchMove", 40 + by / 2),
            ("touchMove", 40 + by),
            ("touchEnd", 0),
        ):
            points = [{"x": x + side, "y": y} for side in (-half, half)] if half else []
            await fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    async def look(self) -> None:
        """A person looks before the next tap: what comes at once was meant for what stood there before."""
        await self.page.evaluate(A_SECOND_LATER)

    async def move(self) -> None:
        """Touches things until what is asked has been answered."""
        last: str | None = None
        for _ in range(200):
            # After a card its place, unless it is thought better of.
            first = [PLACES] if last == CARDS and self.luck.random() < 0.9 else []
            last = await self.touch(SURE, *first, *self.luck.sample((PLACES, CARDS, CHOICES), 3))
            if not await self.page.evaluate(TURN):
                return  # answered, or in a scramble somebody else was quicker
        raise AssertionError(f"nothing can be chosen: {await self.text()}")

    async def play(self, moves: int) -> None:
        """Plays so many moves."""
        while moves > 0 and await self.until_asked():
            await self.move()
            moves -= 1

    async def play_to_the_end(self) -> None:
        """The first moves by hand, and then as quickly as can be."""
        await self.play(6)
        await self.play_by_itself()

    async def play_by_itself(self, seen: bool = False) -> None:
        """The page clicks on whatever can be chosen until the game is over: as quick as a page can be."""
        if not seen:
            await self.page.evaluate(NOBODY_LOOKS)
        look = PLAYING_ITSELF.replace("LUCK", str(self.luck.randrange(1, 2**31)))
        await self.until(look, patience=None)  # a whole game: the server's own patience ends it
        await self.page.evaluate(SOMEBODY_LOOKS)

    async def play_by_keys(self, presses: int | None = None) -> None:
        """Tab, arrows and Enter alone: so many times Enter, or to the end."""
        press, done = self.page.keyboard.press, 0
        while (presses is None or done < presses) and await self.until_asked():
            where = await self.page.evaluate(FOCUSED)
            if where == "group":
                for key in (*self.luck.choices(ONWARD, k=2), "Enter"):
                    await press(key)
                done += 1
            else:
                await press("Enter" if where == "dialog" and self.luck.random() < 0.5 else "Tab")

    # What must hold

    async def faults(self) -> list[str]:
        """What axe finds on the page as it is now, and whatever is too wide or too small for fingers."""
        axe = (node.package("axe-core") / "axe.min.js").read_text(encoding="utf-8")
        if not await self.page.evaluate("'axe' in window"):
            await self.page.evaluate(axe)
        found = await self.page.evaluate(AXE)
        told = [
            f"{each['id']}: {part['html'][:200]} {part['failureSummary']}"
            for each in found
            for part in each["nodes"]
        ]
        return [*told, *await self.page.evaluate(MISSHAPEN)]


def _group(role: str, name: str) -> str:
    return f"[role={role}][aria-label={json.dumps(SAY(name))}] button:not([aria-disabled=true])"


CARDS = _group("group", "web.hand")
CHOICES = _group("group", "web.choices")
SURE = "dialog button"
PLACES = f"section[aria-label={json.dumps(SAY('web.board'))}] button[aria-disabled=false]"
ONWARD = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Tab")
WATCHING = """(look, done) => {
  let again = 0;
  const change = () => {
    clearTimeout(again);
    const found = look();
    if (found) {
      watch.disconnect();
      done(found);
    } else again = setTimeout(change, 50);
  };
  const watch = new MutationObserver(change);
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  change();
}"""
"""Looks whenever something on the page has changed, and now and then."""
FOCUSED = """(() => {
  const at = document.activeElement;
  if (at.closest("dialog")) return "dialog";
  return at.matches("[data-arrows] button") ? "group" : "elsewhere";
})()"""
NOBODY_LOOKS = """(() => {
  window.requestAnimationFrame = (draw) => setTimeout(draw);
  window.cancelAnimationFrame = clearTimeout;
  document.getElementById("page").style.display = "none";
})()"""
SOMEBODY_LOOKS = "document.getElementById('page').style.display = ''"
"""The page waits for the next frame before it draws. Without eyes no frame is waited for, and nothing is
laid out and painted."""
PLAYING_ITSELF = f"""(() => {{
  if ({OVER}) return "over";
  window.luck = ((window.luck ?? LUCK) * 48271) % 2147483647;
  const groups = {json.dumps([CARDS, CHOICES, PLACES])};
  const all = groups.flatMap((each) => [...document.querySelectorAll(each)]);
  const sure = document.querySelectorAll({json.dumps(SURE)});
  const some = sure.length > 0 ? sure : all;
  // Mostly the last: the longest way.
  const which = window.luck % 4 === 0 ? window.luck % some.length : some.length - 1;
  if ({TURN} && some.length > 0) some[which].click();
  return null;
}})()"""
A_SECOND_LATER = """(() => {
  const now = performance.now.bind(performance);
  performance.now = () => now() + 1000;
  const later = { configurable: true, get: () => performance.now() };
  Object.defineProperty(MouseEvent.prototype, "timeStamp", later);
})()"""
SOMEWHERE = """([groups, luck]) => {
  // A person looks before the next touch; here a second passes at once.
  window.passed = (window.passed ?? 0) + 1000;
  const later = { configurable: true, get: () => performance.now() + window.passed };
  Object.defineProperty(MouseEvent.prototype, "timeStamp", later);
  const found = groups.map((group) => [...document.querySelectorAll(group)]);
  const group = found.findIndex((each) => each.length > 0);
  if (group < 0) return null;
  const all = found[group];
  const one = all[Math.min(all.length - 1, Math.floor(luck * all.length))];
  one.scrollIntoView({ block: "center" });
  const box = one.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2, group];
}"""
AXE = """
axe.run(document, { resultTypes: ["violations"], preload: false }).then(({ violations }) => violations)
"""
MISSHAPEN = """() => {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the window");
  // The nearest cell of a meadow is taken, however small they are.
  for (const each of document.querySelectorAll("button:not(.cell), input, select")) {
    const box = each.getBoundingClientRect();
    if (box.width > 0 && (box.width < 44 || box.height < 44)) {
      found.push(`too small for a finger, ${box.width} by ${box.height}: ${each.outerHTML.slice(0, 120)}`);
    }
  }
  return found;
}"""
