"""Players of a house: each has one line, goes where its table is, and keeps a history of all it was told."""

import asyncio
import random
from collections import deque
from typing import Any

import attrs
from support.nodes.house import House
from support.server.returning_players import Host, ReturningPlayer, Sent, TablePlan, Watcher
from support.server.sockets import Plain
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

AGAIN_AFTER, ASK_AGAIN = 0.1, 0.5
"""Seconds after which to connect again, and to ask again for a table that nobody has yet."""
SILENCE = 2.0
"""Seconds without an answer to a ping after which a node counts as gone: it may be frozen."""
TOLD = (
    *("type", "id", "table", "tables", "node", "seq", "after", "turn", "action", "code", "facts", "reason"),
    *("awaited", "result"),
)
"""What a diary has of each message."""
DIARY = 40
"""The last things that happened to a player, for a test that fails."""
NOT_DONE = {"moved", "not_kept", "busy", "closing"}
"""With these nothing has happened, and it may be asked again."""


@attrs.frozen
class Sight:
    """A view that a node has sent of its own accord, or as a snapshot that was asked for."""

    node: str
    number: int
    """Of the table's games."""
    view: Plain
    at: int
    asked: int | None
    """The moments at which it came, and at which the snapshot was asked for."""


class Moved(Exception):
    """The table is elsewhere."""

    def __init__(self, facts: Plain) -> None:
        super().__init__(str(facts))
        self.facts = facts


class NotYet(Exception):
    """Nobody has the table yet, or the database is away."""


