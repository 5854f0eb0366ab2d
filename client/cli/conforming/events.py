"""Messages that are new, in pieces, slow, twice or missing."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection

from parlour.client.cli.conforming.trial import THIRD, Trial
from parlour.client.cli.relay import Plain

PAUSE = 0.002
"""Seconds between two pieces of a slow message: each comes in by itself."""


class Unknown(Trial):
    """Events and fields of a later server."""

    name, what = "unknown", "ignores messages and fields that it does not know"

    def __init__(self, server: str) -> None:
        super().__init__(server, junk=True)


class Torn(Trial):
    """Questions in fragments, as websockets may send them."""

    name, what = "torn", "reads messages that come in fragments"

    async def asked(self, message: Plain, bot: ServerConnection) -> Plain | None:
        frame = self._packed(self._noted(message), bot)
        third = max(1, len(frame) // 3)
        pieces: list[Any] = [frame[at : at + third] for at in range(0, len(frame), third)]
        await bot.send(pieces)
        return None


class Slow(Trial):
    """Bytes that trickle in, so that no read has a whole frame."""

    name, what = "slow", "reads frames of which a piece comes at a time"

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        async with super().open() as url:
            port = urlsplit(url).port

            async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                # Closed in any case: the trial may end while both ends are still open.
                with contextlib.closing(writer), contextlib.suppress(OSError):
                    up, down = await asyncio.open_connection("127.0.0.1", port)
                    with contextlib.closing(down):
                        async with asyncio.TaskGroup() as group:
                            group.create_task(_trickle(up, writer))
                            group.create_task(_pour(reader, down))

            async with await asyncio.start_server(carry, "127.0.0.1", 0) as listening:
                yield f"ws://127.0.0.1:{listening.sockets[0].getsockname()[1]}"


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


async def _trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """The first bytes one by one, so that the header of a frame is torn too; then thirds of the rest."""
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            third = max(1, (len(data) - 2) // 3)
            for start, end in [(0, 1), (1, 2), *((at, at + third) for at in range(2, len(data), third))]:
                writer.write(data[start:end])
                await writer.drain()
                await asyncio.sleep(PAUSE)
    writer.close()


class Twice(Trial):
    """Every question comes twice, as after a resume that came late."""

    name, what = "duplicates", "ignores an event that it has, and answers a turn once"

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.turns: dict[int, int] = {}

    async def asked(self, message: Plain, bot: ServerConnection) -> Plain | None:
        if message["type"] == "update":
            await self.send(message, bot)
        return message

    async def answered(self, message: Plain, bot: ServerConnection) -> Plain | None:  # noqa: ARG002
        turn = message.get("turn", 0)
        self.turns[turn] = self.turns.get(turn, 0) + 1
        return message

    def verdict(self) -> str | None:
        twice = [turn for turn, times in self.turns.items() if times > 1]
        return f"it answered turn {twice[0]} twice" if twice and not self.activity.scrambles else None


class Gap(Trial):
    """An event never comes."""

    name, what = "gap", "resumes when the number of an event is missing"

    async def asked(self, message: Plain, bot: ServerConnection) -> Plain | None:  # noqa: ARG002
        if self.done or self.questions < THIRD or message["type"] != "update":
            return message
        self.happen()
        # The next event has a number too high; without it nobody could tell.
        return {**message, "seq": message["seq"] + 1, "question": None}

    def verdict(self) -> str | None:
        return self.never() or (None if self.resumes else "an event was missing, and it did not resume")
