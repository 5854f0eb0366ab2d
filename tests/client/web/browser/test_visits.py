"""A visit: late texts, another build, a second tab, what others write, a turn while one looks elsewhere."""

import asyncio
import re

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import PAGE, Visitor, cut, serving
from support.client.visits import deal, visit
from support.server.shared_bots import BotProcess
from support.server.sockets import Caller

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_page_whose_texts_do_not_come_at_once_tries_again(browser: Browser) -> None:
    async with serving() as server:
        ann = await Visitor.of(browser, server.url)
        await ann.page.clock.install()
        await ann.page.route("**/texts/*.json", lambda route: route.abort(), times=1)
        async with asyncio.TaskGroup() as group:
            group.create_task(ann.come_in("Ann"))
            await ann.page.wait_for_event("requestfailed")
            await ann.page.clock.fast_forward(1000)
        await ann.button(SAY("lobby.new")).wait_for()
        assert len(ann.console) == 1 and "ERR_FAILED" in ann.console[0]


async def test_a_page_of_another_build_offers_to_load_the_new_one(browser: Browser) -> None:
    async with serving() as server, visit(browser, server) as ann:
        await ann.button(SAY("lobby.new")).wait_for()
        newer = PAGE["/"].replace(b'name="build" content="', b'name="build" content="n')
        await ann.page.route(ann.url + "/", lambda route: route.fulfill(body=newer, content_type="text/html"))
        cut(server, "Ann")
        await ann.page.get_by_text(SAY("web.another_build")).wait_for()
        await ann.page.unroute_all()
        await ann.button(SAY("web.reload")).click()
        await ann.button(SAY("lobby.new")).wait_for()
        await ann.page.get_by_text(SAY("web.another_build")).wait_for(state="detached")


async def test_a_second_tab_takes_over_only_when_it_is_told_to(browser: Browser) -> None:
    async with serving() as server, visit(browser, server) as ann:
        await ann.button(SAY("lobby.new")).wait_for()
        second = Visitor(ann.context, await ann.context.new_page(), server.url.replace("ws", "http", 1))
        await second.page.goto(second.url)
        await second.page.get_by_text(SAY("web.other_tab")).wait_for()
        await ann.button(SAY("lobby.new")).wait_for()
        await second.button(SAY("web.play_here")).click()
        await second.button(SAY("lobby.new")).wait_for()
        await ann.page.get_by_text(SAY("web.replaced")).wait_for()
        await ann.button(SAY("web.play_here")).click()
        await ann.button(SAY("lobby.new")).wait_for()
        await second.page.get_by_text(SAY("web.replaced")).wait_for()


async def test_markup_that_others_write_is_text_and_does_nothing(browser: Browser) -> None:
    markup = "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>"
    async with serving() as server, visit(browser, server) as ann:
        await ann.button(SAY("lobby.new")).wait_for()
        ben = await Caller(server.url, "B'en --.").connect()
        table = (await ben.do("create_table", game="balloon-cup", seats=2))["table"]
        await ben.do("say", text=markup)
        await ann.page.locator("bdi", has_text=markup).wait_for()
        await ann.sit_down()
        await ann.page.get_by_label(SAY("lobby.say")).fill(markup)
        await ann.button(SAY("web.send")).click()
        while markup not in [line["text"] for line in ben.known(table)["chat"]]:
            await ben.event()
        await ben.do("say", text=markup, table=table)
        await ann.page.get_by_text(markup).first.wait_for()
        assert "hacked" not in await ann.page.title() and ann.console == []


async def test_with_tls_somebody_who_looks_elsewhere_is_told_of_their_turn(
    browser: Browser, bots: BotProcess, certified: tuple[str, str]
) -> None:
    cert, key = certified
    async with serving(bots, cert=cert, key=key) as server:
        assert server.url.startswith("wss://")
        ann = await Visitor.of(browser, server.url, permissions=["notifications"])
        told: list[str] = []
        await ann.page.expose_function("tell", lambda text: told.append(text))
        await ann.page.add_init_script(NOTED)
        await ann.come_in("Ann")
        await ann.play_bot()
        assert await ann.until_asked() and told == []
        await ann.page.evaluate("look(false)")
        await ann.play(1)
        assert await ann.until_asked()
        await ann.until("document.title.startsWith('\u25b6')")
        assert set(told) == {SAY("play.title_turn")}, "once for each question, and one move may bring several"
        assert ann.console == []


