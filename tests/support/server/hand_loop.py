"""An event loop whose time and rounds a test moves by hand."""

import asyncio
from collections.abc import Callable
from typing import Any


class HandLoop(asyncio.AbstractEventLoop):
    """Has the time and what is called soon, and nothing else."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting: list[Callable[[], object]] = []
        self.bugs: list[object] = []

    def time(self) -> float:
        return self.now

    def call_soon(self, callback: Callable[..., object], *args: Any, **_context: Any) -> asyncio.Handle:
        self.waiting.append(lambda: callback(*args))
        return asyncio.Handle(callback, args, self)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.bugs.append(context["exception"])

    def get_debug(self) -> bool:
        return False

    def run_round(self) -> None:
        """Calls what waits now; what that adds waits for the next round."""
        due, self.waiting = self.waiting, []
        for work in due:
            work()
