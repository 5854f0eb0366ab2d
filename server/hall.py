"""All the tables, reached by their ids, and the sessions that play at them or watch.

The one border is here behind which a bug ends one table and nothing else.
"""

import contextlib
import functools
import heapq
import secrets
from collections.abc import Callable

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

    def at(self, table: Table, work: Callable[[Table], None]) -> None:
        """Does something at a table, delivers what comes of it, and clears it away if all have gone."""
        before = table.stage, table.host, [sitter and sitter.name for sitter in table.sitters]
        try:
            work(table)
        except ProtocolError:
            self.deliver(table)
            raise
        except Exception as bug:
            self.on_bug(table.id, len(table.play.match.journal) if table.play else 0, bug)
            self._close(table)
            raise ProtocolError("failed", table=table.id) from None
        self.deliver(table)
        self._set_alarm(table)
        if table.deserted:
            self._close(table)
        elif before != (table.stage, table.host, [sitter and sitter.name for sitter in table.sitters]):
            self.list_in_lobby(table)

    def tick(self, now: float) -> None:
        """Looks after every table whose time has come."""
        while self._alarms and self._alarms[0][0] <= now:
            _, id = heapq.heappop(self._alarms)
            table = self.tables.get(id)
            wake = table.wake_at() if table is not None else None
            if table is not None and wake is not None and wake <= now:
                with contextlib.suppress(ProtocolError):
                    self.at(table, functools.partial(Table.tick, now=now))

    def wake_at(self) -> float | None:
        """When to call `tick`."""
        while self._alarms:
            time, id = self._alarms[0]
            table = self.tables.get(id)
            if table is not None and table.wake_at() == time:
                return time
            heapq.heappop(self._alarms)
        return None

    def _set_alarm(self, table: Table) -> None:
        wake = table.wake_at()
        if wake is not None and wake != table.alarm:
            heapq.heappush(self._alarms, (wake, table.id))
        table.alarm = wake

    def deliver(self, table: Table, but: Session | None = None) -> None:
        """Hands out what the table has posted."""
        mail, table.bulletin.mail = table.bulletin.mail, []
        for viewer, frame in mail:
            if viewer is None:
                for session in self._watching(table):
                    session.send(frame)
            else:
                sitter = table.sitters[viewer]
                owner = self.sessions.get(sitter.name) if sitter else None
                if owner is not None and owner is not but and table.id in owner.tables:
                    owner.send(frame)

    def show(self, session: Session, table: Table, seat: Seat, now: float) -> None:
        """A snapshot for somebody who has just sat down; the others get the events."""
        self.deliver(table, but=session)
        session.send(table.snapshot(seat, now))

    def list_in_lobby(self, table: Table) -> None:
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
                self.at(table, lambda table: table.changed(now))

    # The end of tables and sessions

    def _close(self, table: Table) -> None:
        """The table is gone: everybody who had to do with it, or sees the lobby, is told."""
        table.stage = "closed"
        self.tables.pop(table.id, None)
        self._codes.pop(table.code or "", None)
        frame = Frame.of(LobbyGone(table.id))
        for session in list(self.sessions.values()):
            concerned = table.id in session.tables or table.id in session.watching
            session.tables.discard(table.id)
            session.watching.discard(table.id)
            if concerned or (session.in_lobby and table.settings.public):
                session.send(frame)
            if concerned:
                self.dismiss(session)

    def dismiss(self, session: Session) -> None:
        """A built-in bot without a table has nothing more to do here."""
        if session.built_in and not session.tables:
            if session.line is not None:
                session.line.hang_up(1000, "done")
            self.forget(session)

    def forget(self, session: Session) -> None:
        self.register.forget(session.identity)
        self.sessions.pop(session.name, None)

    def _new_word(self, length: int) -> str:
        while True:
            word = "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in self.random(length))
            if word not in self.tables and word not in self._codes:
                return word
