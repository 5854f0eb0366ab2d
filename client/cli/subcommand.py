"""What every subcommand is made of: the words after `parlour`, and how a mistake in them is told."""

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from parlour.protocol.numbers import number_in

if TYPE_CHECKING:
    from parlour.client.language import Texts

MOST = 1_000_000
"""Of anything that can be counted in an argument."""
FINE, FAILED, MISUSED = 0, 1, 2
INTERRUPTED, PIPE_CLOSED = 130, 141
"""What a shell reports for a program that SIGINT or SIGPIPE ended."""


def count(text: str) -> int:
    """For arguments that say how many."""
    number = number_in(text)
    if number is None or not 1 <= number <= MOST:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to {MOST}, not {text[:40]!r}")
    return number


class BadArguments(Exception):
    """Said in one line on stderr, with exit status 2."""


class Loaded(NamedTuple):
    """What a subcommand takes and does."""

    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


class Subcommand(NamedTuple):
    """One word after `parlour`. A tuple, for attrs alone takes longer to import than argparse."""

    name: str
    summary: str
    load: Callable[[], Loaded]
    """Imports what it needs: called once it is chosen."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without reciting the usage; flags may stand among other words."""

    _mixed = False

    def __init__(self, **settings: Any) -> None:
        self.arguments: list[argparse.Action] = []
        """Those of `add_argument`, in their order."""
        self.words: Mapping[str, Parser] = {}
        """The parsers of the words that may follow."""
        super().__init__(**settings)

    def add_argument(self, *names: Any, **settings: Any) -> argparse.Action:
        added = super().add_argument(*names, **settings)
        self.arguments.append(added)
        return added

    def add_subparsers(self, **settings: Any) -> Any:
        added = super().add_subparsers(**settings)
        self.words = added.choices
        return added

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._mixed or self.words:
            return super().parse_known_args(args, namespace)
        self._mixed = True  # it calls this method in turn
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixed = False

    def error(self, message: str) -> NoReturn:
        raise BadArguments(f"{message} (see: {self.prog} --help)")


class Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print(f"parlour {version('parlour')}")
        parser.exit()


def add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lang", metavar="CODE", help="en, ru, it or zh (default: the language of your system)"
    )


def speaking(lang: str | None) -> "Texts":
    """The texts of the language that was asked for, or of the locale; raises BadArguments.

    English where the output cannot write the letters: nobody reads a screen of question marks.
    """
    from parlour.client.language import ENGLISH, LANGUAGES, NoSuchLanguage, choose

    try:
        texts = choose(lang)
        LANGUAGES[texts.language].encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except NoSuchLanguage as wrong:
        raise BadArguments(f"--lang: {wrong}") from None
    except UnicodeEncodeError:
        return ENGLISH
    return texts
