"""Butterflies in a browser: by touch, by keys, and from its choices in words."""

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import CHOICES, PAGE, SURE, TURN, Visitor, serving
from support.client.visits import visit
from support.server.shared_bots import BotProcess
from support.server.sockets import Caller, gather

from parlour.client.bots.hint_maker import decision_of, make_hints
from parlour.client.language import ENGLISH as SAY
from parlour.engine.secret import Seat
from parlour.server.lobby.hints import decision_at
from parlour.server.tables.table import Table

pytestmark = pytest.mark.asyncio(loop_scope="session")
ROW_IN_SIGHT = """((row) => row.every((cell) => {
  const { left, right, top, bottom } = cell.getBoundingClientRect();
  const met = (x, y) => document.elementFromPoint(x, y)?.closest(".cell") === cell;
  return met((left + right) / 2, top + 4) && met((left + right) / 2, bottom - 4);
}))([...document.querySelectorAll(".cell.complete")])"""
OUT_OF_SIGHT = """() => {
  const boxes = (things) =>
    [...document.querySelectorAll(things)].map((each) => each.getBoundingClientRect());
  const rooms = boxes(".lawn, section.board");
  const past = ({ top, bottom, left, right }) => rooms.some((room) =>
    top < room.top - 1 || bottom > room.bottom + 1 || left < room.left - 1 || right > room.right + 1);
  return boxes(".cell").filter(past).length;
}"""
"""How many cards and lit places of the meadow are cut off."""
SMALL = "((cell) => cell.offsetWidth < 36)"
TAP_BETWEEN = """(places) => {
  const cells = places.map((place) => document.querySelector(`[data-place="${place}"]`));
  const [above, below] = cells.map((cell) => cell.getBoundingClientRect());
  const at = { clientX: above.x + above.width / 2, clientY: (above.bottom + below.top) / 2 };
  const tap = { ...at, bubbles: true, detail: 1, pointerType: "touch" };
  cells[0].dispatchEvent(new PointerEvent("click", tap));
}"""
"""By hand: this browser would move the tap to one of the two."""
PANELS_APART = """((racks, bottom) => racks.every(({ left, top, width, height }, place) =>
  top >= 0 && top + height <= bottom && racks.slice(place + 1).every((other) =>
    other.top >= top + height - 1 || other.left >= left + width - 1)))(
  [...document.querySelectorAll(".rack")].map((each) => each.getBoundingClientRect()), innerHeight)"""
LAST = 'document.querySelector(".cell.last")'
LAWN_IN_SIGHT = """((lawn) => {
  const { left, right, top, bottom } = lawn.getBoundingClientRect();
  const met = (y) => lawn.contains(document.elementFromPoint((left + right) / 2, y));
  return met(top + 4) && met((top + bottom) / 2) && met(bottom - 4);
})(document.querySelector(".lawn"))"""


async def test_a_game_that_has_no_board_is_played_from_its_choices_in_words(
    browser: Browser, bots: BotProcess
) -> None:
    listed = b'["butterflies", butterflies],'
    boardless = {path: content.replace(listed, b"") for path, content in PAGE.items()}
    assert boardless != PAGE
    async with serving(bots, page=boardless) as server, visit(browser, server, "words") as ann:
        await ann.play_bot("Butterflies")
        for _ in range(4):
            assert await ann.until_asked()
            assert await ann.touch(SURE, CHOICES)
        assert await ann.cards.count() == 0


