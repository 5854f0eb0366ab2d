"""`python -m tools.commands_page`: writes docs/commands.md from the parser of the `parlour` command.

The page is laid out here and not by argparse, whose help depends on the width of the terminal and on the
version of Python. A test compares the file with what this module gives.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from parlour.client.cli.main import parser
from parlour.client.cli.subcommand import Parser

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
    for name, command in parser().words.items():
        parts.append(_section("##", f"parlour {name}", command))
        for word, below in command.words.items():
            parts.append(_section("###", f"parlour {name} {word}", below))
    return "\n".join(parts)


def _section(level: str, title: str, command: Parser) -> str:
    usage = ["```text", *usage_of(title, command), "```"]
    lines = [f"{level} {title}", "", command.description or "", "", *usage, ""]
    rows = [f"| `{name_of(action)}` | {about_of(title, action)} |" for action in arguments_of(command)]
    if rows:
        lines += ["| argument | what it does |", "| --- | --- |", *rows, ""]
    return "\n".join(lines)


def arguments_of(command: Parser) -> list[argparse.Action]:
    """What may stand behind a command: words first, then flags. `--help` is the same everywhere."""
    shown = [each for each in command.arguments if each.help is not argparse.SUPPRESS and each.dest != "help"]
    return sorted(shown, key=lambda action: bool(action.option_strings))


def name_of(action: argparse.Action) -> str:
    """An argument as one types it: `HOST`, `--name NAME`, `--json`."""
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return value.replace("|", "\\|")
    flag = action.option_strings[-1]
    return flag if action.nargs == 0 else f"{flag} {value}"


def about_of(title: str, action: argparse.Action) -> str:
    told = (action.help or "") % {**vars(action), "prog": title}
    return " ".join(told.split()).replace("|", "\\|")


def usage_of(title: str, command: Parser) -> Iterator[str]:
    """`parlour bot [URL] [--game NAME]`, in lines of at most WIDTH columns."""
    words = [_in_usage(action) for action in arguments_of(command)]
    if command.words:
        words.append("WORD ...")
    line = title
    for word in words:
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = " " * len(title)
        line = f"{line} {word}"
    yield line


def _in_usage(action: argparse.Action) -> str:
    name = name_of(action).replace("\\|", "|")
    if action.option_strings:
        return name if action.required else f"[{name}]"
    many = {"?": "[{0}]", "*": "[{0} ...]", "+": "{0} [{0} ...]"}
    return many.get(str(action.nargs), "{0}").format(name)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
