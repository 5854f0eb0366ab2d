"""Around a table: watching, sending away, a bot for somebody who is away, and the large screen."""

import asyncio
import random
import re

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import Visitor, serving
from support.client.visits import visit
from support.server.shared_bots import BotProcess
from support.server.sockets import Caller, gather, play_on

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_somebody_watches_and_sees_no_hand(browser: Browser, bots: BotProcess) -> None:
    async with serving(bots) as server, visit(browser, server, "ann") as ann:
        await ann.open_table()
        await ann.button(SAY("table.add_bot", level=SAY("bots.easy"))).click()
        await ann.button(SAY("table.get_ready")).click()
        await ann.button(SAY("table.start")).click()
        wes = await Visitor.of(browser, server.url, "wes", viewport={"width": 1440, "height": 900})
        await wes.come_in("Wes")
        await wes.button(SAY("web.watch")).click()
        await wes.page.get_by_role("region", name="Board").wait_for()
        assert await wes.cards.count() == 0
        await ann.play(2)
        await expect(wes.page.get_by_role("log")).to_contain_text("Ann played")


async def test_a_host_sends_somebody_away_after_being_asked_once(browser: Browser) -> None:
    async with serving() as server:
        ann, ben = [await Visitor.of(browser, server.url, name) for name in ("ann", "ben")]
        await ann.come_in("Ann")
        await ann.open_table()
        await ben.come_in("Ben")
        await ben.sit_down()
        await ann.button(SAY("table.kick", name="Ben")).click()
        await ann.button(SAY("menu.no")).click()
        await ben.button(SAY("table.get_ready")).wait_for()
        await ann.button(SAY("table.kick", name="Ben")).click()
        await ann.button(SAY("menu.yes")).click()
        await ben.page.get_by_text(SAY("connection.kicked")).first.wait_for()
        await ben.button(SAY("lobby.new")).wait_for()
        await ann.button(SAY("table.let_back", name="Ben")).click()
        await ben.sit_down()
        await ann.button(SAY("table.kick", name="Ben")).wait_for()
        assert ann.console == ben.console == []


async def test_whoever_leaves_an_empty_table_is_not_told_that_it_is_gone(browser: Browser) -> None:
    async with serving() as server, visit(browser, server, "leaves") as ann:
        await ann.open_table()
        await ann.button(SAY("table.leave")).click()
        await ann.page.get_by_role("heading", name=SAY("lobby.no_tables")).wait_for()
        assert await ann.page.get_by_text(SAY("connection.table_gone")).count() == 0


async def test_a_wrong_code_stays_to_be_mended_and_none_at_all_is_asked_for(browser: Browser) -> None:
    async with serving() as server, visit(browser, server, "code") as ann:
        code = ann.page.get_by_label(SAY("lobby.code"))
        await ann.button(SAY("web.sit")).click()
        said = "document.activeElement.validationMessage"
        assert await ann.page.evaluate(said) == SAY("web.code_first")
        await code.fill("ABCDEF")
        assert await ann.page.evaluate(said) == ""
        await ann.button(SAY("web.sit")).click()
        wrong = re.compile(re.escape(SAY("refused.no_such_table")), re.I)
        await ann.page.locator(".toast").get_by_text(wrong).wait_for()
        await expect(code).to_have_value("ABCDEF")


async def test_back_closes_a_sheet_before_a_game_and_after_it(browser: Browser, bots: BotProcess) -> None:
    async with serving(bots) as server:
        ann = await Visitor.of(browser, server.url, "back")
        sheet = ann.page.get_by_role("dialog")
        await ann.come_in("Ann")
        await ann.open_table()
        await ann.button(SAY("menu.rules")).click()
        await sheet.wait_for()
        await ann.page.go_back()
        await sheet.wait_for(state="detached")
        await ann.button(SAY("table.add_bot", level=SAY("bots.easy"))).click()
        await ann.button(SAY("table.get_ready")).click()
        await ann.button(SAY("table.start")).click()
        await ann.button(SAY("play.menu")).click()
        await ann.button(SAY("play.resign")).click()
        await ann.button(SAY("menu.yes")).click()
        await ann.button(SAY("table.rematch")).wait_for()
        await ann.button(SAY("play.menu")).click()
        await sheet.wait_for()
        await ann.page.go_back()
        await sheet.wait_for(state="detached")
        await ann.button(SAY("table.rematch")).wait_for()
        await ann.page.go_back()
        await ann.button(SAY("new.open")).wait_for()
        assert ann.console == []


