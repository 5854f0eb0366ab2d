"""Many names from one address, all in one process; each asks for the same dear thing again and again."""

import asyncio
import itertools
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import msgpack

from bench.child import allow_many_sockets, answer_questions
from bench.lean_socket import LeanSocket

AHEAD = 4
"""Commands that an attacker has on the way: the next one goes out when one is answered."""
LONGEST_WAIT = 60.0
Plain = dict[str, Any]
Wishes = Iterator[tuple[str, Plain]]


@attrs.frozen
class Targets:
    """What there is to ask for."""

    tournaments: list[str]
    games: list[str]
    tables: list[str]
    """Those of honest players."""


class Attacker(LeanSocket):
    """Says hello with a token, and sends what it is told to without heeding `busy`."""

    def __init__(self, port: int, token: str) -> None:
        super().__init__(port, "parlour.v1")
        self.token = token
        self.welcomed = asyncio.get_running_loop().create_future()
        self.answers: Counter[str] = Counter()
        self.table: str | None = None
        """The last one that it made."""
        self.mate = self
        """Who plays with it, in attacks by two."""
        self.host = False
        """Makes the table of the two."""
        self.seated = False
        self._last_id = 0
        self._wishes: Wishes | None = None
        self._unanswered: set[int] = set()
        self.quiet = asyncio.Event()

    def opened(self) -> None:
        hello = {"type": "hello", "versions": [1], "client": "bench", "token": self.token}
        self.send(msgpack.packb(hello))

    def begin(self, wishes: Wishes) -> None:
        self.answers.clear()
        if self.closing:
            return
        self._wishes = wishes
        self.quiet.clear()
        for _ in range(AHEAD):
            self._next()

    def end(self) -> None:
        self._wishes = None
        if not self._unanswered:
            self.quiet.set()

    def go_away(self) -> None:
        """Is no longer there, with a seat that it keeps."""
        self._unanswered.clear()
        self.close()
        self.end()

    def _next(self) -> None:
        if self._wishes is None:
            return
        for word, fields in self._wishes:
            self._last_id += 1
            self._unanswered.add(self._last_id)
            self.send(msgpack.packb({"type": word, "id": self._last_id, **fields}))
            break

    def received(self, payload: bytes) -> None:
        # The first entry is the type: long answers are not read on, which would cost more than asking.
        unpacker = msgpack.Unpacker(max_buffer_size=0)
        unpacker.feed(payload)
        unpacker.read_map_header()
        head = {unpacker.unpack(): unpacker.unpack() for _ in range(2)}
        match head["type"]:
            case "welcome":
                self._last_id = msgpack.unpackb(payload)["last_id"]
                self.welcomed.set_result(None)
            case "snapshot":
                self.seated = True
            case "ok" | "error":
                self._answered(head["type"], head["id"], payload)

    def _answered(self, kind: str, id: int, payload: bytes) -> None:
        message = msgpack.unpackb(payload) if len(payload) < 1000 else None
        if kind == "ok" and message is not None and message["result"] and "code" in message["result"]:
            self.table = message["result"]["table"]
        self.answers["ok" if kind == "ok" else str(message and message["code"])] += 1
        self._unanswered.discard(id)
        self._next()
        if self._wishes is None and not self._unanswered:
            self.quiet.set()


# What they do


def again(word: str, **fields: Any) -> Callable[[Attacker, Targets], Wishes]:
    def wishes(_attacker: Attacker, _targets: Targets) -> Wishes:
        while True:
            yield word, fields

    return wishes


def replays(_attacker: Attacker, targets: Targets) -> Wishes:
    rng = random.Random()
    while True:
        yield "replay", {"game": rng.choice(targets.games)}


def pages(_attacker: Attacker, targets: Targets) -> Wishes:
    rng = random.Random()
    while True:
        tournament = rng.choice(targets.tournaments)
        yield "tournament_log", {"tournament": tournament, "after": 200 * rng.randrange(20)}


def pictures(_attacker: Attacker, targets: Targets) -> Wishes:
    rng = random.Random()
    while True:
        yield "watch_tournament", {"tournament": rng.choice(targets.tournaments)}


def running_picture(_attacker: Attacker, targets: Targets) -> Wishes:
    while True:
        yield "watch_tournament", {"tournament": targets.tournaments[0]}


def old_tournaments(_attacker: Attacker, targets: Targets) -> Wishes:
    rng = random.Random()
    while True:
        for word in ("enter", "withdraw", "check_in"):
            yield word, {"tournament": rng.choice(targets.tournaments)}


def chat(_attacker: Attacker, _targets: Targets) -> Wishes:
    yield "watch_lobby", {"on": True}
    while True:
        yield "say", {"text": "x" * 300}


def making_tables(attacker: Attacker, _targets: Targets) -> Wishes:
    yield "watch_lobby", {"on": True}
    while True:
        yield "create_table", {"game": "balloon-cup", "seats": 2}
        if attacker.table is not None:
            yield "leave", {"table": attacker.table}


def sitting(attacker: Attacker, _targets: Targets) -> Wishes:
    yield "watch_lobby", {"on": True}
    yield "create_table", {"game": "hurry-cup", "seats": 4}
    while True:
        for seat in (1, 2, 3):
            yield "sit", {"table": attacker.table or "", "seat": seat}


