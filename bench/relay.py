"""The relay floor: the least that any websockets server must do for a move. Run as a process of its own.

It decodes a move of some 60 bytes, encodes a view of some 300 bytes for each of two players, and sends both.
It has no rules, no names, no clocks, no numbering, no answer to the mover, and trusts everybody.
"""

import asyncio
import contextlib
from typing import Any

import msgpack
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from bench.child import allow_many_sockets, answer_questions, usage

HANDS = (["red-1", "red-7", "yellow-12", "blue-3", "green-9", "grey-2", "green-4", "red-11"], 8)
TILES = [
    {"number": tile, "cubes": ["red", "blue"], "sides": [["red-7"], ["blue-3", "grey-2"]]}
    for tile in (1, 2, 3)
]


def view(number: int, seat: int, move: dict[str, Any]) -> bytes:
    """What one player gets: 300 bytes or so, like a small view."""
    packed: bytes = msgpack.packb(
        {
            "type": "update",
            "seq": number,
            "to_act": number % 2,
            "hands": [HANDS[seat], HANDS[1 - seat]],
            "tiles": TILES,
            "last": move["action"],
            "deck": 21,
        }
    )
    return packed


class Relay:
    """Tables by their number, each with its two sockets and how many moves were made."""

    def __init__(self) -> None:
        self.tables: dict[int, list[ServerConnection]] = {}

    async def serve(self, socket: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            await self.relay(socket)

    async def relay(self, socket: ServerConnection) -> None:
        first = msgpack.unpackb(await socket.recv())
        players = self.tables.setdefault(first["table"], [])
        players.append(socket)
        if len(players) == 2:
            for seat, player in enumerate(players):
                await player.send(view(0, seat, first))
        async for frame in socket:
            move = msgpack.unpackb(frame)
            number = move["turn"] + 1
            for seat, player in enumerate(players):
                await player.send(view(number, seat, move))


async def main() -> None:
    allow_many_sockets()
    options: dict[str, Any] = {"compression": None, "ping_interval": None, "max_queue": 4}
    async with serve(Relay().serve, "127.0.0.1", 0, **options) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        await answer_questions({"port": port}, usage)


if __name__ == "__main__":
    asyncio.run(main())