async def test_butterflies_is_played_to_its_end_by_touch(browser: Browser, bots: BotProcess) -> None:
    async with (
        serving(bots) as server,
        visit(browser, server, "butterflies", plays="Butterflies", has_touch=True) as ann,
    ):
        card = ann.cards.first
        await card.tap()
        await expect(card).to_have_attribute("aria-pressed", "true")
        await ann.button(SAY("web.let_go")).tap()
        await expect(card).to_have_attribute("aria-pressed", "false")
        name = str(await card.locator("span").first.text_content())
        await card.tap()
        await ann.places.first.tap()
        laid = ann.page.get_by_role("button", name=re.compile(f"^{name} at ")).first  # there are two of each
        await laid.wait_for()
        before = await laid.bounding_box()
        fit = ann.button(SAY("web.fit"))
        await expect(fit).to_be_hidden()
        await ann.spread_fingers(by=60)
        await fit.wait_for()
        after = await laid.bounding_box()
        assert before is not None and after is not None and after["width"] > 1.2 * before["width"]
        await ann.spread_fingers(by=-35)
        await expect(fit).to_be_hidden()
        await ann.play(6)
        await ann.play_by_itself(seen=True)
        await ann.page.get_by_text(SAY("web.fair")).wait_for()
        await ann.until(ROW_IN_SIGHT)
        await ann.page.set_viewport_size({"width": 360, "height": 660})
        await ann.until(ROW_IN_SIGHT)


async def test_a_card_of_the_hand_says_that_the_card_turned_up_comes_first(
    browser: Browser, bots: BotProcess
) -> None:
    async with (
        serving(bots) as server,
        visit(browser, server, "turned", plays="Butterflies", has_touch=True) as ann,
    ):
        await ann.choices.first.tap()
        await ann.page.get_by_role("img", name=SAY("butterflies.turned")).wait_for()
        await ann.look()
        await ann.cards.first.tap()
        await ann.page.get_by_role("status").filter(has_text=SAY("web.turned_first")).first.wait_for()


async def test_butterflies_is_played_by_keys_alone(browser: Browser, bots: BotProcess) -> None:
    async with serving(bots) as server, visit(browser, server, "keys") as ann:
        await ann.play_bot("Butterflies")
        await ann.play_by_keys(12)
        assert await ann.until_asked()
        assert await ann.faults() == []
        await ann.play_by_itself()
        await ann.page.get_by_text(SAY("web.fair")).wait_for()


