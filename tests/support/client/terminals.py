"""The real application on a real pseudo-terminal, with an emulated screen, or in lines; a wire to be cut."""

import contextlib
import fcntl
import os
import pty
import queue
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pyte
from prompt_toolkit.utils import get_cwidth

from parlour.client.boards.text import columns
from parlour.client.terminal.app import FRAME, FRAMED

PARLOUR = str(Path(sys.executable).parent / "parlour")
PATIENCE = 60.0
"""No test waits longer for anything; nothing is expected to take that long."""
LOOKS = 0.1
"""Seconds after which a program that draws nothing is looked at: it may have ended."""
OVER = "\0"
"""In the place of a line that will not come."""
KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "f10": "\x1b[21~",
    "c-c": "\x03",
    "backspace": "\x7f",
}


def environment(home: Path) -> dict[str, str]:
    """A player who has never played, in English unless told otherwise."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LANGUAGE", "LANG")}
    return {
        **kept,
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
    }


def _in_letters(cells: list[str]) -> str:
    """A row as text. The second cell of a wide letter is empty; without its first one it shows nothing.

    pyte's own `display` breaks where something was drawn over the first half of a wide letter.
    """
    before = ["", *cells]
    return "".join(
        cell or ("" if get_cwidth(first) == 2 else " ") for cell, first in zip(cells, before, strict=False)
    )


class Terminal:
    """What a person has before them: keys to press, and a screen to look at."""

    def __init__(self, home: Path, *words: str, columns: int = 80, rows: int = 24, **more: str) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._master, slave = pty.openpty()
        self._size(columns, rows)
        self.process = subprocess.Popen(
            [PARLOUR, *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**environment(home), **more},
            start_new_session=True,
        )
        os.close(slave)
        self.raw = b""

    def _size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        self._size(columns, rows)
        self.screen.resize(rows, columns)
        self.process.send_signal(signal.SIGWINCH)

    @property
    def text(self) -> str:
        screen = self.screen
        rows = ([screen.buffer[y][x].data for x in range(screen.columns)] for y in range(screen.lines))
        return "\n".join(_in_letters(row).rstrip() for row in rows)

    def press(self, *keys: str) -> None:
        for key in keys:
            # Whoever has just left hears no more keys.
            with contextlib.suppress(OSError):
                os.write(self._master, KEYS.get(key, key).encode())

    def click(self, column: int, row: int) -> None:
        """Counted from 0, with the left button."""
        for end in "Mm":
            os.write(self._master, f"\x1b[<0;{column + 1};{row + 1}{end}".encode())

    def find(self, words: str) -> tuple[int, int]:
        """Column and row of the first letter of what is to be seen; waits for it."""
        lines = self.see(words).splitlines()
        row = next(number for number, line in enumerate(lines) if words in line)
        return columns([("", lines[row].partition(words)[0])]), row

    def click_on(self, words: str) -> None:
        self.click(*self.find(words))

    def look(self, within: float) -> bool:
        """Takes in what was drawn by now, to the end of a drawing; False if nothing was, for so long."""
        before = len(self.raw)
        while select.select([self._master], [], [], self._patience(before, within))[0]:
            try:
                data = os.read(self._master, 65536)
            except OSError:  # the other end is closed
                break
            self.raw += data
            self._stream.feed(data)
        return len(self.raw) > before

    def _patience(self, before: int, within: float) -> float:
        """Seconds to wait for more: nobody looks at a drawing that is half done."""
        if len(self.raw) == before:
            return within
        return PATIENCE if self.raw.rfind(FRAME.encode()) > self.raw.rfind(FRAMED.encode()) else 0.0

    def until(self, seen: Callable[[str], bool], what: str = "") -> str:
        """Looks until something is to be seen."""
        deadline = time.monotonic() + PATIENCE
        while not seen(text := self.text):
            over = self.process.poll() is not None
            if not self.look(LOOKS) and (over or time.monotonic() > deadline):
                raise AssertionError(f"never saw {what}:\n{self.text}")
        return text

    def see(self, words: str) -> str:
        return self.until(lambda text: words in text, repr(words))

    def follow(self, *steps: tuple[str, str]) -> None:
        """Presses each key once its words are to be seen."""
        for words, key in steps:
            self.see(words)
            self.press(key)

    @property
    def pointed(self) -> str:
        """The line with what is pointed at in a game; empty if there is none."""
        return next((line for line in reversed(self.text.splitlines()) if "◂" in line), "")

    def choose(self, sign: str) -> None:
        """Takes at each step what is pointed at, until the sign of the move is to be seen."""
        while sign not in self.text:
            before = self.pointed
            self.press("enter")
            self.until(lambda text, old=before: sign in text or self.pointed not in ("", old), sign)  # type: ignore[misc]

    def ended(self) -> int:
        """The exit status, once all is read that was drawn until the end."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            self.look(LOOKS)
        self.look(0)
        return self.process.wait(1)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)


@contextlib.contextmanager
def terminal(home: Path, *words: str, columns: int = 80, rows: int = 24, **more: str) -> Iterator[Terminal]:
    """`more` are variables of its environment."""
    shown = Terminal(home, *words, columns=columns, rows=rows, **more)
    try:
        yield shown
    finally:
        shown.close()


class Lines:
    """The application with pipes instead of a terminal."""

    def __init__(self, home: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [PARLOUR, "play", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment(home),
        )
        self.said: list[str] = []
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stdout:
            for line in stdout:
                self._lines.put(line.rstrip("\n"))
        self._lines.put(OVER)

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def read(self) -> str:
        try:
            line = self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            line = OVER
        assert line != OVER, "\n".join(["nothing came after", *self.said[-12:]])
        self.said.append(line)
        return line

    def until(self, *words: str) -> str:
        """Reads up to a line with any of these words."""
        while True:
            line = self.read()
            if any(each in line for each in words):
                return line

    def end(self) -> list[str]:
        """Closes the input, and gives all that is said after that."""
        assert self.process.stdin is not None and self.process.stderr is not None
        self.process.stdin.close()
        before = len(self.said)
        with contextlib.suppress(AssertionError):
            while True:
                self.read()
        assert (self.process.wait(PATIENCE), self.process.stderr.read()) == (0, "")
        self.process.stderr.close()
        return self.said[before:]


@contextlib.contextmanager
def server() -> Iterator[tuple[str, int]]:
    """A server of its own, as a process, which nobody finds who was not told of it."""
    command = [PARLOUR, "serve", "--host", "127.0.0.1", "--port", "0", "--hidden", "--no-archive"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            line = next(line for line in process.stdout if "ws://127.0.0.1:" in line)
            yield "127.0.0.1", int(line.partition("ws://127.0.0.1:")[2].split()[0].rstrip("/"))
        finally:
            process.terminate()


@attrs.define
class Shared:
    """A server that other tests have used before: whoever comes needs a name that nobody had."""

    host: str
    port: int
    _named: int = 0

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    def name(self, like: str) -> str:
        self._named += 1
        return f"{like}{self._named}"


class Wire:
    """A way to a server that can be cut and mended, on one port."""

    def __init__(self, to: tuple[str, int]) -> None:
        self._to = to
        self._ends: list[socket.socket] = []
        self._listener = self._listen(0)
        self.port: int = self._listener.getsockname()[1]

    def _listen(self, port: int) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(self._to)
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def cut(self) -> None:
        with contextlib.suppress(OSError):
            # A thread that waits in accept would keep the port.
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        ends, self._ends = self._ends, []
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._listener = self._listen(self.port)
