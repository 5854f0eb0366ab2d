"""Hurry' Cup in a browser: a race in four windows, a race for practice, and taps that come too late."""

import asyncio
from typing import Any

import attrs
import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import TURN, Visitor, serving
from support.client.visits import deal, practising, visit
from support.server.running_tournaments import eventually
from support.server.shared_bots import BotProcess
from support.server.sockets import Caller, move_on

from parlour.client.language import ENGLISH as SAY
from parlour.engine.hurry_cup import kit
from parlour.engine.hurry_cup.road import pave
from parlour.engine.hurry_cup.track import FINISH, PLAIN, Section
from parlour.engine.match import Match
from parlour.server.app import ListeningServer

pytestmark = pytest.mark.asyncio(loop_scope="session")


def match_of(server: ListeningServer) -> Match[Any, Any, Any]:
    """The only game that is played, whose state a test may change."""
    (table,) = server.lobby.tables.by_id.values()
    assert table.live_game is not None
    return table.live_game.match


async def test_four_drivers_in_windows_of_their_own_play_a_race(browser: Browser) -> None:
    async with serving() as server:
        names = ("Ann", "Ben", "Cleo", "Dora")

        async def arrive(name: str) -> Visitor:
            driver = await Visitor.of(browser, server.url, name, has_touch=name == "Ann")
            await driver.come_in(name)
            return driver

        drivers = await asyncio.gather(*map(arrive, names))
        ann, ben, *others = drivers
        finish = {SAY("options.hurry-cup.finish.name"): SAY("options.hurry-cup.finish.first")}
        await ann.open_table("Hurry' Cup", choose={SAY("web.seats"): SAY("new.seats", count=4), **finish})
        for each in drivers[1:]:
            await each.sit_down()
        await ben.page.get_by_text(SAY("hurry.practice.horn")).wait_for()  # before the clock runs
        for each in drivers:
            await each.button(SAY("table.get_ready")).click()
        await ann.button(SAY("table.start")).click()

        async def touch() -> None:
            await ann.play(6)
            await ann.play_by_itself()

        async def press() -> None:
            await ben.play_by_keys(9)
            await ben.play_by_itself()

        async with asyncio.TaskGroup() as group:
            for driving in (touch(), press(), *[each.play_by_itself() for each in others]):
                group.create_task(driving)
        for each in drivers:
            await each.page.get_by_text(SAY("web.fair")).wait_for()
        assert [each.console for each in drivers] == [[], [], [], []]
        assert await ann.faults() == []


async def test_a_race_for_practice_explains_each_step(browser: Browser, bots: BotProcess) -> None:
    async with serving(bots) as server, practising(browser, server) as ann:
        await ann.page.get_by_text(SAY("hurry.practice.horn")).wait_for()
        await ann.page.get_by_text(SAY("web.costs.hurry-cup.honk")).wait_for()
        await ann.page.set_viewport_size({"width": 360, "height": 640})
        assert await ann.page.get_by_role("note").evaluate("(each) => each.scrollHeight <= each.clientHeight")
        await ann.page.get_by_role("button", name=SAY("hurry.token.helmet"), exact=True).click()
        await ann.page.get_by_role("status").filter(has_text="helmet").last.wait_for()
        assert await ann.faults() == []


