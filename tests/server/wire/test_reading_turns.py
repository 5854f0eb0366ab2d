"""A round of the event loop reads only so many frames and so long, and networks take turns."""

from collections import Counter

from support.server.hand_loop import HandLoop

from parlour.server.wire.reading_turns import AT_ONCE, LONGEST, ReadingTurns, Turn


class Reader:
    """A connection with frames to be read, each of which takes some time; it notes its name for each."""

    def __init__(self, home: "Home", network: str, frames: int, name: str = "", takes: float = 0.0) -> None:
        self.home, self.network, self.frames, self.takes = home, network, frames, takes
        self.name = name or network
        self.turn: Turn | None = None

    def go_on(self) -> None:
        until = self.home.loop.now + LONGEST
        self._read()
        while self.frames and (turn := self._ask(late=self.home.loop.now > until)) is None:
            self._read()
        self.turn = turn if self.frames else None

    def begin(self) -> None:
        self.turn = self._ask()
        if self.turn is None:
            self.go_on()

    def _ask(self, late: bool = False) -> Turn | None:
        return self.home.turns.ask(self.network, self.go_on, self.home.loop, late)

    def _read(self) -> None:
        self.frames -= 1
        self.home.loop.now += self.takes
        self.home.read.append(self.name)


class Home:
    """What readers share, and the names of those who were read."""

    def __init__(self) -> None:
        self.loop, self.turns, self.read = HandLoop(), ReadingTurns(), list[str]()

    def finish(self) -> None:
        while self.loop.waiting:
            self.loop.run_round()


def test_a_crowd_is_read_in_rounds_and_another_network_is_the_first_of_the_next() -> None:
    home = Home()
    for reader in (*[Reader(home, "crowd", 4) for _ in range(AT_ONCE)], Reader(home, "honest", 1)):
        reader.begin()
    assert home.read == ["crowd"] * AT_ONCE, "one round"
    home.loop.run_round()
    assert home.read.index("honest") <= AT_ONCE + 1
    home.finish()
    assert Counter(home.read) == {"crowd": 4 * AT_ONCE, "honest": 1}


def test_those_who_wait_are_read_for_a_short_time_however_few_they_are() -> None:
    home = Home()
    Reader(home, "crowd", AT_ONCE, "first").begin()
    for name in ("one", "two", "three"):
        Reader(home, "crowd", 1, name, takes=0.6 * LONGEST).begin()
    home.loop.run_round()
    assert home.read[AT_ONCE:] == ["one", "two"]
    home.loop.run_round()
    assert home.read[AT_ONCE + 2 :] == ["three"]


def test_another_network_does_not_wait_behind_a_crowd_that_waits() -> None:
    home = Home()
    Reader(home, "crowd", AT_ONCE, "first").begin()
    for name in ("one", "two", "three"):
        Reader(home, "crowd", 1, name, takes=0.6 * LONGEST).begin()
    home.loop.run_round()
    Reader(home, "honest", 1).begin()
    assert home.read[AT_ONCE:] == ["one", "two", "honest"]
    home.finish()
    assert home.read[AT_ONCE + 3 :] == ["three"]


def test_a_frame_that_takes_longer_than_a_round_is_read_alone() -> None:
    home = Home()
    Reader(home, "crowd", 3, takes=2 * LONGEST).begin()
    for read in (1, 2, 3):
        assert len(home.read) == read
        home.loop.run_round()


def test_the_connections_of_one_network_take_turns_as_well() -> None:
    home = Home()
    Reader(home, "home", 10 * AT_ONCE, "flood").begin()
    Reader(home, "home", 1, "other").begin()
    home.finish()
    assert home.read.index("other") <= AT_ONCE + 1


def test_each_round_that_writes_reads_as_many_again() -> None:
    home = Home()
    for _ in range(3):
        for reader in [Reader(home, "home", 1) for _ in range(AT_ONCE)]:
            reader.begin()
            assert reader.turn is None
        home.loop.now += 1.0
        home.turns.begin_round()


def test_a_connection_that_is_gone_is_passed_over() -> None:
    home = Home()
    crowd = [Reader(home, "crowd", 1) for _ in range(AT_ONCE + 2)]
    for reader in crowd:
        reader.begin()
    gone, last = crowd[-2:]
    assert gone.turn is not None
    gone.turn.cancel()
    home.finish()
    assert gone.frames == 1
    assert last.frames == 0
