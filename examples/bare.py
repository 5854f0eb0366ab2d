"""A bot with nothing but websockets and msgpack, for any game: python bare.py [URL [GAME]]

It makes a table, lets the server's own bots take the other seats, and comes back if its connection is lost.
What travels is in PROTOCOL.md.
"""

import asyncio
import random
import sys
from typing import Any

import msgpack
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

SEATS = {"balloon-cup": 2, "hurry-cup": 3, "butterflies": 2}
TOO_LATE = ("taken", "stale", "not_asked", "not_now", "over")
"""Others were quicker, or the first answer in a scramble is on its way: the next update tells."""


def pick(legal: list[dict[str, Any]]) -> dict[str, Any]:
    """Any action that fits a pattern."""
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


class Bare:
    """One player and one game."""

    def __init__(self, url: str, game: str) -> None:
        self.url, self.game = url, game
        self.token: str | None = None
        self.id = 0

    async def play(self) -> str:
        while True:
            try:
                return await self.converse()
            except (ConnectionClosed, OSError):
                if self.token is None:
                    raise
                await asyncio.sleep(1.0)

    async def converse(self) -> str:
        """One connection, until the game is over."""
        async with connect(self.url, subprotocols=[Subprotocol("parlour.v1")], max_size=None) as socket:

            async def send(word: str, **fields: Any) -> None:
                self.id += 1
                await socket.send(msgpack.packb({"type": word, "id": self.id, **fields}))

            name = {"name": f"Bare {random.randrange(10**6)}"}
            who = name if self.token is None else {"token": self.token}
            hello = {"type": "hello", "versions": [1], "client": "bare", "bot": True, **who}
            await socket.send(msgpack.packb(hello))
            async for frame in socket:
                message = msgpack.unpackb(frame)
                match message:
                    case {"type": "welcome", "token": token, "last_id": last, "tables": tables}:
                        self.token, self.id = token, max(self.id, last)
                        if tables:
                            await send("resume", table=tables[0], after=None)
                        else:
                            await send("create_table", game=self.game, seats=SEATS[self.game])
                    case {"type": "snapshot", "view": None, "table": table}:
                        for _ in range(SEATS[self.game] - 1):
                            await send("add_bot", table=table)
                        await send("start", table=table)
                    case {"type": "update" | "snapshot", "result": {"winners": winners, "reason": reason}}:
                        return f"{'won' if 0 in winners else 'not won'}: {reason}"
                    case {"type": "update" | "snapshot", "question": {"turn": turn, "legal": legal}}:
                        action = pick(legal)
                        await send("act", table=message["table"], turn=turn, action=action)
                    case {"type": "error", "code": code} if code not in TOO_LATE:
                        sys.exit(f"refused: {code}")
        raise ConnectionResetError("the server hung up")


if __name__ == "__main__":
    url = sys.argv[1] if len(sys.argv) > 1 else "ws://localhost:21925"
    print(asyncio.run(Bare(url, sys.argv[2] if len(sys.argv) > 2 else "balloon-cup").play()))
