"""The page in a real browser: whole games by touch and by keys, lines that break, and nobody kept out."""

import asyncio
import contextlib
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, expect
from support.client.browsers import CHOICES, PAGE, SURE, TURN, Visitor, open_browser, serving
from support.client.random_player import RandomPlayer
from support.client.terminals import Terminal, terminal
from support.server.certificate import certificate, sum_of_key
from support.server.sockets import Caller, own_port

from parlour.client.language import ENGLISH as SAY
from parlour.machine.programs import PARLOUR, command_line
from parlour.server.app import ListeningServer

SIGHTS = [(360, 740, "light"), (768, 1024, "dark"), (1440, 900, "light")]
"""Width, height and colours."""


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(("width", "height", "scheme"), SIGHTS)
async def test_every_screen_is_usable_by_everybody(
    browser: Browser, width: int, height: int, scheme: str
) -> None:
    viewport = {"width": width, "height": height}
    async with serving(bots=1) as server:
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
        await (await ann.fitting()).click()
        await look("card chosen")
        await ann.button(SAY("play.menu")).click()
        await expect(ann.page.get_by_role("dialog")).to_be_visible()
        await look("menu")
        for title in (SAY("menu.rules"), SAY("web.story")):
            await ann.button(title).last.click()
            await look(title)
            await ann.button(SAY("web.close")).click()
            await ann.button(SAY("play.menu")).click()
        await ann.button(SAY("play.resign")).click()
        await look("sure?")
        await ann.button(SAY("menu.yes")).click()
        await expect(ann.button(SAY("table.rematch"))).to_be_visible()
        await look("result")
        assert {screen: found for screen, found in faults.items() if found} == {}
        assert ann.console == []


async def test_a_first_visit_plays_a_whole_game_against_a_bot_by_touch(browser: Browser) -> None:
    async with serving(bots=1) as server:
        ann = await Visitor.of(browser, server.url, "whole", has_touch=True)
        await ann.come_in("Ann")
        await ann.play_bot()
        await ann.play_to_the_end()
        await expect(ann.page.get_by_text(SAY("web.fair"))).to_be_visible()
        assert (ann.console, await ann.faults()) == ([], [])
        await ann.button(SAY("table.rematch")).click()
        await expect(ann.button(SAY("table.rematch"))).to_have_count(0)
        assert await ann.until_asked()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
async def test_what_happened_is_told_aloud_and_moves_unless_motion_is_unwanted(
    browser: Browser, motion: str
) -> None:
    async with serving(bots=1) as server:
        ann = await Visitor.of(browser, server.url, "motion", reduced_motion=motion)
        await ann.page.add_init_script(COUNTED)
        await ann.come_in("Ann")
        await ann.play_bot()
        assert await ann.until_asked()
        await expect(ann.page.get_by_role("alert")).to_contain_text(SAY("play.your_turn"))
        await ann.play(2)
        assert await ann.until_asked()
        assert await ann.page.evaluate("window.toldOf.some((text) => text.startsWith('You played'))")
        assert await ann.page.evaluate("window.toldOf.some((text) => /^Bot .* played/.test(text))")
        assert (await ann.page.evaluate("window.moved") > 0) is (motion == "no-preference")
        styled = "document.getAnimations().filter((each) => each instanceof CSSAnimation).length"
        await (await ann.fitting()).click()
        await expect(ann.places.first).to_be_visible()
        assert (await ann.page.evaluate(styled) > 0) is (motion == "no-preference")
        assert ann.console == []


COUNTED = """
  window.moved = 0;
  window.toldOf = [];
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
    async with serving() as server:
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
            group.create_task(ben.play_to_the_end())
        assert await ann.page.get_by_text("won").count() and await ben.page.get_by_text("won").count()
        assert ann.console == ben.console == []


async def play_by_keys(who: Visitor) -> None:
    """Tab, arrows and Enter: the focus is led from a card to its places, and to what is asked in words."""
    press = who.page.keyboard.press
    while await who.until_asked():
        match await who.page.evaluate(WHERE):
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
  return groups[group] ?? (group === {json.dumps(SAY("web.choices"))} ? "choice" : "");
}})()"""
"""Where the keyboard is."""


