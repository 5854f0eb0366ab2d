"""What a client knows: who it is, its lines, its tables. No I/O.

Maps from a server go into `receive`, with the line on which they came. Maps for it are taken from the line's
`outgoing`. A table or tournament of a house is at one node: its commands go over the line to that node, and
are sent on when the answer is `moved`.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping
from typing import Any

import attrs

from parlour.client.following import Followed, News
from parlour.client.lines.line import (
    ASKING,
    NOT_TWICE,
    OF_ONE_CONNECTION,
    Answer,
    Done,
    Line,
    Pending,
    nobody,
    subject,
)
from parlour.client.table import Table
from parlour.protocol import messages as m
from parlour.protocol.codec import read_event, read_part, write
from parlour.protocol.errors import ProtocolError
from parlour.protocol.version import FEATURES, NODES, PROTOCOL, build

WAITS = 10.0
"""Seconds that a program waits for a busy server: entering tournaments is allowed once in five."""
MOVES_AT_ONCE = 2
"""How often a command is sent on to another node without a pause: a table may change its node meanwhile."""
MOVE_AGAIN = 0.5
"""Seconds until a node is asked again that does not answer, or sends a command back."""
FOLLOWS = 60.0
"""Seconds for which a command follows its table: a node that died is replaced within ten."""


@attrs.define
class Session:
    """What one client knows; `receive` gives the message that took effect."""

    name: str | None = None
    token: str | None = None
    bot: bool = False
    client: str = attrs.field(factory=build)
    features: tuple[str, ...] = (*FEATURES, NODES)
    home: Line = attrs.field(factory=Line)
    """Gets the commands that name no table or tournament of another node."""
    lines: list[Line] = attrs.field(init=False)
    """One for each node that this client has had to do with."""
    nodes: dict[str, str] = attrs.field(factory=dict)
    """The addresses of all nodes of the house, by name; empty for a server alone."""
    places: dict[str, Line] = attrs.field(factory=dict)
    """Where a table or tournament was seen last."""
    tables: dict[str, Table] = attrs.field(factory=dict)
    lobby: dict[str, m.TableInfo] | None = None
    """The public tables, while the lobby is watched."""
    tournaments: dict[str, Followed] = attrs.field(factory=dict)
    """Those that are followed."""
    waits: float = WAITS
    """Seconds for which a busy server may put a command off, all in all, before that counts as a refusal."""
    looks_back: int = 0
    """How many events before the first snapshot of a table are asked for: they tell what was missed."""
    past: dict[str, Table] = attrs.field(factory=dict)
    """Tables whose events before the snapshot are on their way, as of those events."""
    postponed: deque[tuple[float, Line, Pending]] = attrs.field(factory=deque)
    """Commands that were put off, each to be asked again on that line after so many seconds."""
    delayed: list[Pending] = attrs.field(factory=list)
    """All that were put off and not asked again yet."""

    def __attrs_post_init__(self) -> None:
        self.lines = [self.home]

    @property
    def welcome(self) -> m.Welcome | None:
        """The last one of the line that is home."""
        return self.home.welcome

    # To a server

    def hello(self, line: Line | None = None) -> dict[str, Any]:
        """The first message of a connection. What proves the name is there instead of it."""
        ticket = line.ticket if line is not None else None
        token = self.token if ticket is None else None
        name = self.name if token is None and ticket is None else None
        return write(m.Hello((PROTOCOL,), self.client, name, token, self.bot, self.features, ticket))

    def ask(self, kind: type[m.Command], done: Done = nobody, /, **fields: Any) -> int:
        """Puts a command in line under the next id; `done` gets its one answer."""
        make: Callable[..., m.Command] = kind
        command = make(id=0, **fields)
        return self._line_for(command).ask(Pending(command, done))

    def _line_for(self, command: Any) -> Line:
        """The line to the node that has what a command names.

        If that line is lost, one asks for a table at home, and what is for it waits until it is found.
        """
        id = subject(command)
        line = self.places.get(id or "", self.home)
        if line.open or line.ticket is not None or not self.home.open:
            return line
        waits = id in self.tables or id in self.tournaments
        return line if waits and not isinstance(command, ASKING) else self.home

    def ask_again(self, line: Line, pending: Pending) -> None:
        """Puts a command in line once more, on that line or, if it is lost, where its table is now."""
        self.delayed.remove(pending)
        (line if line.open else self._line_for(pending.command)).ask(pending)

    # Lines

    def line_to(self, node: str, url: str) -> Line:
        """The line to a node, which may not be open."""
        known = [line for line in self.lines if line.node == node]
        if not known:
            known = [Line(url, node)]
            self.lines += known
        return max(known, key=lambda line: line.open)

    def is_reachable(self, url: str) -> bool:
        """Whether a client goes to an address: never from a line that nobody overhears to one that all do."""
        secure = self.home.url.lower().startswith("wss:")
        return url.lower().startswith("wss:" if secure else ("ws:", "wss:"))

    def lose(self, line: Line) -> None:
        """Takes a line as lost. If there is another, what was on it is asked for there."""
        line.lose()
        others = [other for other in self.lines if other.open]
        if not others:
            return
        if self.home is line:
            self.home = others[0]
            if self.lobby is not None:
                self.ask(m.WatchLobby, on=True)
        self._ask_elsewhere(line)

    def not_reached(self, line: Line) -> None:
        """Takes a line as one that could not be opened: what was to go over it is asked for at home again."""
        for pending in line.take_back():
            self.home.ask(attrs.evolve(pending, waited=pending.waited + MOVE_AGAIN))

    def _ask_elsewhere(self, lost: Line) -> None:
        """Asks at home for all that was on a line that is lost.

        What has no answer waits until it is known where its table is: if that is the same node, it is sent
        again under its old id.
        """
        asked = lost.take(lambda command: isinstance(command, m.Resume))
        watching = lost.take(lambda command: isinstance(command, OF_ONE_CONNECTION))
        here = {id for id, line in self.places.items() if line is lost}
        for table in [table for id, table in self.tables.items() if id in here]:
            self._ask_for(table)
        for id in [id for id in self.tournaments if id in here]:
            self.ask(m.WatchTournament, tournament=id, on=True)
        waiting = here & {*self.tables, *self.tournaments}
        for pending in (
            *(each for each in asked if each.command.table not in waiting),
            *(
                each
                for each in watching
                if each.done is not nobody or not _asked_anyway(each.command, waiting)
            ),
            *lost.take(lambda command: subject(command) not in waiting),
        ):
            self._send_on(lost, pending, self.home)

    def _ask_for(self, table: Table) -> None:
        if table.seat is None:
            self.ask(m.Watch, **({"code": table.code} if table.code else {"table": table.id}))
        else:
            self._resume(table.id, table.seq)

    def _send_on(self, lost: Line, pending: Pending, line: Line) -> None:
        """Sends a command to another node than the one that did not answer, unless it might be done twice."""
        if isinstance(pending.command, NOT_TWICE) and lost.may_be_done(pending):
            pending.done(m.Error(pending.command.id, "unanswered", {}))
        else:
            line.ask(pending)

    def _place(self, id: str, line: Line) -> None:
        """Notes where a table or tournament is, and sends there what waits on a line that is lost."""
        old = self.places.get(id)
        self.places[id] = line
        if old is not None and old is not line and not old.open:
            for pending in old.take(lambda command: subject(command) == id):
                self._send_on(old, pending, line)

    def _answer_here(self, snapshot: m.Snapshot, line: Line) -> None:
        """Sends the answer to a question that is still open where the table is now.

        It went to the node that had the table before, which may be frozen: its line looks open for long.
        """
        for other in self.lines:
            if other is not line and other.open:
                for pending in other.take(lambda command: _answers(command, snapshot)):
                    line.ask(pending)

    def _forget(self, id: str, why: m.Error | None = None) -> None:
        """Forgets a table or tournament that is not there any more; what waits for it is refused."""
        self.tables.pop(id, None)
        line = self.places.pop(id, None)
        if line is not None and not line.open and why is not None:
            for pending in line.take(lambda command: subject(command) == id):
                pending.done(attrs.evolve(why, id=pending.command.id))

    # From a server

    def receive(self, plain: Mapping[str, Any], now: float, line: Line | None = None) -> m.Message | None:
        """Takes a message in, at a time of the client's own clock; None: it is unknown, old or out of line.

        Raises ProtocolError for a message that breaks the protocol, and asks anew for what was in it.
        """
        line = line or self.home
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
                self._welcomed(message, line)
            case m.Goodbye():
                line.goodbye = message
            case m.Ok() | m.Error():
                return self._answered(message, line)
            case m.Snapshot():
                self._place(message.table, line)
                self._answer_here(message, line)
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
                self._forget(table)
                if self.lobby is not None and reason == "closed":
                    self.lobby.pop(table, None)
            case m.NodesChanged(nodes):
                self._note_nodes(nodes)
            case m.TableAt():
                self._go_to(message, line)
        return message

    def _note_nodes(self, nodes: tuple[m.Node, ...]) -> None:
        self.nodes = {node.name: node.url for node in nodes if self.is_reachable(node.url)}
        for line in self.lines:
            if line.node in self.nodes and line is not self.home:
                line.url = self.nodes[line.node]

    def _welcomed(self, welcome: m.Welcome, line: Line) -> None:
        """Starts a new connection: sends again what has no answer, and asks for what was missed."""
        by_ticket, line.ticket = line.ticket is not None, None
        is_home = not by_ticket or not self.home.open  # which was lost while this line was being opened
        if line.welcome is not None and line.node != welcome.node:
            self._answers_as_another(line)
        line.begin(welcome, {*self.tables, *welcome.tables})
        self.past = {id: table for id, table in self.past.items() if self.places.get(id) is not line}
        if not by_ticket:
            self.token = welcome.token
        if is_home:
            self.home = line
        if welcome.nodes:
            self._note_nodes(welcome.nodes)
        self._come_back(welcome, line)
        if is_home:
            for other in self.lines:
                if not other.open:
                    self._ask_elsewhere(other)
            for id in [each.table for each in welcome.elsewhere if each.table not in self.tables]:
                self._resume(id, None)

    def _answers_as_another(self, line: Line) -> None:
        """Another node has an address than before: it knows nothing of what was sent there."""
        line.welcome, line.last_id = None, 0
        for pending in line.take(lambda command: isinstance(command, NOT_TWICE)):
            self._send_on(line, pending, line)

    def _come_back(self, welcome: m.Welcome, line: Line) -> None:
        """Asks for the tables and tournaments of a line."""
        for table in list(self.tables.values()):
            if self.places.get(table.id, line) is line and table.id not in welcome.tables:
                if table.seat is None or welcome.node is not None:
                    self._ask_for(table)
                else:
                    self._forget(table.id)
        for id in welcome.tables:
            self._place(id, line)
            known = self.tables.get(id)
            self._resume(id, known.seq if known is not None else None)
        if self.lobby is not None and line is self.home:
            self.ask(m.WatchLobby, on=True)
        for id in self.tournaments:
            if self.places.get(id, line) is line:
                self.ask(m.WatchTournament, tournament=id, on=True)

    def _go_to(self, seated: m.TableAt, line: Line) -> None:
        """Asks for a table at another node where this client has a seat."""
        facts = {"node": seated.node, "url": seated.url, "ticket": seated.ticket}
        known, place = self.tables.get(seated.table), self.places.get(seated.table)
        if known is None or place is None or place.node != seated.node:
            after = known.seq if known is not None else None
            self._follow(Pending(m.Resume(0, seated.table, after)), facts, line)

    def _follow(self, pending: Pending, facts: Mapping[str, Any], line: Line) -> bool:
        """Sends a command on to the node that has what it names; False if that makes no sense."""
        match facts:
            case {"node": str(node), "url": str(url), "ticket": str(ticket)} if self.is_reachable(url):
                there = self.line_to(node, url)
            case _:
                return False
        if pending.waited >= FOLLOWS:
            return False
        if not there.open:
            there.url, there.ticket = url, ticket
        id = subject(pending.command)
        if id is not None:
            self._place(id, there)
        pending = attrs.evolve(pending, moves=pending.moves + 1)
        if there is line or (pending.moves > MOVES_AT_ONCE and there.open):
            self._postpone(MOVE_AGAIN, there, pending)
        else:
            there.ask(pending)
        return True

    def _resume(self, id: str, after: int | None) -> None:
        if id in self.tables:
            self.tables[id].resuming = True
        self.ask(m.Resume, table=id, after=after)

    # Tables

    def is_resuming(self, id: str | None = None) -> bool:
        """Whether a table is asked for, or any; one that was joined on a lost line is not known before."""
        asked = [pending.command for line in self.lines for pending in line.pending.values()]
        asked += [pending.command for pending in self.delayed]
        return any(isinstance(command, m.Resume) and id in (None, command.table) for command in asked)

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

    def _answered(self, answer: Answer, line: Line) -> Answer | None:
        if answer.id is None:
            line.refusal = answer if isinstance(answer, m.Error) else None
            return answer
        pending = line.pending.pop(answer.id, None)
        if pending is None or (isinstance(answer, m.Error) and self._asks_again(pending, answer, line)):
            return None
        try:
            if isinstance(answer, m.Ok):
                self._done(pending.command, answer.result, line)
            else:
                self._refused(pending.command, answer)
        finally:
            pending.done(answer)
        return answer

    def _asks_again(self, pending: Pending, error: m.Error, line: Line) -> bool:
        """Whether a command has to go elsewhere, or to wait. Chat does not wait: its lines change places."""
        if error.code == "moved":
            return self._follow(pending, error.facts, line)
        ours = isinstance(pending.command, ASKING) and (pending.done is nobody or bool(self.nodes))
        codes, most = (("busy", "not_kept"), FOLLOWS) if ours else (("busy",), self.waits)
        if error.code not in codes or error.retry_after is None or isinstance(pending.command, m.Say):
            return False
        waited = pending.waited + error.retry_after
        if waited <= most:
            self._postpone(error.retry_after, line, pending)
        return waited <= most

    def _postpone(self, seconds: float, line: Line, pending: Pending) -> None:
        pending = attrs.evolve(pending, waited=pending.waited + seconds)
        self.delayed.append(pending)
        self.postponed.append((seconds, line, pending))

    def _done(self, command: Any, result: Any, line: Line) -> None:
        id = subject(command)
        if id is not None and not isinstance(command, m.Leave):
            self._place(id, line)
        match command, result:
            case m.Act(table=id, turn=turn), _ if id in self.tables:
                self.tables[id].answered(turn)
            case m.Leave(table=id), _:
                self._forget(id)
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

    def _refused(self, command: Any, why: m.Error) -> None:
        match command:
            case m.Resume(table=str(id)) | m.Watch(table=str(id)):
                self._forget(id, why)
            case m.WatchTournament(tournament=id):
                self.tournaments.pop(id, None)
                self._forget(id, why)
            case m.Watch(code=str(code)):
                self.tables = {id: table for id, table in self.tables.items() if table.code != code}


def _asked_anyway(command: Any, waiting: Collection[str]) -> bool:
    return isinstance(command, m.WatchLobby) or subject(command) in waiting


def _answers(command: Any, snapshot: m.Snapshot) -> bool:
    question = snapshot.question
    return (
        isinstance(command, m.Act)
        and command.table == snapshot.table
        and question is not None
        and command.turn == question.turn
    )
