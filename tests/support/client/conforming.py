"""A client that does all that PROTOCOL.md asks for, as a program: conforming.py URL GAME [FAULT]

With a fault it does all but one thing; `FAULTS` names them. It needs nothing of ours.
"""

import asyncio
import random
import sys
from typing import Any

import msgpack
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

FAULTS = (
    "illegal",
    "unknown",
    "no_fragments",
    "twice",
    "stays_away",
    "stranger",
    "no_resume",
    "new_id",
    "forgets",
    "gaps",
    "impatient",
    "returns",
    "same_ids",
)
KNOWN = {"welcome", "ok", "error", "snapshot", "update", "table_changed", "chat", "goodbye", "lobby_table"}
ENOUGH = 8
"""Answers after which it gives up: by then everything has happened."""
QUIET = ("taken", "stale", "not_asked", "not_now", "over")


def pick(legal: list[dict[str, Any]]) -> dict[str, Any]:
    action = dict(random.choice(legal))
    for field, value in action.items():
        match value:
            case {"one_of": values}:
                action[field] = random.choice(values)
            case {"subset": values, "min": least, "max": most}:
                action[field] = random.sample(values, random.randint(least, most))
            case {"order": values}:
                action[field] = random.sample(values, len(values))
    return action


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
        self.socket: Any = None

    async def run(self) -> None:
        wait = 0.0
        while not self.over:
            await asyncio.sleep(wait)
            wait = 0.2
            try:
                wait = await self.converse()
            except (ConnectionClosed, OSError):
                if self.fault == "stays_away":
                    return

    async def send(self, word: str, **fields: Any) -> None:
        self.id += 0 if self.fault == "same_ids" and self.id else 1
        message = {"type": word, "id": self.id, **fields}
        self.owed[self.id] = message
        await self.socket.send(msgpack.packb(message))

    async def converse(self) -> float:
        """One connection; gives how long to wait before the next."""
        spoken = [Subprotocol("parlour.v1")]
        async with connect(self.url, subprotocols=spoken, max_size=None, compression=None) as self.socket:
            known = self.token is not None and self.fault != "stranger"
            who = {"token": self.token} if known else {"name": f"Client {random.randrange(10**6)}"}
            hello = {"type": "hello", "versions": [1], "client": "conforming", "bot": True, **who}
            await self.socket.send(msgpack.packb(hello))
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
            case {"type": "ok" | "error", "id": id}:
                self.owed.pop(id, None)
                if message["type"] == "ok" and "tables" in (message["result"] or ()):
                    await self.look(message["result"]["tables"])
                if message["type"] == "error" and message["code"] not in QUIET:
                    sys.exit(f"refused: {message['code']}")
            case {"type": kind, "table": table, "seq": seq} if kind in KNOWN:
                await self.event(table, seq, message)
            case {"type": kind} if kind not in KNOWN and self.fault == "unknown":
                sys.exit(f"what is {kind}?")
        return None

    async def come_in(self, welcome: dict[str, Any]) -> None:
        again, self.owed = self.owed, {}
        first = self.token is None or self.fault == "stranger"
        self.token, self.id = welcome["token"], max(self.id, welcome["last_id"])
        for id, message in sorted(again.items()):
            if message["type"] == "resume" or self.fault == "forgets":
                continue
            if self.fault == "new_id":
                fields = {name: value for name, value in message.items() if name not in ("type", "id")}
                await self.send(message["type"], **fields)
            else:
                self.owed[id] = message
                await self.socket.send(msgpack.packb(message))
        if first:
            await self.send("watch_lobby", on=True)
        for table in welcome["tables"]:
            if self.fault != "no_resume":
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
        self.seqs[table] = seq
        if message.get("result") is not None:
            self.over = True
        elif message.get("question") is not None:
            await self.answer(table, message["question"])
        elif message["type"] == "snapshot" and message["view"] is None:
            await self.send("ready", table=table)

    async def answer(self, table: str, question: dict[str, Any]) -> None:
        turn = question["turn"]
        if turn in self.answered and self.fault != "twice":
            return
        self.answered.add(turn)
        self.acts += 1
        action = pick(question["legal"])
        if self.fault == "illegal" and self.acts == 2:
            action = {"type": "fly"}
        await self.send("act", table=table, turn=turn, action=action)
        if self.acts == ENOUGH:
            await self.send("resign", table=table)


if __name__ == "__main__":
    asyncio.run(Client(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "").run())
