"""A player's visit: where they are, whom they are connected to, and every deed of theirs. No screen in it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import attrs

from parlour.client.boards.refusals import told
from parlour.client.connection import Connection, Gone, Refused
from parlour.client.discovery import Found, looking
from parlour.client.language import Texts
from parlour.client.language.safe import safe
from parlour.client.session import Session
from parlour.client.settings import Settings
from parlour.client.table import Table
from parlour.client.terminal.menus.menu import Menu, Prompt, Reading
from parlour.protocol import messages as m

KEPT_CHAT = 50
Then = Callable[[], Awaitable[None]]
"""What is to be done at a server first."""
Place = Callable[[], Menu]


def _nothing() -> None:
    """Nobody draws."""


def _no_page(_tournament: str) -> Place:
    """Default when there is no screen: nobody opens the page."""

    def place() -> Menu:
        raise RuntimeError("a player without a screen has no pages")

    return place


async def _show_nowhere(_command: list[str]) -> None:
    """Nobody looks."""


@attrs.frozen
class Server:
    """Where to go: an address, or None for a server of one's own, open to all or not."""

    url: str | None
    to_all: bool = False


@attrs.frozen
class WayBack:
    """To a server whose connection another program of ours has taken over, and to the page of before."""

    url: str
    then: Then


