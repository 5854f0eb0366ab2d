"""The simulated line and real sockets carry the same bytes: what is sent and what comes back is the same.

The server's websockets are the real ones in a simulation, of both kinds; only what is under them is not.
"""

import asyncio
import random
from collections.abc import Iterator

import pytest
from support.server.echo import KINDS, echoing
from support.server.framing_cases import BINARY, CASES, LAST, MORE, PING, PONG, TEXT, Case, closing
from support.server.framing_play import Back, code_of, play
from support.server.packets import frame
from support.soak import count

from tools.simulation.line import CLOSE, Line
from tools.simulation.loop import Agenda, SimulatedLoop


class CaseLine(Line):
    """Sends what a case says, and keeps the frames that come back."""

    def __init__(self, case: Case, loop: SimulatedLoop, luck: random.Random) -> None:
        self.case = case
        self.back: list[tuple[int, bytes]] = []
        self.ended = loop.create_future()
        assert loop.listening is not None
        super().__init__(loop.agenda, loop, loop.listening, self, 1, luck, "10.0.0.1")

    def on_open(self, _line: Line) -> None:
        for packet in self.case.packets():
            self.send_bytes(packet)
        self._close_behind()

    def _take(self, first: int, payload: bytes) -> None:
        self.back.append((first, payload))
        if first == CLOSE:
            self.closed_with = code_of(payload)
            self.send_bytes(closing())
        self._close_behind()

    def _close_behind(self) -> None:
        if self.case.closes and len(self.back) == len(self.case.back):
            self.send_bytes(closing())

    def on_message(self, _line: Line, payload: bytes, first: int) -> None: ...

    def on_end(self, _line: Line, _code: int | None) -> None:
        self.ended.set_result(None)


def simulate(case: Case, kind: str, seed: str) -> Back:
    """The same as `play`, over a simulated line."""
    luck = random.Random(seed)
    loop = SimulatedLoop(Agenda(luck))

    async def talk() -> CaseLine:
        async with echoing(kind):
            line = CaseLine(case, loop, luck)
            await line.ended
            return line

    try:
        line = loop.run_until_complete(talk())
    finally:
        loop.close()
    assert [first for first, _ in line.back].index(CLOSE) == len(line.back) - 1
    return line.back[:-1], line.closed_with


def streams() -> Iterator[Case]:
    """Messages whole and in fragments, pings between them, cut into packets anywhere."""
    for number in range(count(30, 1000)):
        luck = random.Random(f"stream {number}")
        sent, back = b"", []
        for _ in range(luck.randrange(1, 12)):
            kind = luck.choice((TEXT, BINARY))
            size = luck.choice((0, 1, 5, 125, 126, 127, 3000, 70_000))
            payload = bytes(luck.choices(b"abcdefgh", k=size))
            cuts = sorted(luck.randrange(size + 1) for _ in range(luck.choice((0, 0, 0, 1, 3))))
            parts = [payload[start:stop] for start, stop in zip([0, *cuts], [*cuts, size], strict=True)]
            for place, part in enumerate(parts):
                first = (kind & ~LAST if place == 0 else MORE) | (LAST if place == len(parts) - 1 else 0)
                sent += frame(part, first)
                if luck.random() < 0.2:
                    sent += frame(part[:100], PING)
                    back.append((PONG, part[:100]))
            back.append((kind, payload))
        cuts = sorted(luck.randrange(len(sent)) for _ in range(luck.randrange(8)))
        packets = [sent[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
        yield Case(f"stream {number}", tuple(filter(None, packets)), tuple(back), 1000, True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", list(streams()), ids=str)
def test_a_simulated_line_brings_what_a_socket_brings(case: Case, kind: str) -> None:
    over_a_socket = asyncio.run(play(case, kind))
    assert sorted(over_a_socket[0]) == sorted(case.back)
    assert messages(simulate(case, kind, case.number)) == messages(over_a_socket)


def messages(back: Back) -> tuple[list[tuple[int, bytes]], int | None, int]:
    """All but the place of pongs among messages, which websockets answers while it still reads."""
    found, code = back
    pongs = [payload for first, payload in found if first == PONG]
    return [(first, payload) for first, payload in found if first != PONG], code, len(pongs)


@pytest.mark.parametrize("kind", KINDS)
def test_every_case_of_the_framing_ends_the_same_on_a_simulated_line(kind: str) -> None:
    """What they bring over a socket is held by tests/server/wire/test_framing_cases.py."""
    for case in CASES:
        back, code = simulate(case, kind, case.number)
        if kind == "plain":
            assert code == (case.plain_code or case.code), case
            assert back == list(case.back) or (case.plain_drops and not back), case
        else:
            assert (back, code) == (list(case.back), case.code), case
