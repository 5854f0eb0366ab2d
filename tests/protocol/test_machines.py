"""The state machines of the page: every row of the connection's is lived through on a real server."""

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from parlour.protocol.errors import CODES
from parlour.protocol.version import JSON
from parlour.server.app import ListeningServer, running
from parlour.server.config import make
from parlour.server.limits import Limits
from tools.protocol_page import page

PAGE = page.text()
ROWS = page.table(page.section(PAGE, "States of a connection", 3))
PATIENCE = 10.0
STRICT = Limits(errors_in_a_row=3)
HASTY = Limits(hello_within=0.1)
ALERT = Limits(heartbeat=0.2)


@attrs.define
class Line:
    """One connection, and what came over it."""

    server: ListeningServer
    socket: ClientConnection
    heard: list[dict[str, Any]] = attrs.field(factory=list)

    async def say(self, *messages: dict[str, Any] | str) -> None:
        for message in messages:
            await self.socket.send(message if isinstance(message, str) else json.dumps(message))

    async def hear(self, count: int = 1) -> None:
        for _ in range(count):
            self.heard.append(json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE)))

    async def hello(self, name: str = "Anna") -> str:
        await self.say({"type": "hello", "versions": [1], "client": "x", "name": name})
        await self.hear()
        return str(self.heard.pop()["token"])

    async def end(self) -> int | None:
        """Hears all up to the end; the close code, or None if the connection still stands after a ping."""
        with contextlib.suppress(ConnectionClosed):
            await asyncio.wait_for(await self.socket.ping(), PATIENCE)
            return None
        return self.socket.close_code

    async def closed(self) -> int | None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.hear()
        return self.socket.close_code


Scene = Callable[[Line], Awaitable[None]]


async def accepted(line: Line) -> None:
    await line.say({"type": "hello", "versions": [1], "client": "x", "name": "Anna"})
    await line.hear()


async def refused(line: Line) -> None:
    await line.say({"type": "hello", "versions": [99], "client": "x", "name": "Anna"})


async def something_else(line: Line) -> None:
    await line.say({"type": "ping", "id": 1})


async def nothing(line: Line) -> None:
    """Says nothing."""


async def command(line: Line) -> None:
    await line.hello()
    await line.say({"type": "ping", "id": 1})
    await line.hear()


async def unreadable(line: Line) -> None:
    await line.hello()
    await line.say({"type": "dance", "id": 1})
    await line.hear()


async def unreadable_again_and_again(line: Line) -> None:
    await line.hello()
    await line.say(*[{"type": "ping", "id": "one"}] * STRICT.errors_in_a_row)


async def broken(line: Line) -> None:
    await line.hello()
    await line.say("[]")


async def second_hello(line: Line) -> None:
    await line.hello()
    await line.say({"type": "hello", "versions": [1], "client": "x", "name": "Ben"})


async def bye(line: Line) -> None:
    await line.hello()
    await line.say({"type": "bye", "id": 1})


async def newer(line: Line) -> None:
    token = await line.hello()
    async with connect(line.server.url, subprotocols=[Subprotocol(JSON)]) as other:
        await other.send(json.dumps({"type": "hello", "versions": [1], "client": "x", "token": token}))
        await other.recv()


async def stopping(line: Line) -> None:
    await line.hello()
    line.server.lobby.close(2.0)


async def deaf(line: Line) -> None:
    await line.hello()
    line.socket.transport.pause_reading()
    session = line.server.lobby.tables.sessions["Anna"]
    async with asyncio.timeout(PATIENCE):
        while session.peer is not None:
            await asyncio.sleep(0.01)
    line.socket.transport.resume_reading()


SCENES: dict[tuple[str, str], tuple[Limits | None, tuple[Scene, ...]]] = {
    ("new", "`hello` is accepted"): (None, (accepted,)),
    ("new", "`hello` is refused, or something else comes"): (None, (refused, something_else)),
    ("new", "nothing comes in time"): (HASTY, (nothing,)),
    ("welcome", "a command"): (None, (command,)),
    ("welcome", "a message that cannot be read"): (None, (unreadable,)),
    ("welcome", "too many of these in a row"): (STRICT, (unreadable_again_and_again,)),
    ("welcome", "a frame that breaks the profile, or a second `hello`"): (None, (broken, second_hello)),
    ("welcome", "`bye`"): (None, (bye,)),
    ("welcome", "the same player says hello on a newer connection"): (None, (newer,)),
    ("welcome", "the server stops"): (None, (stopping,)),
    ("welcome", "no answer to two pings, or nothing is read any more"): (ALERT, (deaf,)),
}


def test_every_row_has_its_scene() -> None:
    assert [(row["state"], row["what happens"]) for row in ROWS] == list(SCENES)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["what happens"]))
async def test_a_connection_goes_through_its_states(row: dict[str, str]) -> None:
    limits, scenes = SCENES[row["state"], row["what happens"]]
    for scene in scenes:
        async with (
            running(make({"port": 0, "host": "127.0.0.1"}), limits) as server,
            connect(server.url, subprotocols=[Subprotocol(JSON)], max_size=None) as socket,
        ):
            line = Line(server, socket)
            await scene(line)
            ended = await (line.end() if row["next state"] == "welcome" else line.closed())
        assert ended == {"welcome": None, "cut": 1006}.get(row["next state"], close_code(row))
        assert sorted(told(line)) == sorted(promised(row))


def close_code(row: dict[str, str]) -> int | None:
    found = re.fullmatch(r"closed, (\d+)", row["next state"])
    return int(found[1]) if found else None


def told(line: Line) -> set[str]:
    words = {message["type"] for message in line.heard}
    return words | {message["reason"] for message in line.heard if message["type"] == "goodbye"}


def promised(row: dict[str, str]) -> set[str]:
    """A command is answered by one of two; here it is done."""
    return set(page.words(row["the server sends"])) - (
        {"error"} if row["what happens"] == "a command" else set()
    )


def test_the_states_of_a_decision_hang_together() -> None:
    rows = page.table(page.section(PAGE, "States of a decision", 3))
    states = {row["state"] for row in rows}
    assert states == {"idle", "asked, turn n", "held, turn n"}
    for row in rows:
        reached = row["next state"].replace("n+1", "n").removesuffix(" if nothing is left to choose")
        assert set(re.split(r", or ", reached)) <= states
        assert set(page.words(row["answer"])) <= {"ok", "error", *CODES}


def test_the_stages_of_a_table_hang_together() -> None:
    rows = page.table(page.section(PAGE, "Stages of a table", 3))
    steps = [(row["stage"].strip("`"), row["next stage"].strip("`")) for row in rows]
    assert steps == [
        *(("gathering", "gathering"), ("gathering", "playing"), ("playing", "playing")),
        *(("playing", "finished"), ("finished", "gathering"), ("any", "closed")),
    ]
