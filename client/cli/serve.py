"""The command serve: from its flags and its settings file to a server that runs."""

import argparse
import asyncio
import os
import signal
import sys
import threading
from pathlib import Path

import attrs

from parlour.client.addresses import reach
from parlour.client.cli.archive_texts import error_text
from parlour.client.cli.serve_screen import add_flags, flags, log_to_stderr, screen
from parlour.client.cli.subcommand import FINE, BadArguments, speaking
from parlour.client.language import Texts
from parlour.client.web.files import page_files
from parlour.machine.addresses import own_addresses
from parlour.machine.output import say
from parlour.protocol.version import build
from parlour.server import app
from parlour.server.config import DEFAULT_ARCHIVE, BadConfig, Config, make, read_file
from parlour.server.storage.errors import ArchiveError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_flags(parser)
    parser.add_argument(
        "--while-stdin", action="store_true", help="stop when stdin ends: for programs that start a server"
    )


def _stop_with_stdin() -> None:
    """A server that a program has started must not outlive it, however it ended."""

    stdin = sys.stdin.fileno()

    def read() -> None:
        # Not by `sys.stdin`: its lock, held at the end of the program, would be a fatal error.
        while os.read(stdin, 4096):
            pass
        signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=read, daemon=True).start()


def _keep_nodes(config: Config, texts: Texts) -> int:
    from parlour.server.processes import node, parent

    def tell(ready: parent.ListeningNodes) -> None:
        at = reach([(host, ready.first) for host in ready.hosts], ready.secure, own_addresses())
        drawn = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        say(
            *screen(
                build(), at, texts, config.web, drawn, config.hidden, nodes=ready, advertised=ready.advertised
            ).splitlines()
        )

    try:
        asyncio.run(parent.run(config, tell))
    except node.NotStarted as wrong:
        raise BadArguments(str(wrong)) from None
    return FINE


def serve(given: argparse.Namespace) -> int:
    texts = speaking(given.lang)

    def tell(ready: app.ListeningServer) -> None:
        at = reach(ready.ports, ready.secure, own_addresses())
        drawn = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        page = bool(ready.gateway.page.files)
        mode = "chaos" if config.chaos else "test" if config.test else None
        hidden = config.hidden or mode is not None
        told = screen(build(), at, texts, page, drawn, hidden, mode, advertised=config.advertise)
        say(*told.splitlines())

    file, flagged = {}, flags(given)
    try:
        file = read_file(Path(given.config)) if given.config is not None else {}
        config = make({"archive": DEFAULT_ARCHIVE}, file, flagged)
        if (config.test or config.chaos) and "archive" not in {**file, **flagged}:
            config = attrs.evolve(config, archive=None)  # nothing there is worth keeping
        log_to_stderr(config.verbose)
        if given.while_stdin:
            _stop_with_stdin()
        if config.processes is not None:
            return _keep_nodes(config, texts)
        asyncio.run(app.run(config, tell, page_files() if config.web else {}))
    except BadConfig as wrong:
        setting = str(wrong).partition(":")[0]
        where = f"{given.config}: " if setting in file and setting not in flagged else ""
        raise BadArguments(f"{where}{wrong}") from None
    except ArchiveError as wrong:
        facts = attrs.asdict(wrong)
        raise BadArguments(f"archive: {error_text(type(wrong).__name__, facts, texts)}") from None
    return FINE
