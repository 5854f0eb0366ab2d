"""The commands about rules and messages: rules, to be read; scenario, which checks them; schema."""

import argparse
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from parlour.client.cli.subcommand import FAILED, FINE, BadArguments, add_language, speaking
from parlour.engine.scenario import BadScenario, Failed, Scenario
from parlour.machine.output import printable_json, say
from parlour.protocol.schema import schema

WIDEST = 100
"""Columns of a paragraph: longer lines are hard to read."""


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="one of those that `parlour demo --game` takes")
    add_language(parser)


def rules(given: argparse.Namespace) -> int:
    """Prints the rules of a game with its usual options."""
    from parlour.client.boards.catalogue import BOARDS
    from parlour.client.boards.text import wrapped

    texts = speaking(given.lang)
    if given.game not in BOARDS:
        raise BadArguments(f"there is no game {given.game!r}; there are: {', '.join(BOARDS)}")
    width = min(shutil.get_terminal_size().columns, WIDEST)
    pages = [wrapped(each, width) for each in BOARDS[given.game].rules({}, texts)]
    say(*"\n\n".join("\n".join(lines) for lines in pages).split("\n"))
    return FINE


def add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="a .json file, or a folder of them"
    )


def scenario(given: argparse.Namespace) -> int:
    status = FINE
    for path in _files(given.files):
        try:
            case = Scenario.load(path)
            case.run()
        except (BadScenario, Failed) as wrong:
            status = FAILED
            say(f"FAILED {path}: {wrong}")
        else:
            say(f"ok {path}: {case.title}")
    return status


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """The files named, and those in the folders named; an empty folder stands for itself, and fails."""
    for path in paths:
        found = sorted(path.rglob("*.json")) if os.path.isdir(path) else []
        yield from found or [path]


def add_nothing(_: argparse.ArgumentParser) -> None:
    """For a command without arguments."""


def print_schema(_: argparse.Namespace) -> int:
    say(*printable_json(schema(), indent=2).split("\n"))
    return FINE
