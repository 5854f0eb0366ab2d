"""What makes a moment of a test random: so many messages more, whoever they go to."""

import asyncio


class Hearing:
    """Counts the messages that all players together have heard."""

    def __init__(self) -> None:
        self.heard = 0
        self._alarm: tuple[int, asyncio.Event] = 0, asyncio.Event()

    def hear(self) -> None:
        self.heard += 1
        due, event = self._alarm
        if self.heard >= due:
            event.set()

    async def hears(self, more: int) -> None:
        """Waits until they have heard so many messages more."""
        event = asyncio.Event()
        self._alarm = self.heard + more, event
        if more:
            await event.wait()
