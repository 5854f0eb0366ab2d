"""What a program writes for people to read: text of others is shown and never obeyed.

Names, chat, files and programs of others may hold escapes that move a terminal's cursor, marks that turn the
direction of writing, and letters that cannot be seen. Whatever was done to a text before, it passes through
here where it leaves the program: `say` for commands, `LogFormatter` for logs, `printable` for screens and
tables, `printable_json` for JSON.
"""

import json
import logging
import sys
from typing import Any, TextIO

MARK = "\N{REPLACEMENT CHARACTER}"
"""Stands where something was that cannot be shown."""
COMMANDS = "%(levelname)s %(name)s %(message)s"
"""A line of the log of a command; that of a server has the time in front."""


def printable(text: str) -> str:
    """The text in one line, with MARK for what a terminal would obey, turn around or not show."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else MARK for letter in text)


def printable_json(value: Any, **layout: Any) -> str:
    """The value as JSON in which such letters stand as escapes: it means the same to every program."""
    text = json.dumps(value, ensure_ascii=False, **layout)
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1] for letter in text
    )


def say(*lines: str, file: TextIO | None = None) -> None:
    """Prints lines, each in one line."""
    for line in lines:
        print(printable(line), file=file or sys.stdout, flush=True)


class LogFormatter(logging.Formatter):
    """Lines after the first are set in, so that no text in a message looks like an event of its own."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n  ".join(map(printable, super().format(record).split("\n")))


def log_to_stderr(logger: logging.Logger, level: int, form: str = COMMANDS) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LogFormatter(form))
    logger.addHandler(handler)
    logger.setLevel(level)
