"""All the tables, reached by their ids, and the sessions that play at them or watch.

Here is the one border behind which a bug ends one table and nothing else.
"""

import contextlib
import functools
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import attrs

from parlour.engine.secret import Seat
from parlour.protocol.errors import ProtocolError
from parlour.protocol.messages import LobbyGone, LobbyTable
from parlour.server.border import Bug, nothing, silent
from parlour.server.people.identity import Register
from parlour.server.people.newcomers import Newcomers
from parlour.server.people.session import Peer, Session, refusal
from parlour.server.storage.change import Change
from parlour.server.storage.errors import Unreadable
from parlour.server.storage.gate import AGAIN_AFTER, Reply, WriteGate
from parlour.server.storage.store import Done, NoStore, Store, ignore
from parlour.server.tables.alarms import Alarms
from parlour.server.tables.live_game import PendingMove
from parlour.server.tables.recorder import Addition
from parlour.server.tables.seats import Settings
from parlour.server.tables.stored_maps import Plain, Stored, person_map, session_map, table_map
from parlour.server.tables.table import Table
from parlour.server.tables.watchers import Watchers

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without letters that look like digits."""
CODE_LENGTH = 6
ID_LENGTH = 10
NEXT_LOOK = 0.25
"""Seconds between two games that are brought back by themselves after a restart."""
WOKEN = 4
"""Tables whose time has come that are woken in one go: a move that time makes takes up to half a
millisecond, and somebody may have hundreds of games whose times are all up at once."""
NOTHING = Change()
"""What a server without an archive stores."""
Listing = tuple[object, ...]
T = TypeVar("T")
log = logging.getLogger("parlour.tables")


def _ignore_table(_table: Table) -> None:
    """Default when there are no tournaments."""


def _ignore_bots(_table: Table, _now: float) -> float | None:
    """Default when there are no built-in bots."""
    return None


Before = tuple[Listing, Callable[[], None] | None]
"""A table before a piece of work: what the lobby showed of it, and how to undo the work, if it can be."""


@attrs.define(repr=False)
class Tables:
    """Every table by its id, and every session by its name."""

    random: Callable[[int], bytes] = secrets.token_bytes
    on_bug: Bug = silent
    register: Register = attrs.field(factory=Register)
    newcomers: Newcomers = attrs.field(factory=Newcomers)
    sessions: dict[str, Session] = attrs.field(factory=dict)
    by_id: dict[str, Table] = attrs.field(factory=dict)
    store: Store = attrs.field(factory=NoStore)
    node: str = ""
    """The name of this server among those of its house, empty if it is alone."""
    gates: dict[str, WriteGate] = attrs.field(factory=dict)
    _touched: dict[str, Before] | None = None
    """The tables that the current command works at: what it changes is stored together with its answer."""
    on_alarm: Callable[[], None] = nothing
    """Called when a table may want to be woken at another time than before."""
    clock: Callable[[], float] = time.monotonic
    on_table: Callable[[Table], None] = _ignore_table
    """Called when a tournament's table has come back after a restart or finished, and when any is closed."""
    on_listed: Callable[[Table], None] = _ignore_table
    """Called when what a lobby shows of a table has changed, or who sits there."""
    on_closed: Callable[[Table], Done] = lambda _table: ignore
    """Called when any is closed; what it returns is called once that is stored or refused."""
    on_bots: Callable[[Table, float], float | None] = _ignore_bots
    """Starts the built-in bots of a table or sends them home; returns when to look again."""
    alarms: Alarms = attrs.field(init=False)
    _codes: dict[str, str] = attrs.field(factory=dict)
    watchers: Watchers = attrs.field(factory=Watchers)
    _restorers: dict[str, Callable[[Table], None]] = attrs.field(factory=dict)
    """By table, after a restart: what restores its game."""

    def __attrs_post_init__(self) -> None:
        self.alarms = Alarms(self.by_id)

    # Tables

    def open(self, settings: Settings, host: str) -> Table:
        id = self.new_word(ID_LENGTH)
        code = None if settings.public else self.new_word(CODE_LENGTH)
        table = Table(id, code, settings, self.random(32), host, [None] * settings.seats)
        self.add(table)
        return table

    def add(self, table: Table) -> None:
        fail = functools.partial(self._fail, table)
        self.gates[table.id] = WriteGate(table.id, self.store, self.on_bug, fail, self.set_alarm)
        self.by_id[table.id] = table
        table.recorder.node = self.node
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
        id = getattr(command, "table", None)
        if not hasattr(command, "code"):
            return self.by_id.get(id or "")
        try:
            return self.find(id, command.code)
        except ProtocolError:
            return None

    def seated(self, session: Session, id: str) -> tuple[Table, Seat]:
        """The table that a session sits at; raises `not_seated`."""
        table = self.by_id.get(id) if id in session.tables else None
        seat = table.seat_of(session.name) if table is not None else None
        if table is None or seat is None:
            raise ProtocolError("not_seated")
        return table, seat

    def playing(self, session: Session, id: str) -> tuple[Table, Seat]:
        """The table at which a session plays, for itself or for somebody else; raises `not_seated`."""
        table = self.by_id.get(id) if id in session.tables else None
        seat = table.seat_played_by(session.name) if table is not None else None
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
            seat = table.seat_played_by(session.name) if table is not None else None
            if table is not None and seat is not None:
                found.append((table, seat))
        return found

    def ids_of(self, name: str) -> list[str]:
        """The tables at which somebody plays, whether or not they were ever connected here."""
        return [id for id, table in self.by_id.items() if table.seat_played_by(name) is not None]

    # Work at a table

    def at(self, table: Table, work: Callable[[Table], T], undo: bool = False) -> T:
        """Works at a table; what the work has changed is stored, and then told.

        With `undo`, what cannot be stored is undone.
        """
        if table.restores_at is not None and not self.restore_game(table):
            raise ProtocolError("failed", table=table.id)
        touched = self._touched
        if touched is None or table.id not in touched:
            before = table.listing, table.restore_point() if undo and self.store.durable else None
        else:
            before = touched[table.id]
        try:
            return work(table)
        except ProtocolError:
            raise
        except Exception as bug:
            self._fail(table, bug)
            raise ProtocolError("failed", table=table.id) from None
        finally:
            if touched is None:
                self._store(table, before)
            else:
                touched[table.id] = before

    def when_free(self, table: Table, work: Callable[[Table], object]) -> None:
        """Does work that nobody waits for: now, or when the table is no longer busy."""

        def quietly() -> None:
            if table.stage != "closed":
                with contextlib.suppress(ProtocolError):
                    self.at(table, work)

        gate = self.gates.get(table.id)
        if gate is not None:
            gate.when_free(quietly)

    def do_command(self, session: Session, work: Callable[[], None]) -> None:
        """Does a command, and then stores what it has changed together with its answer.

        After a restart the command is then neither done again nor answered differently.
        """
        around, self._touched = self._touched, {}
        try:
            work()
        finally:
            touched, self._touched = self._touched, around
            for id, before in touched.items():
                if id in self.by_id:
                    self._store(self.by_id[id], before, session)

    def reply(self, table: Table, reply: Reply) -> None:
        """Calls `reply` when what the current command has changed at a table is stored or refused."""
        gate = self.gates.get(table.id)
        if gate is None:
            reply(None)  # all have left, and it was closed
        else:
            gate.reply(reply)

    def storing(self) -> WriteGate | None:
        """The gate through which what the current command has changed will go; None if it changed nothing."""
        for id in self._touched or ():
            table = self.by_id.get(id)
            if table is not None and (table.unsaved or table.pending_move() is not None):
                return self.gates[id]
        return None

    def restore_later(self, table: Table, restore: Callable[[Table], None], at: float) -> None:
        """Has `restore_game` called by then at the latest, and before anything else happens at the table."""
        self._restorers[table.id] = restore
        table.restores_at = at
        self.alarms.set(table)

    def restore_game(self, table: Table) -> bool:
        """Restores the game from before a restart; False if that fails, and then the table is closed.

        Raises `not_kept` while the archive cannot be read: the game is still there when it can.
        """
        restore = self._restorers.pop(table.id, None)
        table.restores_at = None
        if restore is not None:
            listed = table.stage
            try:
                restore(table)
            except Unreadable:
                self.restore_later(table, restore, self.clock() + AGAIN_AFTER)
                raise ProtocolError("not_kept", retry_after=AGAIN_AFTER) from None
            except Exception as bug:
                self._fail(table, bug)
                return False
            if table.stage != listed:  # its journal knows more than the table that was stored
                self.list_in_lobby(table)
            self._tell_tournament(table)
        return True

    def begin_again(self, table: Table) -> None:
        """Restores a table and stores its new numbers: until that is done nobody is told anything of it."""
        with contextlib.suppress(ProtocolError):
            self.at(table, lambda _: None)

    def _fail(self, table: Table, bug: BaseException) -> None:
        """Reports a bug and closes this table; no other is touched."""
        self.on_bug(table.id, len(table.live_game.match.journal) if table.live_game else 0, bug)
        self._close(table, ProtocolError("failed", table=table.id))

    def _tell_tournament(self, table: Table) -> None:
        if table.settings.terms is not None:
            self.on_table(table)

    # Storing

    def _store(self, table: Table, before: Before, whose: Session | None = None) -> None:
        """Stores a table's pending move, or else the table if it has changed; then everybody is told."""
        gate = self.gates.get(table.id)
        if gate is None:
            return
        if gate.busy:
            gate.when_free(functools.partial(self._store, table, before, whose))
            return
        try:
            pending = table.pending_move()
            if pending is not None:
                addition = table.record(pending, self.store.wall()) if self.store.durable else None
                gate.put(
                    addition.change if addition is not None else NOTHING,
                    functools.partial(self._commit, table, pending, addition),
                    functools.partial(self._call_off, table, pending),
                )
            elif table.unsaved:
                table.unsaved, table.saves_at = False, None
                if table.stage == "finished":
                    self._keep_names(table)
                gate.put(
                    self.change_of(table, whose) if self.store.durable else NOTHING,
                    functools.partial(self._saved, table, before[0]),
                    functools.partial(self._undo, table, before),
                )
            else:
                self._publish(table, before[0])
                gate.go_on()
        except Exception as bug:
            self._fail(table, bug)

    def _saved(self, table: Table, before: Listing) -> None:
        table.renumbered = False
        self._publish(table, before)

    def _commit(self, table: Table, pending: PendingMove, addition: Addition | None) -> None:
        """Applies a stored move, and stores and tells what follows from it."""
        listing = table.listing
        table.commit(pending, addition, self.clock())
        more = table.pending_move() is not None
        if more:
            self._deliver(table)
        if more or table.unsaved:
            self._store(table, (listing, None))
        else:
            self._publish(table, listing)

    def _call_off(self, table: Table, pending: PendingMove, wrong: ProtocolError) -> ProtocolError:
        table.call_off(pending, wrong)
        self._reseat(table)
        self._publish(table, table.listing)
        return wrong

    def _undo(self, table: Table, before: Before, wrong: ProtocolError) -> ProtocolError | None:
        """Undoes a change that was not stored, or has it stored later."""
        listing, restore = before
        if restore is None:
            table.unsaved = True
            table.saves_at = self.clock() + AGAIN_AFTER
            self._publish(table, listing)
            return None
        restore()
        self._reseat(table)
        if any(table.players):
            self._publish(table, listing)
            self.list_in_lobby(table)  # a list that was made meanwhile has what is undone now
        else:
            self._close(table, wrong)  # its creation was not stored, so remove it
        return wrong

    def change_of(self, table: Table, whose: Session | None = None) -> Change:
        """Makes the change that stores a table, its players, and whose command it was, with their answers."""
        # Bots are nobody's but the table's: they come and go with it.
        there = [self.sessions[name] for name in table.names() if name in self.sessions]
        bots = [session.name for session in there if session.built_in]
        return Change(
            save_tables={table.id: table_map(table)},
            save_people=Stored(self.sessions, bots, person_map) if bots else {},
            versions=self.versions(there) if bots else {},
            keep_people=self._keep_names(table) if table.stage == "finished" else (),
            save_sessions=self._sessions_at(table, whose),
            answered=(whose.name,) if whose is not None else (),
        )

    def versions(self, sessions: Iterable[Session]) -> dict[str, int]:
        """What was read of people, if other nodes may have stored them since."""
        return {session.name: session.identity.version for session in sessions} if self.node else {}

    def _sessions_at(self, table: Table, whose: Session | None = None) -> Mapping[str, Plain]:
        names = table.names()
        names += [whose.name] if whose is not None else []
        return Stored(self.sessions, names, session_map)

    def _keep_names(self, table: Table) -> list[str]:
        """Gives those who have finished a game their names for good; who they are."""
        kept = []
        for player in table.players:
            session = self.sessions.get(player.name) if player is not None else None
            if session is not None and not session.built_in:
                self.newcomers.keep(session)
                kept.append(session.name)
        return kept

    def _reseat(self, table: Table) -> None:
        """Makes the sessions agree with the table after a change was undone."""
        for session in list(self.sessions.values()):
            seat = table.seat_played_by(session.name)
            if table.id in session.tables and seat is None:
                session.get_up(table.id)
            elif table.id not in session.tables and seat is not None:
                session.tables.add(table.id)

    def _publish(self, table: Table, before: Listing) -> None:
        """Delivers the table's events, and lists it in the lobby if its stage, host or names have changed."""
        self._deliver(table)
        if table.bots_due and not table.is_deserted():
            table.bots_due = False
            table.bots_at = self.on_bots(table, self.clock())
        self.alarms.set(table)
        if table.is_deserted():
            self._close(table)
        elif before is not table.listing and before != table.listing:
            stage, _, names = table.listing
            game = table.settings.game.name
            log.info("table=%s stage=%s game=%s seats=%s", table.id, stage, game, list(names))
            self.list_in_lobby(table)
            if table.stage == "finished":
                self._tell_tournament(table)

    @property
    def busy(self) -> bool:
        """Whether a change of any table is being stored."""
        return any(gate.busy for gate in self.gates.values())

    def set_alarm(self) -> None:
        """Has the gateway's alarm set again: when to wake a table may have changed."""
        self.on_alarm()

    def tick(self, now: float) -> None:
        """Wakes a few of the tables whose time has come, and restores only one game.

        `wake_at` is still in the past while there are others: many in a row would keep everybody waiting.
        """
        restored = False
        for table in self.alarms.due(now, WOKEN):
            if table.restores_at is not None and restored:
                table.restores_at = now + NEXT_LOOK
                self.alarms.set(table)
                continue
            restored = restored or table.restores_at is not None
            self.when_free(table, functools.partial(Table.tick, now=now))

    def wake_at(self) -> float | None:
        """When to call `tick`."""
        return self.alarms.next()

    def _deliver(self, table: Table) -> None:
        """Sends the answers to moves, and the table's events to those who follow it."""
        self._answer_moves(table)
        if table.renumbered:
            return
        for viewer, frame in table.event_log.take():
            if viewer is None:
                for session in self.watchers.at_table(table.id):
                    session.send(frame, urgent=False)
            else:
                player = table.players[viewer]
                owner = self.sessions.get(player.substitute or player.name) if player is not None else None
                if owner is None or owner.peer is None:
                    continue
                if table.id in owner.following and table.id in owner.tables:
                    owner.peer.send(frame)

    def _answer_moves(self, table: Table) -> None:
        for (name, id), wrong in table.take_answers():
            session = self.sessions.get(name)
            if session is not None and wrong is None:
                session.answer_ok(id)
            elif session is not None and wrong is not None:
                session.mistakes += wrong.code.name == "illegal"  # and not another who was faster
                session.answer(id, refusal(id, wrong))

    def list_in_lobby(self, table: Table) -> None:
        """Tells everybody what a lobby shows of a table."""
        self.on_listed(table)
        if table.settings.public and self.watchers.any_in_lobby:
            self.watchers.tell_lobby(LobbyTable(table.info()))

    # Watchers

    def stop_watching(self, session: Session, id: str, now: float) -> None:
        """Sends a session no more of a table, and tells those there that one less watches."""
        table = self.by_id.get(id)
        if self.watchers.stop(session, id) and table is not None:
            self.when_free(table, functools.partial(Table.count_watchers, more=-1, now=now))

    def watch_on(
        self, session: Session, peer: Peer | None, table: Table, wrong: ProtocolError | None
    ) -> None:
        """Lets somebody watch on, on the same connection, who wanted to sit down and could not."""
        if wrong is None:
            return
        if peer is not None and session.peer is peer:
            self.watchers.watch(session, table.id)
        else:
            self.when_free(table, functools.partial(Table.count_watchers, more=-1, now=self.clock()))

    # The end of tables and sessions

    def close(self, table: Table) -> None:
        """Closes a table of a tournament that was cancelled, after what is being stored there.

        A move that is on its way to the disk has happened, and is answered so.
        """
        gate = self.gates.get(table.id)
        if gate is not None:
            gate.when_free(functools.partial(self._close, table))

    def _close(self, table: Table, wrong: ProtocolError | None = None) -> None:
        """Closes a table, perhaps after a bug, and tells its players and watchers and the lobby."""
        gate = self.gates.pop(table.id, None)
        if gate is None:
            return  # closed already
        log.info("table=%s stage=closed", table.id)
        table.stage = "closed"
        if table.live_game is not None:
            table.live_game.break_off(ProtocolError("failed", table=table.id))
            self._answer_moves(table)
        self.by_id.pop(table.id, None)
        self._restorers.pop(table.id, None)
        if gate.store.durable:
            # After what is on its way there; with the answers to moves, which are known from the journals of
            # tables that are still there.
            change = Change(save_sessions=self._sessions_at(table), drop_tables=[table.id])
            gate.store.put(change, self.on_closed(table))
        self._codes.pop(table.code or "", None)
        gone, watched_by = LobbyGone(table.id), self.watchers.table_closed(table.id)
        if table.settings.public:
            self.watchers.tell_lobby(gone)
        for session in [*self._seated_sessions(table), *watched_by]:
            session.get_up(table.id)
            session.watching.discard(table.id)
            if not (table.settings.public and self.watchers.in_lobby(session)):
                session.send(gone)
            self.dismiss(session)
        gate.close(wrong)
        self.on_table(table)

    def let_go(self, table: Table) -> None:
        """Forgets a table that another node has now; all that is stored of it stays."""
        gate = self.gates.pop(table.id)
        del self.by_id[table.id]
        self._codes.pop(table.code or "", None)
        for session in [*self._seated_sessions(table), *self.watchers.table_closed(table.id)]:
            session.get_up(table.id)
            session.watching.discard(table.id)
        table.stage = "closed"
        gate.close(ProtocolError("busy", retry_after=AGAIN_AFTER))

    def _seated_sessions(self, table: Table) -> list[Session]:
        """The sessions that have a seat at a table."""
        found = [self.sessions.get(name) for name in table.names()]
        return [session for session in found if session is not None and table.id in session.tables]

    def dismiss(self, session: Session) -> None:
        """Disconnects a built-in bot that has no table left."""
        if session.built_in and not session.tables:
            if session.peer is not None:
                session.peer.hang_up(1000, "done")
            self.forget(session)

    def forget(self, session: Session) -> None:
        """Frees the name; a connection that is still closing has nothing to do with its next owner."""
        session.peer = None
        self.watchers.watch_lobby(session, False)
        for id in list(session.watching):
            self.stop_watching(session, id, self.clock())
        self.register.forget(session.identity)
        self.newcomers.forget(session)
        self.sessions.pop(session.name, None)
        if self.store.durable:
            versions = self.versions([session])
            self.store.put(Change(drop_people=[session.name], versions=versions), ignore)

    def new_word(self, length: int) -> str:
        while True:
            word = "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in self.random(length))
            if word not in self.by_id and word not in self._codes:
                return word
