"""One browser, one process of bots and one certificate for all tests of the page that a worker runs."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from support.client.browsers import open_browser
from support.server.certificate import certificate, sum_of_key
from support.server.shared_bots import BotProcess, bot_process


@pytest.fixture(scope="session")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The paths of a certificate, which the browser trusts, and of its key."""
    return certificate(tmp_path_factory.mktemp("tls"))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def started_browser(certified: tuple[str, str]) -> AsyncIterator[Browser]:
    # Chromium gives up on a file that it had to ask for again and again because of a certificate that it was
    # told to overlook (ERR_TOO_MANY_RETRIES): it trusts this one from the start.
    trust = f"--ignore-certificate-errors-spki-list={sum_of_key(certified[0])}"
    async with open_browser(trust) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def browser(started_browser: Browser) -> AsyncIterator[Browser]:
    """Each visitor has a profile of their own, and leaves: a page that stayed would look for its server."""
    yield started_browser
    for context in started_browser.contexts:
        await context.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def bots() -> AsyncIterator[BotProcess]:
    async with bot_process() as started:
        yield started
