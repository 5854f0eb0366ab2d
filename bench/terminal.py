"""How long a key takes to the screen: the real client on a pseudo-terminal, at a table of each game."""

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import tempfile
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyte

from parlour.machine.programs import PARLOUR, command_line

COMMAND = command_line(PARLOUR)
COLUMNS, ROWS = 120, 40
PRESSES = 200
LIMIT_MS = 50.0
PATIENCE = 30.0
GAMES = {"Balloon Cup": b"1", "Butterflies": b"2", "Hurry' Cup": b"3"}
"""The keys that begin a game against bots, in the menu of `play here`."""
RIGHT, LEFT, DOWN, UP = b"\x1b[C", b"\x1b[D", b"\x1b[B", b"\x1b[A"


class Player:
    """A person: presses, and waits for what is drawn."""

    def __init__(self, home: Path) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        home_of = {"XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home), "LC_ALL": "C.UTF-8"}
        environment = {**os.environ, **home_of, "TERM": "xterm-256color"}
        self.process = subprocess.Popen(
            [*COMMAND, "play", "--name", "Bench"], stdin=slave, stdout=slave, stderr=slave, env=environment
        )
        os.close(slave)
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._eyes = pyte.ByteStream(self._screen)

    def press(self, key: bytes) -> None:
        os.write(self._master, key)

    def drawn(self, within: float) -> bytes:
        """The next thing that is drawn, if anything is."""
        ready, _, _ = select.select([self._master], [], [], within)
        return os.read(self._master, 1 << 16) if ready else b""

    def until(self, words: str) -> None:
        """Looks until the words are on the screen."""
        deadline = time.monotonic() + PATIENCE
        while not any(words in line for line in self._screen.display):
            if time.monotonic() > deadline:
                raise RuntimeError(f"never saw {words!r}")
            self._eyes.feed(self.drawn(0.5))

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        os.close(self._master)


@contextmanager
def playing(key: bytes) -> Iterator[Player]:
    with tempfile.TemporaryDirectory() as home:
        player = Player(Path(home))
        try:
            player.until("Play here")
            player.press(b"p")
            player.until("Which game")
            player.press(key)
            player.until("Your turn")
            yield player
        finally:
            player.close()


def measure(player: Player) -> list[float]:
    """Milliseconds from a key to what it drew. Keys that draw nothing, at an edge, are not counted."""
    times: list[float] = []
    keys = (RIGHT, LEFT, DOWN, UP)
    for number in range(PRESSES):
        while player.drawn(0.0):
            pass
        began = time.perf_counter()
        player.press(keys[number % len(keys)])
        if player.drawn(0.3):
            times.append((time.perf_counter() - began) * 1000)
    return times


def main() -> None:
    print(
        f"Key to drawn screen, {COLUMNS}x{ROWS}, {PRESSES} presses of a key each (limit: p95 {LIMIT_MS:g} ms)"
    )
    for game, key in GAMES.items():
        with playing(key) as player:
            times = sorted(measure(player))
        p95 = times[int(len(times) * 0.95)]
        verdict = "ok" if p95 <= LIMIT_MS else "TOO SLOW"
        told = f"median {statistics.median(times):5.1f} ms   p95 {p95:5.1f} ms   worst {times[-1]:5.1f} ms"
        print(f"  {game:<12} {told}   of {len(times)}   {verdict}")


if __name__ == "__main__":
    main()
