"""Connects a player to a server, their own or another's, from hello to goodbye, with a name it accepts."""

import asyncio
import time

from parlour.client.addresses import only_here, reached_by_others
from parlour.client.connection import Connection, Gone, Refused
from parlour.client.credentials import Credentials
from parlour.client.language.safe import safe
from parlour.client.local_server import Hosted, NotHosted, hosted
from parlour.client.session import Session
from parlour.client.terminal.menus.menu import Prompt
from parlour.client.terminal.player import Player, Server, Then, WayBack
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part

HERE = "here"
"""The key of the token for one's own server: its port, and so its URL, changes every time."""
MEASURED_EVERY = 3.0
"""Seconds between two measurements of the round trip."""
WAITS = 3.0
"""Seconds that a command waits for a busy server: people would take a longer silence for a fault."""
LOOKS_BACK = 20
"""Events before one's return that are told: some rounds of a game."""
NAMELESS = ("name_taken", "bad_name")


def connect(player: Player, server: Server, then: Then | None = None) -> None:
    """Starts a connection in the background; `then` is done first once it stands."""
    player.start_connection(server, lambda old: _run(player, server, then, old))


async def _run(player: Player, server: Server, then: Then | None, old: "asyncio.Task[None] | None") -> None:
    """Stays connected until the server or the player ends it; ends the connection before first."""
    if old is not None:
        old.cancel()
        await asyncio.gather(old, return_exceptions=True)
    try:
        if server.url is None:
            async with hosted(server.to_all, player.archive) as own:
                await _at_own(player, own, then)
            player.notice = player.texts("connection.own_ended")
        else:
            await _stay_connected(player, server.url, server.url, then)
    except NotHosted as wrong:
        player.notice = player.texts("connection.not_hosted", why=safe(wrong.told))
    except Refused as refused:
        player.notice = player.why(refused)
    except Gone as gone:
        _turned_away(player, gone, server, then)
    finally:
        player.connection = player.server = player.tournament = None
        player.reached_at = ()
        player.table_id = player.lost_at = player.round_trip = player.asked_at = None
        player.places.clear()
        player.changed()


async def _at_own(player: Player, own: Hosted, then: Then | None) -> None:
    """Stays connected to the player's own server until it ends: it will not come back."""
    player.reached_at = own.network
    connection = asyncio.create_task(_stay_connected(player, own.url, HERE, then))
    ended = asyncio.ensure_future(own.ended())
    try:
        await asyncio.wait({connection, ended}, return_when=asyncio.FIRST_COMPLETED)
        if connection.done():
            await connection
    finally:
        for task in (connection, ended):
            task.cancel()
        await asyncio.gather(connection, ended, return_exceptions=True)


def _turned_away(player: Player, gone: Gone, server: Server, then: Then | None) -> None:
    player.notice = player.why(gone) if player.way_back is None else player.texts("connection.replaced")
    if gone.reason in NAMELESS:

        def renamed(name: str) -> None:
            player.settings.name = name.strip() or player.settings.name
            connect(player, server, then)

        player.prompt = Prompt(player.texts("start.another_name"), renamed, name="name")


async def _stay_connected(player: Player, url: str, key: str, then: Then | None) -> None:
    credentials = Credentials(player.settings, key)
    while True:
        session = Session(name=player.settings.name, waits=WAITS, looks_back=LOOKS_BACK)
        try:
            async with Connection(
                url,
                session,
                on_message=player.hear,
                on_loss=player.lose,
                patience=player.patience,
                credentials=credentials,
            ) as connection:
                await _settle_in(player, connection, key)
                if then is not None:
                    player.do(then())
                await measure(player, connection)
        except Gone as gone:
            if gone.reason == "replaced" and key != HERE:
                player.way_back = _way_back(player, session, url)
            if not credentials.outdated(gone.reason):
                raise
        finally:
            player.connection = None


def _way_back(player: Player, session: Session, url: str) -> WayBack:
    """Leads to the table or the tournament's page that was on the screen."""
    page, followed = player.tournament, list(session.tournaments)
    table = session.tables.get(player.table_id or "")

    async def as_before() -> None:
        for id in followed:
            await player.ask(m.WatchTournament, tournament=id, on=True)
        player.tournament = page
        if table is not None and table.seat is None:
            by_code = {"code": table.code} if table.code else {"table": table.id}
            await player.ask(m.Watch, **by_code)
        if table is not None and player.session is not None and table.id in player.session.tables:
            player.table_id = table.id
        elif player.table_id is None:
            player.back_to_tournament()

    return WayBack(url, as_before)


async def _settle_in(player: Player, connection: Connection, key: str) -> None:
    known = (await connection.ask(m.Games))["games"]
    player.games = tuple(read_part(each, m.GameInfo) for each in known)
    await connection.ask(m.WatchLobby, on=True)
    if key != HERE:
        player.reached_at = await reached_by_others(key) if only_here(key) else ()
    player.connection = connection
    welcome = connection.session.welcome
    if welcome is not None:
        seated = (*welcome.tables, *(each.table for each in welcome.elsewhere))
        player.table_id = _waiting(connection.session, seated)
    if key != HERE:
        player.settings.add_recent(key)
    player.notice = player.settings.write() or ""
    player.lobby_chat.clear()
    player.places.clear()
    player.changed()


def _waiting(session: Session, tables: tuple[str, ...]) -> str | None:
    """The last table whose game has not ended; the lobby leads back to the others."""
    known = session.tables
    going = [id for id in tables if id not in known or known[id].info.stage != "finished"]
    return going[-1] if going else None


async def measure(player: Player, connection: Connection) -> None:
    """Measures the round trip again and again; raises Gone when the connection is over."""
    while True:
        player.asked_at = time.monotonic()
        await connection.ask(m.Ping)
        if player.asked_at is not None:  # it is None if the connection was lost: that is no round trip
            player.round_trip = time.monotonic() - player.asked_at
        player.asked_at = None
        player.changed()
        await connection.rest(MEASURED_EVERY)
