"""An undisturbed game through a relay, what is noted of it, and how it is judged. Other trials disturb it."""

import asyncio
import time
from typing import ClassVar

from websockets.asyncio.server import ServerConnection

from parlour.client.cli.bot_check import WRONG, CheckedGame
from parlour.client.cli.relay import Plain, Relay

THIRD = 3
"""Questions, or answers, after which something happens to the client."""
SILENT = 6.0
"""Seconds in which a client must go on answering after something has happened to it."""
KEPT = 40
"""Frames of a transcript."""


class Trial(Relay):
    """Numbers events anew if it puts some between them."""

    name: ClassVar[str] = "plays"
    what: ClassVar[str] = "plays a game to its end, with legal answers only"
    ends: ClassVar[bool] = True
    """Whether the game must come to its end."""

    def __init__(self, server: str, junk: bool = False) -> None:
        super().__init__(server, junk=junk)
        self.transcript: list[tuple[str, Plain]] = []
        self.done = False
        """Whether it has happened."""
        self.questions = 0
        self.happened_at = 0.0
        self.silent = False
        """Whether no answer has come since then."""
        self.hellos: list[tuple[float, Plain]] = []
        """Since then, with the time of each."""
        self.resumes = 0
        """How often the client has asked for what it missed since then."""
        self.ids: dict[int, Plain] = {}
        """Commands of the client by their ids."""
        self.reused: list[int] = []
        """Ids that were used for two commands, or went down."""
        self.inserted = 0
        """How much higher the numbers of events are for the client than for the server."""
        self.seq = 0
        """Of the server's newest event."""

    # What passes

    async def from_bot(self, message: Plain, bot: ServerConnection) -> Plain | None:
        self._note(">", message)
        id, kind = message.get("id"), message.get("type")
        if isinstance(id, int):
            known = self.ids.get(id)
            if (known is not None and known != message) or (known is None and id < max(self.ids, default=0)):
                self.reused.append(id)
            self.ids[id] = message
        if kind == "hello" and self.done:
            self.hellos.append((time.monotonic(), message))
            self.returned()
        if kind == "resume":
            self.resumes += self.done
            return self.resumed(message)
        return await self.answered(message, bot) if kind == "act" else message

    async def from_server(self, message: Plain, bot: ServerConnection) -> Plain | None:
        if "table" in message and isinstance(message.get("seq"), int):
            self.seq = message["seq"]
        if message.get("type") == "update":
            self.questions += message.get("question") is not None
        passed = await self.told(message, bot)
        return None if passed is None else self._noted(passed)

    def _noted(self, message: Plain) -> Plain:
        """A message as the client gets it, put into the transcript."""
        if self.inserted and "table" in message and isinstance(message.get("seq"), int):
            message = {**message, "seq": message["seq"] + self.inserted}
        self._note("<", message)
        return message

    async def send(self, message: Plain, bot: ServerConnection) -> None:
        await bot.send(self._packed(self._noted(message), bot))

    async def insert(self, event: Plain, bot: ServerConnection) -> None:
        """Sends an event of which the server knows nothing, with the next number."""
        self.inserted += 1
        await self.send({**event, "seq": self.seq}, bot)

    def _note(self, arrow: str, message: Plain) -> None:
        self.transcript = [*self.transcript[1 - KEPT :], (arrow, message)]

    # What a trial does

    def happen(self) -> None:
        self.done, self.happened_at = True, time.monotonic()
        asyncio.get_running_loop().call_later(SILENT, self._give_up, self.activity.answers)

    def _give_up(self, answers: int) -> None:
        """Ends a game in which nothing more has come since; a table would play it on without the client."""
        if self.ends and self.activity.answers == answers and self.activity.result is None:
            self.silent = True
            self.stop()

    def stop(self) -> None:
        """Nothing more has to be seen."""
        self.activity.result = self.activity.result or {}
        self._notify()

    async def told(self, message: Plain, bot: ServerConnection) -> Plain | None:
        """A message of the server; what the client gets of it."""
        if message.get("type") in ("update", "snapshot") and message.get("question") is not None:
            return await self.asked(message, bot)
        return message

    async def asked(self, message: Plain, bot: ServerConnection) -> Plain | None:  # noqa: ARG002
        """A question to the client; what it gets of it."""
        return message

    async def answered(self, message: Plain, bot: ServerConnection) -> Plain | None:  # noqa: ARG002
        """An answer of the client; what the server gets of it."""
        return message

    def resumed(self, message: Plain) -> Plain:
        """What the client asks for, in the numbers of the server."""
        after = message.get("after")
        return {**message, "after": after - self.inserted} if self.inserted and after else message

    def returned(self) -> None:
        """The client has said hello since it happened."""

    # What came of it

    def judge(self, played: CheckedGame) -> str | None:
        """What is wrong; None if all is well."""
        activity = played.activity
        if self.ends and played.failure is not None:
            return played.failure
        wrong = [*activity.broken, *(code for code in activity.errors if code in WRONG)]
        if wrong:
            return f"{len(wrong)} wrong messages in {activity.answers} answers, first: {wrong[0]}"
        if self.reused:
            return f"id {self.reused[0]} stands for two commands, or is lower than one before it"
        return self.verdict() or (f"no answer came for {SILENT:.0f} s after that" if self.silent else None)

    def verdict(self) -> str | None:
        return None

    def never(self) -> str | None:
        return None if self.done else "the game was over before anything could happen"
