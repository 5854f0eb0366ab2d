"""What a server with an archive shows: tournaments, reports, numbers, and games that are seen again."""

import asyncio
import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import serving
from support.client.visits import visit
from support.server.shared_bots import BotProcess
from support.server.sockets import Caller, play_on

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_tournament_is_entered_and_played_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    async with (
        serving(archive=str(tmp_path / "parlour.db")) as server,
        visit(browser, server, "tournament", has_touch=True) as ann,
    ):
        ben = await Caller(server.url, "Ben").connect()
        rules: dict[str, Any] = {
            "name": "<b>Cup</b>",
            "game": "butterflies",
            "format": "round_robin",
            "seed": "<i>snow</i>",
            "games": 2,
        }
        made = (await ben.do("create_tournament", rules=rules))["tournament"]
        await ben.do("steer", tournament=made, to="open")
        await ben.do("enter", tournament=made)
        await ann.page.get_by_role("button", name=re.compile(f"^{SAY('tournaments.title')}")).click()
        await ann.page.get_by_text(SAY("web.tournament_made")).wait_for()
        await ann.button(SAY("web.look")).click()
        await ann.page.get_by_role("heading", name="<b>Cup</b>").wait_for()
        await ann.button(SAY("tournaments.enter")).click()
        await ann.page.get_by_text(SAY("tournaments.you"), exact=True).wait_for()
        assert await ann.faults() == []
        # Wherever one is when check-in begins, also after a reload, one is asked there.
        await ann.page.goto(f"{ann.url}/#lobby")
        await ann.page.reload()
        await ben.do("steer", tournament=made, to="start")
        await ben.do("check_in", tournament=made)
        await ann.page.get_by_text(SAY("web.check_in", name="<b>Cup</b>")).wait_for()
        assert await ann.faults() == []
        await ann.button(SAY("tournaments.check_in")).tap()
        # From a game to its tournament, in which nobody has anything yet, and back.
        await ann.button(SAY("play.menu")).tap()
        await ann.button(SAY("web.to_tournament")).tap()
        nothing_yet = ann.page.get_by_role("group", name=SAY("tournaments.standings")).get_by_role("row")
        await expect(nothing_yet).to_have_count(3)  # and their heads
        await ann.page.get_by_text(SAY("web.standings_about")).wait_for()
        await ann.button(SAY("lobby.go_back", game="Butterflies", names="Ben")).tap()
        # The games open by themselves, the second one when the end of the first has been seen.
        async with asyncio.TaskGroup() as both:
            await ann.page.get_by_role("region", name=SAY("web.board")).wait_for()
            both.create_task(ann.play_to_the_end())
            first = await dealt(ben, set())
            await play_on(ben, first, random.Random(first))
        await ann.page.get_by_role("list").filter(has_text="Ben").wait_for()
        second = await dealt(ben, {first})
        for _ in range(4):
            await ann.look()
        which = SAY("web.cup_game", name="<b>Cup</b>", round=1, game=2, games=2, names="Ben")
        await ann.page.get_by_role("heading", name=which).wait_for()
        await ben.do("resign", table=second)
        await ann.button(SAY("tournaments.standings")).wait_for()
        await ann.look()
        await ann.button(SAY("tournaments.standings")).click()
        standings = ann.page.get_by_role("group", name=SAY("tournaments.standings"))
        await expect(standings).to_contain_text("Ann")
        await ann.page.get_by_text(SAY("web.cross_about")).wait_for()
        assert await ann.faults() == []
        # The round is over: its games are seen again, and the report has their numbers.
        await ann.page.get_by_role("button", name=re.compile("^Round 1, table 1, game 1: ")).tap()
        await ann.page.get_by_role("slider").wait_for()
        await ann.button(SAY("menu.back")).tap()
        await ann.button(SAY("web.report")).tap()
        await expect(ann.page.get_by_role("group", name=SAY("report.standings"))).to_contain_text("Ann")
        assert await ann.faults() == []
        await ann.page.goto(f"{ann.url}/#stats")
        await ann.page.get_by_text(re.compile(rf"^{SAY('stats.won')} \d")).wait_for()
        assert await ann.faults() == []


async def dealt(caller: Caller, known: set[str]) -> str:
    """The next table at which somebody is dealt in."""
    while True:
        for table, memory in caller.memories.items():
            if table not in known and memory.known.get("view"):
                return table
        await caller.event()


async def test_a_hint_is_taken_and_the_game_is_seen_again_through_anybodys_eyes(
    browser: Browser, bots: BotProcess, tmp_path: Path
) -> None:
    async with (
        serving(bots, archive=str(tmp_path / "parlour.db")) as server,
        visit(browser, server, "replay") as ann,
    ):
        await ann.play_bot()
        await ann.play(2)
        assert await ann.until_asked()
        await ann.button(SAY("web.hint")).click()
        # The best hint is shown on the board at once, another one by its number, and a tap there plays it.
        await ann.button(SAY("web.hint_play")).wait_for()
        await ann.page.get_by_role("button", name=re.compile("^2: play ", re.I)).click()
        card = ann.page.locator("[data-id^='card:'][aria-pressed=true]")
        played = str(await card.locator("span").first.text_content())
        assert await ann.places.count() == 1
        await ann.places.click()
        await ann.button(played).wait_for(state="detached")
        assert await ann.until_asked()
        await ann.button(SAY("play.menu")).click()
        await ann.button(SAY("play.resign")).click()
        await ann.button(SAY("menu.yes")).click()
        await ann.button(SAY("over.watch")).wait_for()
        await ann.look()
        await ann.button(SAY("over.watch")).click()
        await ann.page.get_by_role("slider").wait_for()
        await ann.button(SAY("menu.back")).click()  # to the table where it was played
        await ann.button(SAY("web.to_lobby")).click()
        await ann.button(SAY("lobby.replays")).click()
        await ann.button(SAY("web.look")).click()
        board = ann.page.get_by_role("region", name=SAY("web.board"))
        await board.wait_for()
        last = int(await ann.page.get_by_role("slider").get_attribute("max") or 0)
        await ann.page.get_by_role("slider").fill(str(last))
        await ann.page.get_by_text(SAY("web.move_of", move=last, last=last)).wait_for()
        await ann.button(SAY("web.step_back")).click()
        await ann.page.get_by_text(SAY("web.move_of", move=last - 1, last=last)).wait_for()
        assert await ann.cards.count() == 0
        # It plays by itself to its end; a touch, or another screen, takes it into one's own hand.
        await ann.button(SAY("web.play_on")).click()
        await ann.page.get_by_text(SAY("web.move_of", move=last, last=last)).wait_for()
        await ann.button(SAY("web.play_on")).click()
        await ann.page.get_by_text(SAY("web.move_of", move=0, last=last)).wait_for()
        await ann.button(SAY("web.play_stop")).wait_for()
        await board.click()
        await ann.button(SAY("web.play_on")).click()
        await ann.button(SAY("web.play_stop")).click()
        await ann.button(SAY("web.play_on")).wait_for()
        await ann.page.get_by_label(SAY("web.eyes")).select_option(SAY("replay.seen_by", who="Ann"))
        await ann.page.get_by_role("slider").fill("1")  # at once: both are heeded
        await ann.page.get_by_text(SAY("web.move_of", move=1, last=last)).wait_for()
        await expect(ann.cards).to_have_count(8)
        assert await ann.faults() == []
