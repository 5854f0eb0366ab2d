"""A bot in a tournament: it enters, checks in, and plays all its games until the end."""

import asyncio
import logging
import secrets
import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING

from parlour.client.bot import Bot, Played, play
from parlour.client.connection import Connection, Gone, Refused
from parlour.client.following import Followed
from parlour.client.session import Session
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part

if TYPE_CHECKING:
    from parlour.client.credentials import Credentials

OVER = ("finished", "cancelled")
NOT_YET = ("announced",)
THERE = ("check_in", "running", "paused")
log = logging.getLogger("parlour.bot")


class Progress:
    """The phase of a tournament, as the server tells one of its entrants."""

    def __init__(self, tournament: str) -> None:
        self.tournament = tournament.upper()
        self.phase: m.Phase | None = None
        """None: to be asked for, at first and whenever the connection was lost."""
        self._seq = -1

    def hear(self, message: m.Message) -> None:
        if isinstance(message, m.Welcome):
            self.phase, self._seq = None, -1
        elif isinstance(message, m.TournamentChanged) and message.tournament == self.tournament:
            self.phase, self._seq = message.info.phase, message.seq

    async def look(self, connection: Connection) -> m.Phase:
        """The phase of now; raises Refused if there is no such tournament."""
        line = connection.session.places.get(self.tournament)
        if line is not None and not line.open:  # nobody else tells of it
            self.phase, self._seq = None, -1
        if self.phase is None:
            watched = await connection.ask(m.WatchTournament, tournament=self.tournament)
            if self.phase is None or watched["seq"] > self._seq:  # more may have come right behind the answer
                self.phase = read_part(watched["info"], m.TournamentInfo).phase
            if self.phase not in NOT_YET:
                # Entrants are told all the same, and what watchers get is long.
                connection.tell(m.WatchTournament, tournament=self.tournament, on=False)
        return self.phase


async def play_tournament(
    make: Callable[[], Bot],
    url: str,
    tournament: str,
    name: str,
    trust: ssl.SSLContext | None = None,
    over: Callable[[Played], None] = lambda _played: None,
    credentials: "Credentials | None" = None,
    code: str | None = None,
    ended: Callable[[Followed], None] | None = None,
) -> list[Played]:
    """All games of a tournament, one bot object for each; raises Gone, or Refused if it may not enter.

    With credentials, a bot that was started again is known by its name. `code` is for tournaments that ask
    for an invitation; `ended` gets the standings in the end.
    """
    while True:
        try:
            return await _played(make, url, tournament, name, trust, over, credentials, code, ended)
        except Gone as gone:
            if credentials is None or not credentials.outdated(gone.reason):
                raise


async def _played(
    make: Callable[[], Bot],
    url: str,
    tournament: str,
    name: str,
    trust: ssl.SSLContext | None,
    over: Callable[[Played], None],
    credentials: "Credentials | None",
    code: str | None,
    ended: Callable[[Followed], None] | None,
) -> list[Played]:
    progress = Progress(tournament)
    session = Session(name=name, bot=True)
    played: list[Played] = []

    def finished(one: Played) -> None:
        played.append(one)
        over(one)

    try:
        async with Connection(
            url, session, on_message=progress.hear, trust=trust, credentials=credentials
        ) as connection:
            async with asyncio.TaskGroup() as group:
                await _take_part(make, connection, progress, group, finished, code)
            if ended is not None:
                ended(Followed.of(await connection.ask(m.WatchTournament, tournament=progress.tournament)))
    except ExceptionGroup as several:
        for wrong in several.exceptions:
            if isinstance(wrong, Gone | Refused):
                raise wrong from None
        raise
    return played


async def _take_part(
    make: Callable[[], Bot],
    connection: Connection,
    progress: Progress,
    group: asyncio.TaskGroup,
    finished: Callable[[Played], None],
    code: str | None,
) -> None:
    entered = there = False
    known: set[str] = set()
    while (phase := await progress.look(connection)) not in OVER:
        if not entered and phase not in NOT_YET:
            await _do(connection, m.Enter, "already_in", tournament=progress.tournament, code=code)
            entered = True
        elif not there and phase in THERE:
            nonce = secrets.token_hex(8)
            await _do(connection, m.CheckIn, "already_there", tournament=progress.tournament, nonce=nonce)
            there = True
        else:
            # Check-in may end with too few, and be opened again.
            there = there and phase in THERE
            for table in list(connection.session.tables.values()):
                if table.info.tournament == progress.tournament and table.id not in known:
                    known.add(table.id)
                    group.create_task(_play(make(), connection, table.id, finished))
            await connection.changed()


async def _do(connection: Connection, kind: type[m.Command], done: str, **fields: str | None) -> None:
    """Asks for something that may have been done already, before this bot was started anew."""
    try:
        await connection.ask(kind, **fields)
    except Refused as refused:
        if refused.facts.get("why") != done:
            raise
        log.info("%s tournament=%s", done, fields["tournament"])


async def _play(bot: Bot, connection: Connection, table: str, finished: Callable[[Played], None]) -> None:
    played = await play(bot, connection, table)
    if played is not None:
        finished(played)