async def test_a_bot_plays_for_somebody_who_is_away(browser: Browser, bots: BotProcess) -> None:
    async with serving(bots) as server, visit(browser, server, "away") as ann:
        await ann.open_table(choose={SAY("options.balloon-cup.wind.name"): SAY("options.values.on")})
        agreed = "; ".join(
            (SAY("terms.no_clock"), SAY("terms.hints"), SAY("terms.watching_public"), "Wind: on")
        )
        await ann.page.get_by_text(SAY("terms.line", terms=agreed)).wait_for()
        ben = await Caller(server.url, "Ben").connect()
        table = (await ben.do("list_tables"))["tables"][0]["table"]
        await ben.do("join", table=table)
        await ben.do("ready", table=table)
        await ann.button(SAY("table.get_ready")).click()
        await ann.button(SAY("table.start")).click()
        await ben.drop(rudely=True)
        await ann.page.get_by_text(re.compile(r"Ben lost the connection \d:\d\d ago")).wait_for()
        await ann.button(SAY("play.menu")).click()
        await ann.button(SAY("absence.put_in", name="Ben", level=SAY("bots.easy"))).click()
        await ann.page.get_by_text(re.compile(r"\w+ plays for Ben, who has been away")).wait_for()
        await ann.play(2)
        await ann.button(SAY("play.menu")).click()
        assert await ann.faults() == []
        await ann.page.get_by_role("button", name=re.compile("^Wait for Ben without")).click()
        await ann.page.get_by_text(re.compile("Ben lost the connection")).wait_for()


FOLLOWED = {
    "balloon-cup": ("Ben", "Cleo"),
    "hurry-cup": ("Dora", "Emil", "Flo"),
    "butterflies": ("Gus", "Hal"),
}
"""Who plays what, one after the other."""


async def test_a_large_screen_in_the_living_room_follows_a_game_and_then_the_next(browser: Browser) -> None:
    async with serving() as server:
        tv = await Visitor.of(browser, server.url, viewport={"width": 1440, "height": 900})
        await tv.page.clock.install()
        await tv.page.goto(f"{tv.url}/#watch")  # a television has no keys to type a name
        await tv.page.get_by_text(SAY("web.nothing_to_watch")).wait_for()
        await expect(tv.page.get_by_text(SAY("web.join_at"))).to_have_count(0)  # no other machine gets to it
        assert await tv.faults() == []
        # Nothing happens any more where somebody has left the house.
        empty, strangers = await gather(server.url, "balloon-cup", [Caller, Caller])
        board = tv.page.get_by_role("region", name=SAY("web.board"))
        await expect(board).to_contain_text("Player 0")
        await strangers[1].drop(True)
        end = None
        for game, names in FOLLOWED.items():
            players = [await Caller(server.url, name).connect() for name in names]
            table = (await players[0].do("create_table", game=game, seats=len(names)))["table"]
            for each in players[1:]:
                await each.do("join", table=table)
            for each in players:
                await each.do("ready", table=table)
            await players[0].do("start", table=table)
            if end is not None:  # of the game before
                await end.wait_for()
                await tv.page.clock.fast_forward(15_000)
            await expect(board).to_contain_text(names[0])
            if end is None:
                await strangers[0].do("resign", table=empty)
            assert await tv.places.count() == 0 and await tv.cards.count() == 0
            assert await tv.faults() == []
            for each in players[1:]:
                await each.do("resign", table=table)
            end = tv.page.get_by_text(re.compile(f"{names[0]} won")).first
            await end.wait_for()
            for each in players:  # the end stays in sight, whoever leaves
                await each.do("leave", table=table)
        await end.wait_for()
        await tv.page.clock.fast_forward(15_000)
        await tv.page.get_by_text(SAY("web.nothing_to_watch")).wait_for()
        await tv.page.keyboard.press("Escape")
        await tv.button(SAY("lobby.new")).wait_for()
        assert tv.console == []


async def test_a_low_screen_shows_all_cards_of_a_tall_grid(browser: Browser) -> None:
    async with serving() as server:
        tv = await Visitor.of(browser, server.url, viewport={"width": 1440, "height": 500})
        await tv.page.goto(f"{tv.url}/#watch")
        table, players = await gather(server.url, "butterflies", [Caller, Caller])
        board = tv.page.get_by_role("region", name=SAY("web.board"))
        await expect(board).to_contain_text("Player 0")
        async with asyncio.TaskGroup() as group:
            for each in players:
                group.create_task(play_on(each, table, random.Random(each.name)))
        rows = len({card["at"][1] for card in players[0].known(table)["view"]["grid"]})
        assert rows > 4
        await tv.page.get_by_text(re.compile(" won|wins|draw")).first.wait_for()
        await tv.until("document.querySelectorAll('.cell.taken').length > 8")
        assert await tv.page.evaluate(CUT_OFF) == 0
        await tv.page.evaluate("document.querySelector('.butterflies').classList.add('tall')")
        await tv.until("document.querySelector('.lawn').getBoundingClientRect().height > 0.85 * innerHeight")


CUT_OFF = """() => {
  const room = document.querySelector("section.board").getBoundingClientRect();
  const outside = ({ top, bottom }) => top < room.top - 1 || bottom > room.bottom + 1;
  const cards = [...document.querySelectorAll(".cell.taken")];
  return cards.filter((each) => outside(each.getBoundingClientRect())).length;
}"""
