"""A browser for the tests of a module."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser
from support.client.browsers import open_browser


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """One for all tests of a module; each visitor has a profile of their own."""
    async with open_browser() as opened:
        yield opened
