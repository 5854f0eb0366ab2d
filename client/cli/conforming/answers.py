"""Clocks, answers that come too late, and scrambles that the client loses or wins."""

import asyncio
from collections.abc import Sequence
from typing import Any

from websockets.asyncio.server import ServerConnection

from parlour.client.cli.conforming.trial import THIRD, Trial
from parlour.client.cli.relay import Plain
from parlour.client.legal import every

AHEAD = 5e8
"""Seconds by which the server's clock is ahead of every clock of the client."""
LEFT = 4.0
"""Seconds for the answer to one question."""
OPEN = ("subset", "order")
"""Fields of which one choice can be written in several ways."""


class ClockAhead(Trial):
    """The server's clock starts anywhere, and there is little time for the first question."""

    name, what = "clock", "answers in time, which is `ends` less `now` and not by its own clock"

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.turn: int | None = None
        self.in_time = False

    async def told(self, message: Plain, bot: ServerConnection) -> Plain | None:
        return await super().told(_ahead(message), bot)

    async def asked(self, message: Plain, bot: ServerConnection) -> Plain | None:  # noqa: ARG002
        if self.done or message["type"] != "update":
            return message
        self.happen()
        self.turn, clock = message["question"]["turn"], message["clock"]
        asyncio.get_running_loop().call_later(LEFT, self._time_up)
        ends = [
            clock["now"] + LEFT if seat in message["awaited"] else end
            for seat, end in enumerate(clock["ends"])
        ]
        return {**message, "clock": {**clock, "ends": ends}}

    async def answered(self, message: Plain, bot: ServerConnection) -> Plain | None:  # noqa: ARG002
        self.in_time = self.in_time or message.get("turn") == self.turn
        return message

    def _time_up(self) -> None:
        if not self.in_time:
            self.stop()

    def verdict(self) -> str | None:
        late = f"it had {LEFT:.0f} s for turn {self.turn} by `ends` less `now`, and gave no answer in time"
        return self.never() or (None if self.in_time else late)


def _ahead(message: Plain) -> Plain:
    """The message with all moments as a clock tells them that is far ahead."""
    found = dict(message)
    clock, result = found.get("clock"), found.get("result")
    if clock is not None:
        ends = [end and end + AHEAD for end in clock["ends"]]
        found["clock"] = {**clock, "now": clock["now"] + AHEAD, "ends": ends}
    if found.get("type") == "welcome":
        found["now"] += AHEAD
    if found.get("type") == "ok" and isinstance(result, dict) and "now" in result:
        found["result"] = {**result, "now": result["now"] + AHEAD}
    return found


class Late(Trial):
    """Time was up just before an answer came in: the game has gone on without it."""

    name, what = "late", "plays on after an answer that came too late"

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.act: Plain = {}

    async def answered(self, message: Plain, bot: ServerConnection) -> Plain | None:  # noqa: ARG002
        if not self.done and self.activity.answers == THIRD:
            self.happen()
            self.act = message
        return message

    async def told(self, message: Plain, bot: ServerConnection) -> Plain | None:
        if self.done and message.get("type") == "ok" and message.get("id") == self.act.get("id"):
            return _error(self.act, "stale", {"turn": self.act.get("turn", 0) + 1})
        return await super().told(message, bot)

    def verdict(self) -> str | None:
        return self.never()


class Scramble(Trial):
    """One question is told as that of a scramble."""

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.question: Plain = {}
        self.update: Plain = {}
        self.act: Plain = {}

    async def asked(self, message: Plain, bot: ServerConnection) -> Plain | None:  # noqa: ARG002
        question = message["question"]
        if self.done or self.questions < THIRD or message["type"] != "update" or not _can_lose(question):
            return message
        self.happen()
        self.question = {**question, "scramble": True}
        self.update = {**message, "question": self.question, "news": []}
        return {**message, "question": self.question}

    def about_it(self, message: Plain) -> bool:
        """Whether an answer is to that question."""
        return self.done and message.get("turn") == self.question["turn"]

    def verdict(self) -> str | None:
        return self.never()


class ScrambleLost(Scramble):
    """Somebody was quicker."""

    name, what = "scramble lost", "answers again after `taken`, with something else"

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.again: list[Any] = []

    async def answered(self, message: Plain, bot: ServerConnection) -> Plain | None:
        if not self.about_it(message):
            return message
        if self.act:
            self.again.append(message.get("action"))
            return message
        self.act = message
        await self.send(_error(message, "taken", {"why": "taken"}), bot)
        left = without(self.question["legal"], message.get("action"))
        await self.insert({**self.update, "question": {**self.question, "legal": left}}, bot)
        return None

    def verdict(self) -> str | None:
        if not self.act:
            return self.never() or f"it gave no answer to turn {self.question['turn']}, a scramble"
        if not self.again:
            return f"it was told `taken`, and gave no other answer to turn {self.question['turn']}"
        return "it was told `taken`, and asked for the same again" if self._same() else None

    def _same(self) -> bool:
        return self.act.get("action") in self.again


class ScrambleWon(Scramble):
    """The answer counts, but that is known only later: meanwhile the question is repeated."""

    name, what = (
        "scramble won",
        "waits for the `ok` of an answer that is held, while its question is repeated",
    )

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.twice = False
        self.held: Plain | None = None

    async def answered(self, message: Plain, bot: ServerConnection) -> Plain | None:
        if not self.about_it(message):
            return message
        if self.act:
            self.twice = True
            await self.send(_error(message, "not_now", {"problem": "held"}), bot)
            return None
        self.act = message
        await self.insert(self.update, bot)
        return message

    async def told(self, message: Plain, bot: ServerConnection) -> Plain | None:
        """Keeps the `ok` back until the game has gone on: an answer may come after the events (G11)."""
        if self.act and message.get("type") == "ok" and message.get("id") == self.act.get("id"):
            self.held = message
            return None
        passed = await super().told(message, bot)
        if self.held is None or passed is None or message.get("type") != "update":
            return passed
        await self.send(passed, bot)
        held, self.held = self.held, None
        return held

    def verdict(self) -> str | None:
        turn = self.question.get("turn")
        twice = f"it answered turn {turn} again while its answer was held" if self.twice else None
        return self.never() or twice


def _can_lose(question: Plain) -> bool:
    """Whether something is left if one choice is gone, and each can be written in one way only."""
    legal = question["legal"]
    open_ = [value for pattern in legal for value in pattern.values() if isinstance(value, dict)]
    return not any(word in value for value in open_ for word in OPEN) and (len(legal) > 1 or bool(open_))


def without(legal: Sequence[Plain], action: Any) -> list[Plain]:
    """The patterns without one action: that which it fits is written out."""
    found: list[Plain] = []
    for pattern in legal:
        actions = list(every([pattern])) if pattern.get("type") == action.get("type") else []
        found += [each for each in actions if each != action] if action in actions else [pattern]
    return found


def _error(command: Plain, code: str, facts: Plain) -> Plain:
    return {"type": "error", "id": command.get("id"), "code": code, "facts": facts, "retry_after": None}