NOTED = """
  let seen = true;
  window.look = (on) => void (seen = on);
  Object.defineProperty(document, "hidden", { get: () => !seen });
  window.Notification = class {
    static permission = "granted";
    constructor(_, { body }) { window.tell(body); }
  };
"""
"""A browser without a screen is never looked away from, and shows no notifications."""


async def test_another_name_is_taken_and_the_old_one_taken_back(browser: Browser) -> None:
    async with serving() as server, visit(browser, server) as ann:
        await Caller(server.url, "Ben").connect()

        async def take(name: str) -> None:
            await ann.button(SAY("web.rename")).click()
            await ann.page.get_by_role("dialog").get_by_label(SAY("start.type_name")).fill(name)
            await ann.button(SAY("web.rename_do")).click()

        for name in ("Anna", "Ann"):
            await take(name)
            await ann.page.get_by_text(SAY("web.you_are", name=name)).wait_for()
        # Whose name it is keeps it: a name of somebody else changes nothing.
        await take("Ben")
        await ann.page.get_by_role("status").get_by_text(SAY("refused.name_taken")).first.wait_for()
        await ann.page.get_by_text(SAY("web.you_are", name="Ann")).wait_for()
        await ann.open_table()
        await ann.button(SAY("table.get_ready")).wait_for()
        await ann.page.evaluate("location.hash = '#lobby'")
        await take("Anna")
        await ann.page.get_by_text(SAY("web.seated")).first.wait_for()


async def test_a_screen_begins_at_its_top_and_is_left_where_it_was(browser: Browser) -> None:
    async with serving() as server, visit(browser, server, viewport={"width": 360, "height": 400}) as ann:
        rename = ann.button(SAY("web.rename"))
        await rename.scroll_into_view_if_needed()
        depth = await ann.page.evaluate("scrollY")
        assert depth > 100
        await ann.page.evaluate("location.hash = '#new'")
        await ann.page.get_by_role("button", name="Balloon Cup").wait_for()
        assert await ann.page.evaluate("scrollY") == 0
        await ann.page.go_back()
        await rename.wait_for()
        assert await ann.page.evaluate("scrollY") == depth


async def test_an_invitation_stays_in_the_address_until_its_guest_sits_down(browser: Browser) -> None:
    async with serving() as server:
        ben = await Caller(server.url, "Ben").connect()
        made = await ben.do("create_table", game="balloon-cup", seats=2, public=False)
        ann = await Visitor.of(browser, server.url)
        await ann.page.goto(f"{ann.url}/#{made['code']}")
        enter = ann.button(SAY("web.enter_code", code=made["code"]))
        await enter.wait_for()
        await ann.page.reload()
        await enter.wait_for()
        await ann.page.get_by_label(SAY("start.type_name")).click()
        await ann.until("getSelection().toString() !== ''")
        await ann.page.keyboard.type("Ann")  # instead of the name that is suggested
        await enter.click()
        await ann.button(SAY("table.get_ready")).wait_for()
        assert made["code"] not in ann.page.url
        await ann.page.get_by_role("listitem").filter(has_text=re.compile(r"\bAnn\b")).wait_for()
        await ann.page.evaluate(f"location.hash = '#{made['code'][::-1]}'")
        await ann.button(SAY("lobby.new")).wait_for()
        assert ann.page.url.endswith("#lobby")


async def test_whoever_looks_elsewhere_sees_that_it_is_their_turn_and_how_long(browser: Browser) -> None:
    async with serving() as server, visit(browser, server) as ann:
        ben = await Caller(server.url, "Ben").connect()
        await deal(ann, ben, clocks={"decision": 45.0}, options={"first": 1})
        assert await ann.until_asked()
        bar = ann.page.get_by_role("button", name=SAY("play.your_turn"))
        for screen in ("lobby", "tournaments", "new", "stats"):
            await ann.page.evaluate(f"location.hash = '#{screen}'")
            if screen == "lobby":
                await ann.button(SAY("menu.yes")).click()
            await bar.get_by_text(re.compile(r"0:[34]\d")).wait_for()
            await expect(bar).to_be_in_viewport()
            assert await ann.faults() == []
        await bar.click()
        await ann.cards.first.wait_for()
        await bar.wait_for(state="detached")
