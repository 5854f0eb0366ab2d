"""Balloon Cup in a browser: whole games, by touch and by keys, against bots, a browser and a terminal."""

import asyncio
import json
import re
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser, Locator, expect
from support.client.browsers import OVER, TURN, Visitor, serving
from support.client.random_player import RandomPlayer
from support.client.terminals import Terminal, terminal
from support.client.visits import visit
from support.server.shared_bots import BotProcess

from parlour.client.language import ENGLISH as SAY

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_first_visit_plays_a_whole_game_against_a_bot_by_touch(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server, visit(browser, server, "whole", has_touch=True) as ann:
        await ann.play_bot()
        await ann.play_to_the_end()
        await ann.page.get_by_text(SAY("web.fair")).wait_for()
        assert await ann.faults() == []
        await ann.button(SAY("table.rematch")).click()
        await ann.button(SAY("table.rematch")).wait_for(state="detached")
        assert await ann.until_asked()


async def test_what_happened_is_told_aloud_and_moves_unless_motion_is_unwanted(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server:
        ann = await Visitor.of(browser, server.url, "motion")
        await ann.page.add_init_script(COUNTED)
        await ann.come_in("Ann")
        await ann.play_bot()
        for motion in ("reduce", "no-preference"):
            await ann.page.emulate_media(reduced_motion=motion)
            assert await ann.until_asked()
            await expect(ann.page.get_by_role("alert")).to_contain_text(SAY("play.your_turn"))
            await ann.page.evaluate("forget()")
            await ann.play(2)
            assert await ann.until_asked()
            assert await ann.page.evaluate("window.toldOf.some((text) => text.startsWith('You played'))")
            assert await ann.page.evaluate("window.toldOf.some((text) => /^Bot .* played/.test(text))")
            assert (await ann.page.evaluate("window.moved") > 0) is (motion == "no-preference")
            styled = "document.getAnimations().filter((each) => each instanceof CSSAnimation).length"
            await (await ann.fitting()).click()
            await ann.places.first.wait_for()
            assert (await ann.page.evaluate(styled) > 0) is (motion == "no-preference")
            await ann.button(SAY("web.let_go")).click()
        await ann.page.get_by_role("button", name=SAY("web.story")).click()
        await ann.page.get_by_role("dialog").get_by_text(SAY("web.since_move")).wait_for()
        assert ann.console == []


COUNTED = """
  window.forget = () => {
    window.moved = 0;
    window.toldOf = [];
  };
  forget();
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...given) {
    window.moved += 1;
    return animate.apply(this, given);
  };
  addEventListener("DOMContentLoaded", () => {
    const region = document.querySelector("[aria-live=polite]");
    new MutationObserver(() => window.toldOf.push(region.textContent)).observe(region, { childList: true });
  });
"""
"""Counts what is set in motion, and notes what those hear who do not see."""


async def test_two_browsers_play_by_a_code_and_one_of_them_by_keys_alone(browser: Browser) -> None:
    async with serving() as server, visit(browser, server, "ann") as ann:
        await ann.open_table(choose={SAY("web.who_may_come"): SAY("new.private")})
        code = await ann.page.get_by_role("status").filter(has_text=re.compile(r"^\w{6}$")).inner_text()
        ben = await Visitor.of(browser, server.url, "ben")
        await ben.come_in("Ben", f"/#{code}")
        await ben.button(SAY("table.get_ready")).click()
        assert code not in ben.page.url
        await ann.button(SAY("table.get_ready")).click()
        await ann.button(SAY("table.start")).click()
        async with asyncio.TaskGroup() as group:
            group.create_task(play_by_keys(ann))
            group.create_task(ben.play_to_the_end())
        assert await ann.page.get_by_text("won").count() and await ben.page.get_by_text("won").count()
        assert ann.console == ben.console == []


async def play_by_keys(who: Visitor) -> None:
    """Tab, arrows and Enter: the focus is led from a card to its places, and to what is asked in words."""
    press = who.page.keyboard.press
    while True:
        match await who.until(f"{TURN} ? {WHERE} : {OVER} && 'over'"):
            case "over":
                return
            case "place":
                await press(who.luck.choice(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]))
                await press("Enter")
            case "card":
                if await who.choices.count() and who.luck.random() < 0.3:
                    await press("Shift+Tab")  # cards that are picked one by one are handed in above them
                else:
                    await press(who.luck.choice(["ArrowLeft", "ArrowRight"]))
                    await press("Enter")
            case "choice":
                await press("Enter")
            case _:
                await press("Tab")


WHERE = f"""(() => {{
  const group = document.activeElement?.closest("[data-arrows]")?.getAttribute("aria-label");
  const groups = {{ {json.dumps(SAY("web.board"))}: "place", {json.dumps(SAY("web.hand"))}: "card" }};
  return groups[group] ?? (group === {json.dumps(SAY("web.choices"))} ? "choice" : "elsewhere");
}})()"""
"""Where the keyboard is."""


async def test_a_browser_plays_against_a_terminal(browser: Browser, tmp_path: Path) -> None:
    async with serving() as server, visit(browser, server, "terminal") as ann:
        await ann.open_table()
        await ann.button(SAY("table.get_ready")).click()
        with terminal(tmp_path, "play", server.url, "--name", "Ben") as shown:
            playing = asyncio.create_task(asyncio.to_thread(play_terminal, shown))
            await ann.button(SAY("table.start")).click()
            await ann.play_to_the_end()
            await playing


def play_terminal(shown: Terminal) -> None:
    """Sits down at the first table, is ready, and plays at random to the end."""
    shown.follow(("Balloon Cup", "enter"), (SAY("table.get_ready"), "y"))
    RandomPlayer(shown, SAY, Random("terminal")).play()


async def test_a_card_is_dragged_to_its_place_and_let_go_elsewhere_stays_in_the_hand(
    browser: Browser,
    bots: BotProcess,
) -> None:
    async with serving(bots) as server, visit(browser, server, "drag", plays="Balloon Cup") as ann:
        cards, mouse = await ann.cards.all_text_contents(), ann.page.mouse
        card = await ann.fitting()
        name = str(await card.locator("span").first.text_content())
        # Nothing moves under the finger when a card is chosen, also where the question takes two lines.
        await ann.page.set_viewport_size({"width": 280, "height": 740})
        before = await ann.page.evaluate(TILES)
        await card.click()
        await ann.places.first.wait_for()
        assert await ann.page.evaluate(TILES) == before
        await ann.button(SAY("web.let_go")).click()
        # On a phone that lies all four tiles are in sight, and one's own cubes.
        await ann.page.set_viewport_size({"width": 740, "height": 360})
        assert max(edge for tile in await ann.page.evaluate(TILES) for edge in tile) <= 360
        await ann.page.set_viewport_size({"width": 360, "height": 740})
        header = ann.page.get_by_role("heading", level=1)

        async def drag_to(target: Locator) -> None:
            await card.hover()
            await mouse.down()
            await mouse.move(180, 600)
            await target.hover(force=True)
            await mouse.up()

        await drag_to(header)
        assert await ann.cards.all_text_contents() == cards
        await expect(card).to_have_attribute("aria-pressed", "true")
        # What is asked, and another side: the card is none the worse for it, and no other one is played.
        await drag_to(ann.page.locator(".asking"))
        assert await ann.cards.all_text_contents() == cards
        await expect(card).to_have_attribute("aria-pressed", "true")
        await ann.button(SAY("web.let_go")).click()
        await expect(card).to_have_attribute("aria-pressed", "false")
        sides = ann.page.locator(".place")
        for place in range(await sides.count()):
            if await ann.page.evaluate(TAKES, [place, name]):
                continue
            await drag_to(sides.nth(place))
            assert await ann.cards.all_text_contents() == cards
            await ann.page.get_by_role("region").get_by_text(SAY("web.not_there")).wait_for()
            await expect(ann.choices).to_have_count(0)
            await ann.page.keyboard.press("Escape")
        await drag_to(ann.places.first)
        await ann.button(name).wait_for(state="detached")


TAKES = """([place, name]) => {
  const colour = name.split(" ")[0];
  return document.querySelectorAll(".place")[place].querySelector(`.gap.${colour}`) !== null;
}"""
"""Whether a side still takes a card of this colour."""
TILES = """Array.from(document.querySelectorAll(".tile, .below .rack"), (each) => {
  const { top, bottom } = each.getBoundingClientRect();
  return [top, bottom];
})"""
"""How high everything on the board stands."""
