"""What tests of clients share."""

from collections.abc import Iterator

import pytest
from support.client.terminals import Shared, server


@pytest.fixture(scope="session")
def shared() -> Iterator[Shared]:
    """One server for all tests of a process that need none of their own."""
    with server() as (host, port):
        yield Shared(host, port)
