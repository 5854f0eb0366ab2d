"""The processes of the bots bench: a server with bots of its own, people, and hosts who play against bots."""

import asyncio
import logging
import sys
from typing import Any

import msgpack

from bench.child import answer_questions, usage
from bench.our_server import CROWD
from bench.players import LONGEST_WAIT, Crowd, GamePlayer, choose
from parlour.server.app import running
from parlour.server.config import make
from parlour.server.interpreter import calm_python

THINK = 0.02
"""Seconds that a person looks at the board; the clients of other benches never do."""


class Person(GamePlayer):
    """Plays against another person, with a short look at the board."""

    think = THINK

    def send_move(self, move: dict[str, Any]) -> None:
        if self.crowd.playing:
            asyncio.get_running_loop().call_later(self.think, super().send_move, move)
        else:
            super().send_move(move)


class Host(GamePlayer):
    """Puts a bot that searches on the other seat, and moves at once so that it has to think."""

    def __init__(self, port: int, crowd: "Crowd", number: int) -> None:
        super().__init__(port, crowd, number)
        self.host = True

    def opened(self) -> None:
        hello = {"type": "hello", "versions": [1], "client": "bench", "name": f"H{self.number}", "bot": True}
        self.send(msgpack.packb(hello))

    def on_ok(self, message: dict[str, Any]) -> None:
        result = message["result"]
        if result is not None and "code" in result:
            self.table = result["table"]
            self.say(type="add_bot", table=self.table, strategy="search")

    def on_update(self, message: dict[str, Any]) -> None:
        question = message["question"]
        if question is not None:
            action = choose(self.rng, question["legal"])
            self.send_move(self.command(type="act", table=self.table, turn=question["turn"], action=action))
        elif message["result"] is not None:
            self.say(type="rematch", table=self.table)


class Hosts(Crowd):
    """Each is alone at a table with a bot: it is quiet when all bots have moved."""

    def rest(self) -> None:
        self.resting += 1
        if self.resting == len(self.players):
            self.quiet.set()

    async def set_off(self) -> None:
        """All bots have something to think about from now on."""
        self.quiet.clear()
        self.playing, self.resting = True, 0
        for player in self.players:
            player.go_on()

    async def calm_down(self) -> None:
        self.playing = False
        await asyncio.wait_for(self.quiet.wait(), LONGEST_WAIT)


async def serve() -> None:
    logging.basicConfig(level=logging.ERROR)
    async with running(make({"host": "127.0.0.1", "port": 0}), CROWD) as ready:
        calm_python()
        await answer_questions({"port": ready.port}, usage)


async def people(port: int, tables: int, address: str | None = None) -> None:
    crowd = Crowd(Person, port, address)
    await crowd.connect(2 * tables)
    await crowd.sit_down(tables)

    async def answer(question: dict[str, Any]) -> dict[str, Any]:
        return await crowd.play(question["seconds"])

    await answer_questions({"tables": [player.table for player in crowd.players]}, answer)


async def hosts(port: int, bots: int) -> None:
    crowd = Hosts(Host, port)
    await crowd.connect(bots)
    for player in crowd.players:
        player.begin()
    await asyncio.wait_for(crowd.quiet.wait(), LONGEST_WAIT)

    async def answer(question: dict[str, Any]) -> dict[str, Any]:
        await (crowd.set_off() if question["think"] else crowd.calm_down())
        return {}

    await answer_questions({}, answer)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve"]:
            asyncio.run(serve())
        case ["people", port, tables]:
            asyncio.run(people(int(port), int(tables)))
        case ["people", port, tables, address]:
            asyncio.run(people(int(port), int(tables), address))
        case ["people at leisure", port, tables, think]:
            Person.think = float(think)
            asyncio.run(people(int(port), int(tables)))
        case ["hosts", port, bots]:
            asyncio.run(hosts(int(port), int(bots)))
