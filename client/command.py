"""The `parlour` command: its subcommands, and what each of them starts.

This module alone may reach into all four packages; each subcommand imports what it needs when it is run, so
that asking for help costs nothing.
"""

import argparse
import errno
import io
import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from parlour.client import record_commands as records
from parlour.client.words import (
    FAILED,
    FINE,
    INTERRUPTED,
    MISUSED,
    PIPE_CLOSED,
    BadArguments,
    Parser,
    Subcommand,
    Version,
    add_language,
    one_line,
    speaking,
)

if TYPE_CHECKING:
    from parlour.client.language import Texts
    from parlour.engine.game import Game
    from parlour.engine.match import Beat

PLAYERS = ("Anna", "Ben", "Chloe", "David", "Emma", "Felix")


# parlour scenario


def _scenario_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="a .json file, or a folder of them"
    )


def _scenario(given: argparse.Namespace) -> int:
    from parlour.engine.scenario import BadScenario, Failed, Scenario

    status = FINE
    for path in _files(given.files):
        try:
            scenario = Scenario.load(path)
            scenario.run()
        except (BadScenario, Failed) as wrong:
            status = FAILED
            print(one_line(f"FAILED {path}: {wrong}"))
        else:
            print(one_line(f"ok {path}: {scenario.title}"))
    return status


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """The files named, and those in the folders named; an empty folder stands for itself, and fails."""
    for path in paths:
        found = sorted(path.rglob("*.json")) if os.path.isdir(path) else []
        yield from found or [path]


# parlour demo


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= 60:
        raise argparse.ArgumentTypeError(f"must be a number of seconds from 0 to 60, not {text!r}")
    return seconds


def _demo_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", default="balloon-cup", help="which game to watch (default: %(default)s)")
    parser.add_argument("--seed", metavar="TEXT", help="a number or word; the same one gives the same game")
    parser.add_argument(
        "--seats", metavar="N", type=int, help="how many players, if the game leaves a choice"
    )
    parser.add_argument("--delay", metavar="SECONDS", type=_seconds, help="how long each move stays")
    add_language(parser)


def _demo(given: argparse.Namespace) -> int:
    import hashlib
    import secrets
    import shlex

    from parlour.client.demo import Frame, show
    from parlour.client.pictures import plain
    from parlour.client.pictures.gallery import PICTURES
    from parlour.engine.catalogue import GAMES
    from parlour.engine.maps import tagged, to_map
    from parlour.engine.secret import ALL, Seat, Viewer, project

    if given.game not in GAMES:
        raise BadArguments(f"there is no game {given.game!r}; there are: {', '.join(GAMES)}")
    game = GAMES[given.game]
    seats = game.seats[0] if given.seats is None else given.seats
    if seats not in game.seats:
        raise BadArguments(f"{game.name} is for {_numbers(game.seats)} players, not {seats}")
    seed = str(secrets.randbelow(1_000_000)) if given.seed is None else given.seed
    secret = hashlib.blake2b(os.fsencode(seed), digest_size=32).digest()
    names, texts = PLAYERS[:seats], speaking(given.lang)
    picture = PICTURES.get(game.name, plain)

    def frame(beat: "Beat[Any, Any]", viewer: Viewer) -> Frame:
        view = to_map(project(game.view(beat.state), viewer))
        news = [tagged(project(piece, viewer)) for piece in beat.news]
        sentences = [picture.words(piece, names, texts) for piece in news]
        return Frame(lambda room: picture.draw(view, 0, names, room, texts=texts), sentences)

    beats = list(random_game(game, seats, secret))
    frames = [*[frame(beat, Seat(0)) for beat in beats[:-1]], frame(beats[-1], ALL)]
    again = f"parlour demo --game {game.name} --seats {seats} --seed {shlex.quote(seed)}"
    show(
        frames,
        [_result(game, beats[-1].state, names, texts), texts("demo.again", command=again)],
        sys.stdout,
        given.delay,
        texts=texts,
    )
    return FINE


def _numbers(counts: Sequence[int]) -> str:
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def random_game(
    game: "Game[Any, Any, Any]", seats: int, secret: bytes, options: Mapping[str, Any] = MappingProxyType({})
) -> "Iterator[Beat[Any, Any]]":
    """A whole game between players who take any legal action, each as likely as the others."""
    from parlour.engine.chance import Seeded
    from parlour.engine.match import Match

    match = Match(game, seats, game.read_options(options, seats), Seeded(secret))
    whims = Seeded(secret)
    proposal = match.propose_setup()
    while True:
        match.adopt(proposal)
        yield from proposal.beats
        if not match.awaited:
            return
        seat = whims.draw("demo/seat", sorted(match.awaited))
        choices = game.legal(match.state, seat)
        proposal = match.propose(seat, choices[whims.roll("demo/action", choices.count) - 1])


def _result(game: "Game[Any, Any, Any]", state: Any, names: Sequence[str], texts: "Texts") -> str:
    from parlour.client.record_words import result

    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError("nobody is asked, and there is no outcome")
    return texts("demo.result", result=result(names, outcome.winners, outcome.reason, texts))


# parlour serve


