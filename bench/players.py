"""The lean clients of the server bench, all in one process: they move as soon as they are asked."""

import asyncio
import random
import statistics
import time
from typing import Any

import msgpack

from bench.child import allow_many_sockets, answer_questions
from bench.lean_socket import LeanSocket

AT_ONCE = 50
"""Connections that are opened side by side."""
LONGEST_WAIT = 20.0


class Player(LeanSocket):
    """Somebody at a table who moves whenever asked, unless the crowd rests."""

    def __init__(self, port: int, crowd: "Crowd", number: int, subprotocol: str | None) -> None:
        super().__init__(port, subprotocol)
        self.crowd = crowd
        self.number = number
        self.move: dict[str, Any] | None = None
        """What to send when the crowd plays again."""
        self.sent_at: float | None = None

    def send_move(self, move: dict[str, Any]) -> None:
        if self.crowd.playing:
            self.sent_at = time.perf_counter()
            self.send(msgpack.packb(move))
        else:
            self.move = move
            self.crowd.rest()

    def answered(self) -> None:
        """Our own move came back."""
        if self.sent_at is not None:
            self.crowd.took.append(time.perf_counter() - self.sent_at)
            self.sent_at = None

    def go_on(self) -> None:
        if self.move is not None:
            move, self.move = self.move, None
            self.send_move(move)


