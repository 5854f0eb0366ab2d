"""The commands about rules and messages: scenario, which checks them, and schema, which prints them."""

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from parlour.client.cli.subcommand import FAILED, FINE
from parlour.client.language.safe import one_line
from parlour.engine.scenario import BadScenario, Failed, Scenario
from parlour.protocol.schema import schema


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
            print(one_line(f"FAILED {path}: {wrong}"))
        else:
            print(one_line(f"ok {path}: {case.title}"))
    return status


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """The files named, and those in the folders named; an empty folder stands for itself, and fails."""
    for path in paths:
        found = sorted(path.rglob("*.json")) if os.path.isdir(path) else []
        yield from found or [path]


def add_nothing(_: argparse.ArgumentParser) -> None:
    """For a command without arguments."""


def print_schema(_: argparse.Namespace) -> int:
    print(json.dumps(schema(), indent=2))
    return FINE
