"""The commands about games that were played: games, replay, export, import, verify and stats."""

import argparse
import asyncio
import functools
import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.records import game_lines, result, verdict_lines
from parlour.client.boards.stats import game_name, moment
from parlour.client.boards.stats import lines as stats_lines
from parlour.client.cli.demo_screen import only_ascii
from parlour.client.cli.subcommand import FAILED, FINE, BadArguments, add_language
from parlour.client.language import Texts
from parlour.client.language.safe import one_line
from parlour.client.terminal.replay import RecordedGame, Replay, ReplayStep, Viewer, listing, viewer_of
from parlour.client.terminal.replay_screen import ReplayScreen
from parlour.server.records.record import Record
from parlour.server.storage import library

Plain = Mapping[str, Any]


Command = Callable[[argparse.Namespace, Texts], int]


# What may stand behind each command


def only_archive(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--archive", metavar="PATH", help="the file in which a server keeps its games (default: %(default)s)"
    )
    add_language(parser)


def for_replay(parser: argparse.ArgumentParser) -> None:
    for_which(parser)
    parser.add_argument(
        "--as", dest="viewer", metavar="WHO", default="all", help="a player, spectator, or all (default)"
    )
    parser.add_argument("--move", metavar="N", type=int, default=0, help="begin there (default: the deal)")
    parser.add_argument("--boards", action="store_true", help="off a terminal: the board after every move")


def for_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("which", metavar="ID", help="a game of the archive; `parlour games` lists them")
    parser.add_argument("file", metavar="FILE", nargs="?", help="default: ID.parlour.json; -: stdout")
    only_archive(parser)


def for_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a replay file")
    only_archive(parser)


def for_verify(parser: argparse.ArgumentParser) -> None:
    for_which(parser)
    parser.add_argument("--head", metavar="H", help="the hash that players got with the result")


def for_stats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", metavar="NAME", help="of this game only")
    parser.add_argument("--json", action="store_true", help="everything, for programs")
    only_archive(parser)


def for_which(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("which", metavar="ID|FILE", help="a game of the archive, or a replay file")
    only_archive(parser)


# What each does


def games(given: argparse.Namespace, texts: Texts) -> int:
    _print(game_lines(library.games(given.archive), texts))
    return FINE


def stats(given: argparse.Namespace, texts: Texts) -> int:
    if given.game is not None and given.game not in library.known_games():
        raise BadArguments(
            f"--game: there is no game {given.game!r}; there are: {', '.join(library.known_games())}"
        )
    found = library.stats(given.archive, given.game)
    _print([json.dumps(found, ensure_ascii=False, indent=2)] if given.json else stats_lines(found, texts))
    return FINE


def export(given: argparse.Namespace, texts: Texts) -> int:
    record = library.find_record(given.archive, given.which)
    if given.file == "-":
        print(library.text(record), end="")
        return FINE
    path = library.write_file(record, given.file)
    entries = len(record.lines)
    print(one_line(texts("records.exported", path=path, count=entries, head=record.end.head)))
    return FINE


def import_(given: argparse.Namespace, texts: Texts) -> int:
    record = library.read_file(given.file)
    verdict = library.verdict(record)
    if verdict["faults"]:
        return _print_verdict(verdict, given.file, texts)
    id = library.add(given.archive, record)
    print(one_line(texts("records.imported", path=given.archive, game=id)))
    return FINE


def verify(given: argparse.Namespace, texts: Texts) -> int:
    head = None if given.head is None else given.head.lower()
    if head is not None and not re.fullmatch("[0-9a-f]{64}", head):
        raise BadArguments("--head: must be 64 of 0 to 9 and a to f, as the result of a game tells it")
    return _print_verdict(library.verdict(record_of(given), head), given.which, texts)


def _print_verdict(verdict: Plain, which: str, texts: Texts) -> int:
    first, *others = verdict_lines(**verdict, texts=texts)
    _print([one_line(f"{which}: {first}"), *others])
    return FAILED if verdict["faults"] else FINE


def replay(given: argparse.Namespace, texts: Texts) -> int:
    game = _recorded_game(library.replay_record(record_of(given)), texts)
    try:
        watched = Replay(game, viewer=viewer_of(given.viewer, game.names, texts))
    except ValueError as wrong:
        raise BadArguments(f"--as: {wrong}") from None
    if not 0 <= given.move <= game.last:
        wrong_move = texts("replay.no_such_move", last=game.last, given=given.move)
        raise BadArguments(f"--move: {wrong_move}")
    watched.go(given.move)
    if sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM") != "dumb":
        asyncio.run(ReplayScreen(watched).run())
    else:
        _print(listing(watched, given.boards))
    return FINE


def _recorded_game(replayed: library.ReplayedGame, texts: Texts) -> RecordedGame:
    header, lines, end = replayed.record.header, replayed.record.lines, replayed.record.end

    @functools.lru_cache(maxsize=256)
    def step(place: int, viewer: Viewer) -> ReplayStep:
        return ReplayStep(**replayed.scene(place, viewer))

    return RecordedGame(
        f"{game_name(header.game, texts)}, {moment(header.started)}",
        [one_line(name) for name in header.names],
        [line.at for line in lines],
        step,
        board_of(header.game),
        [result(header.names, end.winners, end.reason, texts)],
        only_ascii(sys.stdout),
        texts,
    )


def record_of(given: argparse.Namespace) -> Record:
    """A file, if it is named like one or there is one of that name; otherwise a game of the archive."""
    if given.which.endswith(".json") or os.sep in given.which or os.path.exists(given.which):
        return library.read_file(given.which)
    return library.find_record(given.archive, given.which)


def _print(lines: Sequence[str]) -> None:
    for line in lines:
        print(line)
