"""Shows a game that has been played, move by move: in place on a terminal, line after line anywhere else."""

import os
import time
from collections.abc import Callable, Sequence
from typing import TextIO

import attrs
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.shortcuts import print_formatted_text

from parlour.client.boards.room import LEAST, Room
from parlour.client.boards.style import STYLE
from parlour.client.boards.text import WIDTH, Line, cut, drawn, plain, wrapped
from parlour.client.language import ENGLISH, Texts
from parlour.machine.output import printable

SLOWEST = 0.6
"""Seconds that a frame stays when nobody asked for another pace."""
WHOLE_GAME = 30.0
"""Seconds that a whole game takes at most at that pace."""
NEWS_LINES = 4
FOOT = 1


@attrs.frozen
class Frame:
    """The board after a move, for any room, and what happened in it."""

    board: Callable[[Room], Sequence[Line]]
    sentences: Sequence[str]


def pace(frames: int) -> float:
    """The pause after each of so many frames, if none was asked for."""
    return min(SLOWEST, WHOLE_GAME / max(frames, 1))


def show(
    frames: Sequence[Frame],
    closing: Sequence[str],
    stream: TextIO,
    pause: float | None = None,
    sleep: Callable[[float], None] = time.sleep,
    texts: Texts = ENGLISH,
) -> None:
    """Plays the frames, then leaves the last board and the closing lines on the screen."""
    ascii = only_ascii(stream)
    if stream.isatty() and os.environ.get("TERM") != "dumb":
        output = create_output(stdout=stream)
        _play(frames, output, pace(len(frames)) if pause is None else pause, sleep, ascii, texts)
        board = frames[-1].board(_room(output, ascii))
        _print([*board, [], *[[("class:name", f" {line}")] for line in closing]], output)
        return
    for frame in frames:
        for line in _news_lines(frame, texts):
            stream.write(f"{printable(plain(line))}\n")
        stream.write("\n")
        for line in frame.board(attrs.evolve(LEAST, ascii=ascii)):
            stream.write(f"{printable(plain(line))}\n")
        stream.write("\n")
    for text in closing:
        stream.write(f"{printable(text)}\n")
    stream.flush()


def only_ascii(stream: TextIO) -> bool:
    """Whether the stream could not even write what boards are drawn with."""
    try:
        "╭★▸".encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _room(output: Output, ascii: bool) -> Room:
    size = output.get_size()
    besides = NEWS_LINES + FOOT
    return Room(size.columns, size.rows - besides, ascii, besides)


def _news_lines(frame: Frame, texts: Texts, width: int = WIDTH) -> list[Line]:
    told = texts.in_a_row(list(filter(None, frame.sentences)) or [""])
    return [[("", f" {text}")] for text in wrapped(told, max(width - 2, 1))]


def _play(
    frames: Sequence[Frame],
    output: Output,
    pause: float,
    sleep: Callable[[float], None],
    ascii: bool,
    texts: Texts,
) -> None:
    """On the terminal's other screen, so that an interrupted demo leaves nothing behind."""
    output.enter_alternate_screen()
    output.hide_cursor()
    try:
        for number, frame in enumerate(frames, 1):
            size = output.get_size()
            place = texts("demo.foot", number=number, count=len(frames))
            foot: Line = [("class:faint", f" {place}")]
            board = list(frame.board(_room(output, ascii)))
            told = _news_lines(frame, texts, min(size.columns, WIDTH))[:NEWS_LINES]
            spare = size.rows - len(board) - len(told) - FOOT
            blank: list[Line] = [[]] * max(spare - 1, 0)
            gap: list[Line] = [[]] if spare > 0 else []
            lines = [*board, *gap, *told, *blank, foot][-size.rows :]
            output.erase_screen()
            output.cursor_goto(0, 0)
            _print([cut(line, size.columns) for line in lines], output, end="")
            sleep(pause)
    finally:
        output.show_cursor()
        output.quit_alternate_screen()
        output.flush()


def _print(lines: Sequence[Line], output: Output, end: str = "\n") -> None:
    """All in one piece: the terminal gets no half-drawn board."""
    print_formatted_text(FormattedText(drawn(lines)), end=end, style=STYLE, output=output)
