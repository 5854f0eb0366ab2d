"""`parlour tournament enter`: a bot that takes part until the end, and what is said of its games."""

import argparse
import logging
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

from parlour.client.boards.refusals import refusal_text
from parlour.client.bot import Bot, Played
from parlour.client.cli.bot import run_until_told, strategy_of, trusted, words_of
from parlour.client.cli.subcommand import FAILED, FINE, BadArguments
from parlour.client.cli.tournament.connecting import find_server
from parlour.client.connection import Gone, Refused
from parlour.client.credentials import Credentials
from parlour.client.external_bot import ExecBot, Program
from parlour.client.following import Followed
from parlour.client.language import Texts
from parlour.client.language.safe import safe
from parlour.client.tournament_bot import play_tournament
from parlour.client.tournaments.tables import reason
from parlour.client.tournaments.texts import decimal
from parlour.machine.output import log_to_stderr, say
from parlour.protocol import messages as m


def entered(given: argparse.Namespace, texts: Texts) -> int:
    """Takes part until the tournament is over; a line for each game, and the place at the end."""
    make = strategy_of(given)
    program = words_of(given.exec, "--exec") if given.exec is not None else []
    kind = Path(program[0]).stem if program else (given.strategy or "random").partition(":")[0]
    level = logging.INFO if given.verbose else logging.WARNING
    log_to_stderr(logging.getLogger(), level)
    where = find_server(given.host, texts)
    name = given.name or f"{kind.capitalize()[:12]} {secrets.randbelow(9000) + 1000}"
    say(texts("tournament.said.entering", name=name, tournament=given.id, host=where))
    try:
        run_until_told(_take_part(given, make, program, where, name, texts))
    except (Gone, Refused) as wrong:
        say(f"parlour: {where}: {refusal_text(wrong, texts)}", file=sys.stderr)
        return FAILED
    except OSError as wrong:
        raise BadArguments(f"--exec: {wrong.filename or given.exec}: {wrong.strerror or wrong}") from None
    return FINE


async def _take_part(
    given: argparse.Namespace,
    make: Callable[[], Bot],
    program: list[str],
    where: str,
    name: str,
    texts: Texts,
) -> None:
    def over(played: Played) -> None:
        say(game_line(played, texts))

    def ended(followed: Followed) -> None:
        say(end_line(followed.info, followed.standings, name, texts))

    # Started anew under its name, a bot finds its games again.
    credentials = Credentials.of_bot(name, where)

    async def play(make: Callable[[], Bot]) -> None:
        await play_tournament(
            make, where, given.id, name, trusted(given), over, credentials, given.code, ended
        )

    if not program:
        await play(make)
    else:
        kept = Path(given.stderr or f"{Path(program[0]).name}.stderr")
        async with Program(program, kept) as running:
            await play(lambda: ExecBot(running))


def game_line(played: Played, texts: Texts) -> str:
    """How one game ended."""
    key = "won" if played.won else "lost" if played.result.winners else "drawn"
    others = [safe(each) for seat, each in enumerate(played.names) if seat != played.seat]
    return texts("tournament.said.game", ended=texts(f"tournament.said.game_{key}"), others=", ".join(others))


def end_line(info: m.TournamentInfo, standings: tuple[m.Standing, ...], name: str, texts: Texts) -> str:
    """The place at the end."""
    mine = next((row for row in standings if row.name == name), None)
    if info.phase == "cancelled" or mine is None:
        told = texts("tournament.said.is_cancelled")
        why = reason(info, texts)
        return f"{told} ({why})" if why else told
    return texts(
        "tournament.said.placed",
        name=safe(name),
        rank=mine.rank,
        entrants=len(standings),
        points=texts.number(decimal(mine.points, 1)),
    )