def _serve_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.serve_words import add_arguments

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

    from parlour.client.address import own_addresses, reach
    from parlour.client.archive_words import said
    from parlour.client.serve_words import flags, log_to_stderr, screen
    from parlour.protocol.version import build
    from parlour.server.archive_errors import ArchiveError
    from parlour.server.config import DEFAULT_ARCHIVE, BadConfig, make, read_file
    from parlour.server.serve import Running, run

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
        raise BadArguments(f"archive: {said(type(wrong).__name__, facts, texts)}") from None
    return FINE


# parlour bot


def _bot_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.bot_words import add_arguments

    add_arguments(parser)


def _bot(given: argparse.Namespace) -> int:
    from parlour.client.bot_words import bot

    return bot(given)


# parlour arena


def _arena_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.arena import add_arguments

    add_arguments(parser)


def _arena(given: argparse.Namespace) -> int:
    from parlour.client.arena import run

    return run(given)


# parlour play, join, doctor, and parlour alone


def _play_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.play_words import add_play

    add_play(parser)


def _join_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.play_words import add_join

    add_join(parser)


def _play(given: argparse.Namespace) -> int:
    from parlour.client.play_words import play

    return play(given)


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    from parlour.client.play_words import add_doctor

    add_doctor(parser)


def _doctor(given: argparse.Namespace) -> int:
    from parlour.client.play_words import doctor

    return doctor(given)


# parlour games, replay, export, import, verify, stats


def _of_records(
    name: str, summary: str, behind: Callable[[argparse.ArgumentParser], None], command: records.Command
) -> Subcommand:
    """One of `record_commands.py`, with the server's library in its hands."""

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        from parlour.server.config import DEFAULT_ARCHIVE

        behind(parser)
        parser.set_defaults(archive=DEFAULT_ARCHIVE)

    def run(given: argparse.Namespace) -> int:
        from parlour.client.archive_words import said
        from parlour.client.record_words import fault_words
        from parlour.server import library

        texts = speaking(given.lang)
        try:
            return command(given, library, texts)
        except library.Refused as wrong:
            if wrong.kind == "Contradiction":
                print(one_line(f"{given.which}: {fault_words(wrong.facts['fault'], texts)}"))
                return FAILED
            raise BadArguments(said(wrong.kind, wrong.facts, texts)) from None

    return Subcommand(name, summary, add_arguments, run)


# parlour schema


def _no_arguments(_: argparse.ArgumentParser) -> None:
    """There are none."""


def _schema(_: argparse.Namespace) -> int:
    import json

    from parlour.protocol.schema import schema

    print(json.dumps(schema(), indent=2))
    return FINE


# The command

SUBCOMMANDS: tuple[Subcommand, ...] = (
    Subcommand("play", "play: find a server, or go to one, or play here", _play_arguments, _play),
    Subcommand("join", "sit down at a table by its code", _join_arguments, _play),
    Subcommand("serve", "open a server, so that others can join and play", _serve_arguments, _serve),
    Subcommand("doctor", "find out why a server cannot be reached", _doctor_arguments, _doctor),
    Subcommand("bot", "let a bot play on a server", _bot_arguments, _bot),
    Subcommand(
        "arena", "let strategies play each other, and measure which is stronger", _arena_arguments, _arena
    ),
    Subcommand("demo", "watch a game between players who move at random", _demo_arguments, _demo),
    _of_records("games", "list the games that an archive keeps", records.only_archive, records.games),
    _of_records("replay", "watch a game that was played, move by move", records.for_replay, records.replay),
    _of_records(
        "verify", "check a game by its rules, its luck and its hash", records.for_verify, records.verify
    ),
    _of_records("export", "write a game of the archive into a file", records.for_export, records.export),
    _of_records("import", "add a game from a file to the archive", records.for_import, records.import_),
    _of_records("stats", "games, wins, streaks and who beats whom", records.for_stats, records.stats),
    Subcommand("scenario", "check rules cases written as JSON files", _scenario_arguments, _scenario),
    Subcommand("schema", "print all messages of the protocol as a JSON Schema", _no_arguments, _schema),
)
HELP = """\
Parlour: board games for a local network, and a tournament hall for bots.

  parlour                    play: the same as parlour play
  parlour COMMAND --help     how to use one of the commands below
  parlour --version          which version this is

{commands}
"""


class Top(Parser):
    """The parser of the first word; its help is one screen of our own."""

    def format_help(self) -> str:
        return HELP.format(commands="\n".join(f"  {each.name:<11}{each.summary}" for each in SUBCOMMANDS))


def parser() -> Parser:
    top = Top(prog="parlour", allow_abbrev=False)
    top.add_argument("--version", action=Version, nargs=0)
    words = top.add_subparsers(metavar="COMMAND", dest="command", parser_class=Parser)
    for each in SUBCOMMANDS:
        about = f"{each.summary[:1].upper()}{each.summary[1:]}."
        below = words.add_parser(each.name, description=about, allow_abbrev=False)
        each.add_arguments(below)
        below.set_defaults(run=each.run)
    return top


def _run(arguments: Sequence[str] | None) -> int:
    top = parser()
    try:
        given = top.parse_args(arguments)
    except SystemExit:  # argparse has shown the help or the version
        return FINE
    if given.command is None:
        given = top.parse_args(["play"])
    status: int = given.run(given)
    return status


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one subcommand and gives the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except BadArguments as wrong:
        print(one_line(f"parlour: {wrong}"), file=sys.stderr)
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
        print("parlour: cannot write: no space is left", file=sys.stderr)
        return MISUSED
    return status


if __name__ == "__main__":
    sys.exit(main())
