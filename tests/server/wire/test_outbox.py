"""Writing: heads of frames, one round for all, and a bug at one outbox that is nothing to the others."""

import asyncio
import contextlib
from typing import Any

import pytest
from support.server.packets import open_websocket
from websockets.frames import Frame as WholeFrame
from websockets.frames import Opcode

from parlour.protocol.frame import Frame
from parlour.protocol.messages import Goodbye
from parlour.server.wire.outbox import BYTES, PATIENT, URGENT, FlushScheduler, Outbox
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


class CountedOutbox(Outbox):
    """An outbox that notes when it is flushed."""

    def __init__(self, name: str, scheduler: FlushScheduler, websocket: Any, flushed: list[str]) -> None:
        super().__init__(websocket, scheduler, name, False, 256)
        self.flushed = flushed

    def flush(self) -> int:
        if self._frames:
            self.flushed.append(self.address)
        return super().flush()


async def rounds_of(flushed: list[str]) -> list[list[str]]:
    """What is flushed in each round of the event loop, until nothing is left."""
    found = []
    while True:
        flushed.clear()
        await asyncio.sleep(0)
        if not flushed:
            return found
        found.append(flushed.copy())


async def test_a_frame_for_a_crowd_goes_out_to_a_few_in_each_round() -> None:
    scheduler, flushed, frame = FlushScheduler(), list[str](), Frame.of(Goodbye("all"))
    async with contextlib.AsyncExitStack() as stack:
        pairs = [await stack.enter_async_context(open_websocket()) for _ in range(2 * URGENT + 3)]
        crowd = [CountedOutbox(f"{n}", scheduler, one, flushed) for n, (one, _) in enumerate(pairs)]
        for outbox in crowd:
            outbox.send(frame)
        rounds = await rounds_of(flushed)
        assert [name for each in rounds for name in each] == [outbox.address for outbox in crowd]
        assert [len(each) for each in rounds] == [URGENT, URGENT, 3]
        for outbox in crowd:
            outbox.send(frame, urgent=False)
        rounds = await rounds_of(flushed)
        assert {len(each) for each in rounds[:-1]} == {PATIENT}
        assert [name for each in rounds for name in each] == [outbox.address for outbox in crowd]


async def test_what_is_urgent_overtakes_a_crowd_that_can_wait_but_no_frame_of_its_own_peer() -> None:
    scheduler, flushed = FlushScheduler(), list[str]()
    async with contextlib.AsyncExitStack() as stack:
        pairs = [await stack.enter_async_context(open_websocket()) for _ in range(4 * PATIENT)]
        crowd = [CountedOutbox(f"{n}", scheduler, one, flushed) for n, (one, _) in enumerate(pairs)]
        for outbox in crowd:
            outbox.send(Frame.of(Goodbye("chat")), urgent=False)
        crowd[-1].send(Frame.of(Goodbye("move")))
        rounds = await rounds_of(flushed)
        last = crowd[-1].address
        assert rounds[0][0] == last and [each.count(last) for each in rounds] == [1, 0, 0, 0]
        written = pairs[-1][1].written
        assert written.index(b"chat") < written.index(b"move")


async def test_what_can_wait_gathers_during_a_rest_and_goes_out_in_one_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.server.wire.outbox.REST", 3600.0)
    scheduler, flushed, loop = FlushScheduler(), list[str](), asyncio.get_running_loop()
    async with open_websocket() as (one, transport), open_websocket() as (other, _):
        outbox = CountedOutbox("one", scheduler, one, flushed)
        outbox.send(Frame.of(Goodbye("first")), urgent=False)
        assert await rounds_of(flushed) == [["one"]]
        for word in ("second", "third"):
            outbox.send(Frame.of(Goodbye(word)), urgent=False)
        CountedOutbox("other", scheduler, other, flushed).send(Frame.of(Goodbye("move")))
        assert await rounds_of(flushed) == [["other"]]
        assert b"second" not in transport.written
        scheduler._rests_until = 0.0
        scheduler._end_rest(loop)
        assert await rounds_of(flushed) == [["one"]]
        assert transport.written.index(b"second") < transport.written.index(b"third")
        outbox.send(Frame.of(Goodbye("fourth")), urgent=False)
        outbox.send(Frame.of(Goodbye("my move")))
        assert await rounds_of(flushed) == [["one"]]
        assert transport.written.index(b"fourth") < transport.written.index(b"my move")


async def test_a_round_is_over_after_so_many_bytes() -> None:
    scheduler, flushed, long = FlushScheduler(), list[str](), Frame.of(Goodbye("x" * (BYTES // 2)))
    async with contextlib.AsyncExitStack() as stack:
        for number in range(5):
            websocket, _ = await stack.enter_async_context(open_websocket())
            CountedOutbox(f"{number}", scheduler, websocket, flushed).send(long)
        assert [len(each) for each in await rounds_of(flushed)] == [2, 2, 1]


async def test_several_long_frames_for_one_peer_go_out_one_after_the_other_in_their_order() -> None:
    words = ["first", "second", "third"]
    async with open_websocket() as (websocket, transport):
        outbox = Outbox(websocket, FlushScheduler(), "somewhere", False, 256)
        for word in words:
            outbox.send(Frame.of(Goodbye(word + "x" * BYTES)))
        for number in range(1, 4):
            await asyncio.sleep(0)
            assert [word.encode() in transport.written for word in words].count(True) == number
        assert sorted(words, key=lambda word: transport.written.index(word.encode())) == words


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
