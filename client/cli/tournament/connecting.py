"""A connection for one command about tournaments: to which server, under which name, and what it fetches."""

import argparse
import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

from parlour.client.addresses import as_url
from parlour.client.cli.bot import trusted
from parlour.client.cli.subcommand import BadArguments
from parlour.client.connection import Connection, Gone
from parlour.client.credentials import Credentials
from parlour.client.discovery import first_found
from parlour.client.session import Session
from parlour.client.settings import Settings, folder
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part

if TYPE_CHECKING:
    from parlour.client.cli.tournament.watch import Watching
    from parlour.client.language import Texts


def find_server(host: str | None, texts: "Texts") -> str:
    """The server that was named; else one that announces itself, else the last one; raises BadArguments."""
    if host is not None:
        return as_url(host)
    recent = Settings.read(folder()).recent
    found = asyncio.run(first_found()) or (recent[0] if recent else None)
    if found is None:
        raise BadArguments(texts("tournament.said.no_server"))
    return found


def _ignore_message(_message: m.Message) -> None:
    """Default when nobody watches."""


def _ignore_loss(_why: str) -> None:
    """Default when nobody watches."""


def _ignore_wait(_seconds: float) -> None:
    """Default when nobody looks at the screen."""


@contextlib.asynccontextmanager
async def connected(
    url: str,
    given: argparse.Namespace,
    *,
    own: bool,
    watching: "Watching | None" = None,
    on_wait: Callable[[float], None] = _ignore_wait,
) -> AsyncIterator[Connection]:
    """Connects under the player's own name, which is proven and stored, or under one for this time only."""
    settings = Settings.read(folder())
    settings.name = getattr(given, "name", None) or settings.name
    name = settings.name if own else f"Guest {secrets.randbelow(900_000) + 100_000}"
    credentials = Credentials(settings, url) if own else None
    on_message, on_loss = (
        (_ignore_message, _ignore_loss) if watching is None else (watching.hear, watching.lose)
    )

    async with contextlib.AsyncExitStack() as stack:
        while True:
            connection = await stack.enter_async_context(
                Connection(
                    url,
                    Session(name=name),
                    on_message=on_message,
                    on_loss=on_loss,
                    on_wait=on_wait,
                    trust=trusted(given),
                    credentials=credentials,
                )
            )
            try:
                await connection.ask(m.Ping)
            except Gone as gone:
                if credentials is not None and credentials.outdated(gone.reason):
                    continue
                raise
            break
        yield connection


async def is_over(connection: Connection, id: str) -> bool:
    """Whether a tournament was played to its end; raises Refused if it does not exist."""
    watched = await connection.ask(m.WatchTournament, tournament=id, on=True)
    connection.tell(m.WatchTournament, tournament=id, on=False)
    return read_part(watched["info"], m.TournamentInfo).phase == "finished"


async def fetch(
    connection: Connection, id: str, replays: Callable[[list[str]], list[str]]
) -> tuple[str, str, list[str], dict[str, Any]]:
    """Asks the server for all of a tournament: its id, the server's build, the whole log, and its games."""
    log: list[str] = []
    after: int | None = 0
    while after is not None:
        page = await connection.ask(m.TournamentLog, tournament=id, after=after)
        log += [str(each["line"]) for each in page["lines"]]
        after = page["next"]
    games = {game: (await connection.ask(m.Replay, game=game))["replay"] for game in replays(log)}
    welcome = connection.session.welcome
    return id, welcome.server if welcome is not None else "", log, games
