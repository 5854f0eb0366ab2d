"""Client sessions at a server without sockets: each hears at once what the other says."""

from random import Random
from typing import Any

from support.server.memory_server import MemoryPeer, MemoryServer

from parlour.client import legal
from parlour.client.lines.line import Answer
from parlour.client.session import Session
from parlour.client.table import Table
from parlour.protocol import messages as m
from parlour.protocol.codec import pack, read_command, unpack

Plain = dict[str, Any]


class Remote:
    """A session, its line, and every frame that came over it."""

    def __init__(self, server: MemoryServer, name: str) -> None:
        self.server = server
        self.session = Session(name=name)
        self.frames: list[Plain] = []
        self.sent: list[Plain] = []
        self.connect()

    def connect(self) -> None:
        self.peer = MemoryPeer()
        hello = read_command(self.session.hello())
        assert isinstance(hello, m.Hello)
        self.server_session = self.server.lobby.hello(hello, self.peer, self.server.at)
        self.listen()

    def lose(self) -> None:
        self.server.lobby.disconnect(self.server_session, self.peer, self.server.at)

    def listen(self) -> None:
        """Takes in what has come, says what follows from it, and so on."""
        while self.peer.frames or self.session.home.outgoing:
            while self.peer.frames:
                plain = unpack(self.peer.frames.pop(0))
                self.frames.append(plain)
                self.session.receive(plain, self.server.at)
            if self.session.home.outgoing:
                plain = unpack(pack(self.session.home.outgoing.popleft()))
                self.sent.append(plain)
                self.server.lobby.receive(self.server_session, read_command(plain), self.server.at)

    def do(self, kind: type[m.Command], **fields: Any) -> Any:
        answers: list[Answer] = []
        self.session.ask(kind, answers.append, **fields)
        self.listen()
        (answer,) = answers
        assert isinstance(answer, m.Ok), answer
        return answer.result

    def table(self, id: str) -> Table:
        return self.session.tables[id]


def gathered(server: MemoryServer, game: str, seats: int, **settings: Any) -> tuple[str, list[Remote]]:
    """A table with everybody seated and ready; the first is its host."""
    people = [Remote(server, name) for name in ("Ann", "Bob", "Cleo", "Dan")[:seats]]
    id = str(people[0].do(m.CreateTable, game=game, seats=seats, **settings)["table"])
    for person in people[1:]:
        person.do(m.Join, table=id)
    for person in people:
        person.do(m.Ready, table=id)
    return id, people


def step(id: str, people: list[Remote], luck: Random) -> bool:
    """One random action by somebody who is asked and connected; False if there is nobody."""
    for person in people:
        person.listen()
    asked = [person for person in people if person.table(id).question is not None]
    if not asked:
        return False
    person = luck.choice(asked)
    question = person.table(id).question
    assert question is not None
    action = legal.pick(question.legal, luck)
    person.session.ask(m.Act, table=id, turn=question.turn, action=action)
    person.listen()
    person.server.wait(1.0)  # a scramble may hold it
    return True
