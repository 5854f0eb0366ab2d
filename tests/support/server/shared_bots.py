"""Built-in bots of one process for many servers: starting it takes longer than many a test."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

from parlour.machine.programs import BOT_WORKER, command_line
from parlour.protocol.strategies import STRATEGIES
from parlour.server.wire.gateway import Gateway
from parlour.server.wire.listening import private_way

BotProcess = asyncio.subprocess.Process


@contextlib.asynccontextmanager
async def bot_process() -> AsyncIterator[BotProcess]:
    """The program that a server would start for itself; it ends with its stdin."""
    process = await asyncio.create_subprocess_exec(*command_line(BOT_WORKER), stdin=asyncio.subprocess.PIPE)
    try:
        yield process
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


class SharedBots:
    """Starts the bots of one server on a process that is there already."""

    strategies: tuple[str, ...] = STRATEGIES

    def __init__(self, process: BotProcess) -> None:
        self._process = process
        self._orders: asyncio.Queue[dict[str, str]] = asyncio.Queue()

    def start(self, token: str, table: str, strategy: str) -> None:
        self._orders.put_nowait({"token": token, "table": table, "strategy": strategy})

    async def run(self, gateway: Gateway) -> None:
        assert self._process.stdin is not None
        async with private_way(gateway) as url:
            while True:
                order = json.dumps({"url": url, **await self._orders.get()})
                self._process.stdin.write(order.encode() + b"\n")
                await self._process.stdin.drain()
