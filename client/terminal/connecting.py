"""A visit to a server, one's own or another's, from hello to goodbye, with a name that it accepts."""

import asyncio
import time

from parlour.client.connection import Connection, Gone
from parlour.client.credentials import Proof
from parlour.client.language.safe import safe
from parlour.client.local_server import Hosted, NotHosted, hosted
from parlour.client.session import Session
from parlour.client.terminal.menus.menu import Prompt
from parlour.client.terminal.player import Guest, Server, Then, WayBack
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part

HERE = "here"
"""Under which the token of one's own server is kept: its port is another every time."""
MEASURED_EVERY = 3.0
"""Seconds between two looks at how long an answer takes."""
NAMELESS = ("name_taken", "bad_name")


def visit(guest: Guest, server: Server, then: Then | None = None) -> None:
    """Goes to a server; `then` is done there first."""
    guest.set_out(server, lambda old: _visiting(guest, server, then, old))


async def _visiting(
    guest: Guest, server: Server, then: Then | None, old: "asyncio.Task[None] | None"
) -> None:
    """Until the server or the guest has had enough; the visit before is ended first."""
    if old is not None:
        old.cancel()
        await asyncio.gather(old, return_exceptions=True)
    try:
        if server.url is None:
            async with hosted(server.to_all, guest.archive) as own:
                await _at_own(guest, own, then)
            guest.notice = guest.texts("connection.own_ended")
        else:
            await _connected(guest, server.url, server.url, then)
    except NotHosted as wrong:
        guest.notice = guest.texts("connection.not_hosted", why=safe(wrong.told))
    except Gone as gone:
        _turned_away(guest, gone, server, then)
    finally:
        guest.connection = guest.server = guest.tournament = None
        guest.table_id = guest.lost_at = guest.round_trip = guest.asked_at = None
        guest.places.clear()
        guest.bots.clear()
        guest.changed()


async def _at_own(guest: Guest, own: Hosted, then: Then | None) -> None:
    """At a server of one's own until it ends: nobody needs to wait for it then."""
    guest.reached_at = own.network
    visit = asyncio.create_task(_connected(guest, own.url, HERE, then))
    ended = asyncio.ensure_future(own.ended())
    try:
        await asyncio.wait({visit, ended}, return_when=asyncio.FIRST_COMPLETED)
        if visit.done():
            await visit
    finally:
        guest.reached_at = ()
        for task in (visit, ended):
            task.cancel()
        await asyncio.gather(visit, ended, return_exceptions=True)


def _turned_away(guest: Guest, gone: Gone, server: Server, then: Then | None) -> None:
    guest.notice = guest.why(gone) if guest.way_back is None else guest.texts("connection.replaced")
    if gone.reason in NAMELESS:

        def renamed(name: str) -> None:
            guest.settings.name = name.strip() or guest.settings.name
            visit(guest, server, then)

        guest.prompt = Prompt(guest.texts("start.another_name"), renamed)


async def _connected(guest: Guest, url: str, key: str, then: Then | None) -> None:
    proof = Proof(guest.settings, key)
    while True:
        session = Session(name=guest.settings.name)
        try:
            async with Connection(
                url, session, heard=guest.hear, lost=guest.lose, patience=guest.patience, proof=proof
            ) as connection:
                await _settle_in(guest, connection, key)
                if then is not None:
                    guest.do(then())
                await measure(guest, connection)
        except Gone as gone:
            if gone.reason == "replaced" and key != HERE:
                guest.way_back = _way_back(guest, session, url)
            if not proof.outdated(gone.reason):
                raise
        finally:
            guest.connection = None


def _way_back(guest: Guest, session: Session, url: str) -> WayBack:
    """To the table or the tournament's page that was looked at."""
    page, followed = guest.tournament, list(session.tournaments)
    table = session.tables.get(guest.table_id or "")

    async def as_before() -> None:
        for id in followed:
            await guest.ask(m.WatchTournament, tournament=id, on=True)
        guest.tournament = page
        if table is not None and table.seat is None:
            by_code = {"code": table.code} if table.code else {"table": table.id}
            await guest.ask(m.Watch, **by_code)
        if table is not None and guest.session is not None and table.id in guest.session.tables:
            guest.table_id = table.id
        elif guest.table_id is None:
            guest.back_to_tournament()

    return WayBack(url, as_before)


async def _settle_in(guest: Guest, connection: Connection, key: str) -> None:
    known = (await connection.ask(m.Games))["games"]
    guest.games = tuple(read_part(each, m.GameInfo) for each in known)
    await connection.ask(m.WatchLobby, on=True)
    guest.connection = connection
    welcome = connection.session.welcome
    if welcome is not None:
        guest.table_id = _waiting(connection.session, welcome.tables)
    if key != HERE:
        guest.settings.visited(key)
    guest.notice = guest.settings.write() or ""
    guest.lobby_chat.clear()
    guest.places.clear()
    guest.changed()


def _waiting(session: Session, tables: tuple[str, ...]) -> str | None:
    """The last table at which something may still be done; where a game has ended, the lobby leads back."""
    known = session.tables
    going = [id for id in tables if id not in known or known[id].info.stage != "finished"]
    return going[-1] if going else None


async def measure(guest: Guest, connection: Connection) -> None:
    """How long an answer takes, again and again; raises Gone when the visit is over."""
    while True:
        guest.asked_at = time.monotonic()
        await connection.ask(m.Ping)
        if guest.asked_at is not None:  # else the connection was lost meanwhile: that is no round trip
            guest.round_trip = time.monotonic() - guest.asked_at
        guest.asked_at = None
        guest.changed()
        await connection.rest(MEASURED_EVERY)
