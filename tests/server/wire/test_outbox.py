"""Writing: heads of frames, one round for all, and a bug at one outbox that is nothing to the others."""

import asyncio
from typing import Any

import pytest
from support.server.packets import open_websocket
from websockets.frames import Frame as WholeFrame
from websockets.frames import Opcode

from parlour.protocol.frame import Frame
from parlour.protocol.messages import Goodbye
from parlour.server.wire.outbox import FlushScheduler, Outbox
from parlour.server.wire.websocket import BINARY_FRAME, TEXT_FRAME, head_of


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 255, 256, 65_535, 65_536, 70_000])
@pytest.mark.parametrize(("first", "kind"), [(BINARY_FRAME, Opcode.BINARY), (TEXT_FRAME, Opcode.TEXT)])
def test_a_frame_is_written_as_the_library_writes_it(size: int, first: int, kind: Opcode) -> None:
    payload = b"x" * size
    assert head_of(first, size) + payload == WholeFrame(kind, payload).serialize(mask=False)


@pytest.mark.parametrize("json", [False, True], ids=["msgpack", "json"])
async def test_all_frames_of_one_moment_go_out_in_their_order_and_in_one_write(json: bool) -> None:
    frames = [Frame.of(Goodbye(reason)) for reason in ("one", "two", "é" * 100)]
    async with open_websocket() as (websocket, transport):
        outbox = Outbox(websocket, FlushScheduler(), "somewhere", json, 256)
        writes: list[bytes] = []
        transport.write = writes.append  # type: ignore[method-assign, assignment]
        for frame in frames:
            outbox.send(frame)
        assert writes == []
        await asyncio.sleep(0)
        kind = Opcode.TEXT if json else Opcode.BINARY
        bodies = [frame.text().encode() if json else frame.packed() for frame in frames]
        assert writes == [b"".join(WholeFrame(kind, body).serialize(mask=False) for body in bodies)]


async def test_nothing_is_written_once_the_peer_has_closed() -> None:
    async with open_websocket() as (websocket, transport):
        outbox = Outbox(websocket, FlushScheduler(), "somewhere", False, 256)
        outbox.send(Frame.of(Goodbye("late")))
        websocket.protocol.fail(1002)
        websocket.send_data()
        before = transport.written
        await asyncio.sleep(0)
        assert transport.written == before


async def test_a_frame_that_cannot_be_written_keeps_nobody_else_waiting() -> None:
    bugs: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: bugs.append(context["exception"]))
    async with open_websocket() as (one, _), open_websocket() as (other, transport):
        scheduler = FlushScheduler()
        broken, sound = (Outbox(websocket, scheduler, "somewhere", False, 256) for websocket in (one, other))
        broken.send(Frame((None,)))  # type: ignore[arg-type]
        sound.send(Frame.of(Goodbye("done")))
        for _ in range(2):
            await asyncio.sleep(0)
        assert b"done" in transport.written
        assert [type(bug) for bug in bugs] == [TypeError]
        sound.send(Frame.of(Goodbye("again")))
        await asyncio.sleep(0)
        assert b"again" in transport.written
