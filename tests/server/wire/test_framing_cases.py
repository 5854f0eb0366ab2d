"""The cases of the Autobahn test suite (support/server/framing_cases.py) on both kinds of websockets."""

import asyncio
import contextlib

import pytest
from support.server.echo import KINDS, echoing
from support.server.framing_cases import CASES, Case, closing, limits
from support.server.packets import Packets
from support.server.sockets import PATIENCE, upgrade
from support.soak import count
from websockets.frames import Close

LIMITS = list(limits(scale=count(16, 1)))


async def play(case: Case, kind: str) -> tuple[list[tuple[int, bytes]], int | None]:
    """Sends what the case says; what comes back, and the code of the close frame."""
    async with asyncio.timeout(PATIENCE), echoing(kind) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(upgrade("Host: 127.0.0.1").replace("\n", "\r\n").encode())
            await reader.readuntil(b"\r\n\r\n")
            sending = asyncio.create_task(send(case, writer))
            peer, back = Packets(reader, writer), []
            if case.closes and not case.back:
                peer.send(closing())
            while (received := await peer.receive())[0] != 0x88:
                back.append(received)
                if case.closes and len(back) == len(case.back):
                    peer.send(closing())
            assert await reader.read() == b"", "the server goes on after its close frame"
            await sending
            return back, Close.parse(received[1]).code if received[1] else None
        finally:
            writer.transport.abort()


async def send(case: Case, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):  # a server that has closed for a fault reads no more
        for packet in case.packets():
            writer.write(packet)
            await writer.drain()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", [*CASES, *LIMITS], ids=str)
async def test_case(case: Case, kind: str) -> None:
    back, code = await play(case, kind)
    if kind == "plain":
        assert code == (case.plain_code or case.code)
        assert back == list(case.back) or (case.plain_drops and not back)
    else:
        assert (back, code) == (list(case.back), case.code)
