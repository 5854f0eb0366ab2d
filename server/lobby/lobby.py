"""The door: who comes in, who goes, and that each command is done once and answered once."""

import contextlib
import functools
from typing import Any

import attrs

from parlour.protocol import messages as m
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.version import FEATURES, MINOR, PROTOCOL, build
from parlour.server.limits import Limits
from parlour.server.lobby.bots import Bots
from parlour.server.lobby.commands import ASKED_ANEW, DO
from parlour.server.lobby.context import LATER, Desk, refusal
from parlour.server.people.session import Line, Session
from parlour.server.storage.change import Change
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.played_games import NoPlayedGames, PlayedGames
from parlour.server.tables.registry import Tables
from parlour.server.tables.snapshots import person_map
from parlour.server.tables.table import AGAIN_AFTER, Table
from parlour.server.tournament.live.registry import RunningTournaments

RESTARTS = 3
"""How often a bot that keeps getting lost is started anew."""


@attrs.define(repr=False)
class Lobby:
    """Decides; gateway.py moves the bytes."""

    limits: Limits
    bots: Bots
    tables: Tables = attrs.field(factory=Tables)
    played_games: PlayedGames = attrs.field(factory=NoPlayedGames)
    tournaments: RunningTournaments = attrs.field(init=False)
    closing: float | None = None
    """Seconds after which to come back, once the server is going down."""
    _desk: Desk = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.tournaments = RunningTournaments(self.tables, self.limits)
        self._desk = Desk(self.tables, self.limits, self.bots, self.played_games, self.tournaments)

    def hello(self, hello: m.Hello, line: Line, now: float) -> Session:
        """Opens or takes over a session and welcomes it; raises ProtocolError."""
        tables = self.tables
        if PROTOCOL not in hello.versions:
            raise ProtocolError("version", server=PROTOCOL)
        if self.closing is not None:
            raise ProtocolError("closing", retry_after=self.closing)
        if hello.token is not None:
            identity, token = tables.register.come_back(hello.token)
        elif hello.name is None:
            raise ProtocolError("bad_name", rule="missing")
        elif len(tables.register) >= self.limits.people and not tables.make_room():
            raise ProtocolError("too_many", most=self.limits.people)
        else:
            tables.give_up_unused(hello.name)
            identity, token = tables.register.enter(hello.name, hello.bot)
        session = tables.sessions.get(identity.name)
        if session is None:
            session = tables.sessions[identity.name] = Session(identity)
        if session.line is not None:
            session.send(m.Goodbye("replaced"))
            session.line.hang_up(4001, "replaced")
            for id in list(session.watching):
                tables.stop_watching(session, id, now)
        for table, _ in tables.tables_of(session):
            tables.wake_up(table)  # its journal knows what this player has done already
        session.line = line
        session.following.clear()
        session.in_lobby = False
        session.attends.clear()
        session.trips.clear()
        if tables.store.durable:
            line.hold()  # a token that the next process does not know would be worth nothing
        session.send(
            m.Welcome(
                version=PROTOCOL,
                minor=MINOR,
                server=build(),
                features=FEATURES,
                limits=self.limits.message(),
                heartbeat=self.limits.heartbeat,
                you=m.Person(identity.name, identity.bot),
                token=token,
                last_id=session.last_id,
                tables=tuple(sorted(session.tables)),
                now=now,
            )
        )
        self._presence(session, True, now)
        self.tournaments.connected(session)
        if tables.store.durable:
            change = Change(save_people={session.name: person_map(session)})
            tables.store.put(change, functools.partial(self._known, session, line, hello.token is None))
        return session

    def _known(self, session: Session, line: Line, new: bool, wrong: ArchiveError | None) -> None:
        if wrong is None:
            line.let_go()
            return
        line.let_go(forget=True)
        line.send(Frame.of(refusal(None, ProtocolError("not_kept", retry_after=AGAIN_AFTER))))
        line.hang_up(4000, "not_kept")
        if new and not session.tables:
            self.tables.forget(session)

    def lost(self, session: Session, line: Line, now: float) -> None:
        """A connection ended; if a newer one has taken over, that is all."""
        if session.line is not line:
            return
        session.line = None
        session.in_lobby = False
        session.attends.clear()
        for id in list(session.watching):
            self.tables.stop_watching(session, id, now)
        if self.closing is None:  # after a restart everybody is away in any case
            self._presence(session, False, now)
            if session.built_in:
                self._start_again(session)
        self.tables.absent(session)

    def _start_again(self, bot: Session) -> None:
        """A built-in bot that was lost, with its process or by itself, is started anew, but not for ever."""
        for table, seat in self.tables.tables_of(bot):
            strategy = table.sitter(seat).strategy
            if strategy is not None and bot.restarts < RESTARTS:
                bot.restarts += 1
                with contextlib.suppress(ProtocolError):
                    self.bots.start(self.tables.register.reissue(bot.identity), table.id, strategy)

    def _presence(self, session: Session, here: bool, now: float) -> None:
        for table, seat in self.tables.tables_of(session):
            self.tables.when_free(table, functools.partial(Table.presence, seat=seat, here=here, now=now))

    def heard(self, session: Session, round_trip: float) -> None:
        """A ping of ours came back."""
        session.trips.append(round_trip)
        for table, seat in self.tables.tables_of(session):
            table.heard(seat, session.round_trip)
            self.tables.alarms.set(table)

    def receive(self, session: Session, command: Any, now: float) -> None:
        """Does what a command says, once, and sees to its one answer."""
        if self.closing is not None:
            return  # what has no answer is sent again to the server that comes next
        id: int = command.id
        kind = type(command)
        if id in session.answers:
            answered = session.answers[id]
            if answered is not None:
                session.send(answered)
            return
        if id <= session.last_id and id not in session.owed and kind not in ASKED_ANEW:
            session.send(m.Error(id, "forgotten", {"last_id": session.last_id}))
            return
        kept = kind not in ASKED_ANEW
        session.expect(id, kept)
        self._do(session, command, now)

    def _do(self, session: Session, command: Any, now: float) -> None:
        """As soon as everything before it is done, and kept. A bug in it is answered like any refusal."""
        tables = self.tables
        try:
            busy = self._busy(session, command)
            if busy is not None:
                session.waits_for = busy.id
                busy.waiting.append(functools.partial(self._do, session, command, now))
                return
            tables.one_command(session, lambda: self._answer(session, command, now))
        except Exception as bug:
            tables.on_bug(f"{session.name} {command.WORD}", command.id, bug)
            answer = session.tell if type(command) in ASKED_ANEW else session.answer
            answer(command.id, refusal(command.id, ProtocolError("failed")))

    def _answer(self, session: Session, command: Any, now: float) -> None:
        tables, id, kind = self.tables, command.id, type(command)
        answer = session.tell if kind in ASKED_ANEW else session.answer
        try:
            result = DO[kind](self._desk, session, command, now)
        except ProtocolError as wrong:
            answer(id, refusal(id, wrong))
            return
        session.waits_for = tables.begun
        begun = tables.by_id.get(tables.begun) if tables.begun is not None else None
        if result is LATER:
            return
        if begun is None or not begun.busy:
            answer(id, m.Ok(id, result))
        else:
            done = m.Ok(id, result)
            if kind not in ASKED_ANEW:
                session.drafts[id] = Frame.of(done)
            begun.replies.append(lambda wrong: answer(id, refusal(id, wrong) if wrong else done))

    def _busy(self, session: Session, command: Any) -> Table | None:
        """A table that must be done with something else first: commands are done in their order."""
        tables = self.tables
        if session.waits_for is not None:
            table = tables.by_id.get(session.waits_for)
            if table is not None and table.busy:
                return table
            session.waits_for = None
        table = tables.concerned(command)
        return table if table is not None and table.busy else None

    @property
    def busy(self) -> bool:
        """Something is on its way to the store."""
        return self.tables.busy or self.tournaments.busy

    def tick(self, now: float) -> None:
        """Time went by."""
        self.tables.tick(now)
        if self.closing is None:
            self.tournaments.tick(now)

    def wake_at(self) -> float | None:
        """When to call `tick`."""
        table, tournament = self.tables.wake_at(), self.tournaments.wake_at()
        if table is None or tournament is None or self.closing is not None:
            return tournament if table is None and self.closing is None else table
        return min(table, tournament)

    def last_orders(self, retry_after: float) -> None:
        """The server goes down: tells everybody when to come back, and takes nothing on any more."""
        self.closing = retry_after
        for session in self.tables.sessions.values():
            session.send(m.Goodbye("restart", retry_after))

    def close(self, retry_after: float) -> None:
        """Hangs up on everybody, who will have been told why."""
        if self.closing is None:
            self.last_orders(retry_after)
        for session in self.tables.sessions.values():
            if session.line is not None:
                session.line.hang_up(1012, "restart")
