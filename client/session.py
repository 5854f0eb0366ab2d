"""What a client knows: who it is, its tables, and the commands that wait for an answer. No I/O.

Maps from the server go into `receive`. Maps for the server are taken from `outgoing`, in that order: an id
never goes out after a higher one.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from parlour.client.following import Followed, News
from parlour.client.table import Table
from parlour.protocol import messages as m
from parlour.protocol.codec import read_event, read_part, write
from parlour.protocol.errors import ProtocolError
from parlour.protocol.version import FEATURES, PROTOCOL, build

Answer = m.Ok | m.Error
Done = Callable[[Answer], None]
OF_ONE_CONNECTION = (m.Watch, m.WatchLobby, m.WatchTournament)
"""What they subscribe to ends with the connection, so that the old answer is not enough."""
WAITS = 10.0
"""Seconds that a program waits for a busy server: entering tournaments is allowed once in five."""


def _nobody(_answer: Answer) -> None:
    """Default when nobody waits for the answer."""


@attrs.frozen
class Pending:
    """A command without an answer yet, and who gets the answer."""

    command: Any
    done: Done
    waited: float = 0.0
    """Seconds for which the server has put it off."""


@attrs.define
class Session:
    """What one client knows; `receive` gives the message that took effect."""

    name: str | None = None
    token: str | None = None
    bot: bool = False
    client: str = attrs.field(factory=build)
    welcome: m.Welcome | None = None
    goodbye: m.Goodbye | None = None
    """Why the server is about to close the connection, if it has said so."""
    refusal: m.Error | None = None
    """The last error that answers no command: the server closes the connection after most of them."""
    tables: dict[str, Table] = attrs.field(factory=dict)
    lobby: dict[str, m.TableInfo] | None = None
    """The public tables, while the lobby is watched."""
    tournaments: dict[str, Followed] = attrs.field(factory=dict)
    """Those that are followed."""
    last_id: int = 0
    pending: dict[int, Pending] = attrs.field(factory=dict)
    outgoing: deque[dict[str, Any]] = attrs.field(factory=deque)
    waits: float = WAITS
    """Seconds for which a busy server may put a command off, all in all, before that counts as a refusal."""
    looks_back: int = 0
    """How many events before the first snapshot of a table are asked for: they tell what was missed."""
    past: dict[str, Table] = attrs.field(factory=dict)
    """Tables whose events before the snapshot are on their way, as of those events."""
    postponed: deque[tuple[float, Pending]] = attrs.field(factory=deque)
    """Commands that the server has put off, each to be asked again after so many seconds."""

    # To the server

    def hello(self) -> dict[str, Any]:
        """The first message of a connection. A token proves the name, so that the name is left out."""
        name = self.name if self.token is None else None
        return write(m.Hello((PROTOCOL,), self.client, name, self.token, self.bot, FEATURES))

    def ask(self, kind: type[m.Command], done: Done = _nobody, /, **fields: Any) -> int:
        """Puts a command in line under the next id; `done` gets its one answer."""
        make: Callable[..., m.Command] = kind
        self.last_id += 1
        self._put(Pending(make(id=self.last_id, **fields), done))
        return self.last_id

    def ask_again(self, pending: Pending) -> None:
        """Puts a command in line once more, under a new id."""
        self.last_id += 1
        self._put(attrs.evolve(pending, command=attrs.evolve(pending.command, id=self.last_id)))

    def _put(self, pending: Pending) -> None:
        self.pending[pending.command.id] = pending
        self.outgoing.append(write(pending.command))

    # From the server

    def receive(self, plain: Mapping[str, Any], now: float) -> m.Message | None:
        """Takes a message in, at a time of the client's own clock; None: it is unknown, old or out of line.

        Raises ProtocolError for a message that breaks the protocol, and asks anew for what was in it.
        """
        try:
            message = read_event(plain)
        except ProtocolError as wrong:
            if wrong.code.name == "unknown_type":
                self._pass_over(plain)
                return None
            self._unreadable(plain)
            raise
        match message:
            case m.Welcome():
                self._welcomed(message)
            case m.Goodbye():
                self.goodbye = message
            case m.Ok() | m.Error():
                return self._answered(message)
            case m.Snapshot():
                self._snapshot(message, now)
            case m.TableChanged() | m.Update() | m.Chat():
                return message if self._in_line(message, now) else None
            case m.TournamentChanged() | m.TournamentEntrant() | m.TournamentRound():
                return message if self._follows(message) else None
            case m.TournamentResult() | m.TournamentStandings():
                return message if self._follows(message) else None
            case m.LobbyTable(info):
                if self.lobby is not None:
                    self.lobby[info.table] = info
            case m.LobbyGone(table, reason):
                self.tables.pop(table, None)
                if self.lobby is not None and reason == "closed":
                    self.lobby.pop(table, None)
        return message

    def _welcomed(self, welcome: m.Welcome) -> None:
        """Starts a new connection: sends again what has no answer, and asks for what was missed."""
        old, self.pending = self.pending, {}
        self.outgoing.clear()
        self.past.clear()
        self.welcome, self.token, self.goodbye, self.refusal = welcome, welcome.token, None, None
        # A higher id than any of ours: somebody else spoke in our name, and our ids mean other commands now.
        ours = welcome.last_id <= self.last_id
        self.last_id = max(self.last_id, welcome.last_id)
        waiting = [pending for _, pending in sorted(old.items()) if not isinstance(pending.command, m.Resume)]
        anew = [each for each in waiting if not ours or isinstance(each.command, OF_ONE_CONNECTION)]
        for pending in waiting:
            if pending not in anew:
                self._put(pending)
        for pending in anew:
            self.ask_again(pending)
        self._come_back(welcome.tables)

    def _come_back(self, seated: tuple[str, ...]) -> None:
        for table in list(self.tables.values()):
            if table.seat is None:
                by_code = {"code": table.code} if table.code else {"table": table.id}
                self.ask(m.Watch, **by_code)
            elif table.id not in seated:
                del self.tables[table.id]
        for id in seated:
            known = self.tables.get(id)
            self._resume(id, known.seq if known is not None else None)
        if self.lobby is not None:
            self.ask(m.WatchLobby, on=True)
        for id in self.tournaments:
            self.ask(m.WatchTournament, tournament=id, on=True)

    def _resume(self, id: str, after: int | None) -> None:
        if id in self.tables:
            self.tables[id].resuming = True
        self.ask(m.Resume, table=id, after=after)

    # Tables

    def is_resuming(self, id: str) -> bool:
        """Whether a table is asked for; one that was joined on a lost line is not known before."""
        asked = (pending.command for pending in self.pending.values())
        return any(isinstance(command, m.Resume) and command.table == id for command in asked)

    def _snapshot(self, snapshot: m.Snapshot, now: float) -> None:
        known = self.tables.get(snapshot.table)
        table = self.tables[snapshot.table] = Table.of(snapshot, now, known)
        if known is None and snapshot.view is not None and self.looks_back:
            self.past[table.id] = table.look_back()
            self.ask(m.Resume, table=table.id, after=max(0, table.seq - self.looks_back))

    def _in_line(self, event: m.TableChanged | m.Update | m.Chat, now: float) -> bool:
        """Takes an event if it is the next one. After a gap it asks for a snapshot."""
        table = self.tables.get(event.table)
        if table is None:
            return False
        table.newest = max(table.newest, event.seq)
        past = self.past.get(event.table)
        if past is not None and event.seq <= past.newest:
            past.take(event, now)
        if event.seq == table.seq + 1:
            table.take(event, now)
            return True
        if event.seq > table.seq and not table.resuming:
            self._resume(table.id, None)
        return False

    def _pass_over(self, plain: Mapping[str, Any]) -> None:
        """Takes over the number of an event of a later server: it leaves no gap."""
        table = self.tables.get(str(plain.get("table")))
        if table is not None and plain.get("seq") == table.seq + 1:
            table.seq += 1
            table.newest = max(table.newest, table.seq)

    def _unreadable(self, plain: Mapping[str, Any]) -> None:
        table = self.tables.get(str(plain.get("table")))
        if table is None:
            return
        table.newest = max(table.newest, table.seq + 1)
        if not table.resuming:
            self._resume(table.id, None)

    # Tournaments

    def _follows(self, news: News) -> bool:
        """Takes an event if it is the next one. After a gap it asks for a snapshot.

        Entrants are told of the phase of a tournament that they do not follow.
        """
        followed = self.tournaments.get(news.tournament)
        if followed is None or followed.take(news):
            return True
        if news.seq > followed.seq and not followed.asking:
            followed.asking = True
            self.ask(m.WatchTournament, tournament=news.tournament, on=True)
        return False

    # Answers

    def _answered(self, answer: Answer) -> Answer | None:
        if answer.id is None:
            self.refusal = answer if isinstance(answer, m.Error) else None
            return answer
        pending = self.pending.pop(answer.id, None)
        if pending is None or (isinstance(answer, m.Error) and self._postpones(pending, answer)):
            return None
        try:
            if isinstance(answer, m.Ok):
                self._done(pending.command, answer.result)
            else:
                self._refused(pending.command)
        finally:
            pending.done(answer)
        return answer

    def _postpones(self, pending: Pending, error: m.Error) -> bool:
        """Whether a command only has to wait. Chat does not: its lines would change places."""
        if error.code != "busy" or error.retry_after is None or isinstance(pending.command, m.Say):
            return False
        waited = pending.waited + error.retry_after
        if waited <= self.waits:
            self.postponed.append((error.retry_after, attrs.evolve(pending, waited=waited)))
        return waited <= self.waits

    def _done(self, command: Any, result: Any) -> None:
        match command, result:
            case m.Act(table=id, turn=turn), _ if id in self.tables:
                self.tables[id].answered(turn)
            case m.Leave(table=id), _:
                self.tables.pop(id, None)
            case m.Watch(code=str(code)), {"table": id} if id in self.tables:
                self.tables[id].code = code
            case m.WatchLobby(on=True), {"tables": [*infos]}:
                self.lobby = {info.table: info for info in [read_part(each, m.TableInfo) for each in infos]}
            case m.WatchLobby(on=False), _:
                self.lobby = None
            case m.WatchTournament(tournament=id, on=True), {"seq": int()}:
                self.tournaments[id] = Followed.of(result)
            case m.WatchTournament(tournament=id, on=False), _:
                self.tournaments.pop(id, None)
            case m.Resume(table=id, after=after), _ if id in self.tables:
                table = self.tables[id]
                table.resuming = False
                if after is not None and id in self.past:
                    table.recall(self.past.pop(id))
                if table.newest > table.seq and after is not None:
                    self._resume(id, None)

    def _refused(self, command: Any) -> None:
        match command:
            case m.Resume(table=str(id)) | m.Watch(table=str(id)):
                self.tables.pop(id, None)
            case m.WatchTournament(tournament=id):
                self.tournaments.pop(id, None)
            case m.Watch(code=str(code)):
                self.tables = {id: table for id, table in self.tables.items() if table.code != code}