class RelayPlayer(Player):
    """Plays at the relay: whoever's turn it is says something of 60 bytes."""

    def __init__(self, port: int, crowd: "Crowd", number: int) -> None:
        super().__init__(port, crowd, number, None)
        self.seat = number % 2

    def begin(self) -> None:
        self.send(msgpack.packb({"table": self.number // 2, "action": {}}))

    def received(self, payload: bytes) -> None:
        update = msgpack.unpackb(payload)
        self.answered()
        if update["to_act"] == self.seat:
            action = {"type": "play", "card": "red-7", "tile": 3, "side": 1}
            self.send_move({"type": "act", "id": 1, "turn": update["seq"], "action": action})


class GamePlayer(Player):
    """Plays Balloon Cup at random; even numbers make the tables, odd ones join them."""

    def __init__(self, port: int, crowd: "Crowd", number: int) -> None:
        super().__init__(port, crowd, number, "parlour.v1")
        self.host = number % 2 == 0
        self.rng = random.Random(number)
        self.table: str | None = None
        self.last_id = 0
        self.started = 0

    def command(self, **fields: Any) -> dict[str, Any]:
        self.last_id += 1
        return {"id": self.last_id, **fields}

    def say(self, **fields: Any) -> None:
        self.send(msgpack.packb(self.command(**fields)))

    def opened(self) -> None:
        hello = {
            "type": "hello",
            "versions": [1],
            "client": "bench",
            "bot": True,
            "name": f"{self.crowd.called}{self.number}",
        }
        self.send(msgpack.packb(hello))

    def begin(self) -> None:
        if self.host:
            self.say(type="create_table", game="balloon-cup", seats=2)

    def received(self, payload: bytes) -> None:
        message = msgpack.unpackb(payload)
        getattr(self, f"on_{message['type']}")(message)

    def on_welcome(self, _message: dict[str, Any]) -> None:
        self.crowd.welcomed()

    def on_ok(self, message: dict[str, Any]) -> None:
        if message["result"] is not None and "table" in message["result"]:
            self.table = message["result"]["table"]
            if self.host:
                self.crowd.mate(self).say(type="join", table=self.table)

    def on_error(self, message: dict[str, Any]) -> None:
        raise RuntimeError(f"refused: {message}")

    def on_snapshot(self, message: dict[str, Any]) -> None:
        self.table = message["table"]
        self.on_table_changed(message)

    def on_table_changed(self, message: dict[str, Any]) -> None:
        info = message["info"]
        # Bots are ready as soon as they sit.
        there = info["stage"] == "gathering" and None not in info["chairs"]
        if self.host and there and self.started < info["number"]:
            self.started = info["number"]
            self.say(type="start", table=self.table)

    def on_update(self, message: dict[str, Any]) -> None:
        self.answered()
        question = message["question"]
        if question is not None:
            action = choose(self.rng, question["legal"])
            self.send_move(self.command(type="act", table=self.table, turn=question["turn"], action=action))
        elif message["result"] is not None and self.host:
            self.say(type="rematch", table=self.table)


def choose(rng: random.Random, legal: list[dict[str, Any]]) -> dict[str, Any]:
    """Any concrete action of any pattern."""
    action = {}
    for field, value in legal[int(rng.random() * len(legal))].items():
        if type(value) is dict and "one_of" in value:
            action[field] = rng.choice(value["one_of"])
        elif type(value) is dict and "subset" in value:
            action[field] = rng.sample(value["subset"], value["min"])
        else:
            action[field] = value
    return action


class Crowd:
    """All players of one server."""

    def __init__(
        self,
        kind: type[RelayPlayer] | type[GamePlayer],
        port: int,
        address: str | None = None,
        called: str = "P",
    ) -> None:
        """`address`: where they come from; `called`: how their names begin."""
        self.called = called
        self.kind = kind
        self.port = port
        self.local = (address, 0) if address is not None else None
        self.playing = False
        self.took: list[float] = []
        self.players: list[Any] = []
        self.resting = 0
        self.quiet = asyncio.Event()
        self.welcomes = 0

    async def connect(self, count: int) -> None:
        """Opens connections, and waits until all have been welcomed."""
        loop = asyncio.get_running_loop()
        for first in range(0, count, AT_ONCE):
            numbers = range(first, min(count, first + AT_ONCE))
            made = await asyncio.gather(
                *[
                    loop.create_connection(
                        lambda n=n: self.kind(self.port, self, n),
                        "127.0.0.1",
                        self.port,
                        local_addr=self.local,
                    )
                    for n in numbers
                ]
            )
            self.players += [player for _, player in made]
            while issubclass(self.kind, GamePlayer) and self.welcomes < len(self.players):
                await asyncio.sleep(0.005)

    async def sit_down(self, tables: int) -> None:
        """Two to a table, until all games wait for a move."""
        self.quiet.clear()
        for player in self.players[: 2 * tables]:
            player.begin()
        await asyncio.wait_for(self.quiet.wait(), LONGEST_WAIT)

    async def play(self, seconds: float) -> dict[str, Any]:
        self.took.clear()
        self.quiet.clear()
        self.playing, self.resting = True, 0
        for player in self.players:
            player.go_on()
        await asyncio.sleep(seconds)
        self.playing = False
        await asyncio.wait_for(self.quiet.wait(), LONGEST_WAIT)
        took = sorted(self.took)
        return {
            "moves": len(took),
            "p50": statistics.median(took),
            "p99": took[int(len(took) * 0.99)],
            "took": took,
        }

    def rest(self) -> None:
        self.resting += 1
        if 2 * self.resting == len(self.players):
            self.quiet.set()

    def welcomed(self) -> None:
        self.welcomes += 1

    def mate(self, player: Player) -> Any:
        return self.players[player.number ^ 1]

    async def leave(self) -> None:
        for player in self.players:
            player.close()
        await asyncio.gather(*[player.gone for player in self.players])


KINDS: dict[str, type[RelayPlayer] | type[GamePlayer]] = {"relay": RelayPlayer, "parlour": GamePlayer}


async def main() -> None:
    allow_many_sockets()
    crowds: dict[str, Crowd] = {}

    async def answer(question: dict[str, Any]) -> dict[str, Any]:
        name = question["crowd"]
        match question["do"]:
            case "connect":
                kind, called = KINDS.get(name, GamePlayer), question.get("called", "P")
                crowds[name] = Crowd(kind, question["port"], called=called)
                await crowds[name].connect(question["count"])
            case "sit_down":
                await crowds[name].sit_down(question["tables"])
            case "play":
                return await crowds[name].play(question["seconds"])
            case "leave":
                await crowds.pop(name).leave()
        return {}

    await answer_questions({}, answer)


if __name__ == "__main__":
    asyncio.run(main())
