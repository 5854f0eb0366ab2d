"""Where a server is reached: from this machine only, or by others too."""

import asyncio

import pytest

from parlour.client import addresses


async def test_a_server_on_all_addresses_is_reached_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "own_addresses", lambda: ["127.0.0.2", "127.0.0.3"])
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.2", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        assert await addresses.reached_by_others(f"ws://127.0.0.1:{port}") == (f"ws://127.0.0.2:{port}",)
    assert await addresses.reached_by_others(f"ws://127.0.0.1:{port}") == ()
