"""The commands about games that were played, and about the archives that keep them."""

import argparse
import asyncio
import contextlib
import functools
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.records import game_lines, result, verdict_lines
from parlour.client.boards.stats import game_name, moment
from parlour.client.boards.stats import lines as stats_lines
from parlour.client.cli.archive_texts import error_text
from parlour.client.cli.demo_screen import only_ascii
from parlour.client.cli.records.places import add_archive, archives, find_game, told_place
from parlour.client.cli.subcommand import FAILED, FINE, BadArguments, add_language
from parlour.client.language import Texts
from parlour.client.language.safe import one_line
from parlour.client.terminal.replay import RecordedGame, Replay, ReplayStep, Viewer, listing, viewer_of
from parlour.client.terminal.replay_screen import ReplayScreen
from parlour.machine.output import printable_json, say
from parlour.server.config import DEFAULT_ARCHIVE
from parlour.server.records.record import Record
from parlour.server.storage import backup as archive_backup
from parlour.server.storage import library

Plain = Mapping[str, Any]


Command = Callable[[argparse.Namespace, Texts], int]


# What may stand behind each command


def one_archive(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--archive",
        metavar="PATH",
        default=DEFAULT_ARCHIVE,
        help="the file or postgresql:// address where a server keeps its games (default: %(default)s)",
    )
    add_language(parser)


def any_archive(parser: argparse.ArgumentParser) -> None:
    add_archive(parser)
    add_language(parser)


def for_replay(parser: argparse.ArgumentParser) -> None:
    for_which(parser)
    parser.add_argument(
        "--as", dest="viewer", metavar="WHO", default="all", help="a player, spectator, or all (default)"
    )
    parser.add_argument(
        "--move", metavar="N", type=int, default=0, help="start at this move (default: the deal)"
    )
    parser.add_argument(
        "--boards", action="store_true", help="when not on a terminal: print the board after every move"
    )


def for_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("which", metavar="ID", help="a game of the archive; `parlour games` lists them")
    parser.add_argument("file", metavar="FILE", nargs="?", help="default: ID.parlour.json; -: stdout")
    any_archive(parser)


def for_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a replay file")
    one_archive(parser)


def for_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "which",
        metavar="ID|FILE",
        nargs="?",
        help="a game of the archive, or a replay file; without any: whether the archive is damaged",
    )
    any_archive(parser)
    parser.add_argument("--head", metavar="H", help="the hash that players got with the result")


def for_stats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", metavar="NAME", help="count this game only")
    parser.add_argument("--json", action="store_true", help="everything, for programs")
    any_archive(parser)


