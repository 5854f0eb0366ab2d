"""A browser for the tests of a module."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser
from support.client.browsers import open_browser


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def started_browser() -> AsyncIterator[Browser]:
    """One for all tests of a module."""
    async with open_browser() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def browser(started_browser: Browser) -> AsyncIterator[Browser]:
    """Each visitor has a profile of their own, and leaves: a page that stayed would look for its server."""
    yield started_browser
    for context in started_browser.contexts:
        await context.close()
