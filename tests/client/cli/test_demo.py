"""The demo: a whole game, the same from the same seed, on a terminal and off it."""

import fcntl
import functools
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from parlour.client.boards import catalogue as gallery
from parlour.client.boards import plain as plain_board
from parlour.client.boards.text import Line, plain
from parlour.client.cli import demo_screen as demo
from parlour.client.cli.demo_screen import Frame, pace, show
from parlour.client.cli.main import main
from parlour.engine.catalogue import GAMES

PARLOUR = str(Path(sys.executable).parent / "parlour")
ALTERNATE, NORMAL, HIDE, SHOW = "\x1b[?1049h", "\x1b[?1049l", "\x1b[?25l", "\x1b[?25h"
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|9[0-7]|10[0-7])(?:;\d+)*m")


class Terminal:
    """A `parlour demo` on a terminal of 80 by 24."""

    def __init__(self, *words: str, **environment: str) -> None:
        self._end, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        env |= {"TERM": "xterm-256color", **environment}
        self.running = subprocess.Popen(
            [PARLOUR, "demo", *words], stdin=other, stdout=other, stderr=other, env=env
        )
        os.close(other)
        self.shown = ""

    def read(self) -> Iterator[str]:
        while True:
            try:
                piece = os.read(self._end, 65536)
            except OSError:  # Linux: the other end is closed
                piece = b""
            if not piece:
                os.close(self._end)
                return
            self.shown += piece.decode("utf-8", errors="replace")
            yield self.shown

    def read_all(self) -> tuple[int, str]:
        """The exit status, and all that was written."""
        for _ in self.read():
            pass
        return self.running.wait(), self.shown