async def test_a_browser_plays_against_a_terminal(browser: Browser, tmp_path: Path) -> None:
    async with serving() as server:
        ann = await Visitor.of(browser, server.url, "terminal")
        await ann.come_in("Ann")
        await ann.button(SAY("lobby.new")).click()
        await ann.page.get_by_role("button", name="Balloon Cup").click()
        await ann.button(SAY("new.open")).click()
        await ann.button(SAY("table.get_ready")).click()
        with terminal(tmp_path, "play", server.url, "--name", "Ben") as shown:
            playing = asyncio.create_task(asyncio.to_thread(play_terminal, shown))
            await ann.button(SAY("table.start")).click()
            await ann.play_to_the_end()
            await playing
        assert ann.console == []


def play_terminal(shown: Terminal) -> None:
    """Sits down at the first table, is ready, and plays at random to the end."""
    shown.follow(("Balloon Cup", "enter"), (SAY("table.get_ready"), "y"))
    RandomPlayer(shown, SAY, Random("terminal")).play()


async def test_a_line_that_is_cut_loses_nothing_and_what_was_chosen_stays_chosen(browser: Browser) -> None:
    async with serving(bots=1) as server:
        ann = await Visitor.of(browser, server.url, "cut")
        await ann.come_in("Ann")
        await ann.play_bot()
        await ann.play(3)
        assert await ann.until_asked()
        chosen = await ann.fitting()
        await chosen.click()
        cards = await ann.cards.all_text_contents()
        await ann.context.set_offline(True)
        cut(server, "Ann")
        await expect(ann.page.get_by_text(SAY("play.stale"))).to_be_visible()
        await expect(chosen).to_have_attribute("aria-pressed", "true")
        await ann.context.set_offline(False)
        await expect(ann.page.get_by_text(SAY("play.stale"))).to_have_count(0)
        assert await ann.cards.all_text_contents() == cards
        await expect(chosen).to_have_attribute("aria-pressed", "true")
        await ann.play(2)


