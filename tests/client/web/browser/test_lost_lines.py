"""Lines that are cut, pages that are loaded anew and servers that are killed lose nothing."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from support.client.browsers import Visitor, cut, serving
from support.client.visits import deal, visit
from support.server.shared_bots import BotProcess
from support.server.sockets import Caller, own_port

from parlour.client.language import ENGLISH as SAY
from parlour.machine.programs import PARLOUR, command_line

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_line_that_is_cut_loses_nothing_and_what_was_chosen_stays_chosen(
    browser: Browser, bots: BotProcess
) -> None:
    async with serving(bots) as server, visit(browser, server, "cut", noise=("WebSocket", "ERR_")) as ann:
        await ann.play_bot()
        await ann.play(3)
        assert await ann.until_asked()
        chosen = await ann.fitting()
        await chosen.click()
        cards = await ann.cards.all_text_contents()
        await ann.context.set_offline(True)
        cut(server, "Ann")
        await ann.page.get_by_text(SAY("play.stale")).wait_for()
        await expect(chosen).to_have_attribute("aria-pressed", "true")
        await ann.context.set_offline(False)
        await ann.page.get_by_text(SAY("play.stale")).wait_for(state="detached")
        await expect(ann.cards).to_have_text(cards)
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
            await deal(ann, ben, options={"first": 1})
            assert await ann.until_asked()
            cards = await ann.cards.all_text_contents()
            await ann.page.reload()
            await expect(ann.cards).to_have_text(cards)
            fits = await ann.fitting()
            await fits.click()
        await ann.page.get_by_text(SAY("play.stale")).wait_for()
        with server_process(port, tmp_path / "parlour.db"):
            await ann.page.get_by_text(SAY("play.stale")).wait_for(state="detached")
            await expect(ann.cards).to_have_text(cards)
            await expect(fits).to_have_attribute("aria-pressed", "true")
            await ann.places.first.click()
            await ann.page.get_by_text(f"{SAY('play.waiting')} Ben").wait_for()
            assert not [line for line in ann.console if "WebSocket" not in line and "ERR_" not in line]
