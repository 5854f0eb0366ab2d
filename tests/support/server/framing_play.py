"""Plays a case of the framing against the echo server, over a real socket."""

import asyncio
import contextlib

from support.server.echo import echoing
from support.server.framing_cases import Case, closing
from support.server.packets import Packets
from support.server.sockets import PATIENCE, upgrade
from websockets.frames import Close

Back = tuple[list[tuple[int, bytes]], int | None]
"""What came back, and the code of the close frame."""


async def play(case: Case, kind: str) -> Back:
    """Sends what the case says; what comes back, and the code of the close frame."""
    async with asyncio.timeout(PATIENCE), echoing(kind) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(upgrade("Host: 127.0.0.1").replace("\n", "\r\n").encode())
            await reader.readuntil(b"\r\n\r\n")
            sending = asyncio.create_task(_send(case, writer))
            peer, back = Packets(reader, writer), []
            if case.closes and not case.back:
                peer.send(closing())
            while (received := await peer.receive())[0] != 0x88:
                back.append(received)
                if case.closes and len(back) == len(case.back):
                    peer.send(closing())
            assert await reader.read() == b"", "the server goes on after its close frame"
            await sending
            return back, code_of(received[1])
        finally:
            writer.transport.abort()


async def _send(case: Case, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):  # a server that has closed for a fault reads no more
        for packet in case.packets():
            writer.write(packet)
            await writer.drain()


def code_of(payload: bytes) -> int | None:
    """The code in a close frame, if it has one."""
    return Close.parse(payload).code if payload else None
