"""The words of `parlour arena`: its arguments, the bar while it plays, and what it says of the strategies."""

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from parlour.client.cli.bot import words_of
from parlour.client.cli.subcommand import FAILED, FINE, BadArguments, count
from parlour.machine.output import printable_json, say

if TYPE_CHECKING:
    from parlour.client.bots.arena import Block, Matchup, Pace

    Start = Callable[[Matchup, int], Generator[Block, None, None]]


def _options(text: str) -> Mapping[str, Any]:
    try:
        plain = json.loads(text)
    except ValueError:
        plain = None
    if not isinstance(plain, dict):
        raise argparse.ArgumentTypeError(f"must be a JSON map, like '{{\"first\": 0}}', not {text[:60]!r}")
    return plain


def _scheduler(text: str) -> str:
    try:
        parts = urlsplit(text)
        whole = parts.scheme in ("tcp", "tls", "ws", "wss") and parts.hostname and parts.port
    except ValueError:
        whole = False
    if not whole:
        raise argparse.ArgumentTypeError(f"must be like tcp://10.0.0.5:8786, not {text[:60]!r}")
    return text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "first",
        metavar="A",
        help="the strategy that is measured, like greedy, search or search:0.2s (its seconds are CPU seconds "
        "here, so that results do not depend on what else the machine does; at a table the clock counts)",
    )
    add("second", metavar="B", nargs="?", help="the strategy on all other seats")
    add(
        "--exec",
        metavar="CMD",
        help="a program in the place of A, as for `parlour bot`: give B alone beside it",
    )
    add("--game", required=True, metavar="NAME", help="what to play")
    add("--games", type=count, default=200, metavar="N", help="how many games (default: %(default)s)")
    add("--seats", type=count, metavar="N", help="how many players (default: as few as the game allows)")
    add(
        "--seed", default="1", metavar="TEXT", help="the same one gives the same games (default: %(default)s)"
    )
    add("--options", type=_options, default={}, metavar="JSON", help="options of the game")
    add("--workers", type=count, metavar="N", help="how many processes (default: all cores but one)")
    add(
        "--cluster",
        type=_scheduler,
        metavar="ADDRESS",
        help="play on the Dask cluster of this scheduler, like tcp://10.0.0.5:8786 (needs Dask)",
    )
    add("--json", action="store_true", help="one JSON map instead of words")


def run(given: argparse.Namespace) -> int:
    """Plays, and says who is stronger; gives the exit status."""
    from parlour.client.bots.arena import BadMatchup, ClusterFailed, Matchup, ProgramFailed

    if (given.exec is None) is (given.second is None):
        raise BadArguments("give two strategies, or --exec CMD and the strategy that it plays against")
    program = words_of(given.exec, "--exec") if given.exec is not None else []
    pair = (given.exec, given.first) if program else (given.first, given.second)
    try:
        matchup = Matchup.of(*pair, given.game, given.seats, given.seed, given.options, program)
    except BadMatchup as wrong:
        raise BadArguments(str(wrong)) from None
    # Whole blocks only, and at least as many games as were asked for.
    blocks = -(-given.games // matchup.seats)
    if given.cluster is not None and (program or given.workers):
        raise BadArguments(
            f"{'--exec' if program else '--workers'} is for games on this machine, not --cluster"
        )
    start = _here(given.workers, program) if given.cluster is None else _on_cluster(given.cluster)
    # The iterator is closed here, so that Ctrl-C does not leave processes behind.
    try:
        with contextlib.closing(start(matchup, blocks)) as playing:
            played = sorted(_with_a_bar(playing, blocks), key=lambda block: block.number)
    except ProgramFailed as wrong:
        say(f"parlour: --exec: {wrong}", file=sys.stderr)
        return FAILED
    except ClusterFailed as wrong:
        say(f"parlour: --cluster: {wrong}", file=sys.stderr)
        return FAILED
    except OSError as wrong:
        raise BadArguments(f"--exec: {wrong.filename or given.exec}: {wrong.strerror or wrong}") from None
    report = summary(matchup, played)
    say(*([printable_json(report)] if given.json else report_lines(report)))
    return FINE


def _here(workers: int | None, program: "Sequence[str]") -> "Start":
    from parlour.client.bots.arena import play_blocks

    # A program plays one game at a time: it has one file for its stderr, and may take all cores itself.
    most = 1 if program else workers or max(1, (os.cpu_count() or 2) - 1)
    return lambda matchup, blocks: play_blocks(matchup, blocks, min(most, blocks))


def _on_cluster(address: str) -> "Start":
    try:
        from parlour.client.bots.cluster import play_blocks_on
    except ImportError:
        raise BadArguments("--cluster needs Dask: pip install distributed") from None

    def idle() -> None:
        say("parlour: --cluster: no worker is there any more; it goes on when one comes", file=sys.stderr)

    return lambda matchup, blocks: play_blocks_on(address, matchup, blocks, idle)


def _with_a_bar(blocks: "Iterable[Block]", total: int) -> "Iterator[Block]":
    """Where somebody watches."""
    if not sys.stderr.isatty():
        yield from blocks
        return
    from prompt_toolkit.output import create_output
    from prompt_toolkit.shortcuts import ProgressBar

    with ProgressBar(output=create_output(sys.stderr)) as bar:
        yield from bar(blocks, total=total, label="deals")


def summary(matchup: "Matchup", blocks: "Iterable[Block]") -> dict[str, Any]:
    """All that is to be said, as plain maps."""
    from parlour.client.bots.score import Score

    played = list(blocks)
    score = Score.of([sum(block.shares) / len(block.shares) for block in played], matchup.seats)
    return {
        "game": matchup.game,
        "seats": matchup.seats,
        "options": dict(matchup.options),
        "seed": matchup.seed,
        "deals": len(played),
        "games": len(played) * matchup.seats,
        "score": score.mean,
        "interval": [score.low, score.high],
        "par": 1 / matchup.seats,
        "elo": score.elo(score.mean),
        "elo_interval": [score.elo(score.low), score.elo(score.high)],
        "strategies": [
            {"name": name, **_pace([block.paces[place] for block in played])}
            for place, name in enumerate((matchup.first, matchup.second))
        ],
    }


def _pace(paces: "list[Pace]") -> dict[str, Any]:
    moves = sum([pace.moves for pace in paces])
    seconds = sum([pace.seconds for pace in paces])
    slowest = max([pace.slowest for pace in paces])
    return {"moves": moves, "seconds_per_move": seconds / max(1, moves), "slowest_move": slowest}


def report_lines(report: Mapping[str, Any]) -> list[str]:
    """The same in words."""
    first, second = report["strategies"]
    others = "" if report["seats"] == 2 else f" x {report['seats'] - 1}"
    low, high = report["interval"]
    return [
        f"{first['name']} against {second['name']}{others}: {report['game']}, {report['games']} games "
        f"({report['deals']} deals with every seat), seed {report['seed']}",
        f"score {report['score']:.1%}, 95% interval {low:.1%} to {high:.1%} (par {report['par']:.0%})",
        f"Elo {_elo(report['elo'])}, 95% interval {_elo(report['elo_interval'][0])} to "
        f"{_elo(report['elo_interval'][1])}",
        *[
            f"time per move: {each['name']} {_time(each['seconds_per_move'])}, "
            f"at most {_time(each['slowest_move'])}"
            for each in (first, second)
        ],
    ]


def _elo(difference: float | None) -> str:
    return "without bound" if difference is None else f"{difference:+.0f}"


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.2f} ms"
