"""`parlour completion`: what bash, zsh or fish need to complete the words of a command line.

The script is made once, from the parser, so that a shell asks nobody when Tab is pressed.
"""

import argparse
import sys
from typing import Any

from parlour.client.cli.subcommand import FINE, Parser

SHELLS = ("bash", "zsh", "fish")


def add_shell(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}")


def print_completion(given: argparse.Namespace) -> int:
    import shtab

    whole = given.whole_parser()
    _complete(whole)
    sys.stdout.write(shtab.complete(whole, given.shell))
    return FINE


def _complete(parser: Parser) -> None:
    """Says of every argument what it can be: the parser itself leaves that to whoever reads it."""
    import shtab

    from parlour.client.language import LANGUAGES
    from parlour.engine.catalogue import GAMES
    from parlour.protocol.strategies import STRATEGIES

    values = {"--game": GAMES, "game": GAMES, "--lang": LANGUAGES, "--strategy": STRATEGIES}
    for argument in parser.arguments:
        name = argument.option_strings[-1] if argument.option_strings else argument.dest
        known: Any = argument
        if name in values:
            known.choices = tuple(values[name])
        elif argument.metavar in ("FILE", "PATH", "ID|FILE"):
            known.complete = shtab.FILE
        elif argument.metavar == "DIR":
            known.complete = shtab.DIRECTORY
    for below in parser.words.values():
        _complete(below)
