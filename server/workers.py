"""Built-in bots in worker processes: ordinary clients, a few processes for all of them."""

import asyncio
import json
import logging
import sys

STRATEGIES: tuple[str, ...] = ("random",)
log = logging.getLogger("parlour.workers")


class Workers:
    """Starts bots on the least busy worker, and workers when there is need. Moves bytes."""

    strategies = STRATEGIES

    def __init__(self, most: int) -> None:
        self.url = ""
        """Where bots connect to; known once the server listens."""
        self._most = most
        self._orders: asyncio.Queue[str] = asyncio.Queue(maxsize=1000)
        self._processes: list[asyncio.subprocess.Process] = []
        self._next = 0

    def start(self, token: str, table: str, strategy: str) -> None:
        self._orders.put_nowait(json.dumps({"token": token, "table": table, "strategy": strategy}))

    async def run(self) -> None:
        """Hands orders to workers, as long as the server lives."""
        try:
            while True:
                order = await self._orders.get()
                worker = await self._worker()
                if worker.stdin is not None:
                    worker.stdin.write(order.encode() + b"\n")
                    await worker.stdin.drain()
        finally:
            for process in self._processes:
                if process.returncode is None:
                    process.kill()

    async def _worker(self) -> asyncio.subprocess.Process:
        self._processes = [process for process in self._processes if process.returncode is None]
        if len(self._processes) < max(1, self._most):
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "parlour.client.bots.worker", self.url, stdin=asyncio.subprocess.PIPE
            )
            log.info("worker pid=%s", process.pid)
            self._processes.append(process)
            return process
        self._next += 1
        return self._processes[self._next % len(self._processes)]
