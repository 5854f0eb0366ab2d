"""The command serve: from its flags and its settings file to a server that runs."""

import argparse
import sys
from pathlib import Path

from parlour.client.cli.subcommand import FINE, BadArguments, Subcommand, speaking


def _serve_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.cli.serve_screen import add_arguments

    add_arguments(parser)
    parser.add_argument(
        "--while-stdin", action="store_true", help="stop when stdin ends: for programs that start a server"
    )


def _stop_with_stdin() -> None:
    """A server that a program has started must not outlive it, however it ended."""
    import signal
    import threading

    def read() -> None:
        while sys.stdin.buffer.read(4096):
            pass
        signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=read, daemon=True).start()


def _serve(given: argparse.Namespace) -> int:
    import asyncio

    import attrs

    from parlour.client.addresses import reach
    from parlour.client.cli.archive_texts import error_text
    from parlour.client.cli.serve_screen import flags, log_to_stderr, screen
    from parlour.machine.addresses import own_addresses
    from parlour.protocol.version import build
    from parlour.server.app import Running, run
    from parlour.server.config import DEFAULT_ARCHIVE, BadConfig, make, read_file
    from parlour.server.storage.errors import ArchiveError

    texts = speaking(given.lang)

    def say(ready: Running) -> None:
        print(screen(build(), reach(ready.ports, ready.secure, own_addresses()), texts), flush=True)

    file, flagged = {}, flags(given)
    try:
        file = read_file(Path(given.config)) if given.config is not None else {}
        config = make({"archive": DEFAULT_ARCHIVE}, file, flagged)
        log_to_stderr(config.verbose)
        if given.while_stdin:
            _stop_with_stdin()
        asyncio.run(run(config, say))
    except BadConfig as wrong:
        setting = str(wrong).partition(":")[0]
        where = f"{given.config}: " if setting in file and setting not in flagged else ""
        raise BadArguments(f"{where}{wrong}") from None
    except ArchiveError as wrong:
        facts = attrs.asdict(wrong)
        raise BadArguments(f"archive: {error_text(type(wrong).__name__, facts, texts)}") from None
    return FINE


SERVE = Subcommand("serve", "open a server, so that others can join and play", _serve_arguments, _serve)
