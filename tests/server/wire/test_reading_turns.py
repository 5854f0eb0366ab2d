"""A round of the event loop takes only so many frames, and networks take turns."""

import asyncio
from collections import Counter

from parlour.server.wire.reading_turns import AT_ONCE, ReadingTurns, Turn


class Reader:
    """A connection with frames to be read; it notes its name for each."""

    def __init__(
        self, network: str, frames: int, turns: ReadingTurns, read: list[str], name: str = ""
    ) -> None:
        self.network, self.frames, self.turns, self.read = network, frames, turns, read
        self.name = name or network
        self.turn: Turn | None = None
        self.gone = asyncio.Event()
        """Set once all is read."""

    def go_on(self) -> None:
        self._read()
        while self.frames and (turn := self.turns.ask(self.network, self.go_on, self._loop)) is None:
            self._read()
        self.turn = turn if self.frames else None

    def begin(self) -> None:
        self.turn = self.turns.ask(self.network, self.go_on, self._loop)
        if self.turn is None:
            self.go_on()

    def _read(self) -> None:
        self.frames -= 1
        self.read.append(self.name)
        if not self.frames:
            self.gone.set()

    @property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()


async def test_a_crowd_is_read_in_rounds_and_another_network_is_the_first_of_the_next() -> None:
    turns, read = ReadingTurns(), list[str]()
    crowd = [Reader("crowd", 4, turns, read) for _ in range(AT_ONCE)]
    honest = Reader("honest", 1, turns, read)
    for reader in (*crowd, honest):
        reader.begin()
    assert read == ["crowd"] * AT_ONCE, "one round"
    await asyncio.gather(*[reader.gone.wait() for reader in (*crowd, honest)])
    assert read.index("honest") <= AT_ONCE + 1
    assert Counter(read) == {"crowd": 4 * AT_ONCE, "honest": 1}


async def test_the_connections_of_one_network_take_turns_as_well() -> None:
    turns, read = ReadingTurns(), list[str]()
    flood = Reader("home", 10 * AT_ONCE, turns, read, "flood")
    other = Reader("home", 1, turns, read, "other")
    flood.begin()
    other.begin()
    await flood.gone.wait()
    assert read.index("other") <= AT_ONCE + 1


async def test_each_round_that_writes_reads_as_many_again() -> None:
    turns, read = ReadingTurns(), list[str]()
    for _ in range(3):
        for reader in [Reader("home", 1, turns, read) for _ in range(AT_ONCE)]:
            reader.begin()
            assert reader.turn is None
        turns.begin_round()


async def test_a_connection_that_is_gone_is_passed_over() -> None:
    turns, read = ReadingTurns(), list[str]()
    crowd = [Reader("crowd", 1, turns, read) for _ in range(AT_ONCE + 2)]
    for reader in crowd:
        reader.begin()
    gone, last = crowd[-2:]
    assert gone.turn is not None
    gone.turn.cancel()
    await last.gone.wait()
    assert gone.frames == 1
