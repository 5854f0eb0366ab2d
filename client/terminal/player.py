"""One player: where they are, whom they are connected to, and all that they do. No screen in it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import attrs

from parlour.client.boards.refusals import refusal_text
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
PASSING = 5.0
"""Seconds for which a notice stays that asks for nothing."""
Then = Callable[[], Awaitable[None]]
"""What to do first at a server."""
Place = Callable[[], Menu]


def _draw_nothing() -> None:
    """Default when there is no screen."""


def _no_page(_tournament: str) -> Place:
    """Default when there is no screen: nobody opens the page."""

    def place() -> Menu:
        raise RuntimeError("a player without a screen has no pages")

    return place


async def _show_nowhere(_command: list[str]) -> None:
    """Default when there is no screen."""


@attrs.frozen
class Server:
    """Where to connect: an address, or None for the player's own server, open to all or not."""

    url: str | None
    to_all: bool = False


@attrs.frozen
class WayBack:
    """How to return to a server, and to the page there, after another program took the connection over."""

    url: str
    then: Then


class Player:
    """Knows a player's connection and place, and does what they choose; calls `changed` to be redrawn."""

    def __init__(self, texts: Texts, settings: Settings, archive: Path, patience: float = 300.0) -> None:
        self.texts = texts
        self.settings = settings
        self.changed: Callable[[], None] = _draw_nothing
        self.show: Callable[[list[str]], Awaitable[None]] = _show_nowhere
        """Runs a command on the player's terminal."""
        self.found: dict[str, Found] = {}
        self.connection: Connection | None = None
        self.server: Server | None = None
        self.way_back: WayBack | None = None
        """Where the player was before another program replaced this one, until the next connection."""
        self.reached_at: tuple[str, ...] = ()
        """The URLs at which other machines reach the player's own server."""
        self.games: tuple[m.GameInfo, ...] = ()
        self.table_id: str | None = None
        self.notice = ""
        self.places: list[Place] = []
        """Menus opened over the lobby or the table, the last one on top."""
        self.tournament: Place | None = None
        """The page of the tournament that the player looks at, or left to play in it."""
        self.page_of: Callable[[str], Place] = _no_page
        """The page of a tournament by its id."""
        self.prompt: Prompt | None = None
        self.reading: Reading | None = None
        self.hints: Reading | None = None
        """What a strategy would play, shown beside the board."""
        self.lobby_chat: list[m.Line] = []
        self.round_trip: float | None = None
        self.asked_at: float | None = None
        """When the last ping was sent, until it is answered."""
        self.lost_at: float | None = None
        self.over = asyncio.Event()
        self.bug: BaseException | None = None
        self.archive = archive
        self.patience = patience
        self._connecting: asyncio.Task[None] | None = None
        self._sat_at: str | None = None
        self._leaving: str | None = None
        self._removed_from: str | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    # Place

    @property
    def session(self) -> Session | None:
        return self.connection.session if self.connection is not None else None

    @property
    def own_name(self) -> str:
        """The player's name as the server writes it."""
        welcome = self.session.welcome if self.session is not None else None
        return welcome.you.name if welcome is not None else self.settings.name

    @property
    def table(self) -> Table | None:
        if self.session is None or self.table_id is None:
            return None
        return self.session.tables.get(self.table_id)

    @property
    def alone(self) -> bool:
        """Whether the player is on a server of their own that nobody else can reach."""
        return self.server is not None and self.server.url is None and not self.server.to_all

    @property
    def own_tables(self) -> list[Table]:
        """The tables at which the player has a seat, on the screen or not."""
        tables = self.session.tables.values() if self.session is not None else ()
        return [table for table in tables if table.seat is not None]

    @property
    def stale(self) -> bool:
        """Whether the table may be out of date: the connection is lost, or missed events are on their way."""
        return self.lost_at is not None or (self.table is not None and self.table.resuming)

    @property
    def busy(self) -> bool:
        """Whether something has begun whose end decides where the player is."""
        return bool(self._tasks) or self.connecting

    @property
    def connecting(self) -> bool:
        """Whether a connection is being opened, and none has stood yet."""
        return self.server is not None and self.connection is None

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

    # Actions

    def do(self, work: Awaitable[Any]) -> None:
        """Runs something that takes time in the background; a refusal becomes the notice."""
        self.notice = ""
        task = asyncio.ensure_future(self._done(work))
        task.add_done_callback(self._ended)
        self._tasks.add(task)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        bug = None if task.cancelled() else task.exception()
        if bug is not None:
            self.fail(bug)

    def fail(self, bug: BaseException) -> None:
        """Ends the program because of a bug, which is reported once the terminal is restored."""
        self.bug = self.bug or bug
        self.over.set()

    async def _done(self, work: Awaitable[Any]) -> None:
        try:
            await work
        except Refused as refused:
            self.notice = self.why(refused)
        except Gone:
            pass  # the task of the connection says why it is over
        finally:
            self._tasks = {task for task in self._tasks if task is not asyncio.current_task()}
            self.changed()

    def why(self, wrong: Refused | Gone) -> str:
        game = self.table.info.game if self.table is not None else None
        text = safe(refusal_text(wrong, self.texts, game))
        return self.texts("refused.whole", sentence=f"{text[:1].upper()}{text[1:]}")

    async def ask(self, kind: type[m.Command], /, **fields: Any) -> Any:
        if self.connection is None:
            raise Gone("closed")
        return await self.connection.ask(kind, **fields)

    def command(self, kind: type[m.Command], /, **fields: Any) -> None:
        """Sends one command about the table on the screen."""
        self.do(self.ask(kind, table=self.table_id, **fields))

    async def create(self, **plan: Any) -> None:
        made = await self.ask(m.CreateTable, **plan)
        self.places.clear()
        self.table_id = str(made["table"])

    async def join(self, table: str | None = None, code: str | None = None) -> None:
        self._removed_from = None
        joined = await self.ask(m.Join, table=table, code=code)
        self.places.clear()
        self.table_id = str(joined["table"])
        if self._removed_from == self.table_id:  # the host was faster than this task
            self._go_from_table("connection.kicked")

    async def watch(self, table: str | None = None, code: str | None = None) -> None:
        watched = await self.ask(m.Watch, table=table, code=code)
        self.places.clear()
        self.table_id = str(watched["table"])

    def look_at(self, table: str | None) -> None:
        """Shows a table at which the player has a seat, or with None the lobby; all seats are kept."""
        self.places.clear()
        self.table_id, self.notice = table, ""
        self.take_seat_back()

    def take_seat_back(self) -> bool:
        """Tells the server that the player is here, if the seat is played for; returns whether it is."""
        table = self.table
        if table is None or not table.played_for or self.stale or self.connection is None:
            return False
        self.connection.tell(m.Resume, table=table.id, after=table.seq)
        self.notice = self.texts("absence.own_returned")
        return True

    async def leave_table(self) -> None:
        id = self._leaving = self.table_id
        self._sat_at = None
        self.places.clear()
        try:
            await self.ask(m.Leave, table=id)
        finally:
            self._leaving = None
        self.table_id = None
        self.back_to_tournament()

    async def act(self, turn: int, action: Any) -> None:
        await self.ask(m.Act, table=self.table_id, turn=turn, action=action)

    def chat(self, text: str) -> None:
        if text.strip() and self.connection is not None:
            self.do(self.ask(m.Say, text=text.strip(), table=self.table_id))

    # Connections

    def start_connection(
        self, server: Server, run: Callable[["asyncio.Task[None] | None"], Coroutine[Any, Any, None]]
    ) -> None:
        """Starts the task of a connection, which gets the task before it, to end that first."""
        self.notice = self.texts("connection.opening")
        self.server, self.way_back = server, None
        self._connecting = asyncio.create_task(run(self._connecting))
        self._connecting.add_done_callback(self._ended)
        self.changed()

    def leave_server(self) -> None:
        self.notice = ""
        if self._connecting is not None:
            self._connecting.cancel()

    async def end(self) -> None:
        """Cancels every task of this player, and waits for their end."""
        tasks = [*self._tasks, *([self._connecting] if self._connecting is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def lose(self, _why: str) -> None:
        """The connection broke, and is being opened again."""
        if self.lost_at is None:
            self.lost_at = time.monotonic()
            self.notice = ""  # so that the notice is new when the connection is back
        self.changed()

    def hear(self, message: m.Message) -> None:
        """Takes a message from the server that the session has applied."""
        match message:
            case m.Welcome() if self.lost_at is not None:
                self.lost_at = self.asked_at = None
                self.notice = self.texts("connection.back")
                asyncio.get_running_loop().call_later(PASSING, self._take_down, self.notice)
            case m.LobbyGone(table, "kicked"):
                self._removed_from = table
                if table == self.table_id:
                    self._go_from_table("connection.kicked")
            case m.LobbyChat(line):
                self.lobby_chat = [*self.lobby_chat, line][-KEPT_CHAT:]
        self._go_to_dealt()
        self._notice_table()
        self.changed()

    def _notice_table(self) -> None:
        """Goes back to the lobby if the table on the screen was closed, or its host sent the player away."""
        if self.table_id is not None and self.table_id == self._leaving:
            return  # its last news may come before the answer
        if self.table is not None:
            self._sat_at = self.table_id
        elif self.table_id is not None and self._sat_at == self.table_id:
            self._go_from_table("connection.table_gone")

    def _go_from_table(self, why: str) -> None:
        self.table_id = self._sat_at = None
        self.places.clear()
        self.back_to_tournament()
        self.notice = "" if self.tournament is not None else self.texts(why)

    def _take_down(self, notice: str) -> None:
        """Clears a notice that has been there for long enough, unless there is another by now."""
        if self.notice == notice:
            self.notice = ""
            self.changed()

    # Tournaments

    def dealt(self) -> Table | None:
        """The table of a tournament's game that waits for this player."""
        for table in self.session.tables.values() if self.session is not None else ():
            if table.info.tournament is not None and table.seat is not None and table.result is None:
                return table
        return None

    def _go_to_dealt(self) -> None:
        """Goes to a tournament's game, unless the player is in another that is not over."""
        here, there = self.table, self.dealt()
        if self.tournament is None and there is not None and there.info.tournament is not None:
            self._follow(there.info.tournament)
        if there is None or (here is not None and (here.info.tournament is None or here.result is None)):
            return
        self.places.clear()
        self.reading = self.prompt = None
        self.table_id = there.id
        self.notice = self.texts("tournaments.next_game")

    def _follow(self, id: str) -> None:
        """Follows a tournament whose page is not open: the player came back in the middle of it."""
        self.tournament = self.page_of(id)
        if self.connection is not None:
            self.connection.tell(m.WatchTournament, tournament=id, on=True)

    def back_to_tournament(self) -> None:
        """Opens its page after a game, once, though the table may close while the player leaves it."""
        if self.tournament is not None and self.tournament not in self.places:
            self.open(self.tournament)
