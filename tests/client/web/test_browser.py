"""The page in a real browser: whole games by touch and by keys, lines that break, and nobody kept out."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.async_api import expect
from support.client.browsers import Visitor, chromium, open_browser
from support.client.random_player import RandomPlayer
from support.client.terminals import Terminal, terminal
from support.server.sockets import Caller, generous_limits, open_server, own_port

from parlour.client.language import ENGLISH as SAY
from parlour.client.web.files import page_files
from parlour.server.app import ListeningServer

SIGHTS = [(360, 740, "light"), (768, 1024, "dark"), (1440, 900, "light")]
"""Width, height and colours."""


@pytest.fixture(autouse=True)
def _a_browser() -> None:
    chromium()


@contextlib.asynccontextmanager
async def serving(page: Mapping[str, bytes] | None = None, **settings: Any) -> AsyncIterator[ListeningServer]:
    async with open_server(generous_limits(), page=page or page_files(), **settings) as server:
        yield server


@pytest.mark.parametrize(("width", "height", "scheme"), SIGHTS)
async def test_every_screen_is_usable_by_everybody(width: int, height: int, scheme: str) -> None:
    viewport = {"width": width, "height": height}
    async with serving(bots=1) as server, open_browser() as browser:
        ann = await Visitor.of(browser, server.url, width, viewport=viewport, color_scheme=scheme)
        faults: dict[str, list[str]] = {}

        async def look(screen: str) -> None:
            faults[screen] = await ann.faults()

        await ann.page.goto(ann.url)
        await expect(ann.page.get_by_label(SAY("start.type_name"))).to_have_value(re.compile(r"Guest \d+"))
        await look("door")
        await ann.come_in("Ann")
        await expect(ann.button(SAY("lobby.new"))).to_be_visible()
        await look("lobby")
        await ann.button(SAY("lobby.new")).click()
        await ann.page.get_by_role("button", name="Balloon Cup").click()
        await expect(ann.button(SAY("new.open"))).to_be_visible()
        await look("new table")
        await ann.button(SAY("new.open")).click()
        await expect(ann.button(SAY("table.get_ready"))).to_be_visible()
        await look("gathering")
        await ann.button(SAY("menu.back")).click()
        await ann.play_bot()
        assert await ann.until_asked()
        await look("game")
        await ann.cards.first.click()
        await look("card chosen")
        await ann.button(SAY("play.menu")).click()
        await expect(ann.page.get_by_role("dialog")).to_be_visible()
        await look("menu")
        await ann.button(SAY("play.resign")).click()
        await look("sure?")
        await ann.button(SAY("menu.yes")).click()
        await expect(ann.button(SAY("table.rematch"))).to_be_visible()
        await look("result")
        assert {screen: found for screen, found in faults.items() if found} == {}
        assert ann.console == []


async def test_a_first_visit_plays_a_whole_game_against_a_bot_by_touch() -> None:
    async with serving(bots=1) as server, open_browser() as browser:
        ann = await Visitor.of(browser, server.url, "whole", has_touch=True)
        await ann.come_in("Ann")
        await ann.play_bot()
        await ann.play()
        await expect(ann.page.get_by_text(SAY("web.fair"))).to_be_visible()
        assert ann.console == []
        await ann.button(SAY("table.rematch")).click()
        await expect(ann.button(SAY("table.rematch"))).to_have_count(0)
        assert await ann.until_asked()


async def test_two_browsers_play_by_a_code_and_one_of_them_by_keys_alone() -> None:
    async with serving() as server, open_browser() as browser:
        ann = await Visitor.of(browser, server.url, "ann")
        await ann.come_in("Ann")
        await ann.button(SAY("lobby.new")).click()
        await ann.page.get_by_role("button", name="Balloon Cup").click()
        await ann.page.get_by_label(SAY("web.who_may_come")).select_option(SAY("new.private"))
        await ann.button(SAY("new.open")).click()
        code = await ann.page.get_by_role("status").filter(has_text=re.compile(r"^\w{6}$")).inner_text()
        ben = await Visitor.of(browser, server.url, "ben")
        await ben.come_in("Ben", f"/#{code}")
        await ben.button(SAY("table.get_ready")).click()
        assert code not in ben.page.url
        await ann.button(SAY("table.get_ready")).click()
        await ann.button(SAY("table.start")).click()
        async with asyncio.TaskGroup() as group:
            group.create_task(play_by_keys(ann))
            group.create_task(ben.play())
        assert await ann.page.get_by_text("won").count() and await ben.page.get_by_text("won").count()
        assert ann.console == ben.console == []


async def play_by_keys(who: Visitor) -> None:
    """Tab, arrows and Enter: the focus is led from a card to its places, and back to the hand."""
    press = who.page.keyboard.press
    focused = "(document.activeElement?.closest('[data-arrows]') && document.activeElement.textContent) || ''"
    while await who.until_asked():
        before, at = await who.text(), await who.page.evaluate(focused)
        if at == "":
            await press("Tab")
        elif at.startswith("Tile"):
            for way in who.luck.choices(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"], k=3):
                await press(way)
            await press("Enter")
            await who.until_other_than(before)
        elif await who.choices.count():
            await who.choices.last.focus()
            await press("Enter")
            await who.until_other_than(before)
        else:
            await press(who.luck.choice(["ArrowLeft", "ArrowRight", "ArrowRight"]))
            await press("Enter")


async def test_a_browser_plays_against_a_terminal(tmp_path: Path) -> None:
    async with serving() as server, open_browser() as browser:
        ann = await Visitor.of(browser, server.url, "terminal")
        await ann.come_in("Ann")
        await ann.button(SAY("lobby.new")).click()
        await ann.page.get_by_role("button", name="Balloon Cup").click()
        await ann.button(SAY("new.open")).click()
        await ann.button(SAY("table.get_ready")).click()
        with terminal(tmp_path, "play", server.url, "--name", "Ben") as shown:
            playing = asyncio.create_task(asyncio.to_thread(play_terminal, shown))
            await ann.button(SAY("table.start")).click()
            await ann.play()
            await playing
        assert ann.console == []


def play_terminal(shown: Terminal) -> None:
    """Sits down at the first table, is ready, and plays at random to the end."""
    shown.follow(("Balloon Cup", "enter"), (SAY("table.get_ready"), "y"))
    RandomPlayer(shown, SAY, Random("terminal")).play()


async def test_a_line_that_is_cut_loses_nothing_and_what_was_chosen_stays_chosen() -> None:
    async with serving(bots=1) as server, open_browser() as browser:
        ann = await Visitor.of(browser, server.url, "cut")
        await ann.come_in("Ann")
        await ann.play_bot()
        await ann.play(3)
        assert await ann.until_asked()
        await ann.cards.first.click()
        chosen = await ann.cards.first.text_content()
        await ann.context.set_offline(True)
        peer = server.lobby.tables.sessions["Ann"].peer
        assert peer is not None
        peer.abort(1006, "cut")  # type: ignore[attr-defined]
        await expect(ann.page.get_by_text(SAY("play.stale"))).to_be_visible()
        assert await ann.cards.first.get_attribute("aria-pressed") == "true"
        await ann.context.set_offline(False)
        await expect(ann.page.get_by_text(SAY("play.stale"))).to_have_count(0)
        assert await ann.cards.first.text_content() == chosen
        assert await ann.cards.first.get_attribute("aria-pressed") == "true"
        await ann.play(2)


async def test_a_reload_and_a_restart_of_the_server_come_back_to_the_same_board(tmp_path: Path) -> None:
    settings = {"archive": str(tmp_path / "parlour.db")}
    newer = {
        **page_files(),
        "/": page_files()["/"].replace(b'name="build" content="', b'name="build" content="n'),
    }
    with own_port() as port:
        async with open_browser() as browser:
            async with serving(port=port, **settings) as server:
                ann = await Visitor.of(browser, server.url, "restart")
                await ann.come_in("Ann")
                ben = await Caller(server.url, "Ben").connect()
                table = (await ben.do("create_table", game="balloon-cup", seats=2, options={"first": 1}))[
                    "table"
                ]
                await ben.do("ready", table=table)
                await ann.button(SAY("web.sit")).last.click()
                await ann.button(SAY("table.get_ready")).click()
                while (
                    not all(chair["ready"] for chair in ben.known(table)["info"]["chairs"] if chair)
                    or None in ben.known(table)["info"]["chairs"]
                ):
                    await ben.event()
                await ben.do("start", table=table)
                assert await ann.until_asked()
                cards = await ann.cards.all_text_contents()
                await ann.page.reload()
                assert await ann.until_asked()
                assert await ann.cards.all_text_contents() == cards
            await expect(ann.page.get_by_text(SAY("play.stale"))).to_be_visible()
            async with serving(newer, port=port, **settings):
                await expect(ann.page.get_by_text(SAY("play.stale"))).to_have_count(0)
                assert await ann.cards.all_text_contents() == cards
                await ann.move()
                await expect(ann.page.get_by_text(f"{SAY('play.waiting')} Ben")).to_be_visible()
                await ann.button(SAY("web.reload")).click()
                await expect(ann.page.get_by_text(f"{SAY('play.waiting')} Ben")).to_be_visible()


async def test_a_second_tab_takes_over_only_when_it_is_told_to() -> None:
    async with serving() as server, open_browser() as browser:
        ann = await Visitor.of(browser, server.url)
        await ann.come_in("Ann")
        await expect(ann.button(SAY("lobby.new"))).to_be_visible()
        second = Visitor(ann.context, await ann.context.new_page(), server.url.replace("ws", "http", 1))
        await second.page.goto(second.url)
        await expect(second.page.get_by_text(SAY("web.other_tab"))).to_be_visible()
        await expect(ann.button(SAY("lobby.new"))).to_be_visible()
        await second.button(SAY("web.play_here")).click()
        await expect(second.button(SAY("lobby.new"))).to_be_visible()
        await expect(ann.page.get_by_text(SAY("web.replaced"))).to_be_visible()
        await ann.button(SAY("web.play_here")).click()
        await expect(ann.button(SAY("lobby.new"))).to_be_visible()
        await expect(second.page.get_by_text(SAY("web.replaced"))).to_be_visible()


async def test_markup_that_others_write_is_text_and_does_nothing() -> None:
    markup = "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>"
    async with serving() as server, open_browser() as browser:
        ann = await Visitor.of(browser, server.url)
        await ann.come_in("Ann")
        await expect(ann.button(SAY("lobby.new"))).to_be_visible()
        ben = await Caller(server.url, "B'en --.").connect()
        table = (await ben.do("create_table", game="balloon-cup", seats=2))["table"]
        await ben.do("say", text=markup)
        await expect(ann.page.locator("bdi", has_text=markup)).to_be_visible()
        await ann.button(SAY("web.sit")).last.click()
        await ben.do("say", text=markup, table=table)
        await expect(ann.page.get_by_text(markup).first).to_be_visible()
        assert "hacked" not in await ann.page.title() and ann.console == []


@pytest.mark.parametrize(("game", "bots"), [("Butterflies", 1), ("Hurry' Cup", 2)])
async def test_a_game_without_a_board_is_played_from_its_choices_in_words(game: str, bots: int) -> None:
    async with serving(bots=bots) as server, open_browser() as browser:
        ann = await Visitor.of(browser, server.url, game)
        await ann.come_in("Ann")
        await ann.play_bot(game)
        for _ in range(6):
            assert await ann.until_asked()
            await ann.choices.nth(ann.luck.randrange(await ann.choices.count())).click()
            if await ann.page.get_by_role("dialog").count():
                await ann.button(SAY("menu.no")).click()
        await ann.button(SAY("play.menu")).click()
        await ann.button(SAY("play.resign")).click()
        await ann.button(SAY("menu.yes")).click()
        await expect(ann.page.get_by_text("won").first).to_be_visible()
        assert ann.console == []


async def test_somebody_watches_and_sees_no_hand() -> None:
    async with serving(bots=1) as server, open_browser() as browser:
        ann = await Visitor.of(browser, server.url, "ann")
        await ann.come_in("Ann")
        await ann.button(SAY("lobby.new")).click()
        await ann.page.get_by_role("button", name="Balloon Cup").click()
        await ann.button(SAY("new.open")).click()
        await ann.button(SAY("table.add_bot", level=SAY("bots.easy"))).click()
        await ann.button(SAY("table.get_ready")).click()
        await ann.button(SAY("table.start")).click()
        wes = await Visitor.of(browser, server.url, "wes", viewport={"width": 1440, "height": 900})
        await wes.come_in("Wes")
        await wes.button(SAY("web.watch")).click()
        await expect(wes.page.get_by_role("region", name="Board")).to_be_visible()
        assert await wes.cards.count() == 0
        await ann.play(2)
        await expect(wes.page.get_by_role("log")).to_contain_text("Ann played")