async def test_a_card_that_was_turned_up_is_dragged_to_a_cell_that_shows_it(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server, visit(browser, server, "drag", plays="Butterflies") as ann:
        await ann.choices.first.click()
        turned = ann.page.locator(".hand .turned")
        await turned.wait_for()
        laid = await ann.page.locator(".cell.taken").count()
        place = ann.page.locator(".cell.free.lit").first
        await turned.hover()
        await ann.page.mouse.down()
        await place.hover(force=True)
        assert await place.get_attribute("data-over") == ""
        await ann.page.mouse.up()
        await ann.until(f"document.querySelectorAll('.cell.taken').length > {laid}")
        await turned.wait_for(state="detached")
        assert await ann.page.locator("[data-over]").count() == 0


async def test_seats_follow_whoever_chooses_teams_and_a_table_names_them(browser: Browser) -> None:
    async with serving() as server, visit(browser, server, "teams", has_touch=True) as ann:
        on = SAY("options.values.on")
        await ann.open_table("Butterflies", {SAY("options.butterflies.teams.name"): on})
        team = SAY("butterflies.team", team="B")
        for seat in (2, 4):
            await ann.page.get_by_text(SAY("table.free", number=seat) + SAY("list.between") + team).wait_for()


async def test_a_card_that_may_not_be_moved_says_why_until_the_next_tap(
    browser: Browser, bots: BotProcess
) -> None:
    async with (
        serving(bots) as server,
        visit(browser, server, "why", plays="Butterflies", has_touch=True) as ann,
    ):
        await ann.cards.first.tap()
        await ann.places.first.tap()
        await ann.until("document.querySelectorAll('.cell.taken').length > 1")
        assert await ann.until_asked()
        told = ann.page.locator(".toast")
        assert await ann.touch(".cell.taken")
        await told.get_by_text(SAY("why.too_early", needed=3, count=3)).wait_for()
        await ann.cards.first.tap()
        await told.wait_for(state="detached")


async def test_the_grid_keeps_its_place_when_a_card_is_chosen_and_is_in_sight_on_a_phone_on_its_side(
    browser: Browser, bots: BotProcess
) -> None:
    async with (
        serving(bots) as server,
        visit(browser, server, "lying", plays="Butterflies", has_touch=True) as ann,
    ):
        assert await ann.until_asked()
        card = ann.cards.first
        await card.tap()
        await expect(card).to_have_attribute("aria-pressed", "true")
        taken = await ann.page.locator(".cell.taken").count()
        await ann.places.first.tap()
        await ann.until(f"{TURN} && document.querySelectorAll('.cell.taken').length === {taken + 2}")
        await ann.look()
        await card.tap()
        await expect(card).to_have_attribute("aria-pressed", "true")
        chosen = await ann.page.locator(".cell.last").bounding_box()
        assert chosen is not None
        await ann.button(SAY("web.let_go")).tap()
        await expect(card).to_have_attribute("aria-pressed", "false")
        await ann.until(f"Math.abs(({LAST}).getBoundingClientRect().top - {chosen['y']}) < 1")
        await ann.page.set_viewport_size({"width": 740, "height": 360})
        await ann.until(LAWN_IN_SIGHT)


async def test_a_row_of_four_is_shown_and_declaring_it_is_asked_once(browser: Browser) -> None:
    async with serving() as server:
        table, people = await gather(server.url, "butterflies", [Caller] * 4)
        winner, action = await until_a_row_is_declared(server.lobby.tables.by_id[table], people)
        ann = await Visitor.of(browser, server.url, has_touch=True)
        await ann.context.add_init_script(f"localStorage['parlour.token'] = {json.dumps(winner.token)}")
        await ann.page.goto(f"{ann.url}/#table/{table}")
        assert await ann.until_asked()
        await choose_between_small_cells(ann, "cell:1,0", "cell:1,1", meant="cell:0,0")
        if "card" in action:
            hand = winner.known(table)["view"]["hands"][winner.known(table)["seat"]]
            await ann.cards.nth(hand.index(action["card"])).tap()
        for x, y in [action[name] for name in ("from", "at", "to") if name in action]:
            await ann.page.locator(f"[data-place='cell:{x},{y}']").tap()
        assert await ann.page.locator(".cell.complete").count() >= 4
        assert await ann.page.evaluate(OUT_OF_SIGHT) == 0
        await expect(ann.button(SAY("web.fit"))).to_be_hidden()
        await ann.choices.nth(1).wait_for()
        await ann.choices.first.tap()
        await ann.button(SAY("table.rematch")).wait_for()
        await ann.until(f"({OUT_OF_SIGHT})() === 0")
        await ann.page.set_viewport_size({"width": 740, "height": 360})
        await ann.until(f"({OUT_OF_SIGHT})() === 0")
        assert ann.console == []


async def choose_between_small_cells(ann: Visitor, upper: str, lower: str, meant: str) -> None:
    """A tap between two cards enlarges the grid; the second one takes the card that it hits there."""
    await ann.page.set_viewport_size({"width": 740, "height": 360})
    await ann.until(f"{SMALL}(document.querySelector('[data-place=\"{upper}\"]'))")
    assert await ann.page.evaluate(PANELS_APART)  # of four players
    await ann.page.evaluate(TAP_BETWEEN, [upper, lower])
    await ann.page.get_by_role("status").filter(has_text=SAY("web.once_more")).first.wait_for()
    await ann.look()
    await ann.page.locator(f"[data-place='{meant}']").tap(position={"x": 6, "y": 22})
    await ann.page.locator(".cell.picked").wait_for()
    assert await ann.page.locator(".cell.picked").get_attribute("data-place") == meant
    await ann.button(SAY("web.let_go")).tap()
    await ann.page.set_viewport_size({"width": 360, "height": 740})


async def until_a_row_is_declared(table: Table, people: Sequence[Caller]) -> tuple[Caller, dict[str, Any]]:
    """Greedy players lay cards up to the one that completes a row: who would lay it now, and how."""
    while True:
        assert table.live_game is not None
        seat = Seat(min(table.live_game.match.awaited))
        decision = decision_at(table, seat)
        action: dict[str, Any] = make_hints(decision_of(decision), "greedy", Random(1))[0]["action"]
        if action.get("declare") is not None:
            return people[seat], action
        await people[seat].do("act", table=table.id, turn=decision["turn"], action=action)
