"""The words of `parlour bot`: its arguments, and what it says of the games that it plays."""

import argparse
import sys

from parlour.client.words import FAILED, FINE, BadArguments, one_line


def _some(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to 1000000, not {text!r}")
    return int(text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("url", metavar="URL", help="where the server is, like ws://192.168.1.7:21925; the host alone may do")
    add("--game", required=True, metavar="NAME", help="what to play")
    add("--name", help="what the bot is called (default: its strategy and a number)")
    add("--strategy", default="random", metavar="NAME", help="how it plays (default: %(default)s)")
    add("--games", type=_some, default=1, metavar="N", help="how many games (default: %(default)s)")
    add("--seats", type=_some, metavar="N", help="for how many, if it has to open a table itself")
    add("--table", metavar="ID", help="sit down at this table")
    add("--code", metavar="CODE", help="sit down at the private table that has this code")
    add("--trust", metavar="FILE", help="a certificate to trust, for a wss:// server with one of its own")


def play(given: argparse.Namespace) -> int:
    """Plays as many games as were asked for, a line for each; gives the exit status."""
    import logging
    import secrets
    import ssl

    from parlour.client.address import as_url
    from parlour.client.bot import Played, run
    from parlour.client.bots import STRATEGIES
    from parlour.client.connection import Gone, Refused
    from parlour.client.refusals import told

    if given.strategy not in STRATEGIES:
        raise BadArguments(f"there is no strategy {given.strategy!r}; there are: {', '.join(STRATEGIES)}")
    try:
        trust = ssl.create_default_context(cafile=given.trust) if given.trust else None
    except (OSError, ssl.SSLError) as wrong:
        raise BadArguments(f"--trust: {wrong.strerror or wrong}") from None
    logging.basicConfig(format="%(levelname)s %(name)s %(message)s", level=logging.WARNING)
    name = given.name or f"{given.strategy.capitalize()} {secrets.randbelow(9000) + 1000}"
    where = as_url(given.url)
    wins = 0

    def over(played: Played) -> None:
        nonlocal wins
        wins += played.won
        others = ", ".join(each for seat, each in enumerate(played.names) if seat != played.seat)
        ended = "won" if played.won else "lost" if played.result.winners else "a draw"
        print(one_line(f"{ended} ({played.result.reason}) against {others}"), flush=True)

    print(one_line(f"{name} looks for a game of {given.game} at {where}"), flush=True)
    try:
        played = run(
            STRATEGIES[given.strategy],
            where,
            game=given.game,
            table=given.table,
            code=given.code,
            name=name,
            seats=given.seats,
            games=given.games,
            trust=trust,
            over=over,
        )
    except (Gone, Refused) as wrong:
        print(one_line(f"parlour: {where}: {told(wrong)}"), file=sys.stderr)
        return FAILED
    print(f"{wins} of {len(played)} won")
    return FINE
