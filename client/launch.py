"""`run`: a bot plays games, or a whole tournament, from a program without an event loop."""

import asyncio
import random
import ssl
from collections.abc import Callable

from parlour.client.bot import Bot, Played, play_games, quiet
from parlour.client.credentials import Credentials
from parlour.client.table_search import Wanted
from parlour.client.tournament_bot import play_tournament


def run(
    make: Callable[[], Bot],
    url: str,
    *,
    game: str | None = None,
    tournament: str | None = None,
    table: str | None = None,
    code: str | None = None,
    name: str | None = None,
    seats: int | None = None,
    games: int = 1,
    trust: ssl.SSLContext | None = None,
    over: Callable[[Played], None] = quiet,
) -> list[Played]:
    """Plays so many games, at a table or wherever there is a seat, and gives their results.

    Or a whole tournament, by its id: enters it, checks in, and plays all its games until it is over. `code`
    is that of a private table, or the invitation to a tournament.

    `make` is the bot's class. Without a `name` the bot is called by its class and a number, for a server
    gives each name to one player only. In a tournament a bot that is started again under its `name` is the
    same entrant: its token is kept. `over` is called with each game when it ends. Raises Gone if the server
    cannot be reached or turns the bot away, Refused if it cannot give a seat.
    """
    own = name or f"{getattr(make, '__name__', 'Bot')[:12]} {random.randrange(1000, 10_000)}"
    if tournament is not None:
        kept = Credentials.of_bot(name, url) if name else None
        return asyncio.run(play_tournament(make, url, tournament, own, trust, over, kept, code))
    if game is None:
        raise TypeError("run needs a game or a tournament")
    return asyncio.run(play_games(make, url, Wanted(game, table, code, seats), own, games, trust, over))
