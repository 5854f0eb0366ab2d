"""All the tables, reached by their ids, and the sessions that play at them or watch.

Here is the one border behind which a bug ends one table and nothing else.
"""

import contextlib
import functools
import logging
import secrets
import time
from collections.abc import Callable
from typing import TypeVar

import attrs

from parlour.engine.secret import Seat
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.messages import LobbyGone, LobbyTable
from parlour.server.border import Bug, guard, silent
from parlour.server.people.identity import Register
from parlour.server.people.session import Session
from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.store import NoStore, Store, ignore
from parlour.server.tables.alarms import Alarms
from parlour.server.tables.seats import Settings
from parlour.server.tables.snapshots import person_map, table_map
from parlour.server.tables.table import AGAIN_AFTER, Table

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without letters that look like digits."""
CODE_LENGTH = 6
ID_LENGTH = 10
NEXT_LOOK = 0.25
"""Seconds between two games that are brought back by themselves after a restart."""
Listing = tuple[object, ...]
T = TypeVar("T")
log = logging.getLogger("parlour.tables")


def _ignore() -> None:
    """Default when no alarm is wired."""


def _ignore_table(_table: Table) -> None:
    """Default when there are no tournaments."""


@attrs.define(repr=False)
class Tables:
    """Every table by its id, and every session by its name."""

    random: Callable[[int], bytes] = secrets.token_bytes
    on_bug: Bug = silent
    register: Register = attrs.field(factory=Register)
    sessions: dict[str, Session] = attrs.field(factory=dict)
    by_id: dict[str, Table] = attrs.field(factory=dict)
    store: Store = attrs.field(factory=NoStore)
    storing: str | None = None
    """The table whose change the current command has handed to the store."""
    _deferred: "list[functools.partial[None]] | None" = None
    """Changes of the current command, which are handed to the store together with its answer."""
    on_alarm: Callable[[], None] = _ignore
    """Called when a table may want to be woken at another time than before."""
    clock: Callable[[], float] = time.monotonic
    on_table: Callable[[Table], None] = _ignore_table
    """Called when a tournament's table has come back after a restart, finished or closed."""
    alarms: Alarms = attrs.field(init=False)
    _codes: dict[str, str] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.alarms = Alarms(self.by_id)

    # Tables

    def open(self, settings: Settings, host: str) -> Table:
        id = self.new_word(ID_LENGTH)
        code = None if settings.public else self.new_word(CODE_LENGTH)
        table = Table(id, code, settings, self.random(32), host, [None] * settings.seats, store=self.store)
        self.add(table)
        return table

    def add(self, table: Table) -> None:
        table.later = self._go_on
        self.by_id[table.id] = table
        if table.code is not None:
            self._codes[table.code] = table.id

    def find(self, id: str | None, code: str | None) -> Table:
        """Finds a public table by its id, any other by its code; raises `no_such_table`."""
        table = self.by_id.get(id or "")
        if table is not None and table.settings.public:
            return table
        table = self.by_id.get(self._codes.get((code or "").upper(), ""))
        if table is None:
            raise ProtocolError("no_such_table")
        return table

    def table_of(self, command: object) -> Table | None:
        """The table that a command names, if there is one."""
        id, code = getattr(command, "table", None), getattr(command, "code", None)
        return self.by_id.get(id or self._codes.get((code or "").upper(), ""))

    def seated(self, session: Session, id: str) -> tuple[Table, Seat]:
        """The table that a session sits at; raises `not_seated`."""
        table = self.by_id.get(id) if id in session.tables else None
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
            table = self.by_id.get(id)
            seat = table.seat_of(session.name) if table is not None else None
            if table is not None and seat is not None:
                found.append((table, seat))
        return found

    # Work at a table

    def at(self, table: Table, work: Callable[[Table], T], undo: bool = False) -> T:
        """Works at a table, stores what has changed, then delivers its events; closes it if all have left.

        With `undo`, what cannot be stored is undone.
        """
        if table.asleep is not None and not self.wake_up(table):
            raise ProtocolError("failed", table=table.id)
        before = table.listing
        restore = table.restore_point() if undo and self.store.durable else None
        try:
            done = work(table)
        except ProtocolError:
            self._save(table, before, restore)
            raise
        except Exception as bug:
            self._fail(table, bug)
            raise ProtocolError("failed", table=table.id) from None
        self._save(table, before, restore)
        return done

    def when_free(self, table: Table, work: Callable[[Table], object]) -> None:
        """Does work that nobody waits for: now, or when the table is no longer busy."""
        if table.busy:
            table.waiting.append(lambda: self.when_free(table, work))
        elif table.stage != "closed":
            with contextlib.suppress(ProtocolError):
                self.at(table, work)

    def wake_up(self, table: Table) -> bool:
        """Brings back the game from before a restart; False if that fails, and then the table is closed."""
        bring_back, table.asleep = table.asleep, None
        if bring_back is not None:
            try:
                bring_back(table)
            except Exception as bug:
                self._fail(table, bug)
                return False
            self._tell_tournament(table)
        return True

    def _fail(self, table: Table, bug: BaseException) -> None:
        """Reports a bug and closes this table; no other is touched."""
        self.on_bug(table.id, len(table.live_game.match.journal) if table.live_game else 0, bug)
        self._close(table, ProtocolError("failed", table=table.id))

    def _tell_tournament(self, table: Table) -> None:
        if table.settings.terms is not None:
            self.on_table(table)

    def _go_on(self, table: Table, work: Callable[[Table], None]) -> None:
        """Works at a table after the store has answered, and then does what has waited for that."""
        if table.stage != "closed":
            with contextlib.suppress(ProtocolError):
                self.at(table, work)
        self._catch_up(table)

    def _save(self, table: Table, before: Listing, restore: Callable[[], None] | None) -> None:
        """Stores what has changed, if anything has, and then delivers the table's events."""
        if table.busy:
            self.storing = table.id
            return
        if not table.unsaved or not self.store.durable or table.stage == "closed":
            table.unsaved = False
            self._publish(table, before)
            return
        table.unsaved = False
        table.busy = True
        self.storing = table.id
        put = functools.partial(self._save_now, table, before, restore)
        if self._deferred is None:
            put()
        else:
            self._deferred.append(put)

    def _save_now(
        self, table: Table, before: Listing, restore: Callable[[], None] | None, whose: Session | None = None
    ) -> None:
        if table.stage != "closed":
            change = self.change_of(table, whose)
            self.store.put(change, functools.partial(self._stored, table, before, restore))

    def do_command(self, session: Session, work: Callable[[], None]) -> None:
        """Does a command, and hands its changes to the store together with its answer.

        After a restart the command is then neither done again nor answered differently.
        """
        around = self.storing, self._deferred
        deferred: list[functools.partial[None]] = []
        self.storing, self._deferred = None, deferred
        try:
            work()
        finally:
            self.storing, self._deferred = around
            for put in deferred:
                put(whose=session)

    def _stored(
        self, table: Table, before: Listing, restore: Callable[[], None] | None, wrong: ArchiveError | None
    ) -> None:
        table.busy = False
        if table.stage == "closed":
            return
        try:
            self._settle(table, before, restore, wrong)
        except Exception as bug:
            self._fail(table, bug)
        self._catch_up(table)

    def _settle(
        self, table: Table, before: Listing, restore: Callable[[], None] | None, wrong: ArchiveError | None
    ) -> None:
        """Delivers what was stored; undoes what was not, or has it stored later."""
        if wrong is not None:
            log.error("table=%s not stored: %s", table.id, wrong)
            if restore is not None:
                restore()
                self._reseat(table)
                table.give_replies(ProtocolError("not_kept", retry_after=AGAIN_AFTER))
                if not any(table.players):
                    self._close(table)  # its creation was not stored, so remove it
                    return
            else:
                table.unsaved = True
        self._publish(table, before)

    def change_of(self, table: Table, whose: Session | None = None) -> Change:
        """Makes the change that stores a table, its players, and whose command it was, with their answers."""
        names = [player.name for player in table.players if player is not None]
        names += [whose.name] if whose is not None else []
        people = {name: person_map(self.sessions[name]) for name in names if name in self.sessions}
        return Change(save_tables={table.id: table_map(table)}, save_people=people)

    def _reseat(self, table: Table) -> None:
        """Makes the sessions agree with the table after a change was undone."""
        for session in list(self.sessions.values()):
            if table.id in session.tables and table.seat_of(session.name) is None:
                session.get_up(table.id)
            elif table.id not in session.tables and table.seat_of(session.name) is not None:
                session.tables.add(table.id)
                session.following.add(table.id)

    def _catch_up(self, table: Table) -> None:
        """Sends the answers that were held, and does what has waited, until the table is busy again."""
        while table.replies and not table.busy:
            self._guard(table, functools.partial(table.give_replies, None))
        while table.waiting and not table.busy:
            self._guard(table, table.waiting.popleft())
        self.on_alarm()

    def _guard(self, table: Table, work: Callable[[], None]) -> None:
        guard(work, self.on_bug, table.id)

    def _publish(self, table: Table, before: Listing) -> None:
        """Delivers the table's events, and lists it in the lobby if its stage, host or names have changed."""
        self._deliver(table)
        self.alarms.set(table)
        if table.deserted:
            self._close(table)
        elif before is not table.listing and before != table.listing:
            stage, _, names = table.listing
            game = table.settings.game.name
            log.info("table=%s stage=%s game=%s seats=%s", table.id, stage, game, list(names))
            self._list_in_lobby(table)
            if table.stage == "finished":
                self._tell_tournament(table)

    @property
    def busy(self) -> bool:
        """Whether a change of any table is being stored."""
        return any(table.busy for table in self.by_id.values())

    def tick(self, now: float) -> None:
        """Wakes every table whose time has come, but only one of those that sleep after a restart.

        Bringing back a long game takes a while: many in a row would keep everybody waiting.
        """
        woken = False
        for table in self.alarms.due(now):
            if table.asleep is not None and woken:
                table.sleeps_until = now + NEXT_LOOK
                self.alarms.set(table)
                continue
            woken = woken or table.asleep is not None
            self.when_free(table, functools.partial(Table.tick, now=now))

    def wake_at(self) -> float | None:
        """When to call `tick`."""
        return self.alarms.next()

    def _deliver(self, table: Table) -> None:
        """Sends the table's events to those who follow it."""
        outgoing = table.event_log.outgoing
        if not outgoing:
            return
        table.event_log.outgoing = []
        for viewer, frame in outgoing:
            if viewer is None:
                for session in self._watching(table):
                    session.send(frame)
            else:
                player = table.players[viewer]
                owner = self.sessions.get(player.name) if player else None
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
            table = self.by_id.get(id)
            if table is not None:
                table.watchers -= 1
                self.when_free(table, lambda table: table.changed(now))

    # The end of tables and sessions

    def close(self, table: Table) -> None:
        """Closes a table of a tournament that was cancelled."""
        if table.stage != "closed":
            self._close(table)

    def _close(self, table: Table, wrong: ProtocolError | None = None) -> None:
        """Closes a table, perhaps after a bug, and tells its players and watchers and the lobby."""
        log.info("table=%s stage=closed", table.id)
        table.stage = "closed"
        if table.live_game is not None:
            table.live_game.break_off(ProtocolError("failed", table=table.id))
        self.by_id.pop(table.id, None)
        if self.store.durable:
            self.store.put(Change(drop_tables=[table.id]), ignore)
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
        table.busy = False
        while table.replies:
            self._guard(table, functools.partial(table.give_replies, wrong))
        self._catch_up(table)
        self._tell_tournament(table)

    def keep_absent(self, session: Session) -> None:
        """Keeps the name of a player who lost the connection, unless nothing was ever done with it."""
        if not session.tables and (session.built_in or not session.last_id):
            self.forget(session)
        else:
            self.sessions[session.name] = self.sessions.pop(session.name)  # the longest absent come first

    def give_up_unused(self, name: str) -> None:
        """Frees a name from before a restart with which nothing was ever done.

        Its owner's welcome may have been lost, and with it the token.
        """
        owner = self.register.owner(name)
        session = self.sessions.get(owner.name) if owner is not None else None
        if session is not None and session.peer is None and not session.tables and not session.last_id:
            self.forget(session)

    def make_room(self) -> bool:
        """Frees the name that has been absent for longest, of those without a table."""
        for session in self.sessions.values():
            if session.peer is None and not session.tables and not session.takes_part:
                self.forget(session)
                return True
        return False

    def dismiss(self, session: Session) -> None:
        """Disconnects a built-in bot that has no table left."""
        if session.built_in and not session.tables:
            if session.peer is not None:
                session.peer.hang_up(1000, "done")
            self.forget(session)

    def forget(self, session: Session) -> None:
        """Frees the name; a connection that is still closing has nothing to do with its next owner."""
        session.peer = None
        self.register.forget(session.identity)
        self.sessions.pop(session.name, None)
        if self.store.durable:
            self.store.put(Change(drop_people=[session.name]), ignore)

    def new_word(self, length: int) -> str:
        while True:
            word = "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in self.random(length))
            if word not in self.by_id and word not in self._codes:
                return word
