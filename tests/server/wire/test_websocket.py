"""Reading: whatever way bytes are cut into packets and messages into frames, the messages come out whole."""

import asyncio
import itertools
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.server.packets import CollectingListener, by_the_library, frame, goodbye, open_websocket
from websockets.frames import Close
from websockets.protocol import CLOSING

from parlour.protocol.codec import FRAME_BYTES
from parlour.server.wire.reading_turns import LONGEST
from parlour.server.wire.websocket import MOST_UNREAD

PING = frame(b"tick", 0x89)
payloads = st.one_of(st.binary(max_size=300), st.text(max_size=80))


@st.composite
def messages(draw: Any) -> list[bytes]:
    """The frames of one message, with pings among them."""
    payload = draw(payloads)
    if draw(st.booleans()):
        return [frame(payload, size_bytes=draw(st.sampled_from((None, 2, 8))))]
    data = payload.encode() if isinstance(payload, str) else payload
    cuts = [0, *sorted(draw(st.lists(st.integers(0, len(data)), min_size=1, max_size=4))), len(data)]
    pieces = [data[start:end] for start, end in itertools.pairwise(cuts)]
    kind = 0x01 if isinstance(payload, str) else 0x02
    frames = []
    for number, piece in enumerate(pieces):
        last = 0x80 if number == len(pieces) - 1 else 0
        frames.append(frame(piece, (kind if number == 0 else 0) | last))
        if draw(st.booleans()):
            frames.append(PING)
    return frames


def close_code(written: bytes) -> int:
    """Of the close frame that is the last thing written."""
    start = written.rindex(b"\x88")
    return Close.parse(written[start + 2 :]).code


@given(said=st.lists(messages(), max_size=6), data=st.data())
async def test_messages_are_those_that_the_library_reads_however_the_bytes_are_cut(
    said: list[list[bytes]], data: st.DataObject
) -> None:
    stream = b"".join(part for frames in said for part in frames)
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=8))
    edges = [0, *sorted(cuts), len(stream)]
    listens_after = data.draw(st.integers(0, len(edges) - 1))
    listener = CollectingListener()
    listener.waits = data.draw(st.lists(st.sampled_from((0.0, 1e-6)), max_size=6))
    listener.crowded = data.draw(st.lists(st.booleans(), max_size=6))
    async with open_websocket() as (websocket, transport):
        for number, (start, end) in enumerate(itertools.pairwise(edges)):
            if number == listens_after:
                websocket.listen(listener)
            while not transport.reading and websocket._listener is not None:
                await asyncio.sleep(0)
            if start < end:
                websocket.data_received(stream[start:end])
        websocket.listen(listener)
        while websocket._alarm is not None:
            await asyncio.sleep(0)
        pongs = transport.written.count(b"\x8a\x04tick")
    assert listener.messages == by_the_library(stream)
    assert pongs == sum(part == PING for frames in said for part in frames)


async def test_a_frame_waits_if_those_before_it_in_its_packet_took_long() -> None:
    class SlowListener(CollectingListener):
        def receive(self, message: bytes | str) -> None:
            time.sleep(2 * LONGEST)
            super().receive(message)

    listener = SlowListener()
    async with open_websocket() as (websocket, _):
        websocket.listen(listener)
        websocket.data_received(frame(b"one") + frame(b"two"))
    assert listener.late[1], "it is asked with the second frame"


async def test_byte_by_byte_is_as_good_as_any_other_way() -> None:
    listener = CollectingListener()
    async with open_websocket() as (websocket, _):
        websocket.listen(listener)
        for byte in frame(b"x" * 200) + frame("y") + frame(b"", 0x02) + frame(b"z", 0x80):
            websocket.data_received(bytes([byte]))
    assert listener.messages == [b"x" * 200, "y", b"z"]


async def test_what_comes_before_anybody_listens_is_kept_and_no_more_than_that_is_taken() -> None:
    listener, large = CollectingListener(), frame(b"x" * FRAME_BYTES)
    async with open_websocket() as (websocket, transport):
        websocket.data_received(frame(b"one"))
        assert transport.reading
        websocket.data_received(large)
        assert len(large) > MOST_UNREAD and not transport.reading
        websocket.listen(listener)
        assert listener.messages == [b"one", b"x" * FRAME_BYTES] and transport.reading


async def test_while_a_message_is_held_nothing_behind_it_is_heard_and_nothing_more_is_read() -> None:
    listener = CollectingListener()
    listener.waits = [0.0, 3600.0]
    async with open_websocket() as (websocket, transport):
        websocket.listen(listener)
        websocket.data_received(b"".join(frame(bytes([number])) for number in range(4)) + frame(b"4")[:3])
        assert listener.messages == [b"\x00"] and not transport.reading
        assert websocket._alarm is not None
        websocket._alarm.cancel()
        websocket._let_go()
        assert listener.messages == [b"\x00", b"\x01", b"\x02", b"\x03"] and transport.reading
        websocket.data_received(frame(b"4")[3:])
        assert listener.messages[-1] == b"4"


async def test_a_fragment_is_held_like_any_other_frame() -> None:
    listener = CollectingListener()
    listener.waits = [0.0, 3600.0]
    async with open_websocket() as (websocket, transport):
        websocket.listen(listener)
        websocket.data_received(frame(b"a", 0x02) + frame(b"b", 0x80) + frame(b"c"))
        assert listener.messages == [] and not transport.reading
        assert websocket._alarm is not None
        websocket._alarm.cancel()
        websocket._let_go()
        assert listener.messages == [b"ab", b"c"]