@contextlib.contextmanager
def server_process(port: int, archive: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A server that can be killed."""
    command = command_line(
        PARLOUR, "serve", "--host", "127.0.0.1", "--port", str(port), "--archive", str(archive)
    )
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        while b"Ctrl-C" not in process.stdout.readline():
            assert process.poll() is None
        try:
            yield process
        finally:
            process.kill()


async def test_a_reload_and_a_server_that_is_killed_lose_nothing(browser: Browser, tmp_path: Path) -> None:
    with own_port() as port:
        with server_process(port, tmp_path / "parlour.db"):
            ann = await Visitor.of(browser, f"ws://127.0.0.1:{port}", "restart")
            await ann.come_in("Ann")
            ben = await Caller(f"ws://127.0.0.1:{port}", "Ben").connect()
            made = await ben.do("create_table", game="balloon-cup", seats=2, options={"first": 1})
            await ben.do("ready", table=made["table"])
            await ann.sit_down()
            await ann.button(SAY("table.get_ready")).click()
            while not all(chair and chair["ready"] for chair in ben.known(made["table"])["info"]["chairs"]):
                await ben.event()
            await ben.do("start", table=made["table"])
            assert await ann.until_asked()
            cards = await ann.cards.all_text_contents()
            await ann.page.reload()
            assert await ann.until_asked()
            assert await ann.cards.all_text_contents() == cards
            fits = await ann.fitting()
            await fits.click()
        await expect(ann.page.get_by_text(SAY("play.stale"))).to_be_visible()
        with server_process(port, tmp_path / "parlour.db"):
            await expect(ann.page.get_by_text(SAY("play.stale"))).to_have_count(0)
            assert await ann.cards.all_text_contents() == cards
            await expect(fits).to_have_attribute("aria-pressed", "true")
            await ann.places.first.click()
            await expect(ann.page.get_by_text(f"{SAY('play.waiting')} Ben")).to_be_visible()
            assert not [line for line in ann.console if "WebSocket" not in line and "ERR_" not in line]


async def test_a_page_whose_texts_do_not_come_at_once_tries_again(browser: Browser) -> None:
    async with serving() as server:
        ann = await Visitor.of(browser, server.url)
        await ann.page.route("**/texts/*.json", lambda route: route.abort(), times=1)
        await ann.come_in("Ann")
        await expect(ann.button(SAY("lobby.new"))).to_be_visible()
        assert len(ann.console) == 1 and "ERR_FAILED" in ann.console[0]


async def test_a_page_of_another_build_offers_to_load_the_new_one(browser: Browser) -> None:
    async with serving() as server:
        ann = await Visitor.of(browser, server.url)
        await ann.come_in("Ann")
        await expect(ann.button(SAY("lobby.new"))).to_be_visible()
        newer = PAGE["/"].replace(b'name="build" content="', b'name="build" content="n')
        await ann.page.route(ann.url + "/", lambda route: route.fulfill(body=newer, content_type="text/html"))
        cut(server, "Ann")
        await expect(ann.page.get_by_text(SAY("web.another_build"))).to_be_visible()
        await ann.page.unroute_all()
        await ann.button(SAY("web.reload")).click()
        await expect(ann.button(SAY("lobby.new"))).to_be_visible()
        await expect(ann.page.get_by_text(SAY("web.another_build"))).to_have_count(0)


def cut(server: ListeningServer, name: str) -> None:
    peer = server.lobby.tables.sessions[name].peer
    assert peer is not None
    peer.abort(1006, "cut")  # type: ignore[attr-defined]


async def test_a_second_tab_takes_over_only_when_it_is_told_to(browser: Browser) -> None:
    async with serving() as server:
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


async def test_markup_that_others_write_is_text_and_does_nothing(browser: Browser) -> None:
    markup = "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>"
    async with serving() as server:
        ann = await Visitor.of(browser, server.url)
        await ann.come_in("Ann")
        await expect(ann.button(SAY("lobby.new"))).to_be_visible()
        ben = await Caller(server.url, "B'en --.").connect()
        table = (await ben.do("create_table", game="balloon-cup", seats=2))["table"]
        await ben.do("say", text=markup)
        await expect(ann.page.locator("bdi", has_text=markup)).to_be_visible()
        await ann.sit_down()
        await ann.page.get_by_label(SAY("lobby.say")).fill(markup)
        await ann.button(SAY("web.send")).click()
        while markup not in [line["text"] for line in ben.known(table)["chat"]]:
            await ben.event()
        await ben.do("say", text=markup, table=table)
        await expect(ann.page.get_by_text(markup).first).to_be_visible()
        assert "hacked" not in await ann.page.title() and ann.console == []


async def test_a_game_that_has_no_board_is_played_from_its_choices_in_words(browser: Browser) -> None:
    listed = b'["butterflies", butterflies],'
    boardless = {path: content.replace(listed, b"") for path, content in PAGE.items()}
    assert boardless != PAGE
    async with serving(bots=1, page=boardless) as server:
        ann = await Visitor.of(browser, server.url, "words")
        await ann.come_in("Ann")
        await ann.play_bot("Butterflies")
        for _ in range(4):
            assert await ann.until_asked()
            assert await ann.touch(SURE, CHOICES)
        assert await ann.cards.count() == 0
        assert ann.console == []


async def test_butterflies_is_played_to_its_end_by_touch(browser: Browser) -> None:
    async with serving(bots=1) as server:
        ann = await Visitor.of(browser, server.url, "butterflies", has_touch=True)
        await ann.come_in("Ann")
        await ann.play_bot("Butterflies")
        assert await ann.until_asked()
        card = ann.cards.first
        await card.tap()
        await expect(card).to_have_attribute("aria-pressed", "true")
        await ann.button(SAY("web.let_go")).tap()
        await expect(card).to_have_attribute("aria-pressed", "false")
        name = str(await card.locator("span").first.text_content())
        await card.tap()
        await ann.places.first.tap()
        laid = ann.page.get_by_role("button", name=re.compile(f"^{name} at ")).first  # there are two of each
        await expect(laid).to_be_visible()
        before = await laid.bounding_box()
        await ann.spread_fingers(by=60)
        after = await laid.bounding_box()
        assert before is not None and after is not None and after["width"] > 1.2 * before["width"]
        await ann.play_to_the_end()
        await expect(ann.page.get_by_text(SAY("web.fair"))).to_be_visible()
        assert ann.console == []


async def test_a_tap_that_was_meant_for_a_scramble_chooses_nothing_after_it(browser: Browser) -> None:
    async with serving() as server:
        ann = await Visitor.of(browser, server.url, "late")
        await ann.come_in("Ann")
        others = [await Caller(server.url, name).connect() for name in ("Ben", "Cleo")]
        host = others[0]
        clocks = {"scramble": 1.0}
        table = (await host.do("create_table", game="hurry-cup", seats=3, clocks=clocks))["table"]
        await others[1].do("join", table=table)
        await ann.sit_down()
        # Whatever can be tapped is tapped in the moment in which it appears.
        await ann.page.evaluate(HASTY)
        await ann.button(SAY("table.get_ready")).click()
        for each in others:
            await each.do("ready", table=table)
        while not all(chair and chair["ready"] for chair in host.known(table)["info"]["chairs"]):
            await host.event()
        await host.do("start", table=table)
        await ann.until("document.querySelector('.hand .pawn') !== null")
        assert await ann.page.evaluate(TURN)
        await ann.until_other_than(await ann.text())
        assert ann.console == []


HASTY = """() => {
  const seen = new Set();
  new MutationObserver(() => {
    for (const each of document.querySelectorAll(".hand .pawn")) {
      if (!seen.has(each)) each.click();
      seen.add(each);
    }
  }).observe(document.getElementById("page"), { childList: true, subtree: true });
}"""


async def test_somebody_watches_and_sees_no_hand(browser: Browser) -> None:
    async with serving(bots=1) as server:
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


async def test_a_card_is_dragged_to_its_place_and_let_go_elsewhere_stays_in_the_hand(
    browser: Browser,
) -> None:
    async with serving(bots=1) as server:
        ann = await Visitor.of(browser, server.url, "drag")
        await ann.come_in("Ann")
        await ann.play_bot()
        assert await ann.until_asked()
        cards, mouse = await ann.cards.all_text_contents(), ann.page.mouse
        card = await ann.fitting()
        name = str(await card.locator("span").first.text_content())
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
        await drag_to(ann.places.first)
        await expect(ann.button(name)).to_have_count(0)
        assert ann.console == []


async def test_a_host_sends_somebody_away_after_being_asked_once(browser: Browser) -> None:
    async with serving() as server:
        ann, ben = [await Visitor.of(browser, server.url, name) for name in ("ann", "ben")]
        await ann.come_in("Ann")
        await ann.button(SAY("lobby.new")).click()
        await ann.page.get_by_role("button", name="Balloon Cup").click()
        await ann.button(SAY("new.open")).click()
        await ben.come_in("Ben")
        await ben.sit_down()
        await ann.button(SAY("table.kick", name="Ben")).click()
        await ann.button(SAY("menu.no")).click()
        await expect(ben.button(SAY("table.get_ready"))).to_be_visible()
        await ann.button(SAY("table.kick", name="Ben")).click()
        await ann.button(SAY("menu.yes")).click()
        await expect(ben.page.get_by_text(SAY("connection.kicked")).first).to_be_visible()
        await expect(ben.button(SAY("lobby.new"))).to_be_visible()
        await ann.button(SAY("table.let_back", name="Ben")).click()
        await ben.sit_down()
        await expect(ann.button(SAY("table.kick", name="Ben"))).to_be_visible()
        assert ann.console == ben.console == []


async def test_with_tls_somebody_who_looks_elsewhere_is_told_of_their_turn(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    # Chromium gives up on a file that it had to ask for again and again because of a certificate that it was
    # told to overlook (ERR_TOO_MANY_RETRIES): it trusts this one from the start.
    trust = f"--ignore-certificate-errors-spki-list={sum_of_key(cert)}"
    async with open_browser(trust) as browser, serving(cert=cert, key=key, bots=1) as server:
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


FOLLOWED = {
    "balloon-cup": ("Ben", "Cleo"),
    "hurry-cup": ("Dora", "Emil", "Flo"),
    "butterflies": ("Gus", "Hal"),
}
"""Who plays what, one after the other."""


async def test_a_large_screen_in_the_living_room_follows_a_game_and_then_the_next(browser: Browser) -> None:
    async with serving() as server:
        tv = await Visitor.of(browser, server.url, viewport={"width": 1440, "height": 900})
        await tv.come_in("Screen", "/#watch")
        await expect(tv.page.get_by_text(SAY("web.nothing_to_watch"))).to_be_visible()
        for game, names in FOLLOWED.items():
            players = [await Caller(server.url, name).connect() for name in names]
            table = (await players[0].do("create_table", game=game, seats=len(names)))["table"]
            for each in players[1:]:
                await each.do("join", table=table)
            for each in players:
                await each.do("ready", table=table)
            await players[0].do("start", table=table)
            await expect(tv.page.get_by_role("region", name=SAY("web.board"))).to_contain_text(names[0])
            assert await tv.places.count() == 0 and await tv.cards.count() == 0
            assert await tv.faults() == []
            for each in players[1:]:
                await each.do("resign", table=table)
            await expect(tv.page.get_by_text(re.compile(f"{names[0]} won")).first).to_be_visible()
        await tv.page.keyboard.press("Escape")
        await expect(tv.button(SAY("lobby.new"))).to_be_visible()
        assert tv.console == []


async def test_a_tournament_is_entered_and_played_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    async with serving(archive=str(tmp_path / "parlour.db")) as server:
        ann = await Visitor.of(browser, server.url, "tournament", has_touch=True)
        await ann.come_in("Ann")
        ben = await Caller(server.url, "Ben").connect()
        rules: dict[str, Any] = {
            "name": "<b>Cup</b>",
            "game": "balloon-cup",
            "format": "round_robin",
            "seed": "<i>snow</i>",
            "games": 2,
        }
        made = (await ben.do("create_tournament", rules=rules))["tournament"]
        await ben.do("steer", tournament=made, to="open")
        await ben.do("enter", tournament=made)
        await ann.button(SAY("tournaments.title")).click()
        await ann.button(SAY("web.look")).click()
        await expect(ann.page.get_by_role("heading", name="<b>Cup</b>")).to_be_visible()
        await ann.button(SAY("tournaments.enter")).click()
        await expect(ann.page.get_by_text(SAY("tournaments.you"), exact=True)).to_be_visible()
        assert await ann.faults() == []
        await ben.do("steer", tournament=made, to="start")
        await ben.do("check_in", tournament=made)
        await ann.button(SAY("tournaments.check_in")).click()
        given_up: set[str] = set()
        while len(given_up) < rules["games"]:
            dealt = {table for table, memory in ben.memories.items() if memory.known.get("view")}
            for table in dealt - given_up:
                await expect(ann.page.get_by_role("region", name=SAY("web.board"))).to_be_visible()
                await ben.do("resign", table=table)
                given_up.add(table)
            if dealt == given_up:
                await ben.event()
        await ann.button(SAY("tournaments.standings")).click()
        standings = ann.page.get_by_role("group", name=SAY("tournaments.standings"))
        await expect(standings).to_contain_text("Ann")
        assert await ann.faults() == []
        # The round is over: its games are seen again, and the report has their numbers.
        await ann.page.get_by_role("button", name=re.compile("^Round 1, table 1, game 1: ")).tap()
        await expect(ann.page.get_by_role("slider")).to_be_visible()
        await ann.button(SAY("menu.back")).tap()
        await ann.button(SAY("web.report")).tap()
        await expect(ann.page.get_by_role("group", name=SAY("report.standings"))).to_contain_text("Ann")
        assert await ann.faults() == []
        await ann.page.goto(f"{ann.url}/#stats")
        await expect(ann.page.get_by_text(f"{SAY('stats.won')} 100%")).to_be_visible()
        assert (await ann.faults(), ann.console) == ([], [])


async def test_a_hint_is_taken_and_the_game_is_seen_again_through_anybodys_eyes(
    browser: Browser, tmp_path: Path
) -> None:
    async with serving(bots=1, archive=str(tmp_path / "parlour.db")) as server:
        ann = await Visitor.of(browser, server.url, "replay")
        await ann.come_in("Ann")
        await ann.play_bot()
        await ann.play(2)
        assert await ann.until_asked()
        await ann.button(SAY("play.menu")).click()
        await ann.button(SAY("web.hint")).click()
        await ann.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Play ")).first.click()
        await expect(ann.page.get_by_role("dialog")).to_have_count(0)
        # The first tap shows the hint on the board, the second one, there, plays it.
        card = ann.page.locator("[data-id^='card:'][aria-pressed=true]")
        played = str(await card.locator("span").first.text_content())
        await expect(ann.page.get_by_text(SAY("web.confirm"))).to_be_visible()
        assert await ann.places.count() == 1
        await ann.places.click()
        await expect(ann.button(played)).to_have_count(0)
        assert await ann.until_asked()
        await ann.button(SAY("play.menu")).click()
        await ann.button(SAY("play.resign")).click()
        await ann.button(SAY("menu.yes")).click()
        await ann.button(SAY("web.to_lobby")).click()
        await ann.button(SAY("lobby.replays")).click()
        await ann.button(SAY("web.look")).click()
        board = ann.page.get_by_role("region", name=SAY("web.board"))
        await expect(board).to_be_visible()
        last = int(await ann.page.get_by_role("slider").get_attribute("max") or 0)
        await ann.page.get_by_role("slider").fill(str(last))
        await expect(ann.page.get_by_text(SAY("web.move_of", move=last, last=last))).to_be_visible()
        await ann.button(SAY("web.step_back")).click()
        await expect(ann.page.get_by_text(SAY("web.move_of", move=last - 1, last=last))).to_be_visible()
        assert await ann.cards.count() == 0
        await ann.page.get_by_label(SAY("web.eyes")).select_option(SAY("replay.seen_by", who="Ann"))
        await expect(ann.cards).to_have_count(8)
        assert (await ann.faults(), ann.console) == ([], [])