def piped(*words: str) -> str:
    run = subprocess.run(
        [PARLOUR, "demo", *words], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert run.stderr == ""
    return run.stdout


@functools.cache
def seven() -> str:
    """One game off a terminal, for all tests that only read it; nobody waits for the delay there."""
    return piped("--seed", "7", "--delay", "60")


def test_the_same_seed_gives_the_same_game_and_another_one_another() -> None:
    assert piped("--seed", "7") == seven() != piped("--seed", "four winds")


def test_without_a_seed_the_game_can_be_repeated_from_its_last_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = piped()
    again = first.splitlines()[-1]
    assert again.startswith("The same game again: parlour demo ")
    assert main(["demo", *again.split()[6:]]) == 0
    assert capsys.readouterr().out == first


def test_off_a_terminal_there_are_no_escape_codes_and_every_move_is_told() -> None:
    text = seven()
    assert "\x1b" not in text and "\r" not in text
    boards = text.count("BALLOON CUP")
    assert boards > 40 and text.count("▶") == boards - 1
    assert text.count(" played ") > 30
    assert "The game is over." in text
    assert re.search(r"^Result: (Anna|Ben) won \(trophies\)\.$", text, re.MULTILINE)


def test_the_hand_of_the_other_player_stays_hidden_until_the_end() -> None:
    lines = seven().splitlines()
    hands = [lines[row + 2] for row, line in enumerate(lines) if line.startswith(" BALLOON CUP")]
    assert all(hand.startswith(" Ben  ") for hand in hands)
    assert all("▒▒" in hand or "shown" in hand for hand in hands[:-1])
    assert "▒▒" not in hands[-1]


def test_on_a_terminal_the_board_is_redrawn_in_place_and_the_last_one_stays() -> None:
    terminal = Terminal("--seed", "7", "--delay", "0")
    status, shown = terminal.read_all()
    assert status == 0
    film, after = shown.split(NORMAL)
    assert film.index(ALTERNATE) < film.index(HIDE) < film.index("BALLOON CUP")
    assert film.count("\x1b[2J") == film.count("BALLOON CUP") > 40
    assert film.rindex(SHOW) > film.rindex("BALLOON CUP")
    assert after.count("BALLOON CUP") == 1 and "Result: " in after
    assert COLOUR.search(film)


def test_no_color_is_respected() -> None:
    _, shown = Terminal("--seed", "7", "--delay", "0", NO_COLOR="1").read_all()
    assert "\x1b[2J" in shown and not COLOUR.search(shown)


def test_a_dumb_terminal_gets_plain_lines() -> None:
    _, shown = Terminal("--seed", "7", TERM="dumb").read_all()
    assert "Result: " in shown and "\x1b" not in shown


def test_an_interrupted_demo_leaves_the_terminal_as_it_was() -> None:
    # A signal that comes just before a sleep is noticed after it: the sleep is short, and the game is long.
    terminal = Terminal("--seed", "7", "--delay", "5")
    for shown in terminal.read():
        if "Ctrl-C leaves" in shown:
            terminal.running.send_signal(signal.SIGINT)
            break
    status, shown = terminal.read_all()
    left = shown.split("Ctrl-C leaves")[-1]
    assert status == 130
    assert SHOW in left and left.endswith(NORMAL)
    assert "Traceback" not in shown and "Result" not in shown


def test_a_whole_game_takes_half_a_minute_at_most_unless_asked_otherwise() -> None:
    assert pace(10) == demo.SLOWEST
    assert all(pace(frames) * frames <= demo.WHOLE_GAME + 1e-9 for frames in (1, 50, 100, 5000))


def test_every_line_of_a_move_is_told_off_the_terminal() -> None:
    stream = StringIO()
    board: list[Line] = [[("class:title", "board")], [("", "x  ")]]
    show([Frame(lambda _: board, ["One.", "Two."]), Frame(lambda _: board, [])], ["End."], stream)
    assert stream.getvalue() == " One. Two.\n\nboard\nx\n\n\nboard\nx\n\nEnd.\n"


# Games without a board of their own


def test_a_view_without_a_picture_is_listed_field_by_field() -> None:
    view = {"to_act": [0], "cubes": [{"red": 1}], "long": ["red-13"] * 30}
    lines = [plain(line) for line in plain_board.draw(view, 0, ("Anna", "Ben"))]
    assert lines[:2] == [" to_act  [0]", " cubes   [{red: 1}]"]
    assert lines[2].startswith(" long    [red-13, ") and lines[3].startswith("         red-13")
    assert max(map(len, lines)) < 80
    assert " ".join(lines).count("red-13") == 30


def test_what_is_empty_is_not_listed_and_the_longest_comes_last() -> None:
    view = {"track": ["straight"] * 30, "oil": None, "ranks": [None, None], "helmet": False, "points": [0, 0]}
    lines = [plain(line) for line in plain_board.draw(view, 0, ())]
    assert [line.split()[0] for line in lines[:2]] == ["points", "track"]


def test_news_without_a_picture_is_told_by_its_kind_and_fields() -> None:
    news = {"type": "card_drawn", "seat": 1, "card": None, "to": ["a", 2]}
    assert plain_board.words(news, ("Anna", "Ben")) == "Card drawn: seat Ben, card null, to [a, 2]."
    assert plain_board.words({"type": "race_over"}, ()) == "Race over."
    assert plain_board.words({"type": "left", "seat": 7}, ("Anna",)) == "Left: seat 7."


def test_the_demo_falls_back_to_the_listing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gallery, "BOARDS", {})
    assert main(["demo", "--seed", "1"]) == 0
    text = capsys.readouterr().out
    assert "BALLOON" not in text
    assert re.search(r"^ to_act +\[[01]\]$", text, re.MULTILINE)
    assert "Card played: seat Anna, card " in text and "card null." in text


@pytest.mark.parametrize(
    ("name", "seats"), [(name, seats) for name, game in GAMES.items() for seats in game.seats]
)
def test_every_game_of_the_catalogue_can_be_watched_with_every_number_of_players(
    name: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--game", name, "--seats", str(seats), "--seed", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-2].startswith("Result: ")
