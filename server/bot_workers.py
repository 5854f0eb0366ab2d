"""Built-in bots in worker processes: ordinary clients that come in by a way of their own.

A few processes run all of them. Where they connect to is a secret that they read from their stdin.
"""

import asyncio
import json
import logging

from parlour.machine.programs import BOT_WORKER, command_line
from parlour.protocol.errors import ProtocolError
from parlour.protocol.strategies import STRATEGIES
from parlour.server.wire.gateway import Gateway
from parlour.server.wire.listening import private_way

AGAIN_AFTER = 1.0
log = logging.getLogger("parlour.workers")


class Workers:
    """Starts workers as they are needed, and bots on them in turn. Moves bytes."""

    strategies: tuple[str, ...] = STRATEGIES

    def __init__(self, most: int) -> None:
        self._most = most
        self._orders: asyncio.Queue[dict[str, str]] = asyncio.Queue(maxsize=1000)
        self._processes: list[asyncio.subprocess.Process] = []
        self._next = 0

    def start(self, token: str, table: str, strategy: str) -> None:
        try:
            self._orders.put_nowait({"token": token, "table": table, "strategy": strategy})
        except asyncio.QueueFull:
            raise ProtocolError("busy", retry_after=5.0) from None

    async def run(self, gateway: Gateway) -> None:
        """Lets bots in and hands orders to workers, as long as the server lives."""
        async with private_way(gateway) as url:
            try:
                while True:
                    order = json.dumps({"url": url, **await self._orders.get()})
                    while not await self._hand_over(order):
                        await asyncio.sleep(AGAIN_AFTER)
            finally:
                await self._end_workers()

    async def _end_workers(self) -> None:
        alive = [process for process in self._processes if process.returncode is None]
        for process in alive:
            process.kill()
        for process in alive:
            await process.wait()

    async def _hand_over(self, order: str) -> bool:
        """Gives an order to a worker; False if that worker has died or cannot be started."""
        try:
            worker = await self._worker()
            if worker.stdin is None:
                return False
            worker.stdin.write(order.encode() + b"\n")
            await worker.stdin.drain()
        except OSError as wrong:
            log.warning("worker lost: %s", wrong)
            return False
        return True

    async def _worker(self) -> asyncio.subprocess.Process:
        self._processes = [process for process in self._processes if process.returncode is None]
        if len(self._processes) < max(1, self._most):
            process = await asyncio.create_subprocess_exec(
                *command_line(BOT_WORKER), stdin=asyncio.subprocess.PIPE
            )
            log.info("worker pid=%s", process.pid)
            self._processes.append(process)
            return process
        self._next += 1
        return self._processes[self._next % len(self._processes)]
