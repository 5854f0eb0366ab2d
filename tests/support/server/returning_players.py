"""Players of a server that is killed again and again: they come back by themselves and go on playing."""

import asyncio
import random
from typing import Any

import attrs
from support.server.killed_servers import KilledServer
from support.server.sockets import Caller, Plain, pick
from support.server.table_memory import Memory
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

LINES_EACH = 6
"""Chat lines of a player at most: all lines at a table stay within what is stored of them."""
MAY_BE = {"taken", "stale", "not_asked", "over"}
"""What an action may be refused with while others are quicker, or the clock is."""


@attrs.define(eq=False)
class TablePlan:
    """What is played at one table, by whom, and where it has come to stand."""

    game: str
    seats: int
    settings: Plain
    table: str | None = None
    code: str | None = None
    last: bool = False
    """The game of now is the last one here."""
    made: asyncio.Event = attrs.field(factory=asyncio.Event)


@attrs.frozen
class Sent:
    """A command as it was sent, and to which of the table's games an action belongs."""

    word: str
    fields: Plain
    number: int


class ReturningPlayer(Caller):
    """Comes back whenever the server is up, sends again what was not answered, and goes on playing."""

    def __init__(
        self, server: KilledServer, name: str, seed: object, plan: TablePlan, *, ignores: float = 0.0
    ) -> None:
        super().__init__("", name)
        self.server, self.plan = server, plan
        self.rng = random.Random(f"{name}/{seed}")
        self.ignores = ignores
        """How many of the questions are not answered at all: time decides them."""
        self.sent: dict[int, Sent] = {}
        self.unanswered: dict[int, Sent] = {}
        self.answers: dict[int, Plain] = {}
        self.seen: dict[int, list[Plain]] = {}
        """Every view that came, by the number of the game."""
        self.resumptions: dict[int, bool] = {}
        """By the id of each resume: whether it brought a snapshot."""
        self.returns = 0
        self._past: set[tuple[int, int]] = set()
        self._said = 0
        self._resuming: list[int] = []
        self._more = asyncio.Event()

    # Coming and going

    async def live(self) -> None:
        while True:
            await self.server.open.wait()
            try:
                await self.come_in()
                while True:
                    await self.go_on()
                    self.hear(await self.receive())
            except (ConnectionClosed, InvalidHandshake, OSError):
                self.returns += 1

    async def come_in(self) -> None:
        before = self.last_id
        self.socket = await connect(self.server.url, subprotocols=["parlour.v1"], max_size=None, proxy=None)  # type: ignore[list-item]
        who = {"name": self.name} if self.token is None else {"token": self.token}
        await self.write(
            {"type": "hello", "versions": [1], "client": "test", "features": self.features(), **who}
        )
        self.welcome = await self.receive()
        assert self.welcome["type"] == "welcome", (self.name, self.welcome)
        self.token, self.last_id = self.welcome["token"], max(before, self.welcome["last_id"])
        self._resuming.clear()
        for id, sent in self.unanswered.items():
            await self.write({"type": sent.word, "id": id, **sent.fields})
        for table in self.welcome["tables"]:
            await self.resume(table)

    async def resume(self, table: str, after: bool = True) -> None:
        memory = self.memories.get(table) if after else None
        self._resuming.append(self.last_id + 1)
        await self.send("resume", table=table, after=memory.seq if memory is not None else None)

    @property
    def resuming(self) -> bool:
        """What is known of the table is what was known before the server was killed."""
        return any(id not in self.resumptions for id in self._resuming)

    async def until_over(self) -> None:
        """Until the game at its table has ended, and everything it asked for is answered."""
        while self.unanswered or self.known_here.get("result") is None:
            self._more = asyncio.Event()
            await self._more.wait()

    async def looks_again(self) -> None:
        """A look at everything anew shows nothing but what was known from all that came before."""
        assert self.plan.table is not None
        await self.resume(self.plan.table, after=False)
        memory, message = self.memories[self.plan.table], await self.read()
        while message["type"] != "snapshot":
            if "seq" in message:
                memory.take(message)
            message = await self.read()
        before = memory.comparable()
        memory.take(message)
        after = memory.comparable()
        others = {key: (before[key], after[key]) for key in after if before[key] != after[key]}
        assert not others, others

    async def ask(self, word: str, **fields: Any) -> None:
        id = self.last_id + 1
        number = self.known_here["info"]["number"] if self.known_here else 0
        self.sent[id] = self.unanswered[id] = Sent(word, fields, number)
        await self.send(word, **fields)

    # What comes

    @property
    def known_here(self) -> Plain:
        memory = self.memories.get(self.plan.table or "")
        return memory.known if memory is not None else {}

    def hear(self, message: Plain) -> None:
        self.server.hear()
        self._more.set()
        match message["type"]:
            case "ok" | "error" if message["id"] in self.unanswered:
                self.take_answer(message["id"], self.unanswered.pop(message["id"]), message)
            case "ok" if message["id"] in self._resuming:
                self.resumptions[message["id"]] = message["result"]["snapshot"]
            case "error":
                raise AssertionError(f"{self.name}: {message}")
            case "snapshot" | "update" if message["view"] is not None:
                self.seen.setdefault(self.known_here["info"]["number"], []).append(message["view"])

    def take_answer(self, id: int, sent: Sent, answer: Plain) -> None:
        self.answers[id] = answer
        code = answer.get("code")
        if sent.word == "act":
            assert code is None or code in MAY_BE, (self.name, sent, answer)
            if code != "taken":
                self._past.add((sent.number, sent.fields["turn"]))
        elif sent.word == "say":
            assert code in (None, "busy"), (self.name, sent, answer)
        else:
            assert code is None, (self.name, sent, answer)
        if sent.word == "create_table":
            self.plan.table, self.plan.code = answer["result"]["table"], answer["result"]["code"]
            self.plan.made.set()

    # What to do

    async def go_on(self) -> None:
        """The next thing, if there is one; but for talk, one thing at a time."""
        if self.resuming or any(sent.word != "say" for sent in self.unanswered.values()):
            return
        known = self.known_here
        if not known:
            await self.sit_down()
        elif known["info"]["stage"] == "gathering":
            await self.get_ready(known["info"])
        elif known["info"]["stage"] == "finished":
            if self.hosts(known["info"]) and not self.plan.last:
                await self.ask("rematch", table=self.plan.table)
        elif known["question"] is not None:
            await self.answer_question(known)

    def hosts(self, info: Plain) -> bool:
        return bool(info["host"] == self.name)

    async def sit_down(self) -> None:
        await self.plan.made.wait()
        where = {"code": self.plan.code} if self.plan.code else {"table": self.plan.table}
        if self.plan.table not in self.welcome["tables"]:
            await self.ask("join", **where)

    async def get_ready(self, info: Plain) -> None:
        mine = next(chair for chair in info["chairs"] if chair and chair["name"] == self.name)
        if not mine["ready"]:
            await self.ask("ready", table=self.plan.table, nonce=f"{self.name}-{info['number']}")
        elif self.hosts(info) and all(chair and chair["ready"] for chair in info["chairs"]):
            await self.ask("start", table=self.plan.table)

    async def answer_question(self, known: Plain) -> None:
        question = known["question"]
        here = known["info"]["number"], question["turn"]
        if here in self._past:
            return
        if self.rng.random() < self.ignores:
            self._past.add(here)
            return
        action = pick(question["legal"], self.rng)
        await self.ask("act", table=self.plan.table, turn=question["turn"], action=action)
        if self._said < LINES_EACH and self.rng.random() < 0.1:
            # Right behind the move: the two are done in their order, or sent again in it.
            self._said += 1
            await self.ask("say", table=self.plan.table, text=f"{self.name} {self._said}")


class Host(ReturningPlayer):
    """Makes the table."""

    async def sit_down(self) -> None:
        plan = self.plan
        await self.ask("create_table", game=plan.game, seats=plan.seats, **plan.settings)


class Watcher(ReturningPlayer):
    """Sees what all may see."""

    async def go_on(self) -> None:
        await self.plan.made.wait()
        if self.plan.table not in self.memories:
            await self.look()

    async def come_in(self) -> None:
        await super().come_in()
        if self.plan.table in self.memories:
            await self.look()

    async def look(self) -> None:
        assert self.plan.table is not None
        self.memories[self.plan.table] = Memory()
        await self.ask("watch", table=self.plan.table)


def seat_players(
    server: KilledServer, plan: TablePlan, names: list[str], seed: object, ignores: float = 0.0
) -> list[ReturningPlayer]:
    """Makes a player for every seat; the last one ignores some questions."""
    people: list[ReturningPlayer] = [Host(server, names[0], seed, plan)]
    people += [ReturningPlayer(server, name, seed, plan) for name in names[1:]]
    people[-1].ignores = ignores
    return people
