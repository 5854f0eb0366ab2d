"""The commands about rules and messages: scenario, which checks them, and schema, which prints them."""

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from parlour.client.cli.subcommand import FAILED, FINE, Subcommand
from parlour.client.language.safe import one_line


def _scenario_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="a .json file, or a folder of them"
    )


def _scenario(given: argparse.Namespace) -> int:
    from parlour.engine.scenario import BadScenario, Failed, Scenario

    status = FINE
    for path in _files(given.files):
        try:
            scenario = Scenario.load(path)
            scenario.run()
        except (BadScenario, Failed) as wrong:
            status = FAILED
            print(one_line(f"FAILED {path}: {wrong}"))
        else:
            print(one_line(f"ok {path}: {scenario.title}"))
    return status


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """The files named, and those in the folders named; an empty folder stands for itself, and fails."""
    for path in paths:
        found = sorted(path.rglob("*.json")) if os.path.isdir(path) else []
        yield from found or [path]


def _no_arguments(_: argparse.ArgumentParser) -> None:
    """There are none."""


def _schema(_: argparse.Namespace) -> int:
    import json

    from parlour.protocol.schema import schema

    print(json.dumps(schema(), indent=2))
    return FINE


SCENARIO = Subcommand("scenario", "check rules cases written as JSON files", _scenario_arguments, _scenario)
SCHEMA = Subcommand("schema", "print all messages of the protocol as a JSON Schema", _no_arguments, _schema)
