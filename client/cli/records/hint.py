"""`parlour hint`: what a strategy would have played at a moment of a game that was played, and why."""

import argparse
import asyncio

from parlour.client.boards.moves import MoveContext
from parlour.client.cli.records.actions import for_which, record_of
from parlour.client.cli.subcommand import FAILED, FINE, BadArguments
from parlour.client.decision import Decision
from parlour.client.hint import NoHint, ask_for_hints
from parlour.client.language import Texts
from parlour.client.language.safe import one_line
from parlour.client.levels import strategy_of
from parlour.client.terminal.game.hint_texts import action_words, sentences
from parlour.client.terminal.replay import viewer_of
from parlour.machine.output import say
from parlour.server.storage import library


def for_hint(parser: argparse.ArgumentParser) -> None:
    for_which(parser)
    parser.add_argument(
        "--at", metavar="N", type=int, help="after this move (default: before the last choice of the game)"
    )
    parser.add_argument(
        "--as", dest="viewer", metavar="WHO", help="a player (default: whoever's turn it was)"
    )
    parser.add_argument(
        "--strategy", default="search", help="like greedy, search or search:5s (default: %(default)s)"
    )


def hint(given: argparse.Namespace, texts: Texts) -> int:
    """Prints the best few actions, and what was played then."""
    replayed = library.replay_record(record_of(given, texts)[1])
    names = [one_line(name) for name in replayed.record.header.names]
    place, seat = _moment(given, replayed, names, texts)
    decision = Decision(**replayed.decision(place, seat))
    context = MoveContext(decision.game, seat, names, decision.view, texts)
    try:
        found = asyncio.run(ask_for_hints(decision, strategy_of(given.strategy)))
    except NoHint as wrong:
        if str(wrong):
            raise BadArguments(f"--strategy: {wrong}") from None
        say(texts("hint.none"))
        return FAILED
    say(texts("hint.heading", move=place, who=names[seat]))
    for sentence in sentences(found, context):
        say(sentence)
    played = replayed.next_action(place, seat)
    if played is not None:
        say(texts("hint.played", action=action_words(played, context)))
    return FINE


def _moment(
    given: argparse.Namespace, replayed: library.ReplayedGame, names: list[str], texts: Texts
) -> tuple[int, int]:
    """The move and the seat that are meant; raises BadArguments."""
    last = len(replayed.record.lines) - 1
    if given.at is not None and not 0 <= given.at <= last:
        raise BadArguments(f"--at: {texts('replay.no_such_move', last=last, given=given.at)}")
    wanted = None
    if given.viewer is not None:
        try:
            wanted = viewer_of(given.viewer, names, texts)
        except ValueError as wrong:
            raise BadArguments(f"--as: {wrong}") from None
    for place in range(last, -1, -1) if given.at is None else [given.at]:
        asked = replayed.awaited(place)
        if given.viewer is None and asked:
            return place, asked[0]
        if isinstance(wanted, int) and wanted in asked:
            return place, wanted
    where = last if given.at is None else given.at
    raise BadArguments(texts("hint.nobody", move=where))