class Player:
    """Knows a player's connection and place, and does what they choose; calls `changed` to be redrawn."""

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
        self.way_back: WayBack | None = None
        """To where one was before the same player came in elsewhere; until one goes anywhere."""
        self.reached_at: tuple[str, ...] = ()
        """Where other machines reach the server that was opened here for all."""
        self.bots: dict[str, str] = {}
        """Strategies of the bots that one let sit down, by their names."""
        self.games: tuple[m.GameInfo, ...] = ()
        self.table_id: str | None = None
        self.notice = ""
        self.places: list[Place] = []
        """Menus opened over the place where one is, the last one on top."""
        self.tournament: Place | None = None
        """The page of the tournament that one looks at, or has gone from to play in it."""
        self.page_of: Callable[[str], Place] = _no_page
        """The page of a tournament by its id."""
        self.prompt: Prompt | None = None
        self.reading: Reading | None = None
        self.lobby_chat: list[m.Line] = []
        self.round_trip: float | None = None
        self.asked_at: float | None = None
        """When the server was last asked whether it is there, while it has not answered."""
        self.lost_at: float | None = None
        self.over = asyncio.Event()
        self.bug: BaseException | None = None
        self.archive = archive
        self.patience = patience
        self._visit: asyncio.Task[None] | None = None
        self._sat_at: str | None = None
        self._deeds: set[asyncio.Task[None]] = set()

    # Where one is

    @property
    def session(self) -> Session | None:
        return self.connection.session if self.connection is not None else None

    @property
    def own_name(self) -> str:
        """As the server writes it."""
        welcome = self.session.welcome if self.session is not None else None
        return welcome.you.name if welcome is not None else self.settings.name

    @property
    def table(self) -> Table | None:
        if self.session is None or self.table_id is None:
            return None
        return self.session.tables.get(self.table_id)

    @property
    def own_tables(self) -> list[Table]:
        """Those at which one has a seat, looking or not."""
        tables = self.session.tables.values() if self.session is not None else ()
        return [table for table in tables if table.seat is not None]

    @property
    def stale(self) -> bool:
        """What is known of the table may be old: the connection is lost, or what was missed is on its way."""
        return self.lost_at is not None or (self.table is not None and self.table.resuming)

    @property
    def busy(self) -> bool:
        """Something was begun whose end decides where one is."""
        return bool(self._deeds) or (self.server is not None and self.connection is None)

    def open(self, place: Place) -> None:
        self.places.append(place)
        self.notice = ""

    def close(self) -> None:
        if self.places:
            self.places.pop()

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
        task.add_done_callback(self._ended)
        self._deeds.add(task)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        bug = None if task.cancelled() else task.exception()
        if bug is not None:
            self.fail(bug)

    def fail(self, bug: BaseException) -> None:
        """A bug ends the program: whoever runs it tells of it, once the terminal is as it was."""
        self.bug = self.bug or bug
        self.over.set()

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
        game = self.table.info.game if self.table is not None else None
        text = safe(told(wrong, self.texts, game))
        return self.texts("refused.whole", sentence=f"{text[:1].upper()}{text[1:]}")

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

    async def join(self, table: str | None = None, code: str | None = None) -> None:
        joined = await self.ask(m.Join, table=table, code=code)
        self.places.clear()
        self.table_id = str(joined["table"])

    async def watch(self, table: str) -> None:
        await self.ask(m.Watch, table=table)
        self.places.clear()
        self.table_id = table

    def look_at(self, table: str | None) -> None:
        """At a table where one has a seat, or with None at the lobby; all seats stay one's own."""
        self.places.clear()
        self.table_id, self.notice = table, ""

    async def leave_table(self) -> None:
        id, self._sat_at = self.table_id, None
        self.places.clear()
        await self.ask(m.Leave, table=id)
        self.table_id = None
        self.back_to_tournament()

    async def act(self, turn: int, action: Any) -> None:
        await self.ask(m.Act, table=self.table_id, turn=turn, action=action)

    def chat(self, text: str) -> None:
        if text.strip() and self.connection is not None:
            self.do(self.ask(m.Say, text=text.strip(), table=self.table_id))

    # Visits

    def set_out(
        self, server: Server, visit: Callable[["asyncio.Task[None] | None"], Coroutine[Any, Any, None]]
    ) -> None:
        """Starts a visit to a server, which is given the one before, to be ended first."""
        self.notice = self.texts("connection.opening")
        self.server, self.way_back = server, None
        self._visit = asyncio.create_task(visit(self._visit))
        self._visit.add_done_callback(self._ended)
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

    def lose(self, _why: str) -> None:
        """The connection broke, and is being opened again."""
        if self.lost_at is None:
            self.lost_at = time.monotonic()
            self.notice = ""  # whatever was said before, when the connection is back it is news again
        self.changed()

    def hear(self, message: m.Message) -> None:
        """Something came from the server, and has taken effect."""
        match message:
            case m.Welcome() if self.lost_at is not None:
                self.lost_at = self.asked_at = None
                self.notice = self.texts("connection.back")
            case m.LobbyChat(line):
                self.lobby_chat = [*self.lobby_chat, line][-KEPT_CHAT:]
        self._called_to_table()
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
            self.back_to_tournament()
            self.notice = "" if self.tournament is not None else self.texts("connection.table_gone")

    # Tournaments

    def dealt(self) -> Table | None:
        """A game of a tournament that waits for us."""
        for table in self.session.tables.values() if self.session is not None else ():
            if table.info.tournament is not None and table.seat is not None and table.result is None:
                return table
        return None

    def _called_to_table(self) -> None:
        """Goes to such a game, unless we are in another that is not over."""
        here, there = self.table, self.dealt()
        if self.tournament is None and there is not None and there.info.tournament is not None:
            self._follow(there.info.tournament)
        if there is None or (here is not None and (here.info.tournament is None or here.result is None)):
            return
        self.places.clear()
        self.reading = self.prompt = None
        self.table_id = there.id
        self.notice = self.texts("hall.next_game")

    def _follow(self, id: str) -> None:
        """Whoever comes back in the middle of a tournament has not opened its page yet."""
        self.tournament = self.page_of(id)
        if self.connection is not None:
            self.connection.tell(m.WatchTournament, tournament=id, on=True)

    def back_to_tournament(self) -> None:
        """Opens its page after a game, once, though the table may close while we leave it."""
        if self.tournament is not None and self.tournament not in self.places:
            self.open(self.tournament)
