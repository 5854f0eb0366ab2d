"""All the tables, reached by their ids, and the sessions that play at them or watch.

The one border is here behind which a bug ends one table and nothing else.
"""

import contextlib
import functools
import heapq
import logging
import secrets
from collections.abc import Callable
from typing import TypeVar

import attrs

from parlour.engine.secret import Seat
from parlour.protocol.errors import ProtocolError
from parlour.protocol.messages import LobbyGone, LobbyTable
from parlour.server.frames import Frame
from parlour.server.identity import Register
from parlour.server.session import Session
from parlour.server.sitter import Settings
from parlour.server.table import Table

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that are read for one another."""
CODE_LENGTH = 6
ID_LENGTH = 10
Bug = Callable[[str, int, BaseException], None]
T = TypeVar("T")
log = logging.getLogger("parlour.hall")


def _silent(_table: str, _entry: int, _bug: BaseException) -> None:
    """Nobody listens."""


@attrs.define
class Hall:
    """See the module."""

    random: Callable[[int], bytes] = secrets.token_bytes
    on_bug: Bug = _silent
    register: Register = attrs.field(factory=Register)
    sessions: dict[str, Session] = attrs.field(factory=dict)
    tables: dict[str, Table] = attrs.field(factory=dict)
    _codes: dict[str, str] = attrs.field(factory=dict)
    _alarms: list[tuple[float, str]] = attrs.field(factory=list)
    """A heap of when to look after which table; those that no longer hold are passed over."""

    # Tables

    def open(self, settings: Settings, host: str) -> Table:
        id = self._new_word(ID_LENGTH)
        code = None if settings.public else self._new_word(CODE_LENGTH)
        table = Table(id, code, settings, self.random(32), host, [None] * settings.seats)
        self.tables[id] = table
        if code is not None:
            self._codes[code] = id
        return table

    def find(self, id: str | None, code: str | None) -> Table:
        """By id, if it is public; by code, if it is not; raises `no_such_table`."""
        table = self.tables.get(id or "")
        if table is not None and table.settings.public:
            return table
        table = self.tables.get(self._codes.get((code or "").upper(), ""))
        if table is None:
            raise ProtocolError("no_such_table")
        return table

    def seated(self, session: Session, id: str) -> tuple[Table, Seat]:
        """The table that a session sits at; raises `not_seated`."""
        table = self.tables.get(id) if id in session.tables else None
        seat = table.seat_of(session.name) if table is not None else None
        if table is None or seat is None:
            raise ProtocolError("not_seated")
        return table, seat

    def hosted(self, session: Session, id: str) -> Table:
        table, _ = self.seated(session, id)
        if table.host != session.name:
            raise ProtocolError("not_host")
        return table

    def tables_of(self, session: Session) -> list[tuple[Table, Seat]]:
        found = []
        for id in sorted(session.tables):
            table = self.tables.get(id)
            seat = table.seat_of(session.name) if table is not None else None
            if table is not None and seat is not None:
                found.append((table, seat))
        return found

    # Work at a table

    def at(self, table: Table, work: Callable[[Table], T]) -> T:
        """Does something at a table, delivers what comes of it, and clears it away if all have gone."""
        before = table.face
        try:
            done = work(table)
        except ProtocolError:
            self._deliver(table)
            self.set_alarm(table)
            raise
        except Exception as bug:
            self.on_bug(table.id, len(table.play.match.journal) if table.play else 0, bug)
            self._close(table)
            raise ProtocolError("failed", table=table.id) from None
        self._deliver(table)
        self.set_alarm(table)
        if table.deserted:
            self._close(table)
        elif before is not table.face and before != table.face:
            stage, _, names = table.face
            log.info(
                "table=%s stage=%s game=%s seats=%s", table.id, stage, table.settings.game.name, list(names)
            )
            self._list_in_lobby(table)
        return done

    def tick(self, now: float) -> None:
        """Looks after every table whose time has come."""
        due = []
        while self._alarms and self._alarms[0][0] <= now:
            time, id = heapq.heappop(self._alarms)
            if self._holds(time, id):
                due.append(self.tables[id])
        for table in due:
            table.alarm = None
            with contextlib.suppress(ProtocolError):
                self.at(table, functools.partial(Table.tick, now=now))

    def wake_at(self) -> float | None:
        """When to call `tick`."""
        while self._alarms:
            time, id = self._alarms[0]
            if self._holds(time, id):
                return time
            heapq.heappop(self._alarms)
        return None

    def set_alarm(self, table: Table) -> None:
        """To be called after whatever may change when a table is to be woken."""
        wake = table.wake_at()
        if wake == table.alarm:
            return
        if wake is not None:
            if len(self._alarms) > 2 * len(self.tables) + 64:
                # What long clocks have left behind: only the last alarm of each table holds.
                self._alarms = [(time, id) for time, id in self._alarms if self._holds(time, id)]
                heapq.heapify(self._alarms)
            heapq.heappush(self._alarms, (wake, table.id))
        table.alarm = wake

    def _holds(self, time: float, id: str) -> bool:
        table = self.tables.get(id)
        return table is not None and table.alarm == time

    def _deliver(self, table: Table) -> None:
        """Hands out what the table has posted."""
        mail = table.bulletin.mail
        if not mail:
            return
        table.bulletin.mail = []
        for viewer, frame in mail:
            if viewer is None:
                for session in self._watching(table):
                    session.send(frame)
            else:
                sitter = table.sitters[viewer]
                owner = self.sessions.get(sitter.name) if sitter else None
                if owner is not None and table.id in owner.following:
                    owner.send(frame)

    def _list_in_lobby(self, table: Table) -> None:
        if table.settings.public:
            frame = Frame.of(LobbyTable(table.info()))
            for session in self.sessions.values():
                if session.in_lobby:
                    session.send(frame)

    def _watching(self, table: Table) -> list[Session]:
        if not table.watchers:
            return []
        return [session for session in self.sessions.values() if table.id in session.watching]

    def stop_watching(self, session: Session, id: str, now: float) -> None:
        if id in session.watching:
            session.watching.discard(id)
            table = self.tables.get(id)
            if table is not None:
                table.watchers -= 1
                with contextlib.suppress(ProtocolError):
                    self.at(table, lambda table: table.changed(now))

    # The end of tables and sessions

    def _close(self, table: Table) -> None:
        """The table is gone: everybody who had to do with it, or sees the lobby, is told."""
        log.info("table=%s stage=closed", table.id)
        table.stage = "closed"
        if table.play is not None:
            table.play.break_off(ProtocolError("failed", table=table.id))
        self.tables.pop(table.id, None)
        self._codes.pop(table.code or "", None)
        frame = Frame.of(LobbyGone(table.id))
        for session in list(self.sessions.values()):
            concerned = table.id in session.tables or table.id in session.watching
            session.get_up(table.id)
            session.watching.discard(table.id)
            if concerned or (session.in_lobby and table.settings.public):
                session.send(frame)
            if concerned:
                self.dismiss(session)

    def absent(self, session: Session) -> None:
        """Has lost the connection. Names are kept, but for those with which nothing was ever done."""
        if not session.tables and (session.built_in or not session.last_id):
            self.forget(session)
        else:
            self.sessions[session.name] = self.sessions.pop(session.name)  # the longest absent come first

    def make_room(self) -> bool:
        """Gives up the name that has been absent for longest, of those without a table."""
        for session in self.sessions.values():
            if session.line is None and not session.tables:
                self.forget(session)
                return True
        return False

    def dismiss(self, session: Session) -> None:
        """A built-in bot without a table has nothing more to do here."""
        if session.built_in and not session.tables:
            if session.line is not None:
                session.line.hang_up(1000, "done")
            self.forget(session)

    def forget(self, session: Session) -> None:
        """The name is free; the line that may still be closing has nothing to do with its next owner."""
        session.line = None
        self.register.forget(session.identity)
        self.sessions.pop(session.name, None)

    def _new_word(self, length: int) -> str:
        while True:
            word = "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in self.random(length))
            if word not in self.tables and word not in self._codes:
                return word
