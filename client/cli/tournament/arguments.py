"""What may stand behind each word of `parlour tournament`."""

import argparse

from parlour.client.cli.subcommand import add_language
from parlour.protocol.strategies import STRATEGIES, one_of

CHECK_IN = 60
"""Seconds after which a server starts with whoever has checked in."""


def _id(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="a tournament; `parlour tournament list` lists them")


def _host(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "host", metavar="HOST", nargs="?", help="its server (default: one found on this network, or the last)"
    )
    parser.add_argument("--trust", metavar="FILE", help="a certificate to trust, for a wss:// server")
    add_language(parser)


def for_create(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="its rules in TOML, like examples/league.toml")
    _host(parser)
    _own_name(parser)


def for_list(parser: argparse.ArgumentParser) -> None:
    _host(parser)
    parser.add_argument("--json", action="store_true", help="everything, for programs")


def for_enter(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    _host(parser)
    parser.add_argument("--name", help="what the bot is called (default: its strategy and a number)")
    parser.add_argument(
        "--strategy", metavar="NAME", help=f"how it plays: {one_of(STRATEGIES)} (default: random)"
    )
    parser.add_argument("--code", help="the invitation, if its rules ask for one")
    parser.add_argument("--exec", metavar="CMD", help="a program that plays, as for `parlour bot`")
    parser.add_argument("--stderr", metavar="FILE", help="where the program's stderr is kept")
    parser.add_argument("--verbose", action="store_true", help="say on stderr what the bot does")


def for_watch(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    _host(parser)
    parser.add_argument("--json", action="store_true", help="one JSON event per line, for programs")


def for_start(parser: argparse.ArgumentParser) -> None:
    _steering(parser)
    parser.add_argument(
        "--check-in",
        metavar="SECONDS",
        type=_seconds,
        default=CHECK_IN,
        help="how long to wait for everybody to check in, 1 to 60 (default: %(default)d)",
    )


def _steering(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    _host(parser)
    _own_name(parser)


def for_stopping(parser: argparse.ArgumentParser) -> None:
    _steering(parser)
    parser.add_argument("--why", metavar="TEXT", default="", help="a reason, shown to everybody who watches")


def for_export(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    parser.add_argument("folder", metavar="DIR", help="a new folder")
    parser.add_argument("--from", dest="host", metavar="HOST", help="a server, instead of an archive")
    parser.add_argument(
        "--archive",
        metavar="PATH",
        help="the file or postgresql:// address where a server keeps its games (default: %(default)s)",
    )
    parser.add_argument("--trust", metavar="FILE", help="a certificate to trust, for a wss:// server")
    add_language(parser)


def for_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="a folder that `parlour tournament export` wrote")
    add_language(parser)


def _own_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", help="your name (default: the last one used)")


def _seconds(text: str) -> int:
    try:
        seconds = int(text)
    except ValueError:
        seconds = -1
    if not 1 <= seconds <= CHECK_IN:
        raise argparse.ArgumentTypeError(
            f"must be a whole number of seconds from 1 to {CHECK_IN}, not {text!r}"
        )
    return seconds
