"""The commands about games that were played, each with the server's library in its hands."""

import argparse
from collections.abc import Callable

from parlour.client.cli.records import hint as hinting
from parlour.client.cli.records import running as records
from parlour.client.cli.subcommand import FAILED, BadArguments, Subcommand, speaking
from parlour.client.language.safe import one_line


def _of_records(
    name: str, summary: str, behind: Callable[[argparse.ArgumentParser], None], command: records.Command
) -> Subcommand:
    """One of `record_commands.py`, with the server's library in its hands."""

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        from parlour.server.config import DEFAULT_ARCHIVE

        behind(parser)
        parser.set_defaults(archive=DEFAULT_ARCHIVE)

    def run(given: argparse.Namespace) -> int:
        from parlour.client.boards.records import fault_words
        from parlour.client.cli.archive_texts import error_text
        from parlour.server.storage import library

        texts = speaking(given.lang)
        try:
            return command(given, library, texts)
        except library.Refused as wrong:
            if wrong.kind == "Contradiction":
                print(one_line(f"{given.which}: {fault_words(wrong.facts['fault'], texts)}"))
                return FAILED
            raise BadArguments(error_text(wrong.kind, wrong.facts, texts)) from None

    return Subcommand(name, summary, add_arguments, run)


GAMES = _of_records("games", "list the games that an archive keeps", records.only_archive, records.games)
REPLAY = _of_records(
    "replay", "watch a game that was played, move by move", records.for_replay, records.replay
)
VERIFY = _of_records(
    "verify", "check a game by its rules, its luck and its hash", records.for_verify, records.verify
)
EXPORT = _of_records("export", "write a game of the archive into a file", records.for_export, records.export)
IMPORT = _of_records("import", "add a game from a file to the archive", records.for_import, records.import_)
HINT = _of_records(
    "hint", "what a bot would have played at a moment of a game, and why", hinting.for_hint, hinting.hint
)
STATS = _of_records("stats", "games, wins, streaks and who beats whom", records.for_stats, records.stats)
