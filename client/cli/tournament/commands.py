"""`parlour tournament`: the words behind it, and how each tells what is wrong with rules or a folder."""

import argparse
from collections.abc import Callable

from parlour.client.cli.archive_texts import error_text
from parlour.client.cli.subcommand import BadArguments, Parser, speaking
from parlour.client.cli.tournament import actions as tournaments
from parlour.client.cli.tournament import arguments
from parlour.server.config import DEFAULT_ARCHIVE
from parlour.server.storage.library import Refused

Behind = Callable[[argparse.ArgumentParser], None]
WORDS: dict[str, tuple[str, Behind, tournaments.Command]] = {
    "create": ("create a tournament from the rules in a file", arguments.for_create, tournaments.create),
    "list": ("list the tournaments of a server", arguments.for_list, tournaments.list_),
    "enter": ("let a bot take part until the end", arguments.for_enter, tournaments.enter),
    "watch": ("watch pairings, results and standings", arguments.for_watch, tournaments.watch),
    "start": ("start or resume one of your tournaments", arguments.for_start, tournaments.start),
    "pause": ("start no new games until it is resumed", arguments.for_stopping, tournaments.pause),
    "cancel": ("cancel one of your tournaments", arguments.for_stopping, tournaments.cancel),
    "export": ("write a folder with all results and games", arguments.for_export, tournaments.export),
    "verify": (
        "replay every game in a folder and recompute the results",
        arguments.for_verify,
        tournaments.verify,
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    words = parser.add_subparsers(metavar="WORD", dest="word", parser_class=Parser, required=True)
    for word, (summary, behind, _) in WORDS.items():
        about = f"{summary[:1].upper()}{summary[1:]}."
        below = words.add_parser(word, help=summary, description=about, allow_abbrev=False)
        behind(below)
        if word == "export":
            below.set_defaults(archive=DEFAULT_ARCHIVE)


def run(given: argparse.Namespace) -> int:
    texts = speaking(given.lang)
    try:
        return WORDS[given.word][2](given, texts)
    except Refused as wrong:
        facts = dict(wrong.facts)
        if wrong.kind == "BadRules":
            facts["path"] = given.file
            if facts["line"] is not None:
                facts["problem"] = texts("tournament.said.in_line", **facts)
            elif facts["where"]:
                facts["problem"] = f"{facts['where']}: {facts['problem']}"
        raise BadArguments(error_text(wrong.kind, facts, texts)) from None
