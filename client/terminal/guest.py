"""A player's visit: where they are, whom they are connected to, and every deed of theirs. No screen in it."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import attrs

from parlour.client.connection import Connection, Gone, Refused
from parlour.client.finding import Found, looking
from parlour.client.hosting import NotHosted, hosted
from parlour.client.language import Texts
from parlour.client.refusals import told
from parlour.client.session import Session
from parlour.client.settings import Settings
from parlour.client.table import Table
from parlour.client.terminal.menu import Menu, Prompt, Reading
from parlour.client.terminal.safe import safe
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part

HERE = "here"
"""Under which the token of one's own server is kept: its port is another every time."""
MEASURED_EVERY = 3.0
"""Seconds between two looks at how long an answer takes."""
KEPT_CHAT = 50
NAMELESS = ("name_taken", "bad_name")


@attrs.frozen
class Server:
    """Where to go: an address, or None for a server of one's own, open to all or not."""

    url: str | None
    to_all: bool = False


def _nothing() -> None:
    """Nobody draws."""


async def _show_nowhere(_command: list[str]) -> None:
    """Nobody looks."""


class Guest:
    """See the module. `changed` is called whenever there is something new to be shown."""

    def __init__(self, texts: Texts, settings: Settings, archive: Path, patience: float = 300.0) -> None:
        self.texts = texts
        self.settings = settings
        self.changed: Callable[[], None] = _nothing
        self.heard: Callable[[m.Message], None] = lambda _: None
        self.show: Callable[[list[str]], Awaitable[None]] = _show_nowhere
        """Runs a command where the player looks."""
        self.found: dict[str, Found] = {}
        self.connection: Connection | None = None
        self.server: Server | None = None
        self.games: tuple[m.GameInfo, ...] = ()
        self.table_id: str | None = None
        self.notice = ""
        self.places: list[Callable[[], Menu]] = []
        """Menus opened over the place where one is, the last one on top."""
        self.prompt: Prompt | None = None
        self.reading: Reading | None = None
        self.lobby_chat: list[m.Line] = []
        self.round_trip: float | None = None
        self.asked_at: float | None = None
        """When the server was last asked whether it is there, while it has not answered."""
        self.lost_at: float | None = None
        self.over = asyncio.Event()
        self._archive = archive
        self._patience = patience
        self._visit: asyncio.Task[None] | None = None
        self._sat_at: str | None = None
        self._deeds: set[asyncio.Task[None]] = set()

    # Where one is

    @property
    def session(self) -> Session | None:
        return self.connection.session if self.connection is not None else None

    @property
    def table(self) -> Table | None:
        if self.session is None or self.table_id is None:
            return None
        return self.session.tables.get(self.table_id)

    @property
    def stale(self) -> bool:
        """What is known of the table may be old: the connection is lost, or what was missed is on its way."""
        return self.lost_at is not None or (self.table is not None and self.table.resuming)

    @property
    def busy(self) -> bool:
        """Something was begun whose end decides where one is."""
        return bool(self._deeds) or (self.server is not None and self.connection is None)

    def open(self, place: Callable[[], Menu]) -> None:
        self.places.append(place)
        self.notice = ""

    def close(self) -> None:
        if self.places:
            self.places.pop()

    def say(self, notice: str) -> None:
        self.notice = notice
        self.changed()

    def leave_program(self) -> None:
        self.over.set()

    async def look(self) -> None:
        """Looks for servers on this network until the program is left."""
        async with looking(self._find):
            await self.over.wait()

    def _find(self, name: str, found: Found | None) -> None:
        if found is None:
            self.found.pop(name, None)
        else:
            self.found[name] = found
        self.changed()

    # Deeds

    def do(self, deed: Awaitable[Any]) -> None:
        """Does something that takes time; what the server has against it is told."""
        self.notice = ""
        task = asyncio.ensure_future(self._done(deed))
        self._deeds.add(task)

    async def _done(self, deed: Awaitable[Any]) -> None:
        try:
            await deed
        except Refused as refused:
            self.notice = self.why(refused)
        except Gone:
            pass  # whoever runs the visit tells why it is over
        finally:
            self._deeds = {task for task in self._deeds if task is not asyncio.current_task()}
            self.changed()

    def why(self, wrong: Refused | Gone) -> str:
        text = safe(told(wrong, self.texts))
        return f"{text[:1].upper()}{text[1:]}."

    async def ask(self, kind: type[m.Command], /, **fields: Any) -> Any:
        if self.connection is None:
            raise Gone("closed")
        return await self.connection.ask(kind, **fields)

    def command(self, kind: type[m.Command], /, **fields: Any) -> None:
        """A deed that is one command at the table where one sits."""
        self.do(self.ask(kind, table=self.table_id, **fields))

    async def create(self, **plan: Any) -> None:
        made = await self.ask(m.CreateTable, **plan)
        self.places.clear()
        self.table_id = str(made["table"])

    async def play_bots(self, game: str, seats: int, strategy: str = "random") -> None:
        """A table with bots on all other seats, and off it goes."""
        await self.create(game=game, seats=seats, public=False)
        for _ in range(seats - 1):
            await self.ask(m.AddBot, table=self.table_id, strategy=strategy)
        await self.ask(m.Ready, table=self.table_id)
        if self.connection is None:
            return
        while (table := self.table) is not None and table.info.stage == "gathering":
            if all(chair is not None and chair.ready and chair.here for chair in table.info.chairs):
                await self.ask(m.Start, table=self.table_id)
                return
            await self.connection.changed()

    async def join(self, table: str | None = None, code: str | None = None) -> None:
        joined = await self.ask(m.Join, table=table, code=code)
        self.places.clear()
        self.table_id = str(joined["table"])

    async def watch(self, table: str) -> None:
        await self.ask(m.Watch, table=table)
        self.places.clear()
        self.table_id = table

    async def leave_table(self) -> None:
        id, self._sat_at = self.table_id, None
        self.places.clear()
        await self.ask(m.Leave, table=id)
        self.table_id = None

    async def act(self, turn: int, action: Any) -> None:
        await self.ask(m.Act, table=self.table_id, turn=turn, action=action)

    def chat(self, text: str) -> None:
        if text.strip() and self.connection is not None:
            self.do(self.ask(m.Say, text=text.strip(), table=self.table_id))

    # Visits

    def visit(self, server: Server, then: Callable[[], Awaitable[None]] | None = None) -> None:
        """Goes to a server; `then` is done there first."""
        self.notice = self.texts("connection.opening")
        self.server = server
        old = self._visit
        self._visit = asyncio.create_task(self._visiting(server, then, old))
        self.changed()

    def leave_server(self) -> None:
        self.notice = ""
        if self._visit is not None:
            self._visit.cancel()

    async def end(self) -> None:
        """Leaves in good order, with everything that was started."""
        tasks = [*self._deeds, *([self._visit] if self._visit is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _visiting(
        self,
        server: Server,
        then: Callable[[], Awaitable[None]] | None,
        old: "asyncio.Task[None] | None",
    ) -> None:
        if old is not None:
            old.cancel()
            await asyncio.gather(old, return_exceptions=True)
        try:
            async with contextlib.AsyncExitStack() as stack:
                if server.url is None:
                    url = await stack.enter_async_context(hosted(server.to_all, self._archive))
                    key = HERE
                else:
                    url = key = server.url
                await self._connected(url, key, then)
        except NotHosted as wrong:
            self.notice = self.texts("connection.not_hosted", why=safe(wrong.told))
        except Gone as gone:
            self._turned_away(gone, server, then)
        finally:
            self.connection = self.server = None
            self.table_id = self.lost_at = self.round_trip = self.asked_at = None
            self.places.clear()
            self.changed()

    def _turned_away(self, gone: Gone, server: Server, then: Callable[[], Awaitable[None]] | None) -> None:
        self.notice = self.why(gone)
        if gone.reason in NAMELESS:

            def renamed(name: str) -> None:
                self.settings.name = name.strip() or self.settings.name
                self.visit(server, then)

            self.prompt = Prompt(self.texts("start.another_name"), renamed)

    async def _connected(self, url: str, key: str, then: Callable[[], Awaitable[None]] | None) -> None:
        while True:
            session = Session(name=self.settings.name, token=self.settings.token(key))
            try:
                async with Connection(
                    url, session, heard=self._hear, lost=self._lose, patience=self._patience
                ) as connection:
                    await self._settle_in(connection, key)
                    if then is not None:
                        self.do(then())
                    await self._measure(connection)
            except Gone as gone:
                if gone.reason != "bad_token" or session.token is None:
                    raise
                self.settings.forget(key)
            finally:
                self.connection = None

    async def _settle_in(self, connection: Connection, key: str) -> None:
        known = (await connection.ask(m.Games))["games"]
        self.games = tuple(read_part(each, m.GameInfo) for each in known)
        await connection.ask(m.WatchLobby, on=True)
        self.connection = connection
        welcome = connection.session.welcome
        if welcome is not None:
            self.settings.remember(key, welcome.you.name, welcome.token)
            if welcome.tables:
                self.table_id = welcome.tables[-1]
        if key != HERE:
            self.settings.visited(key)
        self.notice = self.settings.write() or ""
        self.lobby_chat.clear()
        self.places.clear()
        self.changed()

    async def _measure(self, connection: Connection) -> None:
        """How long an answer takes, again and again; raises Gone when the visit is over."""
        while True:
            self.asked_at = time.monotonic()
            await connection.ask(m.Ping)
            self.round_trip = time.monotonic() - self.asked_at
            self.asked_at = None
            self.changed()
            await asyncio.sleep(MEASURED_EVERY)

    def _lose(self, _why: str) -> None:
        if self.lost_at is None:
            self.lost_at = time.monotonic()
        self.changed()

    def _hear(self, message: m.Message) -> None:
        match message:
            case m.Welcome() if self.lost_at is not None:
                self.lost_at = None
                self.notice = self.texts("connection.back")
            case m.LobbyChat(line):
                self.lobby_chat = [*self.lobby_chat, line][-KEPT_CHAT:]
        self._notice_table()
        self.heard(message)
        self.changed()

    def _notice_table(self) -> None:
        """A table that was there and is there no more has been closed, or we were sent away from it."""
        if self.table is not None:
            self._sat_at = self.table_id
        elif self.table_id is not None and self._sat_at == self.table_id:
            self.table_id = self._sat_at = None
            self.places.clear()
            self.notice = self.texts("connection.table_gone")