class FollowingPlayer(ReturningPlayer):
    """Ids are its own count over all nodes, so that each names one command."""

    house: House

    def __init__(
        self, house: House, name: str, seed: object, plan: TablePlan, *, ignores: float = 0.0
    ) -> None:
        super().__init__(house, name, seed, plan, ignores=ignores)  # type: ignore[arg-type]
        self.house = house
        self.node = ""
        self.way = random.Random(f"{name}/{seed}/way")
        self.asked_at: dict[int, str] = {}
        """The node at which each command was asked."""
        self.in_doubt: set[int] = set()
        """Commands without an answer, whose node is not the one where the player is now."""
        self.sights: list[Sight] = []
        self._again: set[int] = set()
        """Commands that were sent again."""
        self._asks: dict[int, int] = {}
        """The moments at which it asked for snapshots on this line, by the ids of what has no answer yet."""
        self.moves = 0
        """How often it was sent to another node."""
        self.diary: deque[str] = deque(maxlen=DIARY)

    def features(self) -> list[str]:
        return [*super().features(), "nodes"]

    # Coming and going

    async def live(self) -> None:
        moved: Plain | None = None
        while True:
            await self.house.open.wait()
            try:
                await self.follow(moved)
                moved = None
                while True:
                    await self.go_on()
                    self.hear(await self.receive())
            except Moved as told:
                moved, self.moves = told.facts, self.moves + 1
                await self.drop(rudely=self.way.random() < 0.5)
                if self.moves % 3 == 0:  # to and fro, while a table changes its node
                    await asyncio.sleep(AGAIN_AFTER)
            except NotYet:
                moved = None
                await self.drop(rudely=True)
                await asyncio.sleep(ASK_AGAIN)
            except (ConnectionClosed, InvalidHandshake, OSError):
                moved, self.returns = None, self.returns + 1
                await asyncio.sleep(AGAIN_AFTER)

    async def follow(self, moved: Plain | None) -> None:
        """Says hello where it was sent, or anywhere; goes on to where its table is."""
        url = moved["url"] if moved is not None else self.house.some_url(self.way)
        who = {"ticket": moved["ticket"]} if moved is not None else self.proof()
        before = self.last_id
        self.socket = await connect(
            url,
            subprotocols=["parlour.v1"],  # type: ignore[list-item]
            max_size=None,
            proxy=None,
            ping_interval=SILENCE,
            ping_timeout=SILENCE,
            close_timeout=SILENCE,  # a node that is frozen does not answer that either
        )
        await self.write(
            {"type": "hello", "versions": [1], "client": "test", "features": self.features(), **who}
        )
        self.node = ""
        welcome = await self.receive()
        if welcome["type"] == "error" and (moved is not None or welcome["code"] in NOT_DONE):
            raise NotYet  # a ticket that is too old by now, or no database
        assert welcome["type"] == "welcome", (self.name, welcome)
        self.welcome, self.node = welcome, welcome.get("node") or ""
        self.token = welcome["token"] or self.token
        self.last_id = max(before, welcome["last_id"])
        self._resuming.clear()
        self._asks.clear()
        self.sort_out_unanswered()
        self._again = set(self.unanswered)
        for id, sent in self.unanswered.items():
            await self.write({"type": sent.word, "id": id, **sent.fields})
        # Resumed here, or told where it is.
        for table in [*welcome["tables"], *[each["table"] for each in welcome.get("elsewhere", ())]]:
            await self.resume(table)

    def proof(self) -> Plain:
        return {"name": self.name} if self.token is None else {"token": self.token}

    def sort_out_unanswered(self) -> None:
        """What was asked at another node is answered by nobody; what the player does next depends on how
        things are now."""
        for id in [id for id in self.unanswered if self.asked_at[id] != self.node]:
            self.in_doubt.add(id)
            del self.unanswered[id]
            self._more.set()

    async def ask(self, word: str, **fields: Any) -> None:
        self.asked_at[self.last_id + 1] = self.node
        await super().ask(word, **fields)

    # What comes

    async def write(self, message: Plain) -> None:
        self.note(">", message)
        if message["type"] in ("resume", "watch"):
            self._asks[message["id"]] = self.house.moment()
        await super().write(message)

    async def read(self) -> Plain:
        message = await super().read()
        self.note("<", message)
        return message

    def note(self, way: str, message: Plain) -> None:
        told = {key: message[key] for key in TOLD if key in message}
        if isinstance(message.get("question"), dict):
            told["turn"] = message["question"]["turn"]
        if message["type"] == "welcome":
            told["elsewhere"] = message.get("elsewhere")
        self.diary.append(f"{self.house.moment()} {self.name} {self.node or '?'} {way} {told}")

    async def receive(self) -> Plain:
        message = await super().receive()
        if "seq" in message and "table" in message:
            self.house.note_teller(message["table"], self.node)
            if message["type"] in ("snapshot", "update") and message["view"] is not None:
                # Which of several it answers cannot be seen: it is at least as new as the first.
                asked = min(self._asks.values(), default=0) if message["type"] == "snapshot" else None
                number = self.memories[message["table"]].known["info"]["number"]
                self.sights.append(Sight(self.node, number, message["view"], self.house.moment(), asked))
        elif message["type"] in ("ok", "error"):
            self._asks.pop(message["id"], None)
        return message

    def hear(self, message: Plain) -> None:
        if message["type"] == "error" and message["code"] in NOT_DONE:
            self.house.hear()
            self._more.set()
            sent = self.unanswered.pop(message["id"], None)
            if message["id"] in self._again and message["code"] in ("moved", "busy"):
                # The table is not there any more, and no other node knows whether it was done (appendix G).
                self.in_doubt.add(message["id"])
            if message["code"] == "moved":
                raise Moved(message["facts"])
            if message["id"] in self._resuming or (sent is not None and sent.word == "watch"):
                raise NotYet
            return
        super().hear(message)

    def take_answer(self, id: int, sent: Sent, answer: Plain) -> None:
        if sent.word == "act" and answer.get("code") == "not_now":
            # Others were quicker, and the next game is being prepared; one who comes back hears that later.
            assert id in self._again or self.known_here["info"]["number"] > sent.number, (sent, answer)
            self.answers[id] = answer
            self._past.add((sent.number, sent.fields["turn"]))
            return
        super().take_answer(id, sent, answer)

    def is_acknowledged(self, id: int) -> bool:
        return bool(self.answers.get(id, {}).get("type") == "ok")

    def acknowledged_moves(self) -> int:
        return sum(sent.word == "act" and self.is_acknowledged(id) for id, sent in self.sent.items())

    async def until_over(self) -> None:
        while self.unanswered or self.resuming or self.known_here.get("result") is None:
            self._more = asyncio.Event()
            await self._more.wait()

    # What to do

    async def sit_down(self) -> None:
        await self.plan.made.wait()
        elsewhere = [each["table"] for each in self.welcome.get("elsewhere", ())]
        if self.plan.table not in (*self.welcome["tables"], *elsewhere):
            where = {"code": self.plan.code} if self.plan.code else {"table": self.plan.table}
            await self.ask("join", **where)


class FollowingHost(FollowingPlayer, Host):
    """Makes the table, where it happens to be; if it does not know whether it has, it looks first."""

    async def sit_down(self) -> None:
        seats = [*self.welcome["tables"], *[each["table"] for each in self.welcome.get("elsewhere", ())]]
        if seats:
            if self.plan.table is None:  # made, but the answer was lost
                self.plan.table = seats[0]
            if self.known_here:
                self.plan.code = self.known_here["code"]
                self.plan.made.set()
            return
        await Host.sit_down(self)


class FollowingWatcher(FollowingPlayer, Watcher):
    """Sees what all may see, wherever it is."""

    async def follow(self, moved: Plain | None) -> None:
        self.memories.clear()
        await super().follow(moved)

    async def go_on(self) -> None:
        await Watcher.go_on(self)


def seat_followers(
    house: House, plan: TablePlan, names: list[str], seed: object, ignores: float = 0.0
) -> list[FollowingPlayer]:
    """Makes a player for every seat; the last one ignores some questions."""
    people: list[FollowingPlayer] = [FollowingHost(house, names[0], seed, plan)]
    people += [FollowingPlayer(house, name, seed, plan) for name in names[1:]]
    people[-1].ignores = ignores
    return people