def at_own_table(word: str) -> Callable[[Attacker, Targets], Wishes]:
    """What has no budget, because a game may wait for it."""

    def wishes(attacker: Attacker, _targets: Targets) -> Wishes:
        if attacker.table is None:
            yield "create_table", {"game": "hurry-cup", "seats": 6}
        for number in itertools.count():
            extra = {"on": number % 2 == 0} if word == "ready" else {}
            yield word, {"table": attacker.table or "", **extra}

    return wishes


def at_table_of_two(attacker: Attacker, **extra: Any) -> Wishes:
    """Sits down with its mate."""
    host = attacker if attacker.host else attacker.mate
    if attacker is host and host.table is None:
        yield "create_table", {"game": "balloon-cup", "seats": 2, **extra}
    while host.table is None:
        yield "ping", {}
    if attacker is not host and not attacker.seated:
        yield "join", {"table": host.table}
    while not (attacker.seated and attacker.mate.seated):
        yield "ping", {}


def resigning(attacker: Attacker, _targets: Targets) -> Wishes:
    """The host has games dealt and gives them up."""
    yield from at_table_of_two(attacker)
    while True:
        for word in ("start", "resign", "rematch") if attacker.host else ("ping",):
            yield word, {"table": attacker.table} if attacker.host else {}


def wrong_moves(attacker: Attacker, _targets: Targets) -> Wishes:
    """Both answer old questions, with cards that nobody has, and with long nonsense."""
    yield from at_table_of_two(attacker)
    table = attacker.table or attacker.mate.table
    if attacker.host:
        yield "start", {"table": table}
    play = {"type": "play", "card": "red-99", "tile": 0, "side": 0}
    for turn, action in itertools.cycle([(0, play), (1, play), (1, {**play, "card": ["red"] * 500})]):
        yield "act", {"table": table, "turn": turn, "action": action}


def running_out(attacker: Attacker, _targets: Targets) -> Wishes:
    """All have games in which nobody moves, and whose times are up in the same moments."""
    yield from at_table_of_two(attacker, clocks={"decision": 0.5})
    if attacker.host:
        yield "start", {"table": attacker.table}
    while True:
        yield "ping", {}


def nonsense(_attacker: Attacker, _targets: Targets) -> Wishes:
    """What cannot be read, and between two of them something that can: so that nobody hangs up."""
    while True:
        yield "create_table", {"game": ["x"] * 500, "seats": "two", "clocks": {"decision": {}}}
        yield "ping", {}


def substituting(attacker: Attacker, _targets: Targets) -> Wishes:
    """One goes away, and the host has it played for and not played for."""
    yield from at_table_of_two(attacker)
    if not attacker.host:
        attacker.go_away()
        return
    yield "start", {"table": attacker.table}
    for strategy in itertools.cycle(["random", None]):
        yield "substitute", {"table": attacker.table, "seat": 1, "strategy": strategy}


def watching(_attacker: Attacker, targets: Targets) -> Wishes:
    rng = random.Random()
    while True:
        table = rng.choice(targets.tables)
        yield "watch", {"table": table}
        yield "leave", {"table": table}


ATTACKS: dict[str, Callable[[Attacker, Targets], Wishes]] = {
    "played": again("played"),
    "replay": replays,
    "lobby chat": chat,
    "list_tables": again("list_tables"),
    "watch_lobby": again("watch_lobby", on=True),
    "tournaments": again("tournaments"),
    "tournament_log": pages,
    "watch_tournament, one": running_picture,
    "watch_tournament, all": pictures,
    "enter, withdraw": old_tournaments,
    "create_table, leave": making_tables,
    "sit": sitting,
    "watch, leave": watching,
    "games": again("games"),
    "resume": at_own_table("resume"),
    "ready": at_own_table("ready"),
    "start": at_own_table("start"),
    "act": wrong_moves,
    "malformed": nonsense,
    "ping": again("ping"),
    "clocks": running_out,
    "resign": resigning,
    "substitute": substituting,
}


async def connect(port: int, tokens: list[str]) -> list[Attacker]:
    loop = asyncio.get_running_loop()
    made = []
    for token in tokens:
        _, attacker = await loop.create_connection(
            lambda token=token: Attacker(port, token),  # type: ignore[misc]
            "127.0.0.1",
            port,
        )
        await asyncio.wait_for(attacker.welcomed, LONGEST_WAIT)
        made.append(attacker)
    for host, guest in zip(made[::2], made[1::2], strict=True):
        host.mate, guest.mate, host.host = guest, host, True
    return made


async def main() -> None:
    allow_many_sockets()
    # Attackers have machines of their own: the honest players and the server come first on this one.
    os.nice(19)
    attackers: list[Attacker] = []
    targets = Targets([], [], [])

    async def answer(question: Plain) -> Plain:
        nonlocal attackers, targets
        match question["do"]:
            case "connect":
                targets = Targets(**question["targets"])
                attackers = await connect(question["port"], question["tokens"])
            case "begin":
                for attacker in attackers:
                    attacker.begin(ATTACKS[question["attack"]](attacker, targets))
            case "end":
                for attacker in attackers:
                    attacker.end()
                await asyncio.gather(
                    *[asyncio.wait_for(attacker.quiet.wait(), LONGEST_WAIT) for attacker in attackers]
                )
                total: Counter[str] = sum((attacker.answers for attacker in attackers), Counter())
                return {"answers": total}
            case "leave":
                for attacker in attackers:
                    attacker.close()
        return {}

    await answer_questions({}, answer)


if __name__ == "__main__":
    asyncio.run(main())
