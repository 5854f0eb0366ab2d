"""The words of `parlour bot`: its arguments, and what it says of the games that it plays."""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from parlour.client.cli.subcommand import FAILED, FINE, BadArguments, count
from parlour.client.levels import LEVELS
from parlour.machine.output import log_to_stderr, say
from parlour.machine.programs import PARLOUR, command_line
from parlour.protocol.strategies import STRATEGIES, one_of

if TYPE_CHECKING:
    import ssl

    from parlour.client.bot import Bot, Played

T = TypeVar("T")
CHECK = "check"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "url",
        nargs="?",
        metavar="URL",
        help="where the server is, like ws://192.168.1.7:21925; a host alone is enough; without it the "
        "network is searched. With the word check instead, the bot started by CMD is run through a checklist",
    )
    add(
        "candidate",
        nargs="?",
        metavar="CMD",
        help="after check: the command to run; {url} and {game} in it are replaced",
    )
    add("--game", action="append", metavar="NAME", help="what to play; for check one or more (default: all)")
    add("--name", help="what the bot is called (default: its strategy and a number)")
    add(
        "--strategy",
        metavar="NAME",
        help=f"how it plays: {one_of(STRATEGIES)}, or {one_of(LEVELS)}; search may have a budget: "
        "search:0.5s (default: random)",
    )
    add("--exec", metavar="CMD", help="a program that plays: questions on its stdin, answers on its stdout")
    add(
        "--stderr",
        metavar="FILE",
        help="where the program's stderr is kept, 10 MB at most (default: PROGRAM.stderr)",
    )
    add("--games", type=count, default=1, metavar="N", help="how many games (default: %(default)s)")
    add("--seats", type=count, metavar="N", help="how many seats, if it opens a table itself")
    add("--table", metavar="ID", help="sit down at this table")
    add("--code", metavar="CODE", help="sit down at the private table that has this code")
    add("--trust", metavar="FILE", help="a certificate to trust, for a wss:// server with one of its own")
    add("--verbose", action="store_true", help="say on stderr what the bot does")


def bot(given: argparse.Namespace) -> int:
    """Plays, or checks a bot that somebody else has written; gives the exit status."""
    return _check(given) if given.url == CHECK else _play(given)


# Checking


def _check(given: argparse.Namespace) -> int:
    from parlour.client.cli.bot_check import check

    if given.candidate is None and given.exec is None:
        raise BadArguments(
            "check needs the command that starts your bot, in quotes (see: parlour bot --help)"
        )
    if given.exec is not None:
        own = command_line(PARLOUR, "bot", "{url}", "--game", "{game}")
        command = [*own, "--exec", given.exec, *(["--stderr", given.stderr] if given.stderr else [])]
    else:
        command = words_of(given.candidate, "CMD")
    passed = run_until_told(check(command, given.game, say))
    return FINE if passed else FAILED


def words_of(command: str, name: str) -> list[str]:
    import shlex

    try:
        words = shlex.split(command)
    except ValueError as wrong:
        raise BadArguments(f"{name}: {wrong}") from None
    if not words:
        raise BadArguments(f"{name} is empty")
    return words


# Playing


def _play(given: argparse.Namespace) -> int:
    """Plays as many games as were asked for, a line for each."""
    import logging
    import secrets

    from parlour.client.addresses import as_url
    from parlour.client.boards.refusals import refusal_text
    from parlour.client.connection import Gone, Refused
    from parlour.engine.catalogue import GAMES

    if given.candidate is not None:
        raise BadArguments(f"what is {given.candidate!r} for? (see: parlour bot --help)")
    if given.game is None or len(given.game) != 1:
        raise BadArguments(f"--game says what to play, once; there are: {', '.join(GAMES)}")
    if given.game[0] not in GAMES:
        raise BadArguments(f"there is no game {given.game[0]!r}; there are: {', '.join(GAMES)}")
    make = strategy_of(given)
    program = words_of(given.exec, "--exec") if given.exec is not None else []
    kind = Path(program[0]).stem if program else given.strategy or "random"
    level = logging.INFO if given.verbose else logging.WARNING
    log_to_stderr(logging.getLogger(), level)
    trust = trusted(given)
    name = given.name or f"{kind.partition(':')[0].capitalize()[:12]} {secrets.randbelow(9000) + 1000}"
    where = as_url(given.url) if given.url is not None else _found()
    wins = 0

    def over(played: "Played") -> None:
        nonlocal wins
        wins += played.won
        others = ", ".join(each for seat, each in enumerate(played.names) if seat != played.seat)
        ended = "won" if played.won else "lost" if played.result.winners else "a draw"
        say(f"{ended} ({played.result.reason}) against {others}")

    async def games() -> "list[Played]":
        from parlour.client.bot import play_games
        from parlour.client.external_bot import ExecBot, Program
        from parlour.client.table_search import Wanted

        wanted = Wanted(given.game[0], given.table, given.code, given.seats)
        if not program:
            return await play_games(make, where, wanted, name, given.games, trust, over)
        kept = Path(given.stderr or f"{Path(program[0]).name}.stderr")
        async with Program(program, kept) as running:
            return await play_games(lambda: ExecBot(running), where, wanted, name, given.games, trust, over)

    say(f"{name} looks for a game of {given.game[0]} at {where}")
    try:
        played = run_until_told(games())
    except (Gone, Refused) as wrong:
        say(f"parlour: {where}: {refusal_text(wrong)}", file=sys.stderr)
        return FAILED
    except OSError as wrong:
        raise BadArguments(f"--exec: {wrong.filename or given.exec}: {wrong.strerror or wrong}") from None
    say(f"{wins} of {len(played)} won")
    return FINE


def run_until_told(work: Coroutine[Any, Any, T]) -> T:
    """Whoever is told to end, or whose terminal is closed, ends as with Ctrl-C: a bot gets up from the table,
    where nobody waits for it, and ends the programs that it has started."""
    told = False

    async def until_told() -> T:
        nonlocal told
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def stop(*_: object) -> None:
            nonlocal told
            if not told:
                told = True
                loop.call_soon_threadsafe(task.cancel)

        with _signals(stop):
            return await work

    try:
        return asyncio.run(until_told())
    except asyncio.CancelledError:
        if told:
            raise KeyboardInterrupt from None
        raise


@contextlib.contextmanager
def _signals(stop: Callable[..., None]) -> Iterator[None]:
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {
        number: signal.signal(number, stop)
        for number in numbers
        if signal.getsignal(number) != signal.SIG_IGN  # started with nohup
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def strategy_of(given: argparse.Namespace) -> "Callable[[], Bot]":
    from random import Random

    from parlour.client.bots import maker

    if given.exec is not None and given.strategy is not None:
        raise BadArguments("--exec and --strategy are two ways to choose a bot: give one of them")
    try:
        make = maker(given.strategy or "random")
    except ValueError as wrong:
        raise BadArguments(str(wrong)) from None
    return lambda: make(Random())


def trusted(given: argparse.Namespace) -> "ssl.SSLContext | None":
    import ssl

    try:
        return ssl.create_default_context(cafile=given.trust) if given.trust else None
    except (OSError, ssl.SSLError) as wrong:
        raise BadArguments(f"--trust: {wrong.strerror or wrong}") from None


def _found() -> str:
    """The first server on this network that says it is there."""
    from parlour.client.discovery import first_found

    url = asyncio.run(first_found())
    if url is None:
        raise BadArguments("no server was found on this network: name one, like parlour bot 192.168.1.7")
    return url
