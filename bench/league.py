"""The entrants of the tournament bench, all in one process; or two people at a table of their own."""

import asyncio
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import attrs
import msgpack

from bench.child import allow_many_sockets, answer_questions
from bench.lean_socket import LeanSocket
from bench.players import choose

RULES = {"name": "Bench", "game": "balloon-cup", "format": "swiss", "seed": "bench"}
LONGEST_WAIT = 30.0
Plain = dict[str, Any]


@attrs.define
class Pace:
    """Whether the bots of a tournament move at once, or keep their moves until they are told to go on."""

    resting: bool = False
    held: list[Callable[[], object]] = attrs.field(factory=list)

    def move(self, move: Callable[[], object]) -> None:
        if self.resting:
            self.held.append(move)
        else:
            move()

    def go_on(self) -> None:
        self.resting = False
        held, self.held = self.held, []
        for move in held:
            move()


class Client(LeanSocket):
    """A client that says hello, sends commands and receives events."""

    bot = True

    def __init__(self, port: int, name: str, pace: Pace | None = None) -> None:
        super().__init__(port, "parlour.v1")
        self.pace = Pace() if pace is None else pace
        self.port, self.name = port, name
        self.rng = random.Random(name)
        self.welcomed = asyncio.get_running_loop().create_future()
        self.last_id = 0
        self._answers: dict[int, asyncio.Future[Any]] = {}

    def opened(self) -> None:
        hello = {"type": "hello", "versions": [1], "client": "bench", "name": self.name, "bot": self.bot}
        self.send(msgpack.packb(hello))

    def say(self, word: str, **fields: Any) -> int:
        self.last_id += 1
        self.send(msgpack.packb({"type": word, "id": self.last_id, **fields}))
        return self.last_id

    async def do(self, word: str, **fields: Any) -> Any:
        id = self.say(word, **fields)
        self._answers[id] = asyncio.get_running_loop().create_future()
        return await asyncio.wait_for(self._answers[id], LONGEST_WAIT)

    def received(self, payload: bytes) -> None:
        message = msgpack.unpackb(payload)
        match message["type"]:
            case "welcome":
                self.welcomed.set_result(None)
            case "ok" if message["id"] in self._answers:
                self._answers.pop(message["id"]).set_result(message["result"])
            case "error":
                raise RuntimeError(f"refused: {message}")
            case "snapshot" | "update":
                self.on_table(message)
            case "tournament_changed" | "tournament_result":
                self.on_tournament(message)

    def on_table(self, message: Plain) -> None:
        """Moves as soon as it is asked, or may."""
        question, table = message["question"], message["table"]
        if question is not None:
            action = choose(self.rng, question["legal"])
            self.pace.move(lambda: self.say("act", table=table, turn=question["turn"], action=action))

    def on_tournament(self, message: Plain) -> None:
        """How a tournament goes on."""


class Organiser(Client):
    """Runs the tournament and counts its games."""

    games = 0
    over = False
    tournament = ""

    def on_tournament(self, message: Plain) -> None:
        if message["type"] == "tournament_result":
            self.games += 1
        elif message["info"]["phase"] == "finished":
            self.over = True


class Person(Client):
    """Takes a moment for each move, and notes how long it took to see it on the table."""

    bot = False

    def __init__(self, port: int, name: str, took: list[float], pause: float) -> None:
        super().__init__(port, name)
        self.took, self.pause = took, pause
        self.playing = asyncio.Event()
        self.host = False
        self._sent_at: float | None = None
        self._waits = False

    def on_table(self, message: Plain) -> None:
        if self._sent_at is not None and message["type"] == "update":
            self.took.append(time.perf_counter() - self._sent_at)
            self._sent_at = None
        if message["result"] is not None:
            if self.host:
                asyncio.get_running_loop().create_task(self.again(message["table"]))
        elif message["question"] is not None:
            asyncio.get_running_loop().create_task(self.think(message["table"], message["question"]))

    async def think(self, table: str, question: Plain) -> None:
        await asyncio.sleep(self.pause)
        await self.playing.wait()
        action = choose(self.rng, question["legal"])
        self._sent_at = time.perf_counter()
        self.say("act", table=table, turn=question["turn"], action=action)

    mate: "Person"

    async def again(self, table: str) -> None:
        await self.do("rematch", table=table)
        await self.deal(table)

    async def deal(self, table: str) -> None:
        await self.do("ready", table=table)
        await self.mate.do("ready", table=table)
        await self.do("start", table=table)


async def connected(made: Client) -> Any:
    await asyncio.get_running_loop().create_connection(lambda: made, "127.0.0.1", made.port)
    await asyncio.wait_for(made.welcomed, LONGEST_WAIT)
    return made


async def begin(port: int, count: int, rounds: int, pace: Pace) -> Organiser:
    """Everybody enters and checks in, and it starts."""
    if sys.platform == "linux":
        # Entrants think on machines of their own: what they take of this one is not the server's doing.
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    organiser: Organiser = await connected(Organiser(port, "Organiser"))
    rules = {**RULES, "rounds": rounds}
    id = organiser.tournament = (await organiser.do("create_tournament", rules=rules))["tournament"]
    await organiser.do("watch_tournament", tournament=id)
    await organiser.do("steer", tournament=id, to="open")
    bots = [await connected(Client(port, f"Bot {number}", pace)) for number in range(count)]
    for bot in bots:
        await bot.do("enter", tournament=id)
    await organiser.do("steer", tournament=id, to="check_in")
    for bot in bots:
        await bot.do("check_in", tournament=id)
    await organiser.do("steer", tournament=id, to="start")
    return organiser


async def sit_down(port: int, took: list[float], pause: float) -> tuple[Person, Person]:
    """Two people at a table, who wait to play."""
    ann: Person = await connected(Person(port, "Ann", took, pause))
    ben: Person = await connected(Person(port, "Ben", took, pause))
    ann.host, ann.mate = True, ben
    table = (await ann.do("create_table", game="balloon-cup", seats=2))["table"]
    await ben.do("join", table=table)
    await ann.deal(table)
    return ann, ben


async def main() -> None:
    allow_many_sockets()
    took: list[float] = []
    people: list[Person] = []
    organisers: list[Organiser] = []
    pace = Pace()

    async def answer(question: Plain) -> Plain:
        match question["do"]:
            case "begin":
                organisers.append(await begin(question["port"], question["count"], question["rounds"], pace))
            case "rest":
                pace.resting = True
            case "go_on":
                pace.go_on()
            case "progress":
                return {"games": organisers[0].games, "over": organisers[0].over}
            case "sit_down":
                people.extend(await sit_down(question["port"], took, question["pause"]))
            case "play":
                took.clear()
                for person in people:
                    person.playing.set()
                await asyncio.sleep(question["seconds"])
                for person in people:
                    person.playing.clear()
                return {"took": list(took)}
        return {}

    await answer_questions({}, answer)


if __name__ == "__main__":
    asyncio.run(main())
