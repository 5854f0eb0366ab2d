"""Where finished games are looked for: in the archive that was named, otherwise in both usual places.

`parlour serve` keeps its games in a file of the folder where it was started, and a game against bots lies in
the user's own data folder.
"""

import argparse
import os
from collections.abc import Sequence

from parlour.client.cli.subcommand import BadArguments
from parlour.client.language import Texts
from parlour.client.settings import archive as own_archive
from parlour.server.config import DEFAULT_ARCHIVE
from parlour.server.records.record import Record, game_id
from parlour.server.storage import library


def add_archive(parser: argparse.ArgumentParser) -> None:
    """For a command that reads games wherever they are."""
    parser.add_argument(
        "--archive",
        metavar="PATH",
        help="the file or postgresql:// address where a server keeps its games (default: "
        f"{DEFAULT_ARCHIVE} in this folder, and your own games against bots)",
    )


def archives(given: argparse.Namespace, texts: Texts) -> list[str]:
    """The archives to look into; raises BadArguments if none was named and there is none."""
    if given.archive is not None:
        return [given.archive]
    usual = [os.path.abspath(DEFAULT_ARCHIVE), str(own_archive())]
    there = {os.path.realpath(path): path for path in usual if os.path.exists(path)}
    if not there:
        raise BadArguments(texts("records.no_archive", here=usual[0], own=usual[1]))
    return list(there.values())


def find_game(given: argparse.Namespace, texts: Texts) -> tuple[str, Record]:
    """The archive that has a game, by its id or the beginning of it, and the game."""
    paths = archives(given, texts)
    found: list[tuple[str, Record]] = []
    for path in paths:
        try:
            found.append((path, library.find_record(path, given.which)))
        except library.Refused as wrong:
            if wrong.kind != "NoSuchGame":
                raise
    if not found:
        raise library.Refused("NoSuchGame", path=texts.listed(paths), game=given.which)
    exact = [each for each in found if game_id(each[1].header).lower() == given.which.lower()]
    first, *others = exact or found
    if any(record != first[1] for _, record in others):
        raise BadArguments(texts("records.in_both", game=given.which, paths=texts.listed(paths)))
    return first


def told_place(given: argparse.Namespace, paths: Sequence[str], texts: Texts) -> list[str]:
    """Says where games were found, unless the place was named."""
    return [] if given.archive is not None else [texts("records.found_in", paths=texts.listed(paths))]
