"""`python -m tools.commands_page`: writes docs/commands.md from the parser of the `parlour` command.

The page is laid out here and not by argparse, whose help depends on the width of the terminal and on the
version of Python. A test compares the file with what this module gives.
"""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

from parlour.client.cli.main import parser

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"
WIDTH = 100
"""Columns of a usage; what does not fit goes on in the next line."""
OPENING = """\
# Commands

`python -m tools.commands_page` writes this page from the program itself. `parlour COMMAND --help` tells the
same in a terminal. `parlour` alone is `parlour play` and takes the same options.

A command ends with status 0 if all went well, and with 2 if it was not understood or cannot read what it was
given. For commands that check something (`doctor`, `scenario`, `verify`, `bot check`, `tournament verify`),
status 1 means that they found a fault.
"""


def page() -> str:
    """The whole page."""
    parts = [OPENING]
    for name, command in _commands(parser()).items():
        parts.append(_section("##", f"parlour {name}", command))
        for word, below in _commands(command).items():
            parts.append(_section("###", f"parlour {name} {word}", below))
    return "\n".join(parts)


def _commands(above: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """The words that may follow, in the order in which they were added."""
    for action in above._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _section(level: str, title: str, command: argparse.ArgumentParser) -> str:
    usage = ["```text", *_usage(title, command), "```"]
    lines = [f"{level} {title}", "", command.description or "", "", *usage, ""]
    rows = [f"| `{_name(action)}` | {_about(title, action)} |" for action in _arguments(command)]
    if rows:
        lines += ["| argument | what it does |", "| --- | --- |", *rows, ""]
    return "\n".join(lines)


def _arguments(command: argparse.ArgumentParser) -> list[argparse.Action]:
    """What may stand behind a command: words first, then flags. `--help` is the same everywhere."""
    shown = [
        action
        for action in command._actions
        if action.help is not argparse.SUPPRESS
        and not isinstance(action, (argparse._HelpAction, argparse._SubParsersAction))
    ]
    return sorted(shown, key=lambda action: bool(action.option_strings))


def _name(action: argparse.Action) -> str:
    """An argument as one types it: `HOST`, `--name NAME`, `--json`."""
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return value.replace("|", "\\|")
    flag = action.option_strings[-1]
    return flag if action.nargs == 0 else f"{flag} {value}"


def _about(title: str, action: argparse.Action) -> str:
    told = (action.help or "") % {**vars(action), "prog": title}
    return " ".join(told.split()).replace("|", "\\|")


def _usage(title: str, command: argparse.ArgumentParser) -> Iterator[str]:
    """`parlour bot [URL] [--game NAME]`, in lines of at most WIDTH columns."""
    words = [_in_usage(action) for action in _arguments(command)]
    if _commands(command):
        words.append("WORD ...")
    line = title
    for word in words:
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = " " * len(title)
        line = f"{line} {word}"
    yield line


def _in_usage(action: argparse.Action) -> str:
    name = _name(action).replace("\\|", "|")
    if action.option_strings:
        return name if action.required else f"[{name}]"
    many = {"?": "[{0}]", "*": "[{0} ...]", "+": "{0} [{0} ...]"}
    return many.get(str(action.nargs), "{0}").format(name)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
