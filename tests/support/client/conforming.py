"""A client that does all that PROTOCOL.md asks for, as a program: conforming.py URL GAME [FAULT]

With a fault it does all but one thing; `FAULTS` names them.
"""

import asyncio
import random
import sys
import time
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State
from websockets.typing import Subprotocol

from parlour.client.legal import every, pick

FAULTS = (
    "illegal",
    "same_ids",
    "unknown",
    "no_fragments",
    "one_read",
    "twice",
    "gaps",
    "gives_up",
    "walks_off",
    "stays_away",
    "stranger",
    "no_resume",
    "forgets",
    "new_id",
    "looks_away",
    "token_once",
    "impatient",
    "old_numbers",
    "returns",
    "own_clock",
    "stale",
    "takes_again",
    "repeats",
)
KNOWN = {"welcome", "ok", "error", "snapshot", "update", "table_changed", "chat", "goodbye", "lobby_table"}
ENOUGH = 6
"""Answers after which it gives up: by then everything has happened."""
QUIET = ("taken", "stale", "not_asked", "not_now", "over")
FOR_ONE_LINE = ("resume", "watch_lobby")
"""Commands that are not sent again over another connection."""


class OneRead(ClientConnection):
    """Takes each read for whole frames."""

    def data_received(self, data: bytes) -> None:
        if self.protocol.state is State.OPEN and not whole(data):
            sys.exit("what is this?")
        super().data_received(data)


def whole(data: bytes) -> bool:
    """Whether it is frames of a server, to the last byte."""
    while data:
        size = data[1] & 127 if len(data) > 1 else 0
        head = {126: 4, 127: 10}.get(size, 2)
        if len(data) < head:
            return False
        end = head + (size if head == 2 else int.from_bytes(data[2:head], "big"))
        if len(data) < end:
            return False
        data = data[end:]
    return True


