"""Nodes of one house in this process, over a real database, and clients that can go from one to the other."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any, Protocol

from support.server.databases import PostgresqlDatabase
from support.server.running_tournaments import Organiser, eventually
from support.server.sockets import Caller, Plain, dial, open_server, own_port

from parlour.server.app import ListeningServer


@contextlib.asynccontextmanager
async def node(database: PostgresqlDatabase, name: str, **settings: Any) -> AsyncIterator[ListeningServer]:
    """One node, until the end of the context: then it hands its tables over."""
    with own_port() as port:
        url = f"ws://127.0.0.1:{port}"
        async with open_server(
            archive=database.place, node=name, advertise=url, port=port, **settings
        ) as server:
            yield server


LONG = 60.0
"""Seconds of a lease that is not renewed while a test lasts."""


def expire(database: PostgresqlDatabase, name: str) -> None:
    """A node's row was not renewed for too long: as if its process had been stopped."""
    database.spoil(
        f"UPDATE nodes SET expires = clock_timestamp() - interval '1 second' WHERE name = '{name}'"
    )


def silence(
    database: PostgresqlDatabase, node: str = "", kinds: Sequence[str] = (), but: str | None = None
) -> None:
    """Has nothing written of what a node tells, or any; or nothing of some kinds: as if it died before."""
    conditions = [f"'{node}' IN ('', new.node)"]
    if kinds:
        conditions.append(" OR ".join(f"position('{kind}'::bytea IN new.map) > 0" for kind in kinds))
    if but is not None:
        conditions.append(f"position('{but}'::bytea IN new.map) = 0")
    database.spoil(
        "CREATE RULE silence AS ON INSERT TO parlour.house_events "
        f"WHERE {' AND '.join(f'({condition})' for condition in conditions)} DO INSTEAD NOTHING"
    )


async def leave_to_others(server: ListeningServer) -> None:
    """Has a node take nothing over from now on; a look that is under way ends before."""
    database, done = server.lobby.house.database, asyncio.Event()  # type: ignore[attr-defined]
    database.takes_over = False
    database.ask(lambda _asked: None, lambda _result: done.set())
    await done.wait()


@contextlib.asynccontextmanager
async def three_nodes(
    database: PostgresqlDatabase, **settings: Any
) -> AsyncIterator[tuple[ListeningServer, ListeningServer, ListeningServer]]:
    """Nodes that know of each other, and do not renew their rows while a test lasts."""
    async with (
        node(database, "n1", lease=LONG, **settings) as one,
        node(database, "n2", lease=LONG, **settings) as two,
        node(database, "n3", lease=LONG, **settings) as three,
    ):
        for server in (one, two, three):
            await eventually(lambda server=server: len(server.lobby.house.nodes) == 3)  # type: ignore[misc]
        yield one, two, three


class Reachable(Protocol):
    """A server that listens, in this process or in another."""

    @property
    def url(self) -> str: ...


class Traveller(Caller):
    """A client with the feature `nodes`, on one line; it goes nowhere by itself."""

    def features(self) -> list[str]:
        return [*super().features(), "nodes"]

    async def refused(self, word: str, **fields: Any) -> Plain:
        answer = await self.answer(await self.send(word, **fields))
        assert answer["type"] == "error", answer
        return answer

    async def told(self, kind: str) -> Plain:
        while True:
            event = await self.event()
            if event["type"] == kind:
                return event

    async def moved(self, word: str, **fields: Any) -> Plain:
        """Where it is sent; asks again while the table is on its way."""
        while True:
            answer = await self.refused(word, **fields)
            if answer["code"] == "moved":
                facts: Plain = answer["facts"]
                return facts
            assert answer["code"] == "busy", answer

    async def finds(self, table: str) -> Plain:
        """Resumes a table where it is told to be; asks again while its node has not restored it."""
        while True:
            answer = await self.answer(await self.send("resume", table=table))
            if answer["type"] == "ok":
                found: Plain = answer["result"]
                return found
            assert answer["code"] == "busy", answer

    async def follow(self, facts: Plain) -> "Traveller":
        """Another line, to where it was sent."""
        line = Traveller(facts["url"], self.name)
        line.token = self.token
        await line.greet(ticket=facts["ticket"])
        assert line.welcome["type"] == "welcome", line.welcome
        line.last_id = line.welcome["last_id"]
        return line

    async def greet(self, **who: Any) -> Plain:
        """Says hello in whatever way; the answer."""
        self.socket = await dial(self.url)
        hello = {"type": "hello", "versions": [1], "client": "test", "features": self.features(), **who}
        await self.write(hello)
        self.welcome = await self.receive()
        return self.welcome


async def arrive(server: Reachable, name: str) -> Traveller:
    caller = Traveller(server.url, name)
    await caller.connect()
    return caller


async def checked_in(server: Reachable, entrants: int = 2, **rules: Any) -> tuple[Organiser, list[Traveller]]:
    """A tournament at a node that may begin, and who plays in it."""
    olga = Organiser(server.url)
    await olga.connect()
    await olga.announce(**rules)
    people = [await arrive(server, f"Bot {number}") for number in range(entrants)]
    for person in people:
        await person.do("enter", tournament=olga.tournament)
    await olga.steer("check_in")
    for person in people:
        await person.do("check_in", tournament=olga.tournament)
    return olga, people
