"""The command demo: a whole game between players who move at random."""

import argparse
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from parlour.client.cli.subcommand import FINE, BadArguments, add_language, speaking

if TYPE_CHECKING:
    from parlour.client.language import Texts
    from parlour.engine.game import Game
    from parlour.engine.match import Beat

PLAYERS = ("Anna", "Ben", "Chloe", "David", "Emma", "Felix")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= 60:
        raise argparse.ArgumentTypeError(f"must be a number of seconds from 0 to 60, not {text!r}")
    return seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", help="which game to watch (default: the first one)")
    parser.add_argument("--seed", metavar="TEXT", help="any text; the same seed gives the same game")
    parser.add_argument(
        "--seats", metavar="N", type=int, help="how many players, if the game leaves a choice"
    )
    parser.add_argument(
        "--delay", metavar="SECONDS", type=_seconds, help="how long each move stays on the screen"
    )
    add_language(parser)


def demo(given: argparse.Namespace) -> int:
    import hashlib
    import secrets
    import shlex

    from parlour.client.boards.catalogue import board_of
    from parlour.client.cli.demo_screen import Frame, show
    from parlour.engine.catalogue import GAMES
    from parlour.engine.maps import tagged, to_map
    from parlour.engine.secret import ALL, Seat, Viewer, project

    name = next(iter(GAMES)) if given.game is None else given.game
    if name not in GAMES:
        raise BadArguments(f"there is no game {name!r}; there are: {', '.join(GAMES)}")
    game = GAMES[name]
    seats = game.seats[0] if given.seats is None else given.seats
    if seats not in game.seats:
        raise BadArguments(f"{game.name} is for {_numbers(game.seats)} players, not {seats}")
    seed = str(secrets.randbelow(1_000_000)) if given.seed is None else given.seed
    secret = hashlib.blake2b(os.fsencode(seed), digest_size=32).digest()
    names, texts = PLAYERS[:seats], speaking(given.lang)
    board = board_of(game.name)

    def frame(beat: "Beat[Any, Any]", viewer: Viewer) -> Frame:
        view = to_map(project(game.view(beat.state), viewer))
        news = [tagged(project(piece, viewer)) for piece in beat.news]
        sentences = [board.words(piece, names, texts) for piece in news]
        return Frame(lambda room: board.draw(view, 0, names, room, texts=texts), sentences)

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
    from parlour.client.boards.records import result

    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError("nobody is asked, and there is no outcome")
    return texts("demo.result", result=result(names, outcome.winners, outcome.reason, texts))