class Client:
    def __init__(self, url: str, game: str, fault: str) -> None:
        self.url, self.game, self.fault = url, game, fault
        self.token: str | None = None
        self.id = 0
        self.owed: dict[int, dict[str, Any]] = {}
        self.seqs: dict[str, int] = {}
        self.answered: set[int] = set()
        self.acts = 0
        self.over = self.seated = False
        self.question: dict[str, Any] = {}
        self.refused: list[dict[str, Any]] = []
        """Actions that others had taken, of the newest question."""
        self.socket: Any = None

    async def run(self) -> None:
        wait = 0.0
        while not self.over:
            await asyncio.sleep(wait)
            wait = 0.05
            try:
                wait = await self.converse()
            except (ConnectionClosed, OSError):
                new, playing = self.token is None, self.acts > 0
                if (self.fault == "gives_up" and new) or (self.fault == "stays_away" and playing):
                    return

    async def send(self, word: str, **fields: Any) -> None:
        self.id += 0 if self.fault == "same_ids" and self.id else 1
        message = {"type": word, "id": self.id, **fields}
        self.owed[self.id] = message
        await self.socket.send(msgpack.packb(message))

    async def converse(self) -> float:
        """One connection; gives how long to wait before the next."""
        spoken = [Subprotocol("parlour.v1")]
        kind = OneRead if self.fault == "one_read" else ClientConnection
        async with connect(
            self.url, subprotocols=spoken, max_size=None, compression=None, create_connection=kind
        ) as self.socket:
            known = self.token is not None and self.fault != "stranger"
            who = {"token": self.token} if known else {"name": f"Client {random.randrange(10**6)}"}
            hello = {"type": "hello", "versions": [1], "client": "conforming", "bot": True, **who}
            await self.socket.send(msgpack.packb(hello))
            if self.fault == "token_once":
                self.token = None
            async for frame in self.frames():
                message = msgpack.unpackb(frame)
                wait = await self.take(message)
                if wait is not None:
                    return wait
                if self.over:
                    return 0.0
        raise OSError("the server hung up")

    async def frames(self) -> Any:
        if self.fault != "no_fragments":
            async for frame in self.socket:
                yield frame
            return
        while True:
            pieces = [piece async for piece in self.socket.recv_streaming()]
            if len(pieces) > 1 and pieces[1]:
                sys.exit("what is this?")
            yield pieces[0]

    async def take(self, message: dict[str, Any]) -> float | None:
        match message:
            case {"type": "welcome"}:
                await self.come_in(message)
            case {"type": "goodbye", "reason": "replaced"}:
                self.over = self.fault != "returns"
                return 0.2
            case {"type": "goodbye", "reason": "restart", "retry_after": after}:
                return 0.0 if self.fault == "impatient" else float(after)
            case {"type": "lobby_table", "info": info}:
                await self.look([info])
            case {"type": "ok", "id": id, "result": result}:
                self.owed.pop(id, None)
                if "tables" in (result or ()):
                    await self.look(result["tables"])
            case {"type": "error", "id": id, "code": code}:
                command = self.owed.pop(id, None)
                if code not in QUIET or code == self.fault:
                    sys.exit(f"refused: {code}")
                if code == "taken" and command is not None:
                    await self.lose(command)
            case {"type": kind, "table": table, "seq": seq} if kind in KNOWN:
                await self.event(table, seq, message)
            case {"type": kind} if kind not in KNOWN and self.fault == "unknown":
                sys.exit(f"what is {kind}?")
        return None

    async def come_in(self, welcome: dict[str, Any]) -> None:
        again, self.owed = self.owed, {}
        self.token, self.id = welcome["token"], max(self.id, welcome["last_id"])
        for id, message in sorted(again.items()):
            if message["type"] in FOR_ONE_LINE or self.fault == "forgets":
                continue
            if self.fault == "new_id":
                fields = {name: value for name, value in message.items() if name not in ("type", "id")}
                await self.send(message["type"], **fields)
            else:
                self.owed[id] = message
                await self.socket.send(msgpack.packb(message))
        if not self.seated or self.fault == "stranger":
            await self.send("watch_lobby", on=True)
        skipped = {"no_resume": True, "walks_off": not self.acts, "looks_away": not self.owed}
        for table in welcome["tables"]:
            if not skipped.get(self.fault, False):
                await self.send("resume", table=table, after=self.seqs.get(table))

    async def look(self, tables: list[dict[str, Any]]) -> None:
        """Sits down at the first table of the game that has a seat."""
        for info in tables:
            wanted = info["game"] == self.game and info["stage"] == "gathering" and None in info["chairs"]
            if wanted and not self.seated:
                self.seated = True
                await self.send("join", table=info["table"])

    async def event(self, table: str, seq: int, message: dict[str, Any]) -> None:
        last = self.seqs.get(table)
        if message["type"] != "snapshot" and last is not None:
            if seq <= last and self.fault != "twice":
                return
            if seq > last + 1 and self.fault != "gaps":
                await self.send("resume", table=table, after=last)
                return
        if last is None or message["type"] != "snapshot" or self.fault != "old_numbers":
            self.seqs[table] = seq
        if message.get("result") is not None:
            self.over = True
        elif message.get("question") is not None:
            if self.fault == "own_clock":
                ends = [end for end in message["clock"]["ends"] if end is not None]
                await asyncio.sleep(max([0.0, *(end - time.monotonic() - 30.0 for end in ends)]))
            await self.answer(table, message["question"])
        elif message["type"] == "snapshot" and message["view"] is None:
            await self.send("ready", table=table)

    async def answer(self, table: str, question: dict[str, Any]) -> None:
        turn = question["turn"]
        if turn != self.question.get("turn"):
            self.refused = []
        self.question = question
        if turn in self.answered and self.fault not in ("twice", "repeats"):
            return
        self.answered.add(turn)
        self.acts += 1
        left = [action for action in every(question["legal"]) if action not in self.refused]
        action = random.choice(left) if self.refused else pick(question["legal"], random.Random())
        if self.fault == "illegal" and self.acts == 2:
            action = {"type": "fly"}
        await self.send("act", table=table, turn=turn, action=action)
        if self.acts == ENOUGH:
            await self.send("resign", table=table)

    async def lose(self, act: dict[str, Any]) -> None:
        """Somebody was quicker: something else of the same question."""
        if act["turn"] != self.question["turn"]:
            return
        if self.fault == "takes_again":
            await self.send("act", table=act["table"], turn=act["turn"], action=act["action"])
            return
        self.refused.append(act["action"])
        self.answered.discard(act["turn"])
        await self.answer(act["table"], self.question)


if __name__ == "__main__":
    asyncio.run(Client(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "").run())