def for_which(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("which", metavar="ID|FILE", help="a game of the archive, or a replay file")
    any_archive(parser)


# What each does


def games(given: argparse.Namespace, texts: Texts) -> int:
    damaged: list[Plain] = []
    for number, path in enumerate(archives(given, texts)):
        rows = library.games(path, damaged.append)
        say(*[""] * bool(number), *told_place(given, [path], texts), *game_lines(rows, texts))
    return _print_damage(damaged, texts)


def stats(given: argparse.Namespace, texts: Texts) -> int:
    if given.game is not None and given.game not in library.known_games():
        raise BadArguments(
            f"--game: there is no game {given.game!r}; there are: {', '.join(library.known_games())}"
        )
    paths = archives(given, texts)
    found = library.stats(paths, given.game)
    if given.json:
        say(*printable_json({"archives": paths, **found}, indent=2).split("\n"))
    else:
        say(*told_place(given, paths, texts), *stats_lines(found, texts))
    return FINE


def export(given: argparse.Namespace, texts: Texts) -> int:
    _, record = find_game(given, texts)
    if given.file == "-":
        sys.stdout.write(library.text(record))
        return FINE
    path = library.write_file(record, given.file)
    entries = len(record.lines)
    say(texts("records.exported", path=path, count=entries, head=record.end.head))
    return FINE


def import_(given: argparse.Namespace, texts: Texts) -> int:
    record = library.read_file(given.file)
    verdict = library.verdict(record)
    if verdict["faults"]:
        return _print_verdict(verdict, given.file, texts)
    id = library.add(given.archive, record)
    say(texts("records.imported", path=given.archive, game=id))
    return FINE


def for_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the copy; the file must not exist yet")
    one_archive(parser)


def backup(given: argparse.Namespace, texts: Texts) -> int:
    """Copies an archive, also one that a server is writing to."""
    with _progress() as progress:
        made = archive_backup.back_up(given.archive, given.file, progress)
    megabytes = f"{made['size'] / 1e6:.1f}"
    say(texts("records.backed_up", path=given.file, count=made["games"], megabytes=megabytes))
    return _print_damage(made["faults"], texts)


def for_copy(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="FROM", help="an archive: a file, or a postgresql:// address")
    parser.add_argument("target", metavar="TO", help="a file that must not exist yet, or an empty database")
    add_language(parser)


def copy(given: argparse.Namespace, texts: Texts) -> int:
    """Moves a whole archive into another database, and compares the two."""
    with _progress() as progress:
        made = archive_backup.copy(given.source, given.target, progress)
    say(texts("records.copied", path=given.target, count=made["games"]))
    return _print_damage(made["faults"], texts)


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Shows how far a copy has come, on a terminal."""
    shown = sys.stderr.isatty()

    def progress(copied: int, all: int) -> None:
        if shown:
            sys.stderr.write(f"\r{100 * copied // max(all, 1)}%")

    try:
        yield progress
    finally:
        if shown:
            sys.stderr.write("\r    \r")


def _print_damage(faults: Sequence[Plain], texts: Texts) -> int:
    for facts in faults:
        detail = f" ({facts['detail']})" if facts["part"] is None else ""
        say(f"{error_text('Damaged', facts, texts)}{detail}", file=sys.stderr)
    return FAILED if faults else FINE


def _verify_archive(given: argparse.Namespace, texts: Texts) -> int:
    faults: list[Plain] = []
    for path in archives(given, texts):
        found = archive_backup.check(path)
        if not found["faults"]:
            say(texts("records.archive_sound", path=path, count=found["games"]))
        faults += found["faults"]
    return _print_damage(faults, texts)


def verify(given: argparse.Namespace, texts: Texts) -> int:
    if given.which is None:
        if given.head is not None:
            raise BadArguments("--head: belongs to a game: name it")
        return _verify_archive(given, texts)
    head = None if given.head is None else given.head.lower()
    if head is not None and not re.fullmatch("[0-9a-f]{64}", head):
        raise BadArguments("--head: must be 64 of 0 to 9 and a to f, as the result of a game tells it")
    return _print_verdict(library.verdict(record_of(given, texts)[1], head), given.which, texts)


def _print_verdict(verdict: Plain, which: str, texts: Texts) -> int:
    first, *others = verdict_lines(**verdict, texts=texts)
    say(f"{which}: {first}", *others)
    return FAILED if verdict["faults"] else FINE


def replay(given: argparse.Namespace, texts: Texts) -> int:
    place, record = record_of(given, texts)
    where = [] if place is None else told_place(given, [place], texts)
    game = _recorded_game(library.replay_record(record), where, texts)
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
        say(*listing(watched, given.boards))
    return FINE


def _recorded_game(replayed: library.ReplayedGame, where: Sequence[str], texts: Texts) -> RecordedGame:
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
        [result(header.names, end.winners, end.reason, texts), *where],
        only_ascii(sys.stdout),
        texts,
    )


def record_of(given: argparse.Namespace, texts: Texts) -> tuple[str | None, Record]:
    """A file, if it is named like one or there is one of that name; otherwise a game, and its archive."""
    if given.which.endswith(".json") or os.sep in given.which or os.path.exists(given.which):
        return None, library.read_file(given.which)
    return find_game(given, texts)