@pytest.mark.parametrize("flood", [PING, frame(b"", 0x00)], ids=["pings", "empty fragments"])
async def test_a_flood_of_frames_that_are_no_messages_is_held_too(flood: bytes) -> None:
    listener = CollectingListener()
    listener.waits = [0.0] * 5 + [3600.0]
    async with open_websocket() as (websocket, transport):
        websocket.listen(listener)
        websocket.data_received(frame(b"", 0x02) + flood * 1000)
        assert not transport.reading and len(websocket._unread) == len(flood) * 996


async def test_a_close_frame_behind_what_is_held_is_answered_when_its_turn_comes() -> None:
    listener = CollectingListener()
    listener.waits = [3600.0]
    async with open_websocket() as (websocket, transport):
        websocket.listen(listener)
        websocket.data_received(frame(b"a") + frame(b"b") + goodbye(1001) + frame(b"c"))
        assert transport.written == b""
        assert websocket._alarm is not None
        websocket._alarm.cancel()
        websocket._let_go()
        assert listener.messages == [b"a", b"b"]
        assert close_code(transport.written) == 1001 and websocket.protocol.state is CLOSING


async def test_whoever_stops_listening_hears_nothing_more_and_reads_on_for_the_close_frame() -> None:
    listener = CollectingListener()
    listener.waits = [3600.0]
    async with open_websocket() as (websocket, transport):
        websocket.listen(listener)
        websocket.data_received(frame(b"a") + frame(b"b") + goodbye())
        websocket.stop_listening()
        assert listener.messages == [] and websocket._alarm is None
        assert transport.reading and close_code(transport.written) == 1000


async def test_a_listener_may_stop_in_the_middle_of_a_packet() -> None:
    class Brief(CollectingListener):
        def receive(self, message: bytes | str) -> None:
            super().receive(message)
            websocket.stop_listening()

    listener = Brief()
    async with open_websocket() as (websocket, transport):
        websocket.listen(listener)
        websocket.data_received(frame(b"a") + frame(b"b") + goodbye())
        assert listener.messages == [b"a"] and close_code(transport.written) == 1000


async def test_a_listener_with_a_bug_hears_nothing_more_and_the_bug_is_told() -> None:
    class Broken(CollectingListener):
        def receive(self, message: bytes | str) -> None:
            super().receive(message)
            raise ZeroDivisionError

    listener = Broken()
    async with open_websocket() as (websocket, _):
        websocket.listen(listener)
        websocket.data_received(frame(b"a") + frame(b"b"))
        assert listener.messages == [b"a"]
        with pytest.raises(ZeroDivisionError):
            await websocket.over


FAULTS = {
    "larger than the limit": (frame(b"x" * (FRAME_BYTES + 1)), 1009),
    "larger than the limit, by its head alone": (frame(b"x" * (FRAME_BYTES + 1))[:4], 1009),
    "larger than any memory": (b"\x82\xff" + b"\x7f" * 8, 1009),
    "larger than the limit in fragments": (frame(b"x" * FRAME_BYTES, 0x02) + frame(b"x", 0x80), 1009),
    "not masked": (b"\x82\x01x", 1002),
    "not masked and empty": (b"\x82\x00", 1002),
    "with a reserved bit": (frame(b"x", 0xC2), 1002),
    "of no kind that there is": (frame(b"x", 0x83), 1002),
    "a continuation of nothing": (frame(b"x", 0x80), 1002),
    "whole in the middle of fragments": (frame(b"x", 0x02) + frame(b"x"), 1002),
    "a ping that is too long": (frame(b"x" * 126, 0x89), 1002),
    "text that is not UTF-8": (frame(b"\xff", 0x81), 1007),
    "text in fragments that is not UTF-8": (frame(b"\xc3", 0x01) + frame(b"(", 0x80), 1007),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_closes_with_the_code_of_the_library_and_nothing_behind_it_is_heard(fault: str) -> None:
    data, code = FAULTS[fault]
    listener = CollectingListener()
    async with open_websocket() as (websocket, transport):
        websocket.listen(listener)
        websocket.data_received(frame(b"before") + data)
        websocket.data_received(frame(b"behind"))
        assert listener.messages == [b"before"]
        assert close_code(transport.written) == code


@pytest.mark.parametrize(
    "last", [goodbye(), *(data for data, _ in FAULTS.values())], ids=["goodbye", *FAULTS]
)
async def test_a_peer_that_has_closed_or_was_closed_for_a_fault_and_stays_is_cut(last: bytes) -> None:
    async with open_websocket() as (websocket, transport):
        websocket.close_timeout = 0.0
        websocket.listen(CollectingListener())
        websocket.data_received(last)
        while not transport.aborted:
            await asyncio.sleep(0)


async def test_nothing_is_held_for_a_connection_that_is_lost() -> None:
    listener = CollectingListener()
    listener.waits = [3600.0]
    async with open_websocket() as (websocket, _):
        websocket.listen(listener)
        websocket.data_received(frame(b"a") + frame(b"b"))
    assert websocket._alarm is None and websocket._unread == b"" and listener.messages == []
    assert websocket.over.done()
