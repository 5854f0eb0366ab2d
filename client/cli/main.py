"""The `parlour` command: which subcommand is meant, and how a mistake ends it.

A subcommand imports what it needs once it is chosen, so that asking for help or the version costs nothing.
"""

import errno
import gc
import io
import os
import sys
from collections.abc import Sequence

from parlour.client.cli.commands import SUBCOMMANDS
from parlour.client.cli.subcommand import (
    FINE,
    INTERRUPTED,
    MISUSED,
    PIPE_CLOSED,
    BadArguments,
    Parser,
    Version,
)

TOP_FLAGS = ("-h", "--help", "--version")
"""All others before a subcommand are those of `parlour play`."""
HELP = """\
Parlour: board games for a local network, and tournaments for bots.
  parlour COMMAND --help     how to use a command; --version: which version
{commands}
"""


class Top(Parser):
    """The parser of the first word; its help is one screen of our own."""

    def format_help(self) -> str:
        return HELP.format(commands="\n".join(f"  {each.name:<11}{each.summary}" for each in SUBCOMMANDS))


def parser(chosen: str | None = None) -> Parser:
    """Knows all names, and the arguments of the subcommand that was chosen; without one, of all."""
    top = Top(prog="parlour", allow_abbrev=False)
    top.add_argument("--version", action=Version, nargs=0)
    words = top.add_subparsers(metavar="COMMAND", dest="command", parser_class=Parser)
    for each in SUBCOMMANDS:
        about = f"{each.summary[:1].upper()}{each.summary[1:]}."
        below = words.add_parser(each.name, help=each.summary, description=about, allow_abbrev=False)
        if chosen in (None, each.name):
            loaded = each.load()
            loaded.add_arguments(below)
            below.set_defaults(run=loaded.run, whole_parser=parser)
    return top


def _run(arguments: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or (words[0].startswith("-") and words[0] not in TOP_FLAGS):
        words = ["play", *words]
    gc.disable()  # classes and functions, nothing to collect: a tenth of the time
    try:
        given = parser(words[0]).parse_args(words)
    except SystemExit:  # argparse has shown the help or the version
        return FINE
    finally:
        gc.enable()
    status: int = given.run(given)
    return status


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one subcommand and gives the exit status."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except BadArguments as wrong:
        from parlour.machine.output import say

        say(f"parlour: {wrong}", file=sys.stderr)
        return MISUSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whatever is still buffered has nowhere to go; without this Python complains about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as wrong:
        if wrong.errno != errno.ENOSPC:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        from parlour.machine.output import say

        say("parlour: cannot write: no space is left", file=sys.stderr)
        return MISUSED
    return status


if __name__ == "__main__":
    sys.exit(main())
