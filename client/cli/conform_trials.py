"""What `parlour conform` puts a client through: a relay for each trial, and how each is judged."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any, ClassVar

from websockets.asyncio.server import ServerConnection

from parlour.client.cli.bot_check import WRONG, CheckedGame
from parlour.client.cli.relay import Relay

THIRD = 3
"""Questions, or answers, after which something happens to the client."""
AWAY = 3.0
"""Seconds in which a client that was replaced must not come back."""
SILENT = 6.0
"""Seconds in which a client must go on answering after something has happened to it."""
BACK_AFTER = 1.5
"""Seconds that a client is asked to wait before it comes back after a restart."""
KEPT = 40
"""Frames of a transcript."""
Plain = Mapping[str, Any]


class Trial(Relay):
    """An undisturbed game. Others disturb it."""

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
        self.back_at: float | None = None
        self.resumed = False
        """Whether the client has asked for what it missed since then."""
        self.ids: dict[int, Plain] = {}
        """Commands of the client by their ids."""
        self.reused: list[int] = []
        """Ids that were used for two commands, or went down."""

    # What passes

    async def from_bot(self, message: Plain, bot: ServerConnection) -> bool:
        self._note(">", message)
        id = message.get("id")
        if isinstance(id, int):
            known = self.ids.get(id)
            if (known is not None and known != message) or (known is None and id < max(self.ids, default=0)):
                self.reused.append(id)
            self.ids[id] = message
        if self.done and message.get("type") == "hello" and self.back_at is None:
            self.back_at = time.monotonic()
        self.resumed = self.resumed or (self.done and message.get("type") == "resume")
        return await self.answered(message, bot) if message.get("type") == "act" else True

    async def from_server(self, message: Plain, frame: bytes | str, bot: ServerConnection) -> bool:
        self._note("<", message)
        if message.get("type") in ("update", "snapshot") and message.get("question") is not None:
            self.questions += message["type"] == "update"
            return await self.asked(message, frame, bot)
        return True

    def _note(self, arrow: str, message: Plain) -> None:
        self.transcript = [*self.transcript[1 - KEPT :], (arrow, message)]

    def happen(self) -> None:
        self.done, self.happened_at = True, time.monotonic()
        asyncio.get_running_loop().call_later(SILENT, self._give_up, self.activity.answers)

    def _give_up(self, answers: int) -> None:
        """Ends a game in which nothing more has come since; a table would play it on without the client."""
        if self.ends and self.activity.answers == answers and self.activity.result is None:
            self.silent = True
            self.activity.result = {}
            self._notify()

    async def answered(self, message: Plain, bot: ServerConnection) -> bool:  # noqa: ARG002
        """An answer of the client; whether to send it on."""
        return True

    async def asked(self, message: Plain, frame: bytes | str, bot: ServerConnection) -> bool:  # noqa: ARG002
        """A question to the client; whether to send it on."""
        return True

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

    def _came_back(self) -> str | None:
        if not self.done:
            return "the game was over before anything could happen"
        if self.back_at is None:
            return "its line broke, and it did not come back"
        return None if self.activity.came_back else "it came back as somebody else: hello needs its token"


class Unknown(Trial):
    """Events and fields of a later server."""

    name, what = "unknown", "ignores messages and fields that it does not know"

    def __init__(self, server: str) -> None:
        super().__init__(server, junk=True)


class Torn(Trial):
    """Messages in fragments."""

    name, what = "torn", "reads messages that come in pieces"

    async def asked(self, message: Plain, frame: bytes | str, bot: ServerConnection) -> bool:  # noqa: ARG002
        third = max(1, len(frame) // 3)
        pieces: list[Any] = [frame[at : at + third] for at in range(0, len(frame), third)]
        await bot.send(pieces)
        return False


class Twice(Trial):
    """Every question comes twice, as after a resume that came late."""

    name, what = "duplicates", "ignores an event that it has, and answers a turn once"

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.turns: dict[int, int] = {}

    async def asked(self, message: Plain, frame: bytes | str, bot: ServerConnection) -> bool:
        if message["type"] == "update":
            await bot.send(frame)
        return True

    async def answered(self, message: Plain, bot: ServerConnection) -> bool:  # noqa: ARG002
        turn = message.get("turn", 0)
        self.turns[turn] = self.turns.get(turn, 0) + 1
        return True

    def verdict(self) -> str | None:
        twice = [turn for turn, times in self.turns.items() if times > 1]
        return f"it answered turn {twice[0]} twice" if twice and not self.activity.scrambles else None


class CutAsked(Trial):
    """The line breaks in the moment of a question."""

    name, what = "cut when asked", "comes back with its token, and resumes"

    async def asked(self, message: Plain, frame: bytes | str, bot: ServerConnection) -> bool:  # noqa: ARG002
        if self.done or self.questions < THIRD:
            return True
        self.happen()
        bot.transport.abort()
        return False

    def verdict(self) -> str | None:
        return self._came_back() or (None if self.resumed else "it came back, and did not resume its table")


class CutAfterAct(Trial):
    """The line breaks between an answer and its `ok`: the server has it."""

    name, what = "cut after act", "sends a command without an answer again with the same id"

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.act: Plain = {}
        self.again: list[Plain] = []

    async def answered(self, message: Plain, bot: ServerConnection) -> bool:  # noqa: ARG002
        if self.done and message.get("turn") == self.act.get("turn"):
            self.again.append(message)
        if not self.done and self.activity.answers == THIRD:
            self.act = message
        return True

    async def sent_on(self, message: Plain, bot: ServerConnection) -> None:
        if message is not self.act or self.done:
            return
        self.happen()
        bot.transport.abort()

    def verdict(self) -> str | None:
        other = [each for each in self.again if each.get("id") != self.act.get("id")]
        if other:
            return (
                f"it answered turn {self.act.get('turn')} again as another command, id {other[0].get('id')}"
            )
        return self._came_back()


class CutBeforeAct(Trial):
    """The line takes an answer with it: the server never has it."""

    name, what = "cut before act", "sends again what got lost with the line"

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.turn: int | None = None
        self.again = False

    async def answered(self, message: Plain, bot: ServerConnection) -> bool:
        self.again = self.again or (self.done and message.get("turn") == self.turn)
        if self.done or self.activity.answers < THIRD:
            return True
        self.happen()
        self.turn = message.get("turn")
        bot.transport.abort()
        return False

    def verdict(self) -> str | None:
        return self._came_back() or (None if self.again else f"its answer to turn {self.turn} never came")


class Gap(Trial):
    """An event never comes."""

    name, what = "gap", "resumes when the number of an event is missing"

    async def asked(self, message: Plain, frame: bytes | str, bot: ServerConnection) -> bool:  # noqa: ARG002
        if self.done or self.questions < THIRD or message["type"] != "update":
            return True
        self.happen()
        # The next event has a number too high; without it nobody could tell.
        await bot.send(self._packed({**message, "seq": message["seq"] + 1, "question": None}, bot))
        return False

    def verdict(self) -> str | None:
        return None if self.resumed else "an event was missing, and it did not resume"


class Restart(Trial):
    """The server says that it restarts."""

    name, what = "restart", "comes back after a restart, no sooner than it is told"

    async def asked(self, message: Plain, frame: bytes | str, bot: ServerConnection) -> bool:  # noqa: ARG002
        if self.done or self.questions < THIRD:
            return True
        self.happen()
        goodbye = {"type": "goodbye", "reason": "restart", "retry_after": BACK_AFTER}
        await bot.send(self._packed(goodbye, bot))
        await bot.close(1012, "restart")
        return False

    def verdict(self) -> str | None:
        wrong = self._came_back()
        if wrong is None and self.back_at is not None and self.back_at - self.happened_at < BACK_AFTER - 0.1:
            return f"it came back after {self.back_at - self.happened_at:.1f} s, and was told {BACK_AFTER:g}"
        return wrong


class Replaced(Trial):
    """Another connection has taken over."""

    name, what, ends = "replaced", "does not come back by itself once it is replaced", False

    async def asked(self, message: Plain, frame: bytes | str, bot: ServerConnection) -> bool:  # noqa: ARG002
        if self.done or self.questions < THIRD:
            return True
        self.happen()
        await bot.send(self._packed({"type": "goodbye", "reason": "replaced", "retry_after": None}, bot))
        await bot.close(4001, "replaced")
        await asyncio.sleep(AWAY)
        self.activity.result = self.activity.result or {}  # what there was to see has been seen
        self._notify()
        return False

    def verdict(self) -> str | None:
        if not self.done:
            return "the game was over before anything could happen"
        return None if self.back_at is None else "it was replaced, and came back"


TRIALS: tuple[type[Trial], ...] = (
    Trial,
    Unknown,
    Torn,
    Twice,
    CutAsked,
    CutAfterAct,
    CutBeforeAct,
    Gap,
    Restart,
    Replaced,
)
