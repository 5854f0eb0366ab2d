"""The commands about games that were played, and how each tells what is wrong with an archive or a file."""

import argparse
from collections.abc import Callable

from parlour.client.boards.records import fault_words
from parlour.client.cli.archive_texts import error_text
from parlour.client.cli.records import actions as records
from parlour.client.cli.records import hint as hinting
from parlour.client.cli.subcommand import FAILED, BadArguments, Loaded, speaking
from parlour.machine.output import say
from parlour.server.storage.library import Refused


def _of_records(behind: Callable[[argparse.ArgumentParser], None], command: records.Command) -> Loaded:
    def run(given: argparse.Namespace) -> int:
        texts = speaking(given.lang)
        try:
            return command(given, texts)
        except Refused as wrong:
            if wrong.kind == "Contradiction":
                say(f"{given.which}: {fault_words(wrong.facts['fault'], texts)}")
                return FAILED
            raise BadArguments(error_text(wrong.kind, wrong.facts, texts)) from None

    return Loaded(behind, run)


COMMANDS: dict[str, Loaded] = {
    "games": _of_records(records.any_archive, records.games),
    "replay": _of_records(records.for_replay, records.replay),
    "verify": _of_records(records.for_verify, records.verify),
    "export": _of_records(records.for_export, records.export),
    "import": _of_records(records.for_import, records.import_),
    "backup": _of_records(records.for_backup, records.backup),
    "copy": _of_records(records.for_copy, records.copy),
    "hint": _of_records(hinting.for_hint, hinting.hint),
    "stats": _of_records(records.for_stats, records.stats),
}
