"""What is wrong with an archive or a replay file, in words: from the facts of the server's error."""

from collections.abc import Callable, Mapping
from typing import Any

Facts = Mapping[str, Any]


def _held(facts: Facts) -> str:
    by = f"process {facts['pid']}" if facts["pid"] is not None else "another process"
    on = f" on {facts['host']}" if facts["host"] else ""
    since = f" since {facts['since']}" if facts["since"] else ""
    return f"a server has it open ({by}{on}{since}): stop that one first, or name another with --archive"


def _damaged(facts: Facts) -> str:
    how = {"empty": "it is empty", "short": "its end is missing"}.get(
        facts["problem"], "its content is broken"
    )
    return (
        f"is damaged ({how}); it was left as it is: put a copy in its place, or name another with --archive"
    )


def _placed(facts: Facts) -> str:
    return f"{facts['where']}: {facts['problem']}" if facts["where"] else str(facts["problem"])


_SENTENCES: dict[str, Callable[[Facts], str]] = {
    "Held": _held,
    "NotOurs": lambda _: "is no archive of Parlour's, and was left as it is: name another with --archive",
    "Damaged": _damaged,
    "TooNew": lambda facts: (
        f"was written by a later Parlour (version {facts['version']}; this one knows "
        f"up to {facts['newest']}): install that one"
    ),
    "TooOld": lambda facts: (
        f"is of an older Parlour (version {facts['version']}, now {facts['newest']}): "
        "open it once with `parlour serve --archive`, which brings it up to date"
    ),
    "Missing": lambda _: (
        "there is no archive: name one with --archive, or play a game on `parlour serve` first"
    ),
    "Unreadable": lambda facts: f"cannot be read: {facts['reason']}",
    "Unwritable": lambda facts: f"cannot be written: {facts['reason']}",
    "NotStored": lambda facts: f"nothing was stored: {facts['reason']}",
    "KnownGame": lambda facts: f"game {facts['game']} is there already",
    "NoSuchGame": lambda facts: f"there is no game {facts['game']!r}: `parlour games` lists those there are",
    "Ambiguous": lambda facts: (
        f"{facts['game']!r} may be {facts['among'][0]}, {facts['among'][1]} or another: write more of it"
    ),
    "Unfinished": lambda facts: (
        f"game {facts['game']} has not ended, and what players hide is not shown before"
    ),
    "BadGame": lambda facts: f"game {facts['game']} is damaged: {_placed(facts)}",
    "FileThere": lambda _: "is there already, and was left as it is: name another file",
    "NoFile": lambda facts: str(facts["reason"]),
    "BadFile": lambda facts: _placed(facts),
}
"""By the name of the error's class, or the word for it in the server's library."""


def said(kind: str, facts: Facts) -> str:
    """One line that names the file, what is wrong with it, and what to do."""
    tell = _SENTENCES.get(kind)
    return f"{facts['path']}: {tell(facts) if tell is not None else f'cannot be used ({kind})'}"