async def test_on_a_phone_that_lies_my_car_and_what_is_asked_are_in_sight(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server, practising(browser, server, has_touch=True) as ann:
        await ann.page.set_viewport_size({"width": 740, "height": 360})
        for seen in (".carspot:has(.mine)", ".dicerow", ".asks.mine", ".words button:last-of-type"):
            await expect(ann.page.locator(seen)).to_be_in_viewport(ratio=1)
        assert await ann.faults() == []


async def test_on_a_phone_that_lies_nothing_lies_on_the_map(browser: Browser, bots: BotProcess) -> None:
    async with serving(bots) as server, practising(browser, server, has_touch=True) as ann:
        match = match_of(server)
        most = kit.EVERY_TRUMP | kit.SECOND_CHANCE | sum(kit.BONUS_BIT)
        match.state = attrs.evolve(match.state, kits=tuple([most] * len(match.state.kits)))
        await ann.button(SAY("web.moves.hurry-cup.quiet")).click()
        await ann.look()
        await ann.cards.first.click()
        await expect(ann.page.locator(".tokenchip")).to_have_count(10)
        for width, height in ((740, 360), (640, 360), (812, 375)):
            await ann.page.set_viewport_size({"width": width, "height": height})
            assert await ann.page.evaluate(OVERLAPPING) == []
            assert await ann.faults() == []


OVERLAPPING = """() => {
  const parts = [".top", ".standings", ".road", ".dicerow", ".tokens", ".hands"];
  const boxes = parts.map((part) => document.querySelector(part).getBoundingClientRect());
  const both = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const pairs = parts.flatMap((_, one) => parts.map((_, other) => [one, other]));
  const over = pairs.filter(([one, other]) => one < other && both(boxes[one], boxes[other]));
  return over.map((pair) => pair.map((part) => parts[part]));
}"""


@pytest.mark.parametrize("fuel", [3, 6])
async def test_on_a_small_phone_the_farthest_sections_that_can_be_reached_are_in_sight(
    browser: Browser, bots: BotProcess, fuel: int
) -> None:
    async with serving(bots) as server, practising(browser, server, has_touch=True) as ann:
        await ann.page.set_viewport_size({"width": 360, "height": 640})
        match = match_of(server)
        await ann.button(SAY("web.moves.hurry-cup.quiet")).click()
        await ann.cards.first.wait_for()
        await ann.look()
        match.state = attrs.evolve(match.state, road=DOWNWARDS, hidden=(), cars=(2, 2, 2), dice=(fuel,) * 3)
        await ann.cards.first.click()
        lit = ann.page.locator(".section.lit")
        await expect(lit).to_have_count(fuel)
        for place in range(fuel - 3, fuel):
            await expect(lit.nth(place)).to_be_in_viewport(ratio=1)


DOWNWARDS = pave((Section(turn="right"), *[PLAIN] * 9, Section(turn="left"), *[PLAIN] * 25))
"""A road without signs, whose first sections lie one below the other."""


async def test_whoever_is_home_is_told_and_may_see_the_end_at_once(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server, practising(browser, server) as ann:
        await ann.page.emulate_media(reduced_motion="no-preference")
        (table,) = server.lobby.tables.by_id.values()
        match = match_of(server)
        (mine,) = [seat for seat, chair in enumerate(table.players) if chair and chair.name == "Ann"]
        near = tuple([FINISH - 1 if seat == mine else FINISH - 9 for seat, _ in enumerate(table.players)])
        match.state = attrs.evolve(match.state, cars=near)
        await ann.button(SAY("web.moves.hurry-cup.quiet")).click()
        await ann.look()
        await ann.cards.first.click()
        await ann.choices.first.wait_for()
        await ann.look()
        await ann.choices.first.click()
        await ann.page.get_by_text(SAY("web.at_home", place=SAY("hurry.place.1"))).wait_for()
        await eventually(lambda: match.outcome is not None)
        await ann.look()
        await ann.button(SAY("web.to_end")).click()
        await ann.button(SAY("web.real_race")).wait_for()
        assert await ann.faults() == []
        await ann.look()
        await ann.button(SAY("web.real_race")).click()
        await ann.until(f"location.hash !== '#table/{table.id}'")
        assert await ann.until_asked()
        (other,) = server.lobby.tables.by_id.values()
        assert other.id != table.id and other.settings.public and len(other.players) == len(table.players)
        assert await ann.page.locator(".toast").count() == 0  # the old table is closed: nobody need be told


async def test_a_tap_that_was_meant_for_a_scramble_chooses_nothing_after_it(browser: Browser) -> None:
    async with serving() as server, visit(browser, server, "late") as ann:
        ben, cleo = [await Caller(server.url, name).connect() for name in ("Ben", "Cleo")]
        # Whatever can be tapped is tapped in the moment in which it appears.
        await ann.page.evaluate(HASTY)
        await deal(ann, ben, cleo, game="hurry-cup", clocks={"scramble": 1.0})
        assert await ann.until_asked()
        move_on(1.1)
        await ann.until("document.querySelector('.hand .pawn') !== null")
        assert await ann.page.evaluate(TURN)
        before = await ann.text()
        move_on(1.1)
        await ann.until_other_than(before)


HASTY = """() => {
  const seen = new Set();
  new MutationObserver(() => {
    for (const each of document.querySelectorAll(".hand .pawn")) {
      const tap = new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }); // a key has none
      if (!seen.has(each)) each.dispatchEvent(tap);
      seen.add(each);
    }
  }).observe(document.getElementById("page"), { childList: true, subtree: true });
}"""
