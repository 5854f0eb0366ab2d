"""Lines that break in each state of a client, a restart, and another connection that takes over."""

import asyncio
from typing import Any

from websockets.asyncio.server import ServerConnection

from parlour.client.cli.conforming.trial import THIRD, Trial
from parlour.client.cli.relay import Plain

AWAY = 3.0
"""Seconds in which a client that was replaced must not come back."""
BACK_AFTER = 1.5
"""Seconds that a client is asked to wait before it comes back after a restart."""
EARLY = 0.1
"""Seconds that clocks of two programs may be apart."""
JUMP = 10_000
"""How far numbers jump over a restart, at least (G16)."""


class Cut(Trial):
    """The line breaks once, in a moment that a subclass knows."""

    resumes_table = True
    """Whether there is a table to resume."""

    def due(self, message: Plain) -> bool:  # noqa: ARG002
        """Whether the line breaks instead of this message of the server."""
        return False

    async def told(self, message: Plain, bot: ServerConnection) -> Plain | None:
        if self.done or not self.due(message):
            return await super().told(message, bot)
        self.cut(bot)
        return None

    def cut(self, bot: ServerConnection) -> None:
        self.happen()
        bot.transport.abort()

    def verdict(self) -> str | None:
        return self.never() or self.came_back() or self.resumed_table()

    def came_back(self) -> str | None:
        if not self.hellos:
            return "its line broke, and it did not come back"
        return None if self.activity.came_back else "it came back as somebody else: hello needs its token"

    def resumed_table(self) -> str | None:
        if self.resumes or not self.resumes_table:
            return None
        return "it came back, and did not resume its table"


class CutNew(Cut):
    """The line breaks in the place of the first `welcome`: the client has no token yet."""

    name, what = "cut when new", "says hello again if there was no welcome"

    def due(self, message: Plain) -> bool:
        return message.get("type") == "welcome"

    def verdict(self) -> str | None:
        return None if self.hellos else "its line broke before the welcome, and it did not come back"


class CutSeated(Cut):
    """The line breaks when the client has sat down, before the deal."""

    name, what = "cut when seated", "comes back to a table that gathers"

    def due(self, message: Plain) -> bool:
        return message.get("type") == "snapshot" and message.get("view") is None


class CutAsked(Cut):
    """The line breaks in the moment of a question."""

    name, what = "cut when asked", "comes back with its token, and resumes"

    def due(self, message: Plain) -> bool:
        return message.get("question") is not None and self.questions >= THIRD


class CutIdle(Cut):
    """The line breaks when it is somebody else's turn."""

    name, what = "cut when idle", "comes back while others play"

    def due(self, message: Plain) -> bool:
        idle = message.get("type") == "update" and message.get("question") is None
        return idle and message.get("result") is None and self.questions >= THIRD


class CutAfterAct(Cut):
    """The line breaks between an answer and its `ok`: the server has it."""

    name, what = "cut after act", "sends a command without an answer again with the same id"

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.act: Plain = {}
        self.again: list[Plain] = []

    async def answered(self, message: Plain, bot: ServerConnection) -> Plain | None:  # noqa: ARG002
        if self.done and message.get("turn") == self.act.get("turn"):
            self.again.append(message)
        if not self.done and self.activity.answers == THIRD:
            self.act = message
        return message

    async def sent_on(self, message: Plain, bot: ServerConnection) -> None:
        if message is self.act and not self.done:
            self.cut(bot)

    def verdict(self) -> str | None:
        other = [each for each in self.again if each.get("id") != self.act.get("id")]
        if other:
            return (
                f"it answered turn {self.act.get('turn')} again as another command, id {other[0].get('id')}"
            )
        return self.never() or self.came_back()


class CutBeforeAct(Cut):
    """The line takes an answer with it: the server never has it."""

    name, what = "cut before act", "sends again what got lost with the line"

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.turn: int | None = None
        self.again = False

    async def answered(self, message: Plain, bot: ServerConnection) -> Plain | None:
        self.again = self.again or (self.done and message.get("turn") == self.turn)
        if self.done or self.activity.answers < THIRD:
            return message
        self.turn = message.get("turn")
        self.cut(bot)
        return None

    def verdict(self) -> str | None:
        lost = None if self.again else f"its answer to turn {self.turn} never came"
        return self.never() or self.came_back() or lost


class WelcomeLost(CutAsked):
    """The client comes back, and the next line takes the `welcome` with the new token with it."""

    name, what = "welcome lost", "says hello with the old token if a welcome got lost"

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.lost = False

    async def told(self, message: Plain, bot: ServerConnection) -> Plain | None:
        if self.done and not self.lost and message.get("type") == "welcome":
            self.lost = True
            bot.transport.abort()
            return None
        return await super().told(message, bot)

    def came_back(self) -> str | None:
        if len(self.hellos) == 1:
            return "the welcome got lost, and it did not come back"
        tokens = [hello.get("token") for _, hello in self.hellos[:2]]
        if len(set(tokens)) > 1:
            return "the welcome got lost, and it did not say hello with the token that it had"
        return super().came_back()


class Restart(CutAsked):
    """The server says that it restarts. Then its numbers are higher, and `resume` brings a snapshot."""

    name, what = (
        "restart",
        "comes back after a restart, no sooner than it is told, and takes over new numbers",
    )

    async def told(self, message: Plain, bot: ServerConnection) -> Plain | None:
        if self.done or not self.due(message):
            return await Trial.told(self, message, bot)
        self.happen()
        await self.send({"type": "goodbye", "reason": "restart", "retry_after": BACK_AFTER}, bot)
        await bot.close(1012, "restart")
        self.inserted = JUMP
        return None

    def resumed(self, message: Plain) -> Plain:
        return {**message, "after": None} if self.done else message

    def verdict(self) -> str | None:
        wrong = super().verdict()
        if wrong is not None:
            return wrong
        after = self.hellos[0][0] - self.happened_at
        if after < BACK_AFTER - EARLY:
            return f"it came back after {after:.1f} s, and was told {BACK_AFTER:g}"
        if self.resumes > 1:
            return "it resumed again after the snapshot, though no number was missing behind it"
        return None


class Replaced(Trial):
    """Another connection has taken over."""

    name, what, ends = "replaced", "does not come back by itself once it is replaced", False

    async def asked(self, message: Plain, bot: ServerConnection) -> Plain | None:
        if self.done or self.questions < THIRD:
            return message
        self.happen()
        goodbye: dict[str, Any] = {"type": "goodbye", "reason": "replaced", "retry_after": None}
        await self.send(goodbye, bot)
        await bot.close(4001, "replaced")
        # A client that ends, or comes back, is not waited for.
        asyncio.get_running_loop().call_later(AWAY, self.stop)
        return None

    def returned(self) -> None:
        self.stop()

    def verdict(self) -> str | None:
        return self.never() or ("it was replaced, and came back" if self.hellos else None)
