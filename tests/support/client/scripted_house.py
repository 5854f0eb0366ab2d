"""A house of several nodes whose one game is to answer turn after turn: what clients do when tables move."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Sequence
from typing import Any

import attrs
from support.client.seated_player import table_info
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from parlour.protocol import messages as m
from parlour.protocol.codec import pack, pack_json, read_command, unpack, write, write_part
from parlour.protocol.version import FEATURES, JSON, MSGPACK, NODES

LIMITS = m.Limits(16384, 16, 24, 300, 64, 4, 50.0, 100, 256)
LEGAL = ({"type": "go", "way": {"one_of": ["left", "right"]}},)


class Dead(Exception):
    """The node dies in the middle of a command."""


@attrs.define
class ScriptedTable:
    """A table with one seat; its game is over after so many turns."""

    id: str
    owner: str
    node: str
    turns: int = 6
    turn: int = 1
    seq: int = 1
    acts: list[int] = attrs.field(factory=list)
    """The turns that were answered, each once."""
    said: list[str] = attrs.field(factory=list)
    tournament: str | None = None

    def info(self, here: str, url: str) -> m.TableInfo:
        chair = m.Chair(self.owner, False, True, True, False, False, None)
        stage: m.Stage = "finished" if self.turn > self.turns else "playing"
        at = None if here == self.node else url
        more: dict[str, Any] = {"table": self.id, "host": self.owner, "chairs": (chair,)}
        return table_info("race", 1, stage, tournament=self.tournament, node=at, **more)

    def question(self) -> m.Question | None:
        return m.Question(self.turn, "go", False, LEGAL) if self.turn <= self.turns else None

    def result(self) -> m.Result | None:
        return None if self.turn <= self.turns else m.Result((0,), (1,), "finished", None, (None,), None)


@attrs.define(eq=False)
class ScriptedNode:
    """One server of the house."""

    house: "ScriptedHouse"
    name: str
    url: str = ""
    server: Server | None = None
    lines: dict[str, ServerConnection] = attrs.field(factory=dict)
    last_ids: dict[str, int] = attrs.field(factory=dict)
    answers: dict[tuple[str, int], m.Message] = attrs.field(factory=dict)
    dies_at: tuple[str, bool] | None = None
    """The command in the middle of which it dies, and whether that is done before."""
    frozen: asyncio.Event | None = None
    """Set when it is over: until then its lines are open, and nothing is answered on them."""
    unanswered: list[Any] = attrs.field(factory=list)
    """The commands that came while it was frozen."""
    hellos: list[str] = attrs.field(factory=list)
    """By what each name was proven here."""

    async def start(self, port: int = 0) -> None:
        speaks = [Subprotocol(MSGPACK), Subprotocol(JSON)]
        self.server = await serve(self._serve, "127.0.0.1", port, subprotocols=speaks, close_timeout=0.1)
        self.url = f"ws://127.0.0.1:{next(iter(self.server.sockets)).getsockname()[1]}/"

    def die(self) -> None:
        """Ends like a process that is killed: nothing is said, and nobody answers any more."""
        if self.frozen is not None:
            self.frozen.set()
        if self.server is not None:
            self.server.close(close_connections=False)
            self.server = None
        for socket in self.lines.values():
            socket.transport.abort()
        self.lines.clear()

    def freeze(self) -> None:
        """Answers nothing any more, like a machine that has lost its network."""
        self.frozen = asyncio.Event()

    async def restart_elsewhere(self) -> None:
        """Ends on purpose: hands its tables over, says goodbye and closes."""
        others = [node for node in self.house.nodes.values() if node is not self and node.server is not None]
        for table in self.house.tables.values():
            if table.node == self.name:
                self.house.move(table, others[0].name)
        if self.server is not None:
            self.server.close(close_connections=False)
            self.server = None
        for socket in list(self.lines.values()):
            await _send(socket, m.Goodbye("restart", 2.0))
            await socket.close(1012, "restart")

    async def tell(self, name: str, message: m.Message) -> None:
        await _send(self.lines[name], message)

    async def _serve(self, socket: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed, Dead):
            hello = read_command(unpack(await socket.recv()))
            assert isinstance(hello, m.Hello)
            name = await self._welcome(socket, hello)
            if name is None:
                return
            while True:
                command = read_command(unpack(await socket.recv()))
                await self._answer(socket, name, command)

    async def _welcome(self, socket: ServerConnection, hello: m.Hello) -> str | None:
        house, token = self.house, ""
        if hello.ticket is not None:
            name, node = house.tickets.pop(hello.ticket, ("", ""))
            self.hellos.append("ticket")
        elif hello.token is not None:
            name, node = house.tokens.get(hello.token, ""), self.name
            self.hellos.append("token")
        else:
            name, node = hello.name or "", self.name
            self.hellos.append("name")
        if not name or node != self.name:
            await _send(socket, m.Error(None, "bad_token", {}))
            await socket.close(4000, "bad_token")
            return None
        if hello.ticket is None:
            for other in house.nodes.values():
                await other.replace(name)
            token = f"token {next(house.numbers)} of {name}"
            house.tokens = {token: name, **{key: of for key, of in house.tokens.items() if of != name}}
        await self.replace(name)
        self.lines[name] = socket
        await _send(socket, house.welcome(self, name, token, NODES in hello.features))
        return name

    async def replace(self, name: str) -> None:
        old = self.lines.pop(name, None)
        if old is not None:
            await _send(old, m.Goodbye("replaced"))
            await old.close(4001, "replaced")

    async def _answer(self, socket: ServerConnection, name: str, command: Any) -> None:
        if self.frozen is not None:
            self.unanswered.append(command)
            await self.frozen.wait()
            raise Dead
        known = self.answers.get((name, command.id))
        if known is not None:
            await _send(socket, known)
            return
        self.last_ids[name] = max(self.last_ids.get(name, 0), command.id)
        dies = self.dies_at is not None and self.dies_at[0] == command.WORD
        if dies and self.dies_at is not None and not self.dies_at[1]:
            self.die()
            raise Dead
        events, answer = self._do(name, command)
        if dies:
            self.die()
            raise Dead
        if isinstance(answer, m.Ok) and not isinstance(command, m.Resume):
            self.answers[name, command.id] = answer
        for event in (*events, answer):
            await _send(socket, event)
        if isinstance(command, m.Bye):
            await socket.close(1000, "bye")

    def _do(self, name: str, command: Any) -> tuple[Sequence[m.Message], m.Ok | m.Error]:
        """What a command brings: events, and its answer."""
        house, id = self.house, command.id
        subject = getattr(command, "table", None) or getattr(command, "tournament", None)
        place = house.places.get(subject or "")
        if place is not None and place != self.name:
            facts = {"node": place, "url": house[place].url, "ticket": house.ticket(name, place)}
            return (), m.Error(id, "moved", facts)
        table = house.tables.get(subject or "")
        match command:
            case m.CreateTable():
                table = house.deal(f"T{next(house.numbers)}", name, self.name)
                return [self.snapshot(table)], m.Ok(id, {"table": table.id, "code": None, "seat": 0})
            case m.Resume() if table is not None:
                return [self.snapshot(table)], m.Ok(id, {"snapshot": True})
            case m.Act() if table is not None:
                return self._act(table, command)
            case m.Say() if table is not None:
                table.said.append(command.text)
                return (), m.Ok(id)
            case m.Resume() | m.Act() | m.Say(table=str()):
                return (), m.Error(id, "not_seated", {})
            case m.WatchLobby() | m.ListTables():
                infos = [table.info(self.name, house[table.node].url) for table in house.tables.values()]
                return (), m.Ok(id, {"tables": [write_part(info) for info in infos]})
            case m.Ping():
                return (), m.Ok(id, {"now": 1.0})
        return (), m.Ok(id)

    def _act(self, table: ScriptedTable, act: m.Act) -> tuple[Sequence[m.Message], m.Ok | m.Error]:
        if act.turn != table.turn:
            return (), m.Error(act.id, "stale", {"turn": table.turn})
        table.acts.append(act.turn)
        table.turn += 1
        table.seq += 1
        update = m.Update(
            table.id,
            table.seq,
            {"turn": table.turn},
            (),
            (0,) if table.question() else (),
            table.question(),
            None,
            table.result(),
        )
        return [update], m.Ok(act.id)

    def snapshot(self, table: ScriptedTable) -> m.Snapshot:
        info = table.info(self.name, self.url)
        view = {"turn": table.turn}
        return m.Snapshot(
            table.id, table.seq, 0, None, info, view, (0,), table.question(), None, table.result(), ()
        )


async def _send(socket: ServerConnection, message: m.Message) -> None:
    plain = write(message)
    with contextlib.suppress(ConnectionClosed):
        await socket.send(pack_json(plain) if socket.subprotocol == JSON else pack(plain))


@attrs.define(eq=False)
class ScriptedHouse:
    """Nodes over one memory."""

    nodes: dict[str, ScriptedNode] = attrs.field(factory=dict)
    tables: dict[str, ScriptedTable] = attrs.field(factory=dict)
    places: dict[str, str] = attrs.field(factory=dict)
    """Which node has a table or tournament."""
    tokens: dict[str, str] = attrs.field(factory=dict)
    tickets: dict[str, tuple[str, str]] = attrs.field(factory=dict)
    numbers: Any = attrs.field(factory=lambda: itertools.count(1))

    def deal(self, id: str, owner: str, node: str, **more: Any) -> ScriptedTable:
        table = self.tables[id] = ScriptedTable(id, owner, node, **more)
        self.places[id] = node
        return table

    def move(self, table: ScriptedTable, node: str) -> None:
        """Gives a table to another node, where its numbers go on far above."""
        table.node = self.places[table.id] = node
        table.seq += 10_000

    def take_over(self, dead: str, node: str) -> None:
        for table in self.tables.values():
            if table.node == dead:
                self.move(table, node)

    def ticket(self, name: str, node: str) -> str:
        ticket = f"ticket {next(self.numbers)}"
        self.tickets[ticket] = (name, node)
        return ticket

    def listed(self) -> tuple[m.Node, ...]:
        return tuple(m.Node(node.name, node.url) for node in self.nodes.values())

    def welcome(self, node: ScriptedNode, name: str, token: str, follows: bool) -> m.Welcome:
        tables = [table for table in self.tables.values() if table.owner == name]
        more: dict[str, Any] = {}
        if follows:
            others = [table for table in tables if table.node != node.name]
            at = tuple(m.Elsewhere(table.id, self[table.node].url) for table in others)
            more = {"node": node.name, "nodes": self.listed(), "elsewhere": at}
        return m.Welcome(
            *(1, 3, "scripted", (*FEATURES, NODES), LIMITS, 15.0, m.Person(name, False), token),
            last_id=node.last_ids.get(name, 0),
            tables=tuple(table.id for table in tables if table.node == node.name),
            now=0.0,
            **more,
        )

    def __getitem__(self, name: str) -> ScriptedNode:
        return self.nodes[name]


@contextlib.asynccontextmanager
async def scripted_house(*names: str) -> AsyncIterator[ScriptedHouse]:
    house = ScriptedHouse()
    try:
        for name in names:
            house.nodes[name] = ScriptedNode(house, name)
            await house[name].start()
        yield house
    finally:
        for node in house.nodes.values():
            node.die()
